//! What the benchmarks of cold processes share: the programs, and how they take turns.

pub mod programs;
pub mod report;
pub mod turns;
