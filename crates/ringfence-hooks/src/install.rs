//! From an agent's settings as they are to settings that call the hook, and back.
//!
//! Only text is changed here, and only what has to be: comments, order and foreign entries stay.

mod json;
mod yaml;

use std::fmt;

use crate::agent::Agent;
use crate::setup::{self, Setup};

/// What is left of settings without the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// They do not call the hook.
    Nothing,
    /// What they say without it.
    Text(String),
    /// The file is there for the hook alone.
    Whole,
}

/// Why settings cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmergeable {
    /// They cannot be read.
    Malformed(String),
    /// What stands there has another form.
    Form(String),
    /// The file is somebody else's.
    Foreign,
}

impl fmt::Display for Unmergeable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unmergeable::Malformed(reason) => write!(f, "it cannot be read: {reason}"),
            Unmergeable::Form(what) => f.write_str(what),
            Unmergeable::Foreign => f.write_str("it is there already, and not ringfence's"),
        }
    }
}

impl std::error::Error for Unmergeable {}

/// How a file of settings is written.
enum Kind {
    Json,
    Yaml,
    /// The file is the hook.
    Whole,
}

impl Kind {
    fn of(setup: &Setup) -> Kind {
        match setup.path.rsplit('.').next() {
            Some("json") => Kind::Json,
            Some("yaml") => Kind::Yaml,
            _ => Kind::Whole,
        }
    }
}

impl Agent {
    /// The text of its settings with the hook, where `program` is ringfence; none where they call
    /// it already.
    pub fn install(
        self,
        program: &str,
        settings: Option<&str>,
    ) -> Result<Option<String>, Unmergeable> {
        let setup = self.setup(program);
        let Some(settings) = settings.filter(|text| !text.trim().is_empty()) else {
            return Ok(Some(setup.text));
        };
        match Kind::of(&setup) {
            Kind::Json => json::install(settings, &setup.text, self.name()),
            Kind::Yaml => yaml::install(settings, &setup.text, self.name()),
            Kind::Whole if settings == setup.text => Ok(None),
            Kind::Whole if self.hooks_in(settings)?.is_empty() => Err(Unmergeable::Foreign),
            Kind::Whole => Ok(Some(setup.text)),
        }
    }

    /// The text of its settings without the hook.
    pub fn uninstall(self, settings: &str) -> Result<Removed, Unmergeable> {
        let commands = self.hooks_in(settings)?;
        let setup = self.setup("ringfence");
        match Kind::of(&setup) {
            _ if commands.is_empty() => Ok(Removed::Nothing),
            Kind::Whole => Ok(Removed::Whole),
            Kind::Json if setup.path.contains("ringfence") => Ok(Removed::Whole),
            Kind::Json => json::remove(settings, self.name()).map(Removed::Text),
            Kind::Yaml => yaml::remove(settings, &setup.text, self.name()).map(Removed::Text),
        }
    }

    /// The commands with which settings call the hook, each as a line for a shell.
    pub fn hooks_in(self, settings: &str) -> Result<Vec<String>, Unmergeable> {
        match Kind::of(&self.setup("ringfence")) {
            Kind::Json => json::commands(settings, self.name()),
            Kind::Yaml => Ok(yaml::commands(settings, self.name())),
            Kind::Whole => Ok(in_program(settings, self.name())),
        }
    }
}

/// Whether a line calls the hook of this agent.
fn calls_hook(line: &str, agent: &str) -> bool {
    let call = format!(" hook {agent}");
    let Some((program, rest)) = line.split_once(&call) else { return false };
    program.contains("ringfence") && (rest.is_empty() || rest.starts_with(' '))
}

/// The commands in a plugin or a script.
fn in_program(text: &str, agent: &str) -> Vec<String> {
    let script = text.lines().filter_map(|line| line.strip_prefix("exec "));
    let script = script.filter(|line| calls_hook(line, agent)).map(str::to_owned);
    let constants = text.lines().filter_map(|line| line.strip_prefix("const RINGFENCE = "));
    let programs = constants.filter_map(|own| serde_json::from_str::<String>(own).ok());
    script.chain(programs.map(|program| setup::command(&program, agent))).collect()
}
