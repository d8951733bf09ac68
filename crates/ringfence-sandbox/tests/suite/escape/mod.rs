//! Attempts to get out: each succeeds outside and fails inside, as root and as an ordinary user.
//!
//! An attempt is a small program that ends with 0 where it got what it wanted. It first says
//! `begun`, so that one that could not even start does not count as refused.

mod attempt;
mod coming_off;
mod coming_off_drawn;
mod drawn;
mod environment;
mod exec;
mod files;
mod given;
mod kernel;
mod lifetime;
mod limits;
mod links;
mod many;
mod namespaces;
mod network;
mod outside;
mod procfs;
mod races;
mod session;
mod signals;
mod sockets;
mod swaps;
mod terminal;
mod uncovered;
mod user;
mod world;

use attempt::Attempt;
use world::{Fence, World};

/// Every family that is a table.
const FAMILIES: &[(&str, &[Attempt])] = &[
    ("reading files", files::READING),
    ("changing files", files::CHANGING),
    ("changing what is known about files", files::ABOUT),
    ("files that only the judge protects", files::PROTECTED),
    ("links", links::ATTEMPTS),
    ("links that only the judge sees through", links::JUDGED),
    ("races", races::ATTEMPTS),
    ("races over descriptors", races::SWAPS),
    ("races to start a program", races::STARTS),
    ("procfs", procfs::ATTEMPTS),
    ("exec", exec::ATTEMPTS),
    ("environment and inherited descriptors", environment::ATTEMPTS),
    ("standard streams", given::ATTEMPTS),
    ("network", network::ATTEMPTS),
    ("sockets", sockets::ATTEMPTS),
    ("signals", signals::ATTEMPTS),
    ("namespaces", namespaces::ATTEMPTS),
    ("rings", kernel::RINGS),
    ("kernel", kernel::CALLS),
    ("terminal", terminal::ATTEMPTS),
    ("lifetime", lifetime::ATTEMPTS),
    ("limits", limits::ATTEMPTS),
];

#[test]
fn there_are_enough_attempts() {
    let mut total = 0;
    for (family, attempts) in FAMILIES {
        println!("{:4} {family}", attempts.len());
        total += attempts.len();
    }
    println!("{total:4} attempts, as root and as an ordinary user");
    assert!(total >= 120, "{total}");
}

/// Tries all of a family, in each of these fences, as every user.
fn check(test: &str, fences: &[Fence], attempts: &[Attempt]) {
    check_in(test, fences, attempts, |_| {});
}

/// The same, in worlds that are made ready for it.
fn check_in(test: &str, fences: &[Fence], attempts: &[Attempt], ready: fn(&mut World)) {
    user::as_everyone(test, |user| {
        let check = |attempt| attempt::check(attempt, fences, ready);
        let failures: Vec<String> = attempts.iter().flat_map(check).collect();
        let (count, fences) = (attempts.len(), fences.len());
        println!("{test}: {count} attempts in {fences} fences as {user}");
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}
