//! Hosts that belong to one command, for commands that ringfence itself starts.

use std::sync::Arc;

use ringfence_core::AccessKind;
use ringfence_core::access::AccessScope;
use ringfence_guard::{Action, Call};

use super::fence::{Fence, Plan, guard};
use super::server::Server;

const POLICY: &str = r#"
[capabilities.allow.commands]
default_domains = ["common.test"]
patterns = [
  "plain:*",
  { command = "wider:*", domains = ["own.test"] },
  { command = "alone:*", domains = ["own.test"], inherit_default_domains = false },
  { command = "none:*", inherit_default_domains = false },
]
[capabilities.deny.commands]
domains = ["paste.test"]
patterns = [{ command = "wider", domains = ["evil.test"] }]
[security]
universal_deny_domains = ["nowhere.test"]
"#;

/// The egress of a command that ringfence starts.
fn of_command(policy: &str, line: &str) -> Fence {
    let call = Call::new(Action::Line { line: line.to_owned(), shell: None });
    let judged = guard(policy).consider(&call);
    let command = judged.parts().find_map(|part| match &part.access.what {
        AccessKind::Exec(exec) => Some(exec),
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
    check(POLICY, "plain x", "common.test", true);
    check(POLICY, "plain x", "own.test", false);
    check(POLICY, "wider x", "common.test", true);
    check(POLICY, "wider x", "own.test", true);
    check(POLICY, "alone x", "own.test", true);
    check(POLICY, "alone x", "common.test", false);
}

#[test]
fn c068_a_command_without_any_has_no_network() {
    check(POLICY, "none x", "common.test", false);
    check(POLICY, "none x", "own.test", false);
}

#[test]
fn c054_a_command_runs_but_its_denied_hosts_are_refused() {
    let policy = POLICY.replace("[\"own.test\"] },", "[\"own.test\", \"evil.test\"] },");
    check(&policy, "wider x", "evil.test", false);
    check(&policy, "wider x", "own.test", true);
}

#[test]
fn c055_denied_hosts_of_the_section_bind_every_command() {
    let policy = POLICY.replace("[\"common.test\"]", "[\"common.test\", \"paste.test\"]");
    check(&policy, "plain x", "paste.test", false);
    check(&policy, "wider x", "paste.test", false);
}

#[test]
fn c056_denied_hosts_stack() {
    let all = "[\"common.test\", \"paste.test\", \"evil.test\", \"nowhere.test\"]";
    let policy = POLICY.replace("[\"common.test\"]", all);
    for host in ["paste.test", "evil.test", "nowhere.test"] {
        check(&policy, "wider x", host, false);
    }
    check(&policy, "plain x", "evil.test", true);
}

#[test]
fn c057_universally_denied_hosts_bind_what_is_no_command() {
    let server = Server::echo();
    let policy = format!("allow = [\"net:nowhere.test\", \"net:paste.test\"]\n{POLICY}");
    let fence = Plan::new(&policy).start();
    let status = |host: &str| fence.connect(&format!("{host}:{}", server.port())).1;
    assert!(status("nowhere.test").starts_with("HTTP/1.1 403 "));
    assert!(status("paste.test").starts_with("HTTP/1.1 200 "));
}
