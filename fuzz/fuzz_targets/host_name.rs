//! Fuzzes `ringfence_fuzz::host_name`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::host_name(data));
