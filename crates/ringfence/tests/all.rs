//! Runs through the library, as programs that embed it start them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "a test that meets the unexpected should stop"
)]

mod suite;
