//! Who several servers are together, and what they can do.

use serde_json::{Map, Value, json};

/// What can be done with several servers at one endpoint.
const CAPABILITIES: [&str; 5] = ["tools", "resources", "prompts", "completions", "logging"];

/// The introductions of servers as that of one.
///
/// Of versions of the protocol, the oldest that one of them chose; of those that they offer, the ones
/// that all of them do.
pub(super) fn introductions(said: &[(&str, &Value)]) -> Result<Value, String> {
    let Some((_, first)) = said.first() else { return Err("no server has begun".to_owned()) };
    let mut result = Map::new();
    if first.get("protocolVersion").is_some() {
        let versions = said.iter().filter_map(|(_, own)| own.get("protocolVersion")?.as_str());
        let oldest = versions.min().unwrap_or_default();
        result.insert("protocolVersion".to_owned(), oldest.into());
    }
    if let Some(offered) = first.get("supportedVersions").and_then(Value::as_array) {
        let by_all = |version: &&Value| {
            said.iter().all(|(_, own)| {
                own.get("supportedVersions")
                    .and_then(Value::as_array)
                    .is_some_and(|all| all.contains(version))
            })
        };
        let shared: Vec<Value> = offered.iter().filter(by_all).cloned().collect();
        if shared.is_empty() {
            return Err("the servers have no version of the protocol in common".to_owned());
        }
        result.insert("supportedVersions".to_owned(), shared.into());
    }
    for key in ["resultType", "ttlMs", "cacheScope"] {
        if let Some(value) = first.get(key) {
            result.insert(key.to_owned(), value.clone());
        }
    }
    result.insert("capabilities".to_owned(), capabilities(said));
    let about = json!({ "name": "ringfence", "version": env!("CARGO_PKG_VERSION") });
    result.insert("serverInfo".to_owned(), about);
    let instructions = said.iter().filter_map(|(name, own)| {
        let text = own.get("instructions")?.as_str()?;
        Some(format!("{name}: {text}"))
    });
    let instructions: Vec<String> = instructions.collect();
    if !instructions.is_empty() {
        result.insert("instructions".to_owned(), instructions.join("\n\n").into());
    }
    Ok(Value::Object(result))
}

/// What one of them can do, all of them can.
fn capabilities(said: &[(&str, &Value)]) -> Value {
    let mut all = Map::new();
    for key in CAPABILITIES {
        let own = said.iter().filter_map(|(_, own)| own.get("capabilities")?.get(key)?.as_object());
        let mut own = own.peekable();
        if own.peek().is_none() {
            continue;
        }
        let mut joined = Map::new();
        for (flag, value) in own.flatten() {
            // A flag that one of them raises is raised.
            if joined.get(flag) != Some(&Value::Bool(true)) {
                joined.insert(flag.clone(), value.clone());
            }
        }
        all.insert(key.to_owned(), Value::Object(joined));
    }
    Value::Object(all)
}
