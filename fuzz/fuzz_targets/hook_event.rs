//! Fuzzes `ringfence_fuzz::hook_event`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::hook_event(data));
