//! Fuzzes `ringfence_fuzz::parser`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::parser(data));
