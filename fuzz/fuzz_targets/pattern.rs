//! Fuzzes `ringfence_fuzz::pattern`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::pattern(data));
