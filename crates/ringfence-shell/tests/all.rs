//! The tests of the crate that need more than one of its modules, or a shell to compare with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::print_stderr,
    reason = "a test that meets the unexpected should stop and say so"
)]

mod suite;
