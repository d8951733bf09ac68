//! The egress at work: real servers and clients on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::print_stderr,
    reason = "a test that meets the unexpected should stop"
)]

mod suite;
