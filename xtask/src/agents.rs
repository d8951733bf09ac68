//! The agents and MCP servers that tests drive, from the npm registry, at pinned versions.

use std::path::Path;

use crate::step::works;

/// The folder of each, and its package at the version that the tests are about.
const AGENTS: [(&str, &str); 8] = [
    ("claude-code", "@anthropic-ai/claude-code@2.1.325"),
    ("codex", "@openai/codex@0.166.0"),
    ("gemini", "@google/gemini-cli@0.61.0"),
    ("opencode", "opencode-ai@1.18.33"),
    ("mcp-sdk", "@modelcontextprotocol/sdk@1.32.2"),
    ("mcp-filesystem", "@modelcontextprotocol/server-filesystem@2026.8.31"),
    ("mcp-everything", "@modelcontextprotocol/server-everything@2026.8.31"),
    ("mcp-memory", "@modelcontextprotocol/server-memory@2026.8.31"),
];

/// Seconds that one of them may take to install.
const PATIENCE: &str = "300";

/// Installs what is missing below the target directory, where that can be done.
///
/// Without them the gate still runs: the tests that need them say that they were skipped.
pub(crate) fn install(target: &Path) {
    for (name, package) in AGENTS {
        let folder = target.join("agents").join(name);
        let mark = folder.join(package.replace('/', "+"));
        if mark.exists() {
            continue;
        }
        println!("installing {package}");
        let made = std::fs::create_dir_all(&folder).is_ok();
        let prefix = folder.display().to_string();
        let arguments = [
            PATIENCE,
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            &prefix,
            package,
        ];
        let installed = made && works("timeout", &arguments) && std::fs::write(&mark, "").is_ok();
        if !installed {
            println!("{package} could not be installed: tests with it will be skipped");
        }
    }
}
