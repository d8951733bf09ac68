//! The command lines that programs write by the thousand, read without building the definition
//! of all others: `hook AGENT` and `check --access ACCESS`, with `--policy FILE` and `--json`, and
//! `run -- COMMAND` with `--policy FILE`.
//!
//! Whatever else stands there, or stands there in another way, is left to clap. A test draws command
//! lines and compares the two.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::args::{
    Args, CallArgs, CheckArgs, HookArgs, Later, PolicyFiles, RunArgs, SessionChoice, Verb,
};

impl Args {
    /// Reads the words after the program's name, if they say plainly what is meant.
    pub(crate) fn plain(words: impl IntoIterator<Item = OsString>) -> Option<Args> {
        let mut words = words.into_iter();
        let verb = words.next()?;
        let verb = match verb.to_str()? {
            "hook" => Said::read(words)?.hook()?,
            "check" => Said::read(words)?.check()?,
            "run" => run(words)?,
            _ => return None,
        };
        Some(Args { verb })
    }
}

/// A command to run: what stands after `--` is it, whatever it says.
fn run(mut words: impl Iterator<Item = OsString>) -> Option<Verb> {
    let mut policies = Vec::new();
    loop {
        match words.next()?.to_str()? {
            "--policy" => policies.push(value(words.next())?.into()),
            "--" => break,
            _ => return None,
        }
    }
    let command: Vec<OsString> = words.collect();
    let args = RunArgs {
        files: PolicyFiles { policies },
        agent: None,
        tool: None,
        print_plan: false,
        json: false,
        report: None,
        ask: false,
        session: SessionChoice::default(),
        command,
    };
    (!args.command.is_empty()).then_some(Verb::Run(Later(args)))
}

/// What the words say, whichever verb they belong to.
#[derive(Default)]
struct Said {
    policies: Vec<PathBuf>,
    access: Option<String>,
    json: bool,
    /// The word that is no option.
    operand: Option<String>,
}

impl Said {
    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Said> {
        let mut said = Said::default();
        while let Some(word) = words.next() {
            match word.to_str()? {
                "--policy" => said.policies.push(value(words.next())?.into()),
                "--access" if said.access.is_none() => said.access = Some(value(words.next())?),
                "--json" if !said.json => said.json = true,
                _ if said.operand.is_none() => said.operand = Some(value(Some(word))?),
                _ => return None,
            }
        }
        Some(said)
    }

    fn hook(self) -> Option<Verb> {
        match self {
            Said { policies, access: None, json: false, operand: Some(agent) } => {
                let files = PolicyFiles { policies };
                Some(Verb::Hook(Later(HookArgs { files, setup: false, agent })))
            }
            _ => None,
        }
    }

    fn check(self) -> Option<Verb> {
        let Said { policies, access: Some(access), json, operand: None } = self else {
            return None;
        };
        let call = CallArgs {
            files: PolicyFiles { policies },
            agent: None,
            tool: None,
            input: None,
            access: Some(access),
            json,
            words: Vec::new(),
        };
        Some(Verb::Check(Later(CheckArgs { call, jsonl: false })))
    }
}

/// A word that cannot be taken for an option.
fn value(word: Option<OsString>) -> Option<String> {
    word?.into_string().ok().filter(|word| !word.is_empty() && !word.starts_with('-'))
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
