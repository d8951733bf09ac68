//! What the benchmarks of cold processes share: the programs, and how they are compared.

pub mod programs;
pub mod report;
