//! Fuzzes `ringfence_fuzz::path`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::path(data));
