//! Fuzzes `ringfence_fuzz::document_yaml`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::document_yaml(data));
