//! Hosts that belong to one command, for commands that ringfence itself starts.

use std::sync::Arc;

use ringfence_core::What;
use ringfence_core::access::AccessScope;
use ringfence_guard::{Action, Call};

use super::fence::{Fence, Plan, guard};
use super::server::Server;

const POLICY: &str = r#"
[capabilities.allow.commands]
default_domains = ["common.example"]
patterns = [
  "plain:*",
  { command = "wider:*", domains = ["own.example"] },
  { command = "alone:*", domains = ["own.example"], inherit_default_domains = false },
  { command = "none:*", inherit_default_domains = false },
]
[capabilities.deny.commands]
domains = ["paste.example"]
patterns = [{ command = "wider", domains = ["evil.example"] }]
[security]
universal_deny_domains = ["nowhere.example"]
"#;

/// The egress of a command that ringfence starts.
fn of_command(policy: &str, line: &str) -> Fence {
    let call = Call::new(Action::Line { line: line.to_owned(), shell: None });
    let judged = guard(policy).consider(&call);
    let command = judged.parts().find_map(|part| match &part.access.what {
        What::Exec(exec) => Some(exec),
        _ => None,
    });
    let mut plan = Plan::new(policy);
    plan.scope = AccessScope { command: Some(Arc::clone(command.unwrap())), ..plan.scope };
    plan.start()
}

#[track_caller]
fn check(policy: &str, line: &str, host: &str, open: bool) {
    let server = Server::echo();
    let (_, head) = of_command(policy, line).connect(&format!("{host}:{}", server.port()));
    let expected = if open { "HTTP/1.1 200 " } else { "HTTP/1.1 403 " };
    assert!(head.starts_with(expected), "{line} to {host}: {head}");
}

#[test]
fn c067_a_commands_own_hosts_join_the_default_ones() {
    check(POLICY, "plain x", "common.example", true);
    check(POLICY, "plain x", "own.example", false);
    check(POLICY, "wider x", "common.example", true);
    check(POLICY, "wider x", "own.example", true);
    check(POLICY, "alone x", "own.example", true);
    check(POLICY, "alone x", "common.example", false);
}

#[test]
fn c068_a_command_without_any_has_no_network() {
    check(POLICY, "none x", "common.example", false);
    check(POLICY, "none x", "own.example", false);
}

#[test]
fn c054_a_command_runs_but_its_denied_hosts_are_refused() {
    let policy = POLICY.replace("[\"own.example\"] },", "[\"own.example\", \"evil.example\"] },");
    check(&policy, "wider x", "evil.example", false);
    check(&policy, "wider x", "own.example", true);
}

#[test]
fn c055_denied_hosts_of_the_section_bind_every_command() {
    let policy = POLICY.replace("[\"common.example\"]", "[\"common.example\", \"paste.example\"]");
    check(&policy, "plain x", "paste.example", false);
    check(&policy, "wider x", "paste.example", false);
}

#[test]
fn c056_denied_hosts_stack() {
    let all = "[\"common.example\", \"paste.example\", \"evil.example\", \"nowhere.example\"]";
    let policy = POLICY.replace("[\"common.example\"]", all);
    for host in ["paste.example", "evil.example", "nowhere.example"] {
        check(&policy, "wider x", host, false);
    }
    check(&policy, "plain x", "evil.example", true);
}

#[test]
fn c057_universally_denied_hosts_bind_what_is_no_command() {
    let server = Server::echo();
    let policy = format!("allow = [\"net:nowhere.example\", \"net:paste.example\"]\n{POLICY}");
    let fence = Plan::new(&policy).start();
    let status = |host: &str| fence.connect(&format!("{host}:{}", server.port())).1;
    assert!(status("nowhere.example").starts_with("HTTP/1.1 403 "));
    assert!(status("paste.example").starts_with("HTTP/1.1 200 "));
}
