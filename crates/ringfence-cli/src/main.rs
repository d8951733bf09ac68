//! The command `ringfence`: what a policy says, and what it means for a call.
//!
//! Data goes to stdout, talk to stderr. Nothing is decided here: every command asks the guard.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod args;
mod asking;
mod by_hand;
mod command;
mod door;
mod exit;
mod explain;
mod file;
mod input;
mod kept;
mod patience;
mod show;
mod site;
mod source;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Verb};
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let exit = match Args::try_parse() {
        Ok(args) => run(args).unwrap_or_else(|failure| {
            show::failure(&failure);
            Exit::Error
        }),
        Err(error) => {
            // Asking for help is no error.
            let wanted = !error.use_stderr();
            let _ = error.print();
            if wanted { Exit::Allow } else { Exit::Error }
        }
    };
    exit.into()
}

fn run(args: Args) -> Result<Exit, Failure> {
    match args.verb {
        Verb::Check(args) if args.jsonl => command::jsonl::run(),
        Verb::Check(args) => command::check::run(&args.call),
        Verb::Explain(args) => command::explain::run(&args),
        Verb::Parse(args) => command::parse::run(&args),
        Verb::Run(args) => command::run::run(&args),
        Verb::Mcp(args) => command::mcp::run(&args),
        Verb::Hook(args) => command::hook::run(&args),
        Verb::Pending(args) => command::pending::run(&args),
        Verb::Approve(args) => command::approve::run(&args),
        Verb::Allow(args) => command::allow::run(&args),
        Verb::Deny(args) => command::deny::run(&args),
        Verb::Forget(args) => command::forget::run(&args),
        Verb::Allowed(args) => command::allowed::run(&args),
        Verb::Status(args) => command::status::run(&args),
        Verb::Log(args) => command::log::run(&args),
        Verb::Init(args) => command::init::run(&args),
        Verb::Uninstall(args) => command::uninstall::run(&args),
        Verb::Doctor(args) => command::doctor::run(&args),
        Verb::Test(args) => command::test::run(&args),
        Verb::Policy(args) => command::policy::run(&args),
        Verb::Trust(args) => command::trust::run(&args),
        Verb::Danger(args) => command::danger::run(&args),
        Verb::Programs(args) => command::programs::run(&args),
        Verb::Schema => command::schema::run(),
        Verb::Fmt(args) => command::fmt::run(&args),
        Verb::Lint(args) => command::lint::run(&args),
        Verb::Import(args) => command::import::run(&args),
        Verb::Export(args) => command::export::run(&args),
    }
}
