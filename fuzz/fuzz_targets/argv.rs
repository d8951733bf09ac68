//! Fuzzes `ringfence_fuzz::argv`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::argv(data));
