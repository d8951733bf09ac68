//! The agent's own deny and ask rules, and other hooks beside ours.
//!
//! An agent matches its own rules against the rewritten text, so they are judged here on the original.
//! Where they cannot be read, or where another hook may put another text in the place of ours, the call
//! is not rewritten.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::{Document, Effect, Ground, Role};
use ringfence_exec::process_line::AgentProcess;
use ringfence_guard::world::RealHost;
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_hooks::{Agent, HookEvent, call_of};
use ringfence_manifest::import::{Foreign, Place, Way, import};
use ringfence_manifest::{Format, NoLibrary, Source, read};
use serde_json::Value;

/// Where an agent keeps what can object to a call or change it.
struct OwnFiles {
    /// The format of its rules.
    format: Option<Foreign>,
    /// Files with rules or hooks, `~` for the home directory and `@` for the project.
    files: &'static [&'static str],
    /// Directories in which every file has rules or hooks. Files of ringfence are left out.
    directories: &'static [&'static str],
    /// Words on the agent's command line that bring rules or hooks which no file has.
    words: &'static [&'static str],
    /// Variables that do.
    variables: &'static [&'static str],
    /// Keys of its settings that bring programs with hooks of their own.
    plugins: &'static [&'static str],
}

const CLAUDE: OwnFiles = OwnFiles {
    format: Some(Foreign::Claude),
    files: &[
        "~/.claude/settings.json",
        "~/.claude/settings.local.json",
        "@/.claude/settings.json",
        "@/.claude/settings.local.json",
        "/etc/claude-code/managed-settings.json",
    ],
    directories: &["/etc/claude-code/managed-settings.d"],
    words: &["--settings", "--disallowed", "--managed-settings", "--plugin-dir", "--agents"],
    variables: &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SHELL_PREFIX"],
    plugins: &["enabledPlugins"],
};

const CODEX: OwnFiles = OwnFiles {
    format: Some(Foreign::Codex),
    files: &[
        "~/.codex/hooks.json",
        "@/.codex/hooks.json",
        "~/.codex/config.toml",
        "@/.codex/config.toml",
    ],
    directories: &["~/.codex/rules", "@/.codex/rules", "/etc/codex"],
    words: &["--profile", "-p", "--config", "-c"],
    variables: &["CODEX_HOME"],
    plugins: &[],
};

const GEMINI: OwnFiles = OwnFiles {
    format: Some(Foreign::Gemini),
    files: &["~/.gemini/settings.json", "@/.gemini/settings.json", "/etc/gemini-cli/settings.json"],
    directories: &["~/.gemini/policies", "~/.gemini/extensions", "/etc/gemini-cli/policies"],
    words: &["--policy", "--extensions", "--allowed-tools", "--admin-policy"],
    variables: &["GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_HOME"],
    plugins: &[],
};

const OPENCODE: OwnFiles = OwnFiles {
    format: Some(Foreign::Opencode),
    files: &[
        "~/.config/opencode/opencode.json",
        "~/.config/opencode/opencode.jsonc",
        "~/.config/opencode/config.json",
        "@/opencode.json",
        "@/opencode.jsonc",
        "@/.opencode/opencode.json",
        "@/.opencode/opencode.jsonc",
    ],
    directories: &[
        "~/.config/opencode/plugin",
        "~/.config/opencode/plugins",
        "@/.opencode/plugin",
        "@/.opencode/plugins",
        "~/.config/opencode/agent",
        "@/.opencode/agent",
    ],
    words: &[],
    variables: &[
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_CONTENT",
        "OPENCODE_PERMISSION",
        "OPENCODE_CONFIG_DIR",
    ],
    plugins: &["plugin", "agent", "mode"],
};

const COPILOT: OwnFiles = OwnFiles {
    format: None,
    files: &[],
    directories: &["~/.copilot/hooks", "@/.github/hooks", "~/.copilot/installed-plugins"],
    words: &["--deny-tool", "--plugin-dir", "--config-dir"],
    variables: &["COPILOT_HOME", "XDG_CONFIG_HOME"],
    plugins: &[],
};

