//! The simple commands of a line in the schema of `ringfence parse`.
//!
//! What cannot be known without running the line is `None`.

use crate::ast::{
    Assignment, AssignmentValue, Redirect, RedirectTarget, Script, SimpleCommand, Word,
};
use crate::error::ParseError;
use crate::parse::parse;
use crate::walk::{Context, commands, compound_redirects};

/// What a line would run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Its simple commands, in the order in which they begin in the text.
    pub commands: Vec<ListedCommand>,
    /// The redirections of compound commands: operator and target.
    pub compound_redirs: Vec<(String, Option<String>)>,
    /// Why the shell refuses the line.
    pub syntax_error: Option<ParseError>,
    /// Why the line is not read here.
    pub unsupported: Option<ParseError>,
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedCommand {
    /// The program and its arguments.
    pub argv: Vec<Option<String>>,
    /// The assignments before it: name and value.
    pub assigns: Vec<(String, Option<String>)>,
    /// Its redirections: operator with descriptor, and target.
    pub redirs: Vec<(String, Option<String>)>,
    /// What it stands in, innermost.
    pub within: Option<Context>,
}

impl Context {
    /// The name that the schema gives it.
    pub fn name(self) -> &'static str {
        match self {
            Context::CommandSubstitution => "cmdsubst",
            Context::ProcessSubstitution => "procsubst",
            Context::Subshell => "subshell",
            Context::Function => "function",
        }
    }
}

/// Lists the simple commands of a line, `~` taken for `home`.
pub fn list(line: &str, home: &str) -> Listing {
    match parse(line) {
        Ok(script) => list_script(&script, home),
        Err(error @ ParseError::Syntax(_)) => {
            Listing { syntax_error: Some(error), ..Listing::default() }
        }
        Err(error @ ParseError::Unsupported(_)) => {
            Listing { unsupported: Some(error), ..Listing::default() }
        }
    }
}

/// Lists the simple commands of a script, `~` taken for `home`.
pub fn list_script(script: &Script, home: &str) -> Listing {
    let command = |command: &SimpleCommand, within| ListedCommand {
        argv: argv(command, home),
        assigns: command.assignments.iter().map(|assignment| assign(assignment, home)).collect(),
        redirs: command.redirects.iter().map(|redirect| redir(redirect, home)).collect(),
        within,
    };
    let found = commands(script);
    let redirects = compound_redirects(script);
    Listing {
        commands: found.iter().map(|f| command(f.command, f.context.last().copied())).collect(),
        compound_redirs: redirects.iter().map(|found| redir(found.redirect, home)).collect(),
        ..Listing::default()
    }
}

fn argv(command: &SimpleCommand, home: &str) -> Vec<Option<String>> {
    // `let` evaluates its arguments; they are no text.
    let evaluates = command.words.first().and_then(|word| word.as_bare()) == Some("let");
    let argument = |(index, word): (usize, &Word)| {
        if evaluates && index > 0 { None } else { text(word, home) }
    };
    command.words.iter().enumerate().map(argument).collect()
}

fn assign(assignment: &Assignment, home: &str) -> (String, Option<String>) {
    let value = match &assignment.value {
        AssignmentValue::Scalar(word) => text(word, home),
        AssignmentValue::Array(_) => None,
    };
    (assignment.name.clone(), value)
}

fn redir(redirect: &Redirect, home: &str) -> (String, Option<String>) {
    let target = match &redirect.target {
        RedirectTarget::Word(word) => text(word, home),
        RedirectTarget::HereDoc(_) => Some("<heredoc>".to_owned()),
    };
    (redirect.operator(), target)
}

fn text(word: &Word, home: &str) -> Option<String> {
    word.as_static_at(home).map(|text| text.into_owned())
}
