//! Fuzzes `ringfence_fuzz::url`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::url(data));
