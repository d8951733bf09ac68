//! The parameters of tools that calls repeat in their heads, since 2026-07-28.
//!
//! A schema marks them with `x-mcp-header`. A tool whose marks cannot all be followed is not shown and
//! not called: those on the way would see something else than the server.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use ringfence_guard::redact::visible;
use ringfence_guard::strict_json;
use serde_json::Value;

use super::header::encode;
use crate::list;
use crate::method::Listed;
use crate::object::{Object, Raw};
use crate::pin::Kind;

/// The most tools whose parameters are remembered.
const MOST_TOOLS: usize = 10_000;
/// The most parameters of one tool that are repeated.
const MOST: usize = 64;
/// What marks a parameter.
const MARK: &str = "x-mcp-header";
/// What stands below these is data, no schema.
const DATA: [&str; 4] = ["const", "default", "enum", "examples"];

/// What is known of a server's tools, by their names. Most have no marks, and are not here.
#[derive(Debug, Default)]
pub(super) struct Tools(Mutex<HashMap<String, Result<Repeated, String>>>);

/// A list as the client hears it, and what is to be said about it.
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) notes: Vec<String>,
}

impl Tools {
    /// Learns from the answer to a request for tools; the answer without those that cannot be called.
    pub(super) fn learn(&self, text: String, result: &str) -> Result<Shown, String> {
        let result: Raw<'_> = serde_json::from_str(result).map_err(|error| error.to_string())?;
        let listed = Listed { kind: Kind::Tool, list: "tools", name: "name" };
        let mut notes = Vec::new();
        let shown = list::without(result, listed, |name, entry| {
            let repeated = strict_json::read(entry.get()).and_then(|tool| Repeated::of(&tool));
            let fault = repeated.as_ref().err().cloned();
            self.keep(name, repeated.transpose());
            if let Some(fault) = &fault {
                notes.push(format!("the tool `{}` cannot be called: {fault}", visible(name)));
            }
            fault.is_some()
        })?;
        let text = match shown {
            None => text,
            Some(result) => Object::read(&text)?.with("result", &result),
        };
        Ok(Shown { text, notes })
    }

    fn keep(&self, name: &str, repeated: Option<Result<Repeated, String>>) {
        let mut known = self.known();
        known.remove(name);
        if let Some(repeated) = repeated.filter(|_| known.len() < MOST_TOOLS) {
            known.insert(name.to_owned(), repeated);
        }
    }

    /// Adds to a head what a call with these parameters repeats. An error says why the tool cannot be
    /// called.
    pub(super) fn repeat(&self, params: Option<&str>, head: &mut HeaderMap) -> Result<(), String> {
        let known = self.known();
        let Some(params) = params.filter(|_| !known.is_empty()) else { return Ok(()) };
        let params = strict_json::read(params)?;
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        match known.get(name) {
            None => Ok(()),
            Some(Ok(repeated)) => repeated.add(&params, head),
            Some(Err(fault)) => Err(format!("this tool cannot be called: {fault}")),
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Result<Repeated, String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The parameters of a tool that its calls repeat, as its schema says.
#[derive(Debug, Clone, Default)]
struct Repeated(Vec<(Vec<String>, HeaderName)>);

impl Repeated {
    /// Reads the definition of a tool; nothing where it repeats nothing. An error says why its marks
    /// cannot be followed.
    fn of(tool: &Value) -> Result<Option<Repeated>, String> {
        let Some(schema) = tool.get("inputSchema") else { return Ok(None) };
        let mut own = Repeated::default();
        own.look(schema, &mut Vec::new())?;
        let names: HashSet<&HeaderName> = own.0.iter().map(|(_, name)| name).collect();
        if names.len() < own.0.len() {
            return Err("two of its parameters have the same header".to_owned());
        }
        Ok((!own.0.is_empty()).then_some(own))
    }

    /// Looks at a schema that is reached by names of properties alone.
    fn look(&mut self, schema: &Value, place: &mut Vec<String>) -> Result<(), String> {
        let Some(fields) = schema.as_object() else { return Ok(()) };
        for (key, inner) in fields {
            match (key.as_str(), inner) {
                (MARK, mark) => self.mark(schema, mark, place)?,
                ("properties", Value::Object(properties)) => {
                    for (name, inner) in properties {
                        place.push(name.clone());
                        self.look(inner, place)?;
                        place.pop();
                    }
                }
                _ if DATA.contains(&key.as_str()) => {}
                _ if has_mark(inner) => {
                    return Err(format!("a header stands below `{}`", visible(key)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn mark(&mut self, schema: &Value, mark: &Value, place: &[String]) -> Result<(), String> {
        let shown = visible(&place.join(".")).into_owned();
        if place.is_empty() {
            return Err("a header stands where no parameter is".to_owned());
        }
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
        if !matches!(kind, "string" | "integer" | "boolean") {
            return Err(format!("`{shown}` has a header and is no text, integer or yes and no"));
        }
        let name = mark.as_str().filter(|own| !own.is_empty());
        let name = name.and_then(|own| format!("mcp-param-{own}").parse().ok());
        let name = name.ok_or_else(|| format!("the header of `{shown}` is no name"))?;
        if self.0.len() >= MOST {
            return Err("too many of its parameters have headers".to_owned());
        }
        self.0.push((place.to_vec(), name));
        Ok(())
    }

    /// Adds what a call with these parameters repeats.
    fn add(&self, params: &Value, head: &mut HeaderMap) -> Result<(), String> {
        let arguments = params.get("arguments").unwrap_or(&Value::Null);
        for (place, name) in &self.0 {
            let found = place.iter().try_fold(arguments, |own, key| own.get(key));
            let text = match found {
                Some(Value::String(text)) => text.clone(),
                Some(own @ (Value::Bool(_) | Value::Number(_))) => own.to_string(),
                _ => continue,
            };
            let value = HeaderValue::from_str(&encode(&text)).map_err(|error| error.to_string())?;
            head.insert(name.clone(), value);
        }
        Ok(())
    }
}

/// Whether there is a mark anywhere in a schema.
fn has_mark(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields
            .iter()
            .any(|(key, inner)| key == MARK || (!DATA.contains(&key.as_str()) && has_mark(inner))),
        Value::Array(items) => items.iter().any(has_mark),
        _ => false,
    }
}

#[cfg(test)]
#[path = "repeated_tests.rs"]
mod tests;
