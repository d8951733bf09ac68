//! What benchmarks share: percentiles, bounded sampling, programs that take turns, the product as
//! it is released, and a table for the terminal.
//!
//! It reports medians and percentiles, never means: the machine is shared, and a mean tells of the
//! neighbours.

mod product;
mod sampling;
mod table;
mod turns;

pub use product::{build_product, run_tool};
pub use sampling::{Bounds, percentile, sample_nanos};
pub use table::Table;
pub use turns::{Program, Times, rehearse, take_turns};
