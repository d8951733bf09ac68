#[cfg(feature = "tokio")]
mod asynchronous;
mod examples;
mod left;
mod many;
mod project;
mod runs;