/// Words on Codex's command line that switch its own sandbox off.
const CODEX_WITHOUT_SANDBOX: [&str; 3] =
    ["danger-full-access", "--dangerously-bypass-approvals-and-sandbox", "--yolo"];

fn files_of(agent: Agent) -> Option<&'static OwnFiles> {
    match agent {
        Agent::ClaudeCode => Some(&CLAUDE),
        Agent::Codex => Some(&CODEX),
        Agent::Gemini => Some(&GEMINI),
        Agent::Opencode => Some(&OPENCODE),
        Agent::Copilot => Some(&COPILOT),
        _ => None,
    }
}

/// The reason why nothing is rewritten.
pub(crate) type Objection = String;

/// Returns whether no rule of the agent's own objects to a call, and nothing but ours may change it.
pub(super) fn are_silent(
    guard: &Guard,
    agent: Agent,
    event: &HookEvent,
    owner: &AgentProcess,
    project: &str,
) -> bool {
    let words = fs::read(format!("/proc/{}/cmdline", owner.pid)).unwrap_or_default();
    let words: Vec<String> = words
        .split(|byte| *byte == 0)
        .map(|own| String::from_utf8_lossy(own).into_owned())
        .collect();
    let Some(own) = files_of(agent) else { return false };
    let brings = |word: &String| own.words.iter().any(|flag| word.starts_with(flag));
    if words.iter().skip(1).any(brings) || words.len() < 2 {
        return false;
    }
    // In a sandbox of Codex's own, nothing could enter a fence.
    let is_open = |word: &String| CODEX_WITHOUT_SANDBOX.iter().any(|own| word.ends_with(own));
    if agent == Agent::Codex && !words.iter().any(is_open) {
        return false;
    }
    let home = guard.context().home.as_str();
    match objecting_documents(agent, home, project) {
        Err(_) => false,
        Ok(documents) if documents.is_empty() => true,
        Ok(documents) => !object(guard, documents, agent, event),
    }
}

/// Reads the agent's own files: the deny and ask rules in them. An error says why they cannot be read, or
/// what else may change a call.
pub(crate) fn objecting_documents(
    agent: Agent,
    home: &str,
    project: &str,
) -> Result<Vec<Document>, Objection> {
    let own = files_of(agent).ok_or("its hooks cannot change a call")?;
    if let Some(name) = own.variables.iter().find(|name| std::env::var_os(name).is_some()) {
        return Err(format!("`{name}` is set"));
    }
    let at = |path: &str| match (path.strip_prefix("~/"), path.strip_prefix("@/")) {
        (Some(rest), _) => Path::new(home).join(rest),
        (_, Some(rest)) => Path::new(project).join(rest),
        _ => PathBuf::from(path),
    };
    let mut files: Vec<PathBuf> = own.files.iter().map(|path| at(path)).collect();
    for directory in own.directories.iter().map(|path| at(path)) {
        match fs::read_dir(&directory) {
            Ok(entries) => files.extend(entries.flatten().map(|entry| entry.path())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{}: {error}", directory.display())),
        }
    }
    let mut documents = Vec::new();
    for file in files {
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{}: {error}", file.display())),
        };
        documents.extend(document_of(agent, own, &file, &bytes, home)?);
    }
    Ok(documents)
}

