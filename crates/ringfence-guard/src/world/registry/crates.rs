//! The registry configuration of cargo.

use super::RegistryConfig;
use super::source::Configuration;
use super::toml_lines::{self, Line, strings};

/// Finds cargo's registries: the replacement of crates.io, and additional ones.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let lines = lines(configuration);
    let mut found = RegistryConfig::default();
    for line in &lines {
        if matches!(line.path.as_slice(), [table, _, key] if table == "registries" && key == "index")
        {
            strings(&line.value).into_iter().for_each(|url| found.add(url));
        }
    }
    for (name, value) in configuration.vars() {
        if name.starts_with("CARGO_REGISTRIES_") && name.ends_with("_INDEX") {
            found.add(value);
        }
    }
    add_replacement(configuration, &lines, &mut found);
    found
}

fn lines(configuration: &Configuration<'_>) -> Vec<Line> {
    let text = match configuration.var("CARGO_HOME") {
        Some(home) => ["config", "config.toml"]
            .iter()
            .find_map(|name| configuration.named_file(&format!("{home}/{name}"))),
        None => [".cargo/config", ".cargo/config.toml"]
            .iter()
            .find_map(|path| configuration.user_file(path)),
    };
    toml_lines::read(&text.unwrap_or_default())
}

/// Follows the chain of replacements of crates.io. A directory source has no host.
fn add_replacement(configuration: &Configuration<'_>, lines: &[Line], found: &mut RegistryConfig) {
    // The maximum length of a replacement chain.
    const MAX_CHAIN: usize = 16;
    let value = |table: &str, name: &str, key: &str| {
        let is_meant = |line: &&Line| matches!(line.path.as_slice(), [a, b, c] if a == table && b == name && c == key);
        strings(&lines.iter().find(is_meant)?.value).into_iter().next()
    };
    let by_variable = configuration.var("CARGO_SOURCE_CRATES_IO_REPLACE_WITH");
    let by_file = || value("source", "crates-io", "replace-with");
    let Some(mut name) = by_variable.map(str::to_owned).or_else(by_file) else { return };
    found.replaced = true;
    for _ in 0..MAX_CHAIN {
        match value("source", &name, "replace-with") {
            Some(next) => name = next,
            None => break,
        }
    }
    let url = ["registry", "git"].iter().find_map(|key| value("source", &name, key));
    if let Some(url) = url.or_else(|| value("registries", &name, "index")) {
        found.add(url);
    }
}
