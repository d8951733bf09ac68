//! Fuzzes `ringfence_fuzz::effects`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::effects(data));
