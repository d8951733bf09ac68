#[cfg(feature = "tokio")]
mod asynchronous;
mod cached_plans;
mod commands;
mod examples;
mod kin;
mod left;
mod many;
#[cfg(all(feature = "egress", feature = "mcp"))]
mod permits;
mod project;
mod runs;
mod tools;
