#[cfg(feature = "tokio")]
mod asynchronous;
mod commands;
mod examples;
mod kept;
mod left;
mod many;
mod project;
mod runs;
mod tools;
