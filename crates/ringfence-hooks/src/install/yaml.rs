//! Adds the hook to settings in YAML as a block at the end, and removes that block.
//!
//! Settings that need more than this are left to a person.

use super::{SettingsError, calls_hook};

/// Returns the settings with the hook added, or `None` if they already call it. `settings` must be
/// well-formed.
pub(super) fn install(
    settings: &str,
    setup: &str,
    agent: &str,
) -> Result<Option<String>, SettingsError> {
    if settings.contains(setup) {
        return Ok(None);
    }
    let known = commands(settings, agent);
    let expected = commands(setup, agent);
    if let ([own], [new]) = (known.as_slice(), expected.as_slice()) {
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        return Ok((own != new).then(|| settings.replace(&quoted(own), &quoted(new))));
    }
    let significant = || settings.lines().filter(|line| !line.trim_start().starts_with('#'));
    let form = |what: &str| Err(SettingsError::Form(what.to_owned()));
    let is_key = |line: &str| {
        ["hooks", "\"hooks\"", "'hooks'"].iter().any(|own| {
            line.strip_prefix(own).is_some_and(|rest| rest.trim_start().starts_with(':'))
        })
    };
    if significant().any(is_key) {
        return form(
            "it has hooks of its own; add what `ringfence hook AGENT --setup` prints to them",
        );
    }
    let first = significant().find(|line| !line.trim().is_empty() && line.trim() != "---");
    let is_block =
        first.is_none_or(|line| line.contains(':') && !line.starts_with(['{', '[', ' ']));
    if !is_block || significant().skip(1).any(|line| matches!(line.trim_end(), "---" | "...")) {
        return form("it is not a single block of keys");
    }
    let end = if settings.ends_with('\n') { "" } else { "\n" };
    Ok(Some(format!("{settings}{end}{setup}")))
}

/// Returns the settings without the hook's block.
pub(super) fn remove(settings: &str, setup: &str, agent: &str) -> Result<String, SettingsError> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let (own, template) = (commands(settings, agent), commands(setup, agent));
    let block = own.first().zip(template.first());
    let block = block.map(|(own, new)| setup.replace(&quoted(new), &quoted(own)));
    match block.filter(|block| settings.contains(block)) {
        Some(block) => Ok(settings.replacen(&block, "", 1)),
        None => {
            Err(SettingsError::Form("the hook's block was moved; remove it by hand".to_owned()))
        }
    }
}

/// Returns the commands by which the settings call the hook.
pub(super) fn commands(settings: &str, agent: &str) -> Vec<String> {
    let lines = settings.lines().map(|line| line.trim_start().trim_start_matches("- "));
    let values = lines.filter_map(|line| line.strip_prefix("command:").map(str::trim));
    let texts = values.map(|own| serde_json::from_str(own).unwrap_or_else(|_| own.to_owned()));
    texts.filter(|own: &String| calls_hook(own, agent)).collect()
}
