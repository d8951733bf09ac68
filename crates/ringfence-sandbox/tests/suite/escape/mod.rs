//! Attempts to get out: each succeeds outside and fails inside, as root and as an ordinary user.
//!
//! An attempt is a small program that ends with 0 where it got what it wanted. It first says
//! `begun`, so that one that could not even start does not count as refused.

mod attempt;
mod files;
mod kernel;
mod namespaces;
mod network;
mod procfs;
mod signals;
mod user;
mod world;

use attempt::Attempt;
use world::Fence;

/// Tries all of a family, in each of these fences, as every user.
fn check(test: &str, fences: &[Fence], attempts: &[Attempt]) {
    user::as_everyone(test, |user| {
        let failures: Vec<String> =
            attempts.iter().flat_map(|attempt| attempt::check(attempt, fences)).collect();
        let (count, fences) = (attempts.len(), fences.len());
        println!("{test}: {count} attempts in {fences} fences as {user}");
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}
