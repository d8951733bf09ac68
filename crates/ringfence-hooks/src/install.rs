//! Adds the hook to the text of an agent's settings, and removes it.
//!
//! This module changes text only; it never writes files. Comments, order and entries of others are
//! kept.

mod json;
mod yaml;

use std::fmt;

use crate::agent::Agent;
use crate::setup::{self, HookSetup};

/// The settings after the hook was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookRemoval {
    /// The settings do not call the hook.
    Nothing,
    /// The settings without the hook.
    Text(String),
    /// The whole file belongs to the hook and can be deleted.
    Whole,
}

/// Why the hook cannot be added to, or removed from, settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsError {
    /// The settings cannot be parsed.
    Malformed(String),
    /// The settings have another structure than expected.
    Form(String),
    /// The file exists and was not written by ringfence.
    Foreign,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Malformed(reason) => write!(f, "it cannot be read: {reason}"),
            SettingsError::Form(what) => f.write_str(what),
            SettingsError::Foreign => {
                f.write_str("the file exists and was not written by ringfence")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

/// The format of a settings file.
enum Kind {
    Json,
    Yaml,
    /// The file contains nothing but the hook.
    Whole,
}

impl Kind {
    fn of(setup: &HookSetup) -> Kind {
        match setup.path.rsplit('.').next() {
            Some("json") => Kind::Json,
            Some("yaml") => Kind::Yaml,
            _ => Kind::Whole,
        }
    }
}

impl Agent {
    /// Returns the settings with the hook added, or `None` if they already call it. `program` is
    /// the path of ringfence.
    pub fn install(
        self,
        program: &str,
        settings: Option<&str>,
    ) -> Result<Option<String>, SettingsError> {
        let setup = self.setup(program);
        let Some(settings) = settings.filter(|text| !text.trim().is_empty()) else {
            return Ok(Some(setup.text));
        };
        match Kind::of(&setup) {
            Kind::Json => json::install(settings, &setup.text, self.name()),
            Kind::Yaml => yaml::install(settings, &setup.text, self.name()),
            Kind::Whole if settings == setup.text => Ok(None),
            Kind::Whole if self.hooks_in(settings)?.is_empty() => Err(SettingsError::Foreign),
            Kind::Whole => Ok(Some(setup.text)),
        }
    }

    /// Returns the settings without the hook.
    pub fn uninstall(self, settings: &str) -> Result<HookRemoval, SettingsError> {
        let commands = self.hooks_in(settings)?;
        let setup = self.setup("ringfence");
        match Kind::of(&setup) {
            _ if commands.is_empty() => Ok(HookRemoval::Nothing),
            Kind::Whole => Ok(HookRemoval::Whole),
            Kind::Json if setup.path.contains("ringfence") => Ok(HookRemoval::Whole),
            Kind::Json => json::remove(settings, self.name()).map(HookRemoval::Text),
            Kind::Yaml => yaml::remove(settings, &setup.text, self.name()).map(HookRemoval::Text),
        }
    }

    /// Returns the shell lines by which settings call the hook.
    pub fn hooks_in(self, settings: &str) -> Result<Vec<String>, SettingsError> {
        match Kind::of(&self.setup("ringfence")) {
            Kind::Json => json::commands(settings, self.name()),
            Kind::Yaml => Ok(yaml::commands(settings, self.name())),
            Kind::Whole => Ok(in_program(settings, self.name())),
        }
    }
}

/// Returns whether a shell line calls this agent's hook.
fn calls_hook(line: &str, agent: &str) -> bool {
    let call = format!(" hook {agent}");
    let Some((program, rest)) = line.split_once(&call) else { return false };
    program.contains("ringfence") && (rest.is_empty() || rest.starts_with(' '))
}

/// Returns the shell lines by which a plugin or a script calls the hook.
fn in_program(text: &str, agent: &str) -> Vec<String> {
    let script = text.lines().filter_map(|line| line.strip_prefix("exec "));
    let script = script.filter(|line| calls_hook(line, agent)).map(str::to_owned);
    let constants = text.lines().filter_map(|line| line.strip_prefix("const RINGFENCE = "));
    let programs = constants.filter_map(|own| serde_json::from_str::<String>(own).ok());
    script.chain(programs.map(|program| setup::command(&program, agent))).collect()
}
