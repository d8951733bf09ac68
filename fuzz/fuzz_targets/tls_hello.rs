//! Fuzzes `ringfence_fuzz::tls_hello`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::tls_hello(data));
