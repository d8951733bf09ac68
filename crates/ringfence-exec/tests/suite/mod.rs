mod corpus;
#[path = "../../../../tests/support/everyone.rs"]
mod everyone;
mod place;
mod same;
mod standard;
