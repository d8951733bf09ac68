mod bad_lines;
mod bypasses;
mod commands;
mod corpus;
mod json;
mod laws;
mod limits;
mod oracle;
mod redirects;
mod regressions;
mod show;
#[path = "../../../../tests/support/skip.rs"]
mod skip;
mod words;
