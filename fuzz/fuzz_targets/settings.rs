//! Fuzzes `ringfence_fuzz::settings`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::settings(data));
