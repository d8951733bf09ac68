//! The embedders' façade of ringfence.

pub use ringfence_analysis as analysis;
pub use ringfence_core as core;
pub use ringfence_guard as guard;
pub use ringfence_manifest as manifest;
