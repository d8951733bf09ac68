//! From a command line to what it would do.
//!
//! This crate never guesses: what it cannot read with certainty it reports as a doubt, and a doubt
//! is denied unless a policy says otherwise. Nothing here decides anything.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that meets the unexpected should stop"))]

pub mod plain;
