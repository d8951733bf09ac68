//! Fuzzes `ringfence_fuzz::patch`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::patch(data));
