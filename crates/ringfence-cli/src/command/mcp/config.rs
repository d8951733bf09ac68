//! `gateway.toml`: several servers at one endpoint.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use serde::Deserialize;

use super::name;
use crate::exit::Failure;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A server of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    /// Its command and arguments.
    pub(super) words: Vec<OsString>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    servers: BTreeMap<String, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    command: Vec<String>,
}

/// Reads the file.
pub(super) fn read(path: &Path) -> Result<Vec<Listed>, Failure> {
    let broken = |reason: String| Failure::new(format!("{}: {reason}", path.display()));
    let about = std::fs::metadata(path).map_err(|error| broken(error.to_string()))?;
    if !about.is_file() || about.len() > LONGEST {
        return Err(broken("it is no file, or too long".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    parse(&text).map_err(|failure| Failure { message: broken(failure.message).message, ..failure })
}

fn parse(text: &str) -> Result<Vec<Listed>, Failure> {
    let config: Config = toml::from_str(text).map_err(|error| Failure::new(error.to_string()))?;
    if config.servers.is_empty() {
        let hint = "write `[servers.NAME]` with `command = [\"PROGRAM\", \"ARGUMENT\"]`";
        return Err(Failure::new("it lists no server").hint(hint));
    }
    config.servers.into_iter().map(|(name, entry)| listed(name, entry)).collect()
}

fn listed(name: String, entry: Entry) -> Result<Listed, Failure> {
    // The name ends where `__` begins.
    if name.starts_with('_') || name.ends_with('_') {
        return Err(Failure::new(format!("`{name}` begins or ends with `_`")));
    }
    let name = name::choose(Some(&name), &[])?;
    if entry.command.is_empty() {
        return Err(Failure::new(format!("the server `{name}` has no command")));
    }
    Ok(Listed { name, words: entry.command.into_iter().map(OsString::from).collect() })
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