/// Reads one file: its deny and ask rules, if it has any.
fn document_of(
    agent: Agent,
    own: &OwnFiles,
    file: &Path,
    bytes: &[u8],
    home: &str,
) -> Result<Option<Document>, Objection> {
    let name = file.display().to_string();
    let unread = || format!("{name} cannot be read");
    let text = std::str::from_utf8(bytes).map_err(|_| unread())?;
    let ours = agent.hooks_in(text).map_err(|_| unread());
    if file.extension().is_some_and(|ending| ending == "js" || ending == "ts") {
        return if ours?.is_empty() { Err(format!("{name} is another plugin")) } else { Ok(None) };
    }
    let is_settings = file.extension().is_some_and(|ending| ending == "json" || ending == "jsonc");
    if is_settings {
        // Comments are not read: what a looser reader finds in them is not known here.
        let settings: Value = serde_json::from_str(text).map_err(|_| unread())?;
        if let Some(key) = own.plugins.iter().find(|key| is_something(settings.get(**key))) {
            return Err(format!("{name} has `{key}`"));
        }
        if has_other_hooks(&settings, &ours?) {
            return Err(format!("{name} has another hook that may change a call"));
        }
        if own.format == Some(Foreign::Codex)
            || settings.get("hooks").is_some() && own.format.is_none()
        {
            return Ok(None);
        }
    }
    if file.file_name().is_some_and(|name| name == "config.toml") {
        // What a person trusted is noted there too.
        let mut lines = text.lines().map(str::trim_start);
        let is_hook = |line: &str| {
            let line = line.trim_start_matches('[').trim_start();
            line.starts_with("hooks") && !line.starts_with("hooks.state")
        };
        let has_other = lines.any(|line| is_hook(line) || line.starts_with("plugins"));
        return if has_other { Err(format!("{name} may have another hook")) } else { Ok(None) };
    }
    let Some(format) = own.format else { return Err(unread()) };
    let anchor = if name.starts_with(home) { "~/.claude" } else { "@root" };
    let place = Place { anchor: anchor.to_owned() };
    let imported = import(format, &name, bytes, &place).map_err(|_| unread())?;
    if imported.differences.iter().any(|own| own.way == Way::Wider && own.line > 0) {
        return Err(format!("{name} has rules that cannot be read exactly"));
    }
    let source = Source::new(name.clone(), Format::Toml, &imported.text).map_err(|_| unread())?;
    let loaded = read(&source, Role::Named, &NoLibrary).map_err(|_| unread())?;
    let mut document = loaded.document;
    document.expand_tables();
    document.rules.retain(|rule| rule.effect != Effect::Allow);
    Ok((!document.rules.is_empty()).then_some(document))
}

fn is_something(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::Array(all)) => !all.is_empty(),
        Some(Value::Object(all)) => all.values().any(|own| is_something(Some(own))),
        Some(_) => true,
    }
}

/// Returns whether settings have hooks before a tool that are not ours.
fn has_other_hooks(settings: &Value, ours: &[String]) -> bool {
    const BEFORE_A_TOOL: [&str; 5] =
        ["PreToolUse", "BeforeTool", "preToolUse", "PermissionRequest", "permissionRequest"];
    let hooks = settings.get("hooks");
    let lists = BEFORE_A_TOOL.iter().filter_map(|event| hooks?.get(event));
    let mut commands = Vec::new();
    lists.for_each(|list| commands_in(list, &mut commands));
    commands.iter().any(|command| !ours.iter().any(|own| own == command))
}

fn commands_in(value: &Value, to: &mut Vec<String>) {
    const KEYS: [&str; 5] = ["command", "bash", "url", "prompt", "powershell"];
    match value {
        Value::Array(all) => all.iter().for_each(|own| commands_in(own, to)),
        Value::Object(all) => {
            for (key, own) in all {
                match own {
                    Value::String(text) if KEYS.contains(&&**key) => to.push(text.clone()),
                    other => commands_in(other, to),
                }
            }
        }
        _ => {}
    }
}

/// Returns whether a rule of these documents objects to a call, or might.
fn object(guard: &Guard, documents: Vec<Document>, agent: Agent, event: &HookEvent) -> bool {
    let host = RealHost::new();
    let builder = documents.into_iter().fold(PolicyBuilder::new(), PolicyBuilder::document);
    let Ok(built) = builder.build(guard.context(), &host) else { return true };
    let own = Guard::new(built.policy, Arc::new(host), guard.context().clone());
    let judgement = own.consider(&call_of(agent, event));
    // A rule may speak of what could not be read.
    !judgement.doubts.is_empty()
        || judgement.verdict.grounds.iter().any(|ground| match ground {
            Ground::Rule(own) => own.rule().is_none_or(|rule| rule.effect != Effect::Allow),
            _ => false,
        })
}

#[cfg(test)]
#[path = "own_rules_tests.rs"]
mod tests;
