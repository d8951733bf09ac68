//! The protocol's own conformance suite: what passes without the gateway passes through it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::super::skip::skip;
use super::http::{Serving, gateway, gateway_to, listening};
use super::{OPEN, Peer, installed};

/// How each check ended.
type Checks = BTreeMap<String, String>;

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
            skip("node 22 is not installed; `cargo xtask test` does that");
            return None;
        }
        Some(Suite { node, program })
    }

    /// How each check of each scenario ended.
    fn checks(&self, revision: &str, url: &str) -> Checks {
        let folder = tempfile::tempdir().unwrap();
        let mut suite = Command::new("timeout");
        suite.arg("240").arg(&self.node).arg(&self.program).args(["server", "--url", url]);
        suite.args(["--suite", "all", "--spec-version", revision, "-o"]).arg(folder.path());
        results(&mut suite, folder.path())
    }

    /// How each check of a scenario for clients ended, with a client that is started so.
    fn checks_of_client(
        &self,
        peer: &Peer,
        (scenario, revision): (&str, &str),
        client: &str,
    ) -> Checks {
        let folder = tempfile::tempdir().unwrap();
        let mut suite = peer.home.command("timeout");
        suite.arg("120").arg(&self.node).arg(&self.program).args(["client", "--command", client]);
        // Extensions belong to no revision.
        suite.args(["--scenario", scenario, "--spec-version", revision, "--force"]);
        suite.args(["--timeout", "60000", "-o"]).arg(folder.path());
        results(&mut suite, folder.path())
    }
}

/// Runs the suite; how each check ended, by what it wrote into a folder.
fn results(suite: &mut Command, folder: &Path) -> Checks {
    // It ends with an error where any check fails.
    let said = suite.stdin(Stdio::null()).output().unwrap();
    assert_ne!(said.status.code(), Some(124), "the suite took too long");
    let mut checks = BTreeMap::new();
    for scenario in std::fs::read_dir(folder).unwrap() {
        add(&scenario.unwrap().path(), &mut checks);
    }
    checks
}

/// The checks that pass.
fn passed(checks: &Checks) -> Vec<&String> {
    let passed = checks.iter().filter(|(_, status)| status.starts_with("SUCCESS"));
    passed.map(|(key, _)| key).collect()
}

/// Adds the checks of a scenario; its folder ends with the time.
fn add(folder: &Path, checks: &mut Checks) {
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
    let passed = passed(&before);
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

/// What conforms without the gateway does so with it, for a client that a script of ours is; the
/// gateway speaks to it in each of these ways.
fn check_client(
    script: &str,
    packages: Option<PathBuf>,
    ways: &[&str],
    scenarios: &[(&str, &str, usize)],
) {
    let (Some(suite), Some(peer), Some(packages)) = (Suite::new(), conforming(), packages) else {
        return;
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mcp").join(script);
    let client = format!("node {} {}", own.display(), packages.display());
    // The way to the server stands in its section: a schema among the arguments names other hosts.
    let policy = format!("{OPEN}[mcp.servers.peer]\nallow = [\"net:localhost\"]\n");
    std::fs::write(peer.policy.path(), policy).unwrap();
    let ringfence = env!("CARGO_BIN_EXE_ringfence");
    let policy = peer.policy.path().display();
    for &(scenario, revision, least) in scenarios {
        let direct = suite.checks_of_client(&peer, (scenario, revision), &client);
        assert!(passed(&direct).len() >= least, "{scenario}: {direct:?}");
        for way in ways {
            let gateway = format!("{client} {ringfence} mcp --name peer --policy {policy}{way}");
            let through = suite.checks_of_client(&peer, (scenario, revision), &gateway);
            assert_eq!(passed(&through), passed(&direct), "{scenario}{way}: {through:?}");
        }
    }
}

#[test]
fn clients_that_conform_do_so_through_the_gateway() {
    check_client(
        "conforming-client.mjs",
        installed("mcp-sdk", "sdk"),
        &[""],
        &[
            ("initialize", "2025-11-25", 1),
            ("tools_call", "2025-11-25", 2),
            ("elicitation-sep1034-client-defaults", "2025-11-25", 5),
            ("sse-retry", "2025-11-25", 3),
            ("json-schema-2020-12-preservation", "2025-11-25", 8),
        ],
    );
}

/// A client that is started with the gateway as its server, and one that finds it over HTTP.
const WAYS: [&str; 2] = ["", " --http 0"];

#[test]
fn clients_with_sessions_conform_in_both_ways_through_the_gateway() {
    check_client(
        "modern-client.mjs",
        installed("mcp-client", ""),
        &WAYS,
        &[
            ("initialize", "2025-06-18", 1),
            ("tools_call", "2025-06-18", 2),
            ("initialize", "2025-11-25", 1),
            ("tools_call", "2025-11-25", 2),
            ("elicitation-sep1034-client-defaults", "2025-11-25", 5),
            ("sse-retry", "2025-11-25", 3),
            ("json-schema-2020-12-preservation", "2025-11-25", 8),
        ],
    );
}

#[test]
fn clients_without_sessions_conform_in_both_ways_through_the_gateway() {
    check_client(
        "modern-client.mjs",
        installed("mcp-client", ""),
        &WAYS,
        &[
            ("tools_call", "2026-07-28", 2),
            ("request-metadata", "2026-07-28", 8),
            ("sep-2322-client-request-state", "2026-07-28", 5),
            ("http-standard-headers", "2026-07-28", 9),
            ("http-custom-headers", "2026-07-28", 18),
            ("http-invalid-tool-headers", "2026-07-28", 12),
            ("json-schema-ref-no-deref", "2026-07-28", 1),
            ("json-schema-2020-12-preservation", "2026-07-28", 8),
            ("sep-2640-client-no-prefetch", "2026-07-28", 1),
            ("sep-2640-client-verify-digest", "2026-07-28", 1),
            ("sep-2640-client-verify-size", "2026-07-28", 1),
            ("sep-2640-client-verify-frontmatter", "2026-07-28", 1),
        ],
    );
}
