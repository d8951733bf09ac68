//! Fuzzes `ringfence_fuzz::import`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::import(data));
