//! Runs a command in the fence of the current directory and prints what was refused.
//!
//! `cargo run --example run -- ls -l`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::Arc;

use ringfence::{Command, Door, Stdio};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let program = words.next().ok_or("which command?")?;
    let door = Door::open(".", std::iter::empty::<&str>())?;
    let command = Command::new(program).args(words).stdin(Stdio::Null).stdout(Stdio::Piped);
    let fence = Arc::new(door.fence(&command)?);
    let outcome = ringfence::run(&fence, door.permit_typed_command(&command)?)?;
    println!("it ended: {:?}", outcome.ended);
    println!("it said {} bytes", outcome.stdout.len());
    for refused in &outcome.report.refused {
        println!("refused: {} ({})", refused.what, refused.why);
    }
    Ok(())
}
