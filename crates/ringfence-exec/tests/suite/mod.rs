mod aliases;
mod corpus;
#[path = "../../../../tests/support/everyone.rs"]
mod everyone;
mod git_files;
mod habits;
mod kernels;
mod links;
mod odd_names;
mod place;
mod repositories;
mod same;
#[path = "../../../../tests/support/skip.rs"]
mod skip;
mod standard;
mod starts;
mod unlisted;
