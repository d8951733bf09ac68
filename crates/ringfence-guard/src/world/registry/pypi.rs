//! The index configuration of pip and uv.

use toml::{Table, Value};

use super::RegistryConfig;
use super::source::Configuration;

/// Finds the indexes of pip and uv.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let mut found = RegistryConfig::default();
    add_pip(configuration, &mut found);
    add_uv(configuration, &mut found);
    found
}

fn add_pip(configuration: &Configuration<'_>, found: &mut RegistryConfig) {
    // The first value wins: variables, then the user's files, then the system's.
    let mut index = configuration.var("PIP_INDEX_URL").map(str::to_owned);
    add_all(found, configuration.var("PIP_EXTRA_INDEX_URL"));
    for text in pip_files(configuration) {
        for (key, value) in pip_entries(&text) {
            match key.replace('_', "-").as_str() {
                "index-url" => index = index.or(Some(value)),
                "extra-index-url" => add_all(found, Some(&value)),
                _ => {}
            }
        }
    }
    if let Some(index) = index {
        found.replace(index);
    }
}

fn pip_files(configuration: &Configuration<'_>) -> Vec<String> {
    let named = configuration.var("PIP_CONFIG_FILE");
    // The value `/dev/null` tells pip to read no configuration file.
    if named == Some("/dev/null") {
        return Vec::new();
    }
    let named = named.and_then(|path| configuration.named_file(path));
    let user =
        [configuration.user_config("pip/pip.conf"), configuration.user_file(".pip/pip.conf")];
    let system = ["etc/pip.conf", "etc/xdg/pip/pip.conf"];
    let system = system.iter().map(|path| configuration.system_file(path));
    std::iter::once(named).chain(user).chain(system).flatten().collect()
}

/// Returns the entries of a pip.conf; indented lines continue a value.
fn pip_entries(text: &str) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let content = line.trim();
        if content.is_empty() || content.starts_with(['#', ';', '[']) {
            continue;
        }
        if line.starts_with([' ', '\t'])
            && let Some((_, value)) = entries.last_mut()
        {
            value.push(' ');
            value.push_str(content);
            continue;
        }
        if let Some((key, value)) = content.split_once(['=', ':']) {
            entries.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    entries
}

fn add_uv(configuration: &Configuration<'_>, found: &mut RegistryConfig) {
    let names = ["UV_DEFAULT_INDEX", "UV_INDEX_URL"];
    if let Some(url) = names.iter().find_map(|name| configuration.var(name)) {
        found.replace(without_name(url));
    }
    for name in ["UV_INDEX", "UV_EXTRA_INDEX_URL"] {
        add_all(found, configuration.var(name));
    }
    let files =
        [configuration.user_config("uv/uv.toml"), configuration.system_file("etc/uv/uv.toml")];
    for text in files.into_iter().flatten() {
        add_uv_file(&text, found);
    }
}

/// Adds the indexes of a `uv.toml`; none where it is no TOML.
fn add_uv_file(text: &str, found: &mut RegistryConfig) {
    let settings: Table = text.parse().unwrap_or_default();
    let inner = settings.values().filter_map(Value::as_table);
    for table in std::iter::once(&settings).chain(inner) {
        if let Some(url) = table.get("index-url").and_then(Value::as_str) {
            found.replace(url);
        }
        let further = table.get("extra-index-url").and_then(Value::as_array);
        for url in further.into_iter().flatten().filter_map(Value::as_str) {
            found.add(url);
        }
    }
    let indexes = settings.get("index").and_then(Value::as_array);
    for index in indexes.into_iter().flatten() {
        if let Some(url) = index.get("url").and_then(Value::as_str) {
            found.add(url);
        }
        found.replaced |= index.get("default").and_then(Value::as_bool) == Some(true);
    }
}

fn add_all(found: &mut RegistryConfig, urls: Option<&str>) {
    for url in urls.unwrap_or_default().split_whitespace() {
        found.add(without_name(url));
    }
}

/// Removes the name from `name=url`, which uv accepts.
fn without_name(url: &str) -> &str {
    match url.split_once('=') {
        Some((name, rest)) if !name.contains("://") => rest,
        _ => url,
    }
}
