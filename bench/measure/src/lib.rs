//! What both benchmarks share: percentiles, bounded sampling, and a table for the terminal.
//!
//! It reports medians and percentiles, never means: the machine is shared, and a mean tells of the
//! neighbours.

mod sampling;
mod table;

pub use sampling::{Bounds, percentile, sample_nanos};
pub use table::Table;
