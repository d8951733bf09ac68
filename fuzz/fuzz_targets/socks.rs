//! Fuzzes `ringfence_fuzz::socks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::socks(data));
