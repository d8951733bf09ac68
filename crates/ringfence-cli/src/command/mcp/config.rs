//! `gateway.toml`: several servers at one endpoint.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use ringfence_guard::world::{Links, open_file, open_file_in};
use ringfence_mcp::remote::{self, Address, HeaderMap};
use rustix::io::Errno;
use serde::Deserialize;

use super::name;
use crate::exit::Failure;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A server of the file.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) place: Place,
    /// How long it may say nothing while a call waits.
    pub(super) silence: Option<Duration>,
}

/// Where a server is.
#[derive(Debug)]
pub(super) enum Place {
    /// It is started: its command and arguments.
    Here(Vec<OsString>),
    /// It is reached over HTTP: where, and what stands in the head of every request.
    There(Address, HeaderMap),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    servers: BTreeMap<String, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    command: Option<Vec<String>>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// In seconds.
    silence: Option<NonZeroU32>,
}

/// Reads the file, which is opened once; `root` is the project, where agents may write.
pub(super) fn read(path: &Path, root: Option<&Path>) -> Result<Vec<Listed>, Failure> {
    let broken = |reason: String| Failure::new(format!("{}: {reason}", path.display()));
    let file = open(path, root).map_err(|error| broken(describe(&error)))?;
    let mut text = String::new();
    let read = file.take(LONGEST.saturating_add(1)).read_to_string(&mut text);
    read.map_err(|error| broken(error.to_string()))?;
    if u64::try_from(text.len()).map_or(true, |own| own > LONGEST) {
        return Err(broken("it is too long".to_owned()));
    }
    parse(&text, &variable)
        .map_err(|failure| Failure { message: broken(failure.message).message, ..failure })
}

/// Opens the file. In the project no link is followed: whoever may write there could put one, and what
/// is read here says which programs are started.
fn open(path: &Path, root: Option<&Path>) -> io::Result<File> {
    let Some(root) = root else { return open_file(path, Links::Followed) };
    let absolute = std::path::absolute(path)?;
    if let Ok(below) = absolute.strip_prefix(root) {
        return open_file_in(root, below);
    }
    match (absolute.parent().and_then(|own| own.canonicalize().ok()), absolute.file_name()) {
        (Some(parent), Some(name)) if parent.starts_with(root) => {
            open_file_in(&parent, Path::new(name))
        }
        _ => open_file(path, Links::Followed),
    }
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            "it is a link, or leads through one, in a project in which agents write".to_owned()
        }
        _ => error.to_string(),
    }
}

/// What variables say.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

fn parse(text: &str, variables: Variables<'_>) -> Result<Vec<Listed>, Failure> {
    let config: Config = toml::from_str(text).map_err(|error| Failure::new(error.to_string()))?;
    if config.servers.is_empty() {
        let hint = "write `[servers.NAME]` with `command = [\"PROGRAM\", \"ARGUMENT\"]` or `url = \"https://…\"`";
        return Err(Failure::new("it lists no server").hint(hint));
    }
    config.servers.into_iter().map(|(name, entry)| listed(name, entry, variables)).collect()
}

fn listed(name: String, entry: Entry, variables: Variables<'_>) -> Result<Listed, Failure> {
    // The name ends where `__` begins.
    if name.starts_with('_') || name.ends_with('_') {
        return Err(Failure::new(format!("`{name}` begins or ends with `_`")));
    }
    let name = name::choose(Some(&name), &[])?;
    let broken = |reason: String| Failure::new(format!("the server `{name}`: {reason}"));
    let place = match (entry.command, entry.url) {
        (Some(words), None) if !words.is_empty() => {
            if !entry.headers.is_empty() {
                return Err(broken("`headers` are for servers with a `url`".to_owned()));
            }
            Place::Here(words.into_iter().map(OsString::from).collect())
        }
        (None, Some(url)) => {
            let address = Address::parse(&url).map_err(broken)?;
            let fields = entry.headers.into_iter();
            let fields = fields.map(|(key, value)| Ok((key, filled(&value, variables)?)));
            let fields = fields.collect::<Result<Vec<_>, String>>().map_err(broken)?;
            Place::There(address, remote::head(fields).map_err(broken)?)
        }
        (Some(_), Some(_)) => return Err(broken("it has a `command` and a `url`".to_owned())),
        _ => return Err(broken("it has no `command` and no `url`".to_owned())),
    };
    let silence = entry.silence.map(|own| Duration::from_secs(own.get().into()));
    Ok(Listed { name, place, silence })
}

/// The value of a variable of this process.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A text with the values of variables in place of `${NAME}`.
fn filled(text: &str, value: Variables<'_>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}').ok_or("`${` is never closed")?;
        let own = value(name).ok_or_else(|| format!("the variable `{name}` is not set"))?;
        filled.push_str(before);
        filled.push_str(&own);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
