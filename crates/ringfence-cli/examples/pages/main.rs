//! Completions and man pages, made from the definition of the command line.
//!
//! `cargo run -p ringfence-cli --example pages -- DIRECTORY` writes them; `cargo xtask dist` does.

#![expect(clippy::print_stderr, reason = "saying what went wrong is its job")]

#[path = "../../src/args/mod.rs"]
mod args;
mod made;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("name the directory to write to");
        return ExitCode::from(2);
    };
    let write = |page: made::Page| {
        let file = directory.join(&page.path);
        file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(file, page.text)
    };
    let pages = made::pages(&args::Args::command());
    match pages.and_then(|pages| pages.into_iter().try_for_each(write)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write to {}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}
