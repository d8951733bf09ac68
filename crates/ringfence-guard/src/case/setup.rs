//! Builds the in-memory host from a case's `setup`.

use ringfence_core::host::MemoryHost;
use ringfence_core::path::{AbsPath, PathRules};
use serde_json::{Map, Value};

/// Returns the in-memory host. The error is a message for the case's author.
pub(super) fn host(setup: &str, env: &str) -> Result<MemoryHost, String> {
    let read = |text: &str| serde_json::from_str(text).map_err(|_| "not JSON".to_owned());
    let mut host = MemoryHost::new();
    add_env(&mut host, &read(env)?)?;
    match read(setup)? {
        Value::Null => Ok(host),
        Value::Object(fields) => add_all(host, &fields),
        _ => Err("`setup` is not an object".to_owned()),
    }
}

fn add_all(mut host: MemoryHost, fields: &Map<String, Value>) -> Result<MemoryHost, String> {
    // The path rules of the operating system must be set before any path is parsed.
    if let Some(os) = fields.get("os") {
        host.set_rules(match os.as_str() {
            Some("windows") => PathRules::WINDOWS,
            Some("macos") => PathRules::MACOS,
            Some("linux") => PathRules::LINUX,
            _ => return Err("`setup.os` is none of `linux`, `macos`, `windows`".to_owned()),
        });
    } else if fields.get("case_insensitive") == Some(&Value::Bool(true)) {
        host.set_rules(PathRules::MACOS);
    }
    for (key, value) in fields {
        match key.as_str() {
            "os" | "case_insensitive" => {}
            "files" => add_files(&mut host, value)?,
            "dirs" | "directories" => {
                each_text(value, key, |path| {
                    host.add_dir(&absolute(path)?);
                    Ok(())
                })?;
            }
            "symlinks" => each_pair(value, key, |link, target| {
                host.add_link(&absolute(link)?, target);
                Ok(())
            })?,
            "hardlinks" => each_pair(value, key, |path, other| {
                host.add_hard_link(&absolute(path)?, &absolute(other)?);
                Ok(())
            })?,
            "users" => each_pair(value, key, |user, home| {
                host.add_user(user, &absolute(home)?);
                Ok(())
            })?,
            "env" => add_env(&mut host, value)?,
            "dns" => add_names(&mut host, value)?,
            _ => return Err(format!("`setup.{key}` is unknown")),
        }
    }
    Ok(host)
}

fn add_files(host: &mut MemoryHost, value: &Value) -> Result<(), String> {
    match value {
        Value::Array(_) => each_text(value, "files", |path| {
            host.add_file(&absolute(path)?, Vec::new());
            Ok(())
        }),
        _ => each_pair(value, "files", |path, content| {
            host.add_file(&absolute(path)?, content.as_bytes().to_vec());
            Ok(())
        }),
    }
}

fn add_env(host: &mut MemoryHost, value: &Value) -> Result<(), String> {
    match value {
        Value::Null => Ok(()),
        value => each_pair(value, "env", |name, value| {
            host.set_env(name, value);
            Ok(())
        }),
    }
}

fn add_names(host: &mut MemoryHost, value: &Value) -> Result<(), String> {
    let names = value.as_object().ok_or("`setup.dns` is not an object")?;
    for (name, answers) in names {
        each_text(answers, "dns", |answer| {
            host.add_answer(name, answer).map_err(|error| error.to_string())
        })?;
    }
    Ok(())
}

fn each_pair(
    value: &Value,
    key: &str,
    mut add: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), String> {
    let fields = value.as_object().ok_or_else(|| format!("`setup.{key}` is not an object"))?;
    for (name, value) in fields {
        let value =
            value.as_str().ok_or_else(|| format!("`setup.{key}.{name}` is not a string"))?;
        add(name, value)?;
    }
    Ok(())
}

fn each_text(
    value: &Value,
    key: &str,
    mut add: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let items = value.as_array().ok_or_else(|| format!("`setup.{key}` is not a list"))?;
    for item in items {
        add(item
            .as_str()
            .ok_or_else(|| format!("`setup.{key}` has an item that is not a string"))?)?;
    }
    Ok(())
}

fn absolute(text: &str) -> Result<AbsPath, String> {
    AbsPath::new(text).map_err(|error| error.to_string())
}
