//! The package sources of apt.

use super::source::Configuration;
use super::{RegistryConfig, source};

/// Finds apt's sources in both file formats. If any is configured, the default hosts are not added.
pub(super) fn find(configuration: &Configuration<'_>) -> RegistryConfig {
    let mut found = RegistryConfig::default();
    if let Some(text) = configuration.system_file("etc/apt/sources.list") {
        add_lines(&text, &mut found);
    }
    let directory = configuration.system_path("etc/apt/sources.list.d");
    let mut files: Vec<_> = match std::fs::read_dir(directory) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    for path in files {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("list") => add_lines(&source::read(&path).unwrap_or_default(), &mut found),
            Some("sources") => add_stanzas(&source::read(&path).unwrap_or_default(), &mut found),
            _ => {}
        }
    }
    found
}

/// Adds the URIs of lines `deb [options] uri suite component…`.
fn add_lines(text: &str, found: &mut RegistryConfig) {
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some((kind, rest)) = line.split_once([' ', '\t']) else { continue };
        if !matches!(kind, "deb" | "deb-src") {
            continue;
        }
        let rest = rest.trim_start();
        let rest = match rest.strip_prefix('[') {
            Some(options) => options.split_once(']').map_or("", |(_, rest)| rest),
            None => rest,
        };
        if let Some(uri) = rest.split_whitespace().next() {
            found.replace(uri);
        }
    }
}

/// Adds the URIs of deb822 stanzas, which are separated by empty lines.
fn add_stanzas(text: &str, found: &mut RegistryConfig) {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    for stanza in lines.split(|line| line.trim().is_empty()) {
        let enabled = field(stanza, "enabled").trim().to_ascii_lowercase();
        if matches!(enabled.as_str(), "no" | "false" | "off" | "0" | "without" | "disable") {
            continue;
        }
        for uri in field(stanza, "uris").split_whitespace() {
            found.replace(uri);
        }
    }
}

/// Returns the value of a field, including indented continuation lines.
fn field(stanza: &[&str], name: &str) -> String {
    let is_meant = |line: &&str| {
        line.split_once(':').is_some_and(|(key, _)| key.trim().eq_ignore_ascii_case(name))
    };
    let Some(at) = stanza.iter().position(is_meant) else { return String::new() };
    let mut lines = stanza.iter().skip(at);
    let first = lines.next().and_then(|line| line.split_once(':')).map_or("", |(_, value)| value);
    let more = lines.take_while(|line| line.starts_with([' ', '\t']));
    more.fold(first.to_owned(), |value, line| value + " " + line.trim())
}
