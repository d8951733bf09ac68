//! The agents and MCP peers that tests drive, from the npm and Python registries, at pinned versions.

use std::path::Path;

use crate::step::works;

/// The folder of each, and its packages at the versions that the tests are about.
const AGENTS: [(&str, &str); 19] = [
    ("claude-code", "@anthropic-ai/claude-code@2.1.325"),
    ("codex", "@openai/codex@0.166.0"),
    ("gemini", "@google/gemini-cli@0.61.0"),
    ("opencode", "opencode-ai@1.18.33"),
    ("opencode-plugin", "@opencode-ai/plugin@1.18.33"),
    ("copilot", "@github/copilot@1.0.102"),
    ("goose", "@aaif/goose-binary-linux-x64@1.52.0"),
    ("cline", "cline@3.0.65"),
    ("pi", "@mariozechner/pi-coding-agent@0.73.1"),
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
    // OpenClaw needs one that is newer still.
    ("node24", "node@24.21.0"),
];

/// The agent that asks for a newer Node before it is installed, which it then has in the tests.
const OPENCLAW: (&str, &str) = ("openclaw", "openclaw@2026.9.6");

/// The agent that is written in Python.
const HERMES: (&str, &str) = ("hermes", "hermes-agent==0.19.0");

/// Seconds that one of them may take to install.
const PATIENCE: &str = "300";

/// Installs what is missing below the target directory, where that can be done.
///
/// Without them the gate still runs, and lists the tests that need them as skipped; on CI it fails.
pub(crate) fn install(target: &Path) {
    for (name, package) in AGENTS {
        install_one(target, name, package, npm);
    }
    let (name, package) = OPENCLAW;
    install_one(target, name, package, npm_of_node24);
    let (name, package) = HERMES;
    install_one(target, name, package, pip);
}

/// Installs a package once: a mark says that it is there.
fn install_one(target: &Path, name: &str, package: &str, with: fn(&Path, &str) -> bool) {
    let folder = target.join("agents").join(name);
    let mark = folder.join(package.replace('/', "+"));
    if mark.exists() {
        return;
    }
    println!("installing {package}");
    let made = std::fs::create_dir_all(&folder).is_ok();
    let installed = made && with(&folder, package) && std::fs::write(&mark, "").is_ok();
    if !installed {
        println!("{package} could not be installed: tests with it will be skipped");
    }
}

fn npm(folder: &Path, packages: &str) -> bool {
    let prefix = folder.display().to_string();
    in_time("npm", &npm_words(&prefix, packages))
}

/// As it is installed by whoever has the newer Node.
fn npm_of_node24(folder: &Path, packages: &str) -> bool {
    let prefix = folder.display().to_string();
    let own = folder.with_file_name("node24").join("node_modules/node/bin");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("PATH={}:{path}", own.display());
    let words: Vec<&str> =
        [path.as_str(), "npm"].into_iter().chain(npm_words(&prefix, packages)).collect();
    in_time("env", &words)
}

fn npm_words<'w>(prefix: &'w str, packages: &'w str) -> Vec<&'w str> {
    let words = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix];
    words.into_iter().chain(packages.split(' ')).collect()
}

/// Into a folder of its own, by a `pip` of its own: a system's Python is left alone.
fn pip(folder: &Path, package: &str) -> bool {
    let own = folder.join("pip").display().to_string();
    let (program, lib) = (format!("{own}/bin/pip"), folder.join("lib").display().to_string());
    let quiet = ["install", "--quiet", "--disable-pip-version-check", "--target", &lib, package];
    in_time("/usr/bin/python3", &["-m", "venv", &own]) && in_time(&program, &quiet)
}

fn in_time(program: &str, arguments: &[&str]) -> bool {
    let words: Vec<&str> =
        [PATIENCE, program].into_iter().chain(arguments.iter().copied()).collect();
    works("timeout", &words)
}
