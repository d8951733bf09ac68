//! Resolves calls of tools that run command lines.

use ringfence_core::path::{AbsPath, Follow};
use serde_json::Value;

use super::Resolver;
use super::key::Key;
use super::tool_name::words;

/// Keys for the command to run. With two of them, nobody can tell which one runs.
const COMMANDS: [&str; 8] = ["command", "cmd", "line", "commands", "script", "argv", "code", LINES];
/// The key under which a hook puts several lines, each for a shell of its own.
const LINES: &str = "lines";
/// Keys for a program's arguments, separate from the program.
pub(super) const ARGUMENTS: [&str; 3] = ["args", "arguments", "argv_rest"];
/// Keys for environment variables of the command.
const VARIABLES: [&str; 4] = ["env", "environment", "environ", "env_vars"];

impl Resolver<'_> {
    pub(super) fn line_tool(&mut self, input: &Value) {
        if let Err(reason) = self.enter_variables(input) {
            return self.doubt(reason);
        }
        let shell = match input.get("shell") {
            None | Some(Value::Null | Value::Bool(_)) => None,
            Some(Value::String(shell)) if is_shell(shell) => Some(shell.as_str()),
            Some(_) => return self.doubt("the shell that it names is unknown"),
        };
        let Some(command) = command_of(input) else {
            return self.doubt("it does not name one command");
        };
        let args = ARGUMENTS.iter().filter_map(|key| input.get(key)).find(|own| !own.is_null());
        let args = match args.map(texts) {
            None => Vec::new(),
            Some(Some(args)) => args,
            Some(None) => return self.doubt("its arguments are not a list of strings"),
        };
        if input.get(LINES).is_some_and(|own| !own.is_null()) {
            return match texts(command).filter(|lines| !lines.is_empty() && args.is_empty()) {
                Some(lines) => lines.iter().for_each(|line| self.line(line, shell)),
                None => self.doubt("its lines cannot be read"),
            };
        }
        match (command, texts(command)) {
            (Value::String(line), _) if args.is_empty() => self.line(line, shell),
            (Value::String(program), _) if !program.contains(char::is_whitespace) => {
                let argv: Vec<String> = std::iter::once(program.clone()).chain(args).collect();
                self.argv(&argv, &[]);
            }
            (Value::Array(_), Some(words)) if !words.is_empty() => {
                self.argv(&words.into_iter().chain(args).collect::<Vec<_>>(), &[]);
            }
            _ => self.doubt("its command cannot be read"),
        }
    }

    /// Collects the variables that a tool sets for its command.
    pub(super) fn enter_variables(&mut self, input: &Value) -> Result<(), String> {
        for variables in VARIABLES.iter().filter_map(|key| input.get(key)) {
            let names: Option<Vec<String>> = match variables {
                Value::Null => Some(Vec::new()),
                Value::Object(fields) => {
                    Some(fields.iter().map(|(name, value)| setting(name, Some(value))).collect())
                }
                Value::Array(items) => items.iter().map(variable).collect(),
                _ => None,
            };
            self.given.extend(names.ok_or("the variables it sets cannot be read")?);
        }
        Ok(())
    }

    /// Changes to the directory in which the tool is told to work.
    pub(super) fn enter_directory(&mut self, input: &Value) -> Result<(), String> {
        let mut entered: Option<AbsPath> = None;
        let fields = input.as_object().into_iter().flatten();
        for (key, value) in fields.filter(|(key, _)| is_directory_key(key)) {
            let directory = match value {
                Value::Null => continue,
                Value::String(text) => self.resolve(text, Follow::Final)?.real,
                _ => return Err(format!("its `{key}` is not a directory")),
            };
            if entered.as_ref().is_some_and(|own| *own != directory) {
                return Err("it names two working directories".to_owned());
            }
            entered = Some(directory);
        }
        self.cwd = entered.unwrap_or_else(|| self.cwd.clone());
        Ok(())
    }

    /// Checks keys such as `dir`, which may or may not name the working directory of a command: their
    /// value must be that directory.
    pub(super) fn must_be_here(&self, input: &Value) -> Result<(), String> {
        let fields = input.as_object().into_iter().flatten();
        let is_place = |key: &str| matches!(Key::new(key, &[]), Key::Place);
        for (key, value) in fields.filter(|(key, _)| is_place(key) && !is_directory_key(key)) {
            let is_here = |text: &str| {
                self.resolve(text, Follow::Final).is_ok_and(|path| path.real == self.cwd)
            };
            if !value.is_null() && !value.as_str().is_some_and(is_here) {
                return Err(format!("the meaning of its `{key}` for the command is unknown"));
            }
        }
        Ok(())
    }
}

/// Returns the command to run, if there is exactly one.
fn command_of(input: &Value) -> Option<&Value> {
    let mut given = COMMANDS.iter().filter_map(|key| input.get(key)).filter(|own| !own.is_null());
    given.next().filter(|_| given.next().is_none())
}

/// Returns the command to run, if it is a single string.
pub(crate) fn line_of(input: &Value) -> Option<&str> {
    command_of(input).and_then(Value::as_str)
}

/// Returns whether a key names the working directory.
pub(super) fn is_directory_key(key: &str) -> bool {
    let joined = words(key).join("_");
    matches!(
        joined.as_str(),
        "cwd" | "workdir" | "work_dir" | "working_dir" | "working_directory" | "current_directory"
    )
}

fn variable(item: &Value) -> Option<String> {
    match item {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => {
            let name = fields.get("name").or_else(|| fields.get("key"));
            name.and_then(Value::as_str).map(|name| setting(name, fields.get("value")))
        }
        _ => None,
    }
}

/// Returns `NAME=VALUE`, or the name alone if the value is not a string. A name with `=` in it is
/// invalid and becomes empty.
fn setting(name: &str, value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => setting_text(name, text),
        Some(value @ (Value::Number(_) | Value::Bool(_))) => setting_text(name, &value.to_string()),
        _ if name.contains('=') => setting_text(name, ""),
        _ => name.to_owned(),
    }
}

/// Returns `NAME=VALUE` for a string value.
pub(super) fn setting_text(name: &str, value: &str) -> String {
    match name.contains('=') {
        true => format!("={name}"),
        false => format!("{name}={value}"),
    }
}

pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Returns whether a shell reads plain words like bash does.
fn is_shell(shell: &str) -> bool {
    let (directory, name) = shell.rsplit_once('/').unwrap_or(("/bin", shell));
    matches!(directory, "/bin" | "/usr/bin" | "/usr/local/bin")
        && matches!(name, "bash" | "sh" | "dash" | "ash" | "ksh" | "zsh")
}
