#[cfg(feature = "tokio")]
mod asynchronous;
mod commands;
mod examples;
mod kept;
mod kin;
mod left;
mod many;
mod project;
mod runs;
mod tools;
