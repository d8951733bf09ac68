//! The MCP servers that an agent is told of, and which of them stand behind the gateway.

pub(crate) mod known;

use ringfence_hooks::{Agent, PROJECT_KEY, ServerFileScope};
use serde_json::Value;

use super::{Site, read_plain};
use crate::file::Found;

/// The servers in an agent's settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Servers {
    /// Those behind the gateway.
    pub(crate) behind: Vec<String>,
    /// The others.
    pub(crate) open: Vec<String>,
}

/// The servers in an agent's own settings, as far as they can be read.
pub(crate) fn of(site: &Site, agent: Agent) -> Option<Servers> {
    let mut own = agent.server_files().iter().filter(|file| file.within == ServerFileScope::Home);
    let file = own.next()?;
    let path = site.home.join(file.path);
    let found = Found::look(&path, &site.home).ok()?;
    let settings = read_plain(&path, found.text().ok()??).ok()??;
    let mut servers = Servers::default();
    for (name, server) in below(&settings, file.keys, "")?.as_object()? {
        let list = if is_behind(server) { &mut servers.behind } else { &mut servers.open };
        list.push(name.clone());
    }
    Some(servers)
}

/// What stands below keys, one of which may be the path of a project.
fn below<'v>(settings: &'v Value, keys: &[&str], project: &str) -> Option<&'v Value> {
    let of =
        |key: &&str| if **key == *PROJECT_KEY { project.to_owned() } else { (*key).to_owned() };
    keys.iter().map(of).try_fold(settings, |at, key| at.get(&key))
}

/// Whether a server is started as `ringfence mcp`.
fn is_behind(server: &Value) -> bool {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let list = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_array).into_iter().flatten().filter_map(text).collect()
    };
    let mut words = match server.get("command") {
        Some(Value::String(program)) => vec![program.clone()],
        command => list(command),
    };
    words.extend(list(server.get("args")));
    let program = words.first().and_then(|own| own.rsplit('/').next());
    program == Some("ringfence") && words.get(1).is_some_and(|own| own == "mcp")
}
