//! Resolves command lines in the arguments of tools that are not terminals.
//!
//! Many MCP servers take a `command`, with or without separate arguments, a directory and
//! variables. Such a command is judged like the same command in a terminal. This module never
//! decides.

use std::borrow::Cow;

use ringfence_core::access::{Cover, Exec, Program};
use ringfence_core::{Access, AccessKind, Effect, Ground};
use serde_json::{Map, Value};

use super::Resolver;
use super::arguments::{MAX_DEPTH, UnreadableArguments};
use super::patch::is_patch;
use super::terminal::{ARGUMENTS, texts};
use super::tool_name::words;

/// A command in a tool's arguments.
#[derive(Debug, PartialEq)]
pub(super) struct ToolCommand<'v> {
    /// The command itself.
    form: CommandForm<'v>,
    /// The fields next to the command: its directory and its variables.
    beside: &'v Map<String, Value>,
}

#[derive(Debug, PartialEq)]
enum CommandForm<'v> {
    Line(Cow<'v, str>),
    Argv(Vec<String>),
}

/// Returns every command in the arguments, at any depth.
pub(super) fn commands(input: &Value) -> Result<Vec<ToolCommand<'_>>, UnreadableArguments> {
    let mut found = Vec::new();
    collect(input, 0, &mut found)?;
    Ok(found)
}

/// Returns whether a key names a command.
fn is_command_key(key: &str) -> bool {
    match words(key).as_slice() {
        [.., first, last] if first == "command" && last == "line" => true,
        [.., last] => COMMAND_WORDS.contains(&last.as_str()),
        [] => false,
    }
}

/// The last words of keys under which commands stand.
const COMMAND_WORDS: [&str; 10] = [
    "command",
    "commands",
    "cmd",
    "cmds",
    "cmdline",
    "commandline",
    "script",
    "scripts",
    "exec",
    "shell",
];

fn collect<'v>(
    value: &'v Value,
    depth: usize,
    found: &mut Vec<ToolCommand<'v>>,
) -> Result<(), UnreadableArguments> {
    if depth > MAX_DEPTH {
        return Err(UnreadableArguments("its arguments are nested too deep"));
    }
    let below = depth.saturating_add(1);
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, below, found)),
        Value::Object(fields) => fields.iter().try_for_each(|(key, value)| {
            if is_command_key(key) {
                add(value, fields, found)?;
            }
            collect(value, below, found)
        }),
        _ => Ok(()),
    }
}

fn add<'v>(
    value: &'v Value,
    beside: &'v Map<String, Value>,
    found: &mut Vec<ToolCommand<'v>>,
) -> Result<(), UnreadableArguments> {
    let mut push = |form| found.push(ToolCommand { form, beside });
    match value {
        Value::String(text) if text.trim().is_empty() || is_patch(text) => {}
        Value::String(text) => match words_apart(beside)? {
            args if args.is_empty() => push(CommandForm::Line(text.into())),
            args if text.contains(char::is_whitespace) => {
                // The tool may run the text as a line without the arguments, append the arguments to
                // the line, or take the whole text for the name of a program. All are judged.
                push(CommandForm::Line(text.into()));
                push(CommandForm::Line(format!("{text} {}", args.join(" ")).into()));
                push(CommandForm::Argv(std::iter::once(text.clone()).chain(args).collect()));
            }
            args => push(CommandForm::Argv(std::iter::once(text.clone()).chain(args).collect())),
        },
        Value::Array(items) if items.iter().all(Value::is_string) && !items.is_empty() => {
            let argv = texts(value).unwrap_or_default();
            // A list of lines contains spaces; a list of words begins with a program.
            let are_lines = argv.first().is_some_and(|own| own.contains(char::is_whitespace));
            if are_lines {
                let lines = items.iter().filter_map(Value::as_str);
                lines.for_each(|own| push(CommandForm::Line(own.into())));
            } else {
                let lines = items.iter().filter_map(Value::as_str);
                lines
                    .filter(|own| own.contains(char::is_whitespace))
                    .for_each(|own| push(CommandForm::Line(own.into())));
                push(CommandForm::Argv(argv.into_iter().chain(words_apart(beside)?).collect()));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the command's arguments that the tool takes in a key of their own, such as `args`.
fn words_apart(beside: &Map<String, Value>) -> Result<Vec<String>, UnreadableArguments> {
    let args = ARGUMENTS.iter().filter_map(|key| beside.get(*key)).find(|own| !own.is_null());
    match args {
        None | Some(Value::Object(_)) => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Some(args) => {
            texts(args).ok_or(UnreadableArguments("the arguments of its command are not strings"))
        }
    }
}

impl Resolver<'_> {
    /// Adds the effects of the commands in a tool's arguments.
    pub(super) fn tool_commands(&mut self, commands: &[ToolCommand<'_>]) {
        for command in commands {
            let (cwd, given) = (self.cwd.clone(), self.given.clone());
            let beside = Value::Object(command.beside.clone());
            let entered =
                self.enter_variables(&beside).and_then(|()| self.enter_directory(&beside));
            match (entered, &command.form) {
                (Err(reason), _) => self.doubt(reason),
                (Ok(()), CommandForm::Line(line)) => self.line(line, None),
                (Ok(()), CommandForm::Argv(argv)) => self.argv(argv, &[]),
            }
            (self.cwd, self.given) = (cwd, given);
        }
    }

    /// Adds the effects of commands in an MCP tool's arguments, if the policy has rules about
    /// commands.
    ///
    /// Without a stance on commands, only deny, ask and danger rules count, because the tool's
    /// grant covers the rest. On a remote server, only the programs are judged.
    pub(super) fn mcp_commands(&mut self, args: &Value, is_remote: bool) {
        let policy = self.around.policy;
        let has_stance = policy.has_stance(&self.some_start());
        let commands = match commands(args) {
            Ok(commands) => commands,
            Err(error) if has_stance => return self.doubt(error.0),
            Err(_) => return,
        };
        if commands.is_empty() {
            return;
        }
        let (before, scope) = (std::mem::take(&mut self.effects), self.scope.clone());
        self.scope.cover = Cover::OwnGrant;
        self.tool_commands(&commands);
        self.scope = scope;
        let mut own = std::mem::replace(&mut self.effects, before);
        if is_remote {
            own.accesses.retain(|access| matches!(access.what, AccessKind::Exec(_)));
        }
        if !has_stance {
            own.accesses.retain(|access| is_objected_to(&policy.decide(access).grounds));
        }
        if !has_stance && !policy.denies_commands() {
            own.doubts.clear();
        }
        self.effects.accesses.extend(own.accesses);
        self.effects.doubts.extend(own.doubts);
    }

    /// Returns an arbitrary start of a program, for questions about the class only.
    fn some_start(&self) -> Access {
        let program = Program { invoked: "true".into(), file: None, known_as: None };
        let exec = Exec::new(program, Vec::new(), self.cwd.clone());
        Access { what: AccessKind::Exec(exec.into()), scope: self.scope.clone(), span: None }
    }
}

/// Returns whether a rule objects, as opposed to no rule granting.
pub(super) fn is_objected_to<'g>(grounds: impl IntoIterator<Item = &'g Ground>) -> bool {
    grounds.into_iter().any(|ground| match ground {
        Ground::Rule(_) => ground.effect() != Effect::Allow,
        Ground::Danger(_) | Ground::Protected(_) => ground.effect() == Effect::Deny,
        _ => false,
    })
}

#[cfg(test)]
#[path = "tool_commands_tests.rs"]
mod tests;
