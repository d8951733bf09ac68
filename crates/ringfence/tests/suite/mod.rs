#[cfg(feature = "tokio")]
mod asynchronous;
mod commands;
mod examples;
mod kept;
mod kin;
mod left;
mod many;
#[cfg(all(feature = "egress", feature = "mcp"))]
mod permits;
mod project;
mod runs;
mod tools;
