//! Fuzzes `ringfence_fuzz::lang_code`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::lang_code(data));
