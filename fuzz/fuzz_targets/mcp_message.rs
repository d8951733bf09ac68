//! Fuzzes `ringfence_fuzz::mcp_message`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::mcp_message(data));
