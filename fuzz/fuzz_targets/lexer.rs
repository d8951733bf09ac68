//! Fuzzes `ringfence_fuzz::lexer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::lexer(data));
