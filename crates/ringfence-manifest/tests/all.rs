//! Documents in all their forms, from text to rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::print_stderr,
    reason = "a test that cannot go on stops"
)]

mod suite;
