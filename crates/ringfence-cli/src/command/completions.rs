//! `ringfence completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::exit::{Exit, Failure};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "ringfence", &mut text);
    std::io::stdout()
        .write_all(&text)
        .map_err(|error| Failure::new(format!("the completions cannot be written: {error}")))?;
    Ok(Exit::Allow)
}
