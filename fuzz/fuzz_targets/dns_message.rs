//! Fuzzes `ringfence_fuzz::dns_message`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::dns_message(data));
