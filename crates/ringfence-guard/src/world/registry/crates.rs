//! The registry configuration of cargo.

use toml::{Table, Value};

use super::RegistryConfig;
use super::source::Configuration;

/// The registries of cargo: what takes the place of crates.io, and further ones.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let settings = settings(configuration);
    let mut found = RegistryConfig::default();
    let registries = settings.get("registries").and_then(Value::as_table);
    for registry in registries.into_iter().flat_map(Table::values) {
        if let Some(url) = registry.get("index").and_then(Value::as_str) {
            found.add(url);
        }
    }
    for (name, value) in configuration.vars() {
        if name.starts_with("CARGO_REGISTRIES_") && name.ends_with("_INDEX") {
            found.add(value);
        }
    }
    add_replacement(configuration, &settings, &mut found);
    found
}

/// Reads cargo's settings; no settings where the file is missing or is no TOML.
fn settings(configuration: &Configuration<'_>) -> Table {
    let text = match configuration.var("CARGO_HOME") {
        Some(home) => ["config", "config.toml"]
            .iter()
            .find_map(|name| configuration.named_file(&format!("{home}/{name}"))),
        None => [".cargo/config", ".cargo/config.toml"]
            .iter()
            .find_map(|path| configuration.user_file(path)),
    };
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Follows what replaces crates.io to its end; a directory of crates has no host.
fn add_replacement(
    configuration: &Configuration<'_>,
    settings: &Table,
    found: &mut RegistryConfig,
) {
    // Replacements may be chained; nobody chains more than this.
    const MAX_CHAIN: usize = 16;
    let value =
        |table: &str, name: &str, key: &str| settings.get(table)?.get(name)?.get(key)?.as_str();
    let by_variable = configuration.var("CARGO_SOURCE_CRATES_IO_REPLACE_WITH");
    let by_file = || value("source", "crates-io", "replace-with");
    let Some(mut name) = by_variable.or_else(by_file) else { return };
    found.replaced = true;
    for _ in 0..MAX_CHAIN {
        match value("source", name, "replace-with") {
            Some(next) => name = next,
            None => break,
        }
    }
    let url = ["registry", "git"].iter().find_map(|key| value("source", name, key));
    if let Some(url) = url.or_else(|| value("registries", name, "index")) {
        found.add(url);
    }
}
