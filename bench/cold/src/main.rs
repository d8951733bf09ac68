//! `cargo xtask bench cold`: how long `ringfence check` takes as a cold process, beside a
//! dynamically linked C program that prints one line.
//!
//! The two take turns, so that whatever the machine does meanwhile befalls both alike. A run that
//! ends otherwise than with "allow" stops everything: a program that fails early looks fast.

use std::error::Error;
use std::process::ExitCode;

use bench_cold::programs::{Workshop, hello, ringfence};
use bench_cold::report::compare;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let workshop = Workshop::open()?;
    let access = ["check", "--access", "fs:r:/etc/hosts"];
    let c = workshop.program("C, prints one line", hello(&workshop)?, &[]);
    let own = workshop.program("ringfence check", ringfence(&workshop)?, &access);
    compare(c, vec![own])
}
