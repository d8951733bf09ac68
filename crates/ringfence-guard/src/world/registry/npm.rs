//! The registry configuration of npm, which pnpm and older yarn also read.

use super::RegistryConfig;
use super::source::Configuration;

/// Finds npm's registries: the default one, and those of scopes.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let mut found = RegistryConfig::default();
    let mut registry = variable(configuration, "registry").map(str::to_owned);
    let files = [user_file(configuration), global_file(configuration)];
    for text in files.into_iter().flatten() {
        for (key, value) in entries(&text) {
            let Some(value) = expand(configuration, value) else { continue };
            if key == "registry" {
                // The first value wins: variables, then the user's file, then the system's.
                registry = registry.or(Some(value));
            } else if key.starts_with('@') && key.ends_with(":registry") {
                found.add(value);
            }
        }
    }
    let scoped = configuration.vars().filter(|(name, _)| is_scoped(name));
    scoped.for_each(|(_, value)| found.add(value));
    if let Some(registry) = registry {
        found.replace(registry);
    }
    found
}

/// Returns an `npm_config_…` variable. Like npm, ignores case and treats `-` as `_`.
fn variable<'a>(configuration: &'a Configuration<'_>, key: &str) -> Option<&'a str> {
    let is_meant = |name: &str| {
        let name = name.to_ascii_lowercase().replace('-', "_");
        name.strip_prefix("npm_config_").is_some_and(|rest| rest == key)
    };
    let (_, value) = configuration.vars().find(|(name, _)| is_meant(name))?;
    Some(value.trim()).filter(|value| !value.is_empty())
}

fn is_scoped(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("npm_config_@") && name.ends_with(":registry")
}

fn user_file(configuration: &Configuration<'_>) -> Option<String> {
    match variable(configuration, "userconfig") {
        Some(path) => configuration.named_file(path),
        None => configuration.user_file(".npmrc"),
    }
}

fn global_file(configuration: &Configuration<'_>) -> Option<String> {
    if let Some(path) = variable(configuration, "globalconfig") {
        return configuration.named_file(path);
    }
    let prefix = variable(configuration, "prefix").or(configuration.var("PREFIX"));
    let of_prefix =
        prefix.and_then(|prefix| configuration.named_file(&format!("{prefix}/etc/npmrc")));
    let usual = || {
        ["usr/local/etc/npmrc", "usr/etc/npmrc", "etc/npmrc"]
            .iter()
            .find_map(|path| configuration.system_file(path))
    };
    of_prefix.or_else(usual)
}

/// Returns the entries of an npmrc file.
fn entries(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with(['#', ';', '[']));
    lines.filter_map(|line| line.split_once('=')).map(|(key, value)| {
        let value = value.trim().trim_matches(['"', '\'']);
        (key.trim(), value)
    })
}

/// Expands `${VAR}` in a value; returns `None` if a variable is not set.
fn expand(configuration: &Configuration<'_>, value: &str) -> Option<String> {
    let mut parts = value.split("${");
    let mut expanded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}')?;
        expanded.push_str(configuration.var(name)?);
        expanded.push_str(rest);
    }
    Some(expanded)
}
