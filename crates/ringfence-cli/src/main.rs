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
mod command;
mod diary;
mod door;
mod exit;
mod explain;
mod file;
mod input;
mod kept;
mod manual_rules;
mod show;
mod site;
mod slow_notice;
mod source;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Later, Verb};
use exit::{Exit, Failure};

/// musl's own allocator gives memory back after nearly every use: a cold hook asks the kernel for
/// memory four times as often with it, and takes a fifth longer.
#[cfg(target_env = "musl")]
#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

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
        Verb::Check(Later(args)) if args.jsonl => command::jsonl::run(),
        Verb::Check(Later(args)) => command::check::run(&args.call),
        Verb::Explain(Later(args)) => command::explain::run(&args),
        Verb::Parse(Later(args)) => command::parse::run(&args),
        Verb::Run(Later(args)) => command::run::run(&args),
        Verb::Session(Later(args)) => command::session::run(&args),
        Verb::Mcp(Later(args)) => command::mcp::run(&args),
        Verb::Hook(Later(args)) => command::hook::run(&args),
        Verb::Fenced(Later(args)) => command::fenced::run(&args),
        Verb::Pending(Later(args)) => command::pending::run(&args),
        Verb::Approve(Later(args)) => command::approve::run(&args),
        Verb::Allow(Later(args)) => command::allow::run(&args),
        Verb::Deny(Later(args)) => command::deny::run(&args),
        Verb::Forget(Later(args)) => command::forget::run(&args),
        Verb::Allowed(Later(args)) => command::allowed::run(&args),
        Verb::Status(Later(args)) => command::status::run(&args),
        Verb::Log(Later(args)) => command::log::run(&args),
        Verb::Init(Later(args)) => command::init::run(&args),
        Verb::Uninstall(Later(args)) => command::uninstall::run(&args),
        Verb::Doctor(Later(args)) => command::doctor::run(&args),
        Verb::Test(Later(args)) => command::test::run(&args),
        Verb::Policy(Later(args)) => command::policy::run(&args),
        Verb::Trust(Later(args)) => command::trust::run(&args),
        Verb::Danger(Later(args)) => command::danger::run(&args),
        Verb::Programs(Later(args)) => command::programs::run(&args),
        Verb::Schema => command::schema::run(),
        Verb::Completions(Later(args)) => command::completions::run(&args),
        Verb::Fmt(Later(args)) => command::fmt::run(&args),
        Verb::Lint(Later(args)) => command::lint::run(&args),
        Verb::Import(Later(args)) => command::import::run(&args),
        Verb::Export(Later(args)) => command::export::run(&args),
    }
}
