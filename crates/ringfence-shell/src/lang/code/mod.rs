//! Inline code of general interpreters: `python -c`, `node -e` and their kin.
//!
//! Such code needs a grant that takes it, so it is not refused for what cannot be told. What can
//! be told is judged as well: commands handed to the well-known functions, paths and URLs that
//! stand in strings, and variables of the environment. A running function whose command is
//! computed is reported as such.

mod actions;
mod calls;
mod lexer;
mod named;
mod node;
mod perl;
mod php;
mod python;
mod quotes;
mod ruby;
mod small;
mod strings;
mod tcl;
mod values;

use super::Finding;
use calls::Program;

pub(super) use tcl::read as tcl;

/// A general language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Python,
    Node,
    Perl,
    Ruby,
    Php,
    Lua,
    R,
    Julia,
}

/// What a function does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// The first argument is a command line.
    Shell,
    /// A list, or a program and its arguments; one string alone is a command line.
    ShellOrRun,
    /// A list, or a program and its arguments, without a shell unless it is asked for.
    Run,
    /// The first argument is how to do it, the rest is a program and its arguments.
    RunAfterFirst,
    /// What runs cannot be told.
    RunUnknown(&'static str),
    /// Code of the same language.
    Eval,
    /// A module: a path if it starts like one.
    Module,
    /// A file, with a mode as second argument.
    Open,
    /// Perl's `open`, which also runs programs.
    PerlOpen,
    /// Ruby's and R's ways to open, where a bar before a name runs it.
    OpenOrPipe,
    Read,
    /// Python's paths: read, and written too where a method that writes is used anywhere.
    Path,
    Write,
    Delete,
    /// The first is read, the second written.
    Copy,
    /// The first is deleted, the second written.
    Move,
    /// A variable of the environment is read, or set.
    GetEnv,
    SetEnv,
    /// A port, or a port and a host, or a pair of host and port.
    Connect,
    Listen,
}

impl Action {
    /// Whether it runs programs or code.
    fn runs(self) -> bool {
        matches!(
            self,
            Self::Shell | Self::ShellOrRun | Self::Run | Self::RunAfterFirst | Self::Eval
        )
    }
}

/// A function that matters.
#[derive(Debug, Clone, Copy)]
struct Function {
    name: &'static str,
    action: Action,
    /// The name means this only if this word or string stands somewhere in the code.
    needs: &'static str,
}

/// What some names look like, by a bit for each: nearly every other word looks otherwise.
#[derive(Debug, Clone, Copy)]
struct Names {
    low: u128,
    high: u128,
}

impl Names {
    const fn of(functions: &[Function]) -> Names {
        let (mut names, mut rest) = (Names { low: 0, high: 0 }, functions);
        while let [first, others @ ..] = rest {
            let Names { low, high } = Names::like(first.name);
            names = Names { low: names.low | low, high: names.high | high };
            rest = others;
        }
        names
    }

    /// The bit for a name, by its length and ends.
    const fn like(name: &str) -> Names {
        let bytes = name.as_bytes();
        let (first, last) = match bytes {
            [first, .., last] => (*first, *last),
            [only] => (*only, *only),
            [] => (0, 0),
        };
        let len = (bytes.len() & 0xff) as u8;
        let mixed = first.wrapping_mul(7) ^ last.wrapping_mul(31) ^ len.wrapping_mul(53);
        let bit = 1 << (mixed & 127);
        if mixed < 128 { Names { low: bit, high: 0 } } else { Names { low: 0, high: bit } }
    }

    fn may_have(&self, name: &str) -> bool {
        let Names { low, high } = Names::like(name);
        self.low & low != 0 || self.high & high != 0
    }
}

const fn function(name: &'static str, action: Action) -> Function {
    Function { name, action, needs: "" }
}

const fn within(needs: &'static str, name: &'static str, action: Action) -> Function {
    Function { name, action, needs }
}

/// What is known of a language.
#[derive(Debug, Clone, Copy)]
struct Knowledge {
    language: Language,
    name: &'static str,
    functions: &'static [Function],
    /// What the names of the functions look like.
    names: Names,
    /// Names of the environment.
    environment: &'static [&'static str],
    /// Functions that tell the home directory.
    home: &'static [&'static str],
    /// The operator that joins strings.
    joins: char,
    /// Whether functions are called without brackets.
    bare_calls: bool,
}

pub(super) fn python(code: &str) -> Vec<Finding> {
    read(&python::KNOWLEDGE, code)
}

pub(super) fn node(code: &str) -> Vec<Finding> {
    read(&node::KNOWLEDGE, code)
}

pub(super) fn perl(code: &str) -> Vec<Finding> {
    read(&perl::KNOWLEDGE, code)
}

pub(super) fn ruby(code: &str) -> Vec<Finding> {
    read(&ruby::KNOWLEDGE, code)
}

pub(super) fn php(code: &str) -> Vec<Finding> {
    read(&php::KNOWLEDGE, code)
}

pub(super) fn lua(code: &str) -> Vec<Finding> {
    read(&small::LUA, code)
}

pub(super) fn r(code: &str) -> Vec<Finding> {
    read(&small::R, code)
}

pub(super) fn julia(code: &str) -> Vec<Finding> {
    read(&small::JULIA, code)
}

fn read(knowledge: &'static Knowledge, code: &str) -> Vec<Finding> {
    Program::new(knowledge, lexer::tokens(knowledge.language, code, 0)).findings()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
