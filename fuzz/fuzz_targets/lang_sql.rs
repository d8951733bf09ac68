//! Fuzzes `ringfence_fuzz::lang_sql`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ringfence_fuzz::lang_sql(data));
