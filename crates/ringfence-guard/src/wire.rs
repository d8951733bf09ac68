//! Parses actions in JSON, the format of test cases and of `check --jsonl`.

use serde_json::{Map, Value};

use crate::call::{Action, Call, McpAction};

/// Parses an action. The error is a message for its author.
pub fn read_action(value: &Value) -> Result<Call, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let Some(fields) = value.as_object() else { return Err("an action is an object".to_owned()) };
    let mut call = Call::new(if let Some(tool) = text("tool") {
        tool_action(&tool, value)?
    } else if let Some(mcp) = fields.get("mcp") {
        mcp_action(mcp)?
    } else if let Some(how) = fields.get("mcp_connect") {
        let server = how.get("server").or_else(|| how.get("name")).and_then(Value::as_str);
        Action::McpConnect { server: server.unwrap_or("unnamed").to_owned(), how: how.clone() }
    } else if let Some(endpoint) = fields.get("connect") {
        only(fields, "connect", &["ip", "sni", "host"])?;
        for key in ["ip", "sni", "host"] {
            if fields.get(key).is_some_and(|value| !value.is_string() && !value.is_null()) {
                return Err(format!("`{key}` is not a string"));
            }
        }
        must_be_tcp(fields)?;
        Action::Connect {
            endpoint: endpoint_text(endpoint)?,
            ip: text("ip"),
            sni: text("sni"),
            host: text("host"),
        }
    } else if let Some(endpoint) = fields.get("bind") {
        only(fields, "bind", &[])?;
        must_be_tcp(fields)?;
        Action::Bind { endpoint: endpoint_text(endpoint)? }
    } else if let Some(name) = fields.get("dns") {
        only(fields, "dns", &["type"])?;
        Action::Resolve { name: named(name, "dns")? }
    } else if let Some(variable) = fields.get("set_env") {
        only(fields, "set_env", &[])?;
        Action::SetEnv { name: named(variable, "set_env")? }
    } else if let Some(variable) = fields.get("read_env") {
        only(fields, "read_env", &[])?;
        Action::ReadEnv { name: named(variable, "read_env")? }
    } else if let Some(access) = text("access") {
        only(fields, "access", &[])?;
        Action::Access { text: access }
    } else {
        return Err("the action has an unknown form".to_owned());
    });
    call.cwd = text("cwd");
    Ok(call)
}

/// Keys for the transport of a connection, or the protocol that it carries.
const TRANSPORTS: [&str; 3] = ["transport", "protocol", "proto"];
/// TCP, and protocols that always use TCP.
const OVER_TCP: [&str; 4] = ["tcp", "tls", "http", "https"];

/// Rejects unknown keys, because an unread key could change what the action means.
fn only(fields: &Map<String, Value>, form: &str, more: &[&str]) -> Result<(), String> {
    let is_known =
        |key: &str| key == form || key == "cwd" || more.contains(&key) || TRANSPORTS.contains(&key);
    match fields.keys().find(|key| !is_known(key)) {
        Some(key) => Err(format!("`{form}` takes no `{key}`")),
        None => Ok(()),
    }
}

/// Rejects every transport other than TCP, because grants cover TCP only.
fn must_be_tcp(fields: &Map<String, Value>) -> Result<(), String> {
    let mut named = TRANSPORTS.iter().filter_map(|key| fields.get(*key));
    let is_tcp = |own: &Value| {
        own.is_null() || own.as_str().is_some_and(|own| OVER_TCP.contains(&&*own.to_lowercase()))
    };
    match named.find(|own| !is_tcp(own)) {
        Some(own) => Err(format!("{own} is not TCP, and grants are for TCP")),
        None => Ok(()),
    }
}

fn tool_action(tool: &str, value: &Value) -> Result<Action, String> {
    let command = value.get("command").and_then(Value::as_str);
    let only = |keys: &[&str]| {
        value.as_object().is_some_and(|own| own.keys().all(|key| keys.contains(&key.as_str())))
    };
    match (tool, command) {
        ("terminal", Some(line)) if only(&["tool", "command", "cwd"]) => {
            Ok(Action::Line { line: line.to_owned(), shell: None })
        }
        ("spawn", _) if !only(&["tool", "argv", "env", "cwd"]) => {
            Err("`spawn` takes `argv`, `env` and `cwd`".to_owned())
        }
        ("spawn", _) => spawn_action(value),
        _ => {
            // Without `input`, the other fields of the action are the tool's arguments.
            let input = match value.get("input") {
                Some(input) => input.clone(),
                None => {
                    let mut input = value.clone();
                    if let Some(fields) = input.as_object_mut() {
                        fields.shift_remove("tool");
                        fields.shift_remove("cwd");
                    }
                    input
                }
            };
            Ok(Action::Tool { name: tool.to_owned(), input })
        }
    }
}

fn spawn_action(value: &Value) -> Result<Action, String> {
    let words = value.get("argv").and_then(Value::as_array).ok_or("`argv` is not a list")?;
    let argv: Option<Vec<String>> =
        words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
    let env = match value.get("env") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Object(env)) => env
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()))
            .collect(),
        Some(_) => return Err("`env` is not an object".to_owned()),
    };
    Ok(Action::Argv { argv: argv.ok_or("`argv` has an item that is not a string")?, env })
}

fn mcp_action(mcp: &Value) -> Result<Action, String> {
    let text = |key: &str| mcp.get(key).and_then(Value::as_str).map(str::to_owned);
    let server = text("server").ok_or("`mcp` names no server")?;
    let known = ["server", "tool", "args", "arguments", "resource", "prompt", "method"];
    let fields = mcp.as_object().into_iter().flatten();
    if let Some((key, _)) = fields.into_iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(format!("`mcp` takes no `{key}`"));
    }
    let kinds = ["tool", "resource", "prompt", "method"];
    let both = mcp.get("args").is_some() && mcp.get("arguments").is_some();
    if kinds.iter().filter(|key| mcp.get(key).is_some()).count() > 1 || both {
        return Err("`mcp` asks for several things at once".to_owned());
    }
    let item = if let Some(name) = text("tool") {
        let args = mcp.get("args").or_else(|| mcp.get("arguments")).cloned();
        McpAction::Tool { name, args: args.unwrap_or(Value::Null) }
    } else if let Some(uri) = text("resource") {
        McpAction::Resource(uri)
    } else if let Some(name) = text("prompt") {
        McpAction::Prompt(name)
    } else if let Some(name) = text("method") {
        McpAction::Method(name)
    } else {
        return Err("`mcp` has none of `tool`, `resource`, `prompt`, `method`".to_owned());
    };
    Ok(Action::Mcp { server, item })
}

fn endpoint_text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(port) => Ok(port.to_string()),
        Value::Object(fields) => {
            only(fields, "host", &["address", "port"])?;
            must_be_tcp(fields)?;
            if fields.contains_key("host") && fields.contains_key("address") {
                return Err("an endpoint has `host` or `address`, not both".to_owned());
            }
            let host = fields.get("host").or_else(|| fields.get("address"));
            let host = host.and_then(Value::as_str).unwrap_or("localhost");
            let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
            match fields.get("port").and_then(Value::as_u64) {
                Some(port) => Ok(format!("{host}:{port}")),
                None => Ok(host),
            }
        }
        _ => Err("an endpoint is written `host:port`".to_owned()),
    }
}

fn named(value: &Value, key: &str) -> Result<String, String> {
    let text = value.as_str().or_else(|| value.get("name").and_then(Value::as_str));
    text.map(str::to_owned).ok_or_else(|| format!("`{key}` names nothing"))
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
