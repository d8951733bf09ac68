//! The protocol's own conformance suite: what passes without the gateway passes through it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::http::{Serving, gateway, gateway_to, listening};
use super::{OPEN, Peer, installed};

/// The suite, and the Node that runs it.
struct Suite {
    node: PathBuf,
    program: PathBuf,
}

impl Suite {
    fn new() -> Option<Suite> {
        let program = installed("mcp-conformance", "conformance/dist/index.js")?;
        let node = super::agents().join("node/node_modules/node/bin/node");
        if !node.exists() {
            eprintln!("skipped: {} is not installed; `cargo xtask test` does that", node.display());
            return None;
        }
        Some(Suite { node, program })
    }

    /// How each check of each scenario ended.
    fn checks(&self, revision: &str, url: &str) -> BTreeMap<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let mut suite = Command::new("timeout");
        suite.arg("240").arg(&self.node).arg(&self.program).args(["server", "--url", url]);
        suite.args(["--suite", "all", "--spec-version", revision, "-o"]).arg(folder.path());
        // It ends with an error where any check fails.
        let said = suite.stdin(Stdio::null()).output().unwrap();
        assert_ne!(said.status.code(), Some(124), "the suite took too long");
        let mut checks = BTreeMap::new();
        for scenario in std::fs::read_dir(folder.path()).unwrap() {
            add(&scenario.unwrap().path(), &mut checks);
        }
        checks
    }
}

/// Adds the checks of a scenario; its folder ends with the time.
fn add(folder: &Path, checks: &mut BTreeMap<String, String>) {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let name = name.get(..name.len() - "-2026-11-16T11-47-49-713Z".len()).unwrap();
    let text = std::fs::read_to_string(folder.join("checks.json")).unwrap();
    let list: Vec<Value> = serde_json::from_str(&text).unwrap();
    for check in list {
        let id = check["id"].as_str().unwrap();
        let key = (1..).map(|time| format!("{name}/{id}#{time}"));
        let key = key.into_iter().find(|key| !checks.contains_key(key)).unwrap();
        let status = check["status"].as_str().unwrap();
        checks.insert(key, format!("{status} {}", check["errorMessage"].as_str().unwrap_or("")));
    }
}

/// A server that has what the suite asks for.
fn conforming() -> Option<Peer> {
    let mut peer = Peer::new("mcp-server", "server/package.json")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mcp/conforming.mjs");
    let packages = installed("mcp-server", "")?;
    let words = [Path::new("node"), &script, &packages].map(|own| own.to_str().unwrap().to_owned());
    peer.server = words.to_vec();
    Some(peer)
}

fn check(revision: &str, least: usize) {
    let (Some(suite), Some(peer)) = (Suite::new(), conforming()) else { return };
    let direct: Serving = listening(&peer, |server, port| {
        server.arg(port);
    });
    let port = direct.url.rsplit(':').next().unwrap().trim_end_matches("/mcp");
    let way = format!("{}, \"net:127.0.0.1:{port}\"]\n", OPEN.trim_end().trim_end_matches(']'));
    let before = suite.checks(revision, &direct.url);
    let passed: Vec<&String> = before
        .iter()
        .filter(|(_, status)| status.starts_with("SUCCESS"))
        .map(|(key, _)| key)
        .collect();
    assert!(passed.len() >= least, "only {} checks pass without the gateway", passed.len());
    for (how, through) in [
        ("a process", gateway(&peer, OPEN)),
        ("over HTTP", gateway_to(&peer, &way, &["--url", &direct.url])),
    ] {
        let after = suite.checks(revision, &through.url);
        let lost: Vec<String> = passed
            .iter()
            .filter(|key| !after.get(**key).is_some_and(|status| status.starts_with("SUCCESS")))
            .map(|key| format!("{key}: {:?}", after.get(*key)))
            .collect();
        assert!(lost.is_empty(), "{revision}, a server that is {how}:\n{}", lost.join("\n"));
    }
}

#[test]
fn what_conforms_to_2025_06_18_conforms_through_the_gateway() {
    check("2025-06-18", 40);
}

#[test]
fn what_conforms_to_2025_11_25_conforms_through_the_gateway() {
    check("2025-11-25", 60);
}

#[test]
fn what_conforms_to_2026_07_28_conforms_through_the_gateway() {
    check("2026-07-28", 100);
}
