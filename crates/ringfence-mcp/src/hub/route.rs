//! Which server a request is for.

use std::borrow::Cow;

use serde_json::Value;

use super::state::State;
use crate::object::{Object, Raw};

/// A server, and the parameters as it knows them where those are others.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) member: usize,
    pub(super) params: Option<String>,
}

/// The server that a request is for; none where the method is none of those that name something.
pub(super) fn target(
    method: &str,
    params: Option<Raw<'_>>,
    names: &[String],
    state: &State,
) -> Result<Option<Target>, String> {
    let read = || Object::read(params.ok_or("it has no parameters")?.get());
    match method {
        "tools/call" | "prompts/get" => {
            let params = read()?;
            let (member, name) = split(&text(&params, "name")?, names)?;
            Ok(Some(Target { member, params: Some(params.with("name", &name)) }))
        }
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
            let member = owner(&text(&read()?, "uri")?, state)?;
            Ok(Some(Target { member, params: None }))
        }
        "completion/complete" => {
            let params = read()?;
            let reference = Object::read(params.get("ref").ok_or("`ref` is not there")?.get())?;
            if text(&reference, "type")? == "ref/resource" {
                let uri = text(&reference, "uri")?;
                // What is completed is a template, or a part of one.
                let start = uri.split('{').next().unwrap_or_default();
                let member = owner(&uri, state).or_else(|_| owner(start, state))?;
                return Ok(Some(Target { member, params: None }));
            }
            let (member, name) = split(&text(&reference, "name")?, names)?;
            let reference = reference.with("name", &name);
            Ok(Some(Target { member, params: Some(params.with("ref", &reference)) }))
        }
        _ => Ok(None),
    }
}

fn text<'a>(object: &Object<'a>, key: &str) -> Result<Cow<'a, str>, String> {
    object.text(key).ok_or_else(|| format!("`{key}` is no text"))
}

/// The server in a name, and the name that it knows, as JSON.
fn split(name: &str, names: &[String]) -> Result<(usize, String), String> {
    let own = |server: &String| name.strip_prefix(server.as_str())?.strip_prefix("__");
    let mut found = names.iter().enumerate().filter_map(|(member, own_name)| {
        own(own_name).map(|rest| (member, Value::from(rest).to_string()))
    });
    found.next().ok_or_else(|| {
        let shown = ringfence_guard::redact::visible(name).into_owned();
        format!("no server has `{shown}`: names begin with a server and `__`")
    })
}

fn owner(uri: &str, state: &State) -> Result<usize, String> {
    let shown = ringfence_guard::redact::visible(uri);
    state.owner(uri).ok_or_else(|| format!("no server has listed `{shown}`"))
}

/// The name of something at a server, as JSON.
pub(super) fn prefixed(server: &str, name: &str) -> String {
    Value::from(format!("{server}__{name}")).to_string()
}
