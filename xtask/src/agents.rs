//! The agents and MCP peers that tests drive, from the npm registry, at pinned versions.

use std::path::Path;

use crate::step::works;

/// The folder of each, and its packages at the versions that the tests are about.
const AGENTS: [(&str, &str); 13] = [
    ("claude-code", "@anthropic-ai/claude-code@2.1.325"),
    ("codex", "@openai/codex@0.166.0"),
    ("gemini", "@google/gemini-cli@0.61.0"),
    ("opencode", "opencode-ai@1.18.33"),
    ("mcp-sdk", "@modelcontextprotocol/sdk@1.32.2"),
    ("mcp-filesystem", "@modelcontextprotocol/server-filesystem@2026.8.31"),
    ("mcp-everything", "@modelcontextprotocol/server-everything@2026.8.31"),
    ("mcp-memory", "@modelcontextprotocol/server-memory@2026.8.31"),
    ("mcp-inspector", "@modelcontextprotocol/inspector@0.15.0"),
    // The SDK's second version, which knows the revision 2026-07-28.
    ("mcp-client", "@modelcontextprotocol/client@2.4.0"),
    ("mcp-server", "@modelcontextprotocol/node@2.1.2 @modelcontextprotocol/server@2.4.0"),
    ("mcp-conformance", "@modelcontextprotocol/conformance@0.2.0-alpha.12"),
    // The conformance suite needs a newer Node than the systems that are tested on have.
    ("node", "node@22.23.3"),
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
        let mut arguments = vec![
            PATIENCE,
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            &prefix,
        ];
        arguments.extend(package.split(' '));
        let installed = made && works("timeout", &arguments) && std::fs::write(&mark, "").is_ok();
        if !installed {
            println!("{package} could not be installed: tests with it will be skipped");
        }
    }
}
