//! Hosts and variables of single commands, enforced by the kernel.
//!
//! Scripts under several names stand for several commands. An allowed host cannot be resolved here,
//! which the proxy reports; a denied host is never looked up.

use std::fs;

use ringfence::{Command, Stdio};

use super::project::Project;

const POLICY: &str = r#"
[capabilities.allow.commands]
default_domains = ["common.invalid"]
default_env_vars = ["COMMON", "SECRET"]
patterns = [
  "bash plain:*",
  { command = "bash wider:*", domains = ["own.invalid"], env_vars = ["OWN"] },
  { command = "bash alone:*", domains = ["own.invalid"], inherit_default_domains = false },
  { command = "bash none:*", inherit_default_domains = false },
]
[capabilities.deny.commands]
domains = ["paste.invalid"]
env_vars = ["SECRET"]
patterns = [{ command = "bash wider", domains = ["evil.invalid"] }]
[security]
universal_deny_domains = ["nowhere.invalid"]
"#;

/// Asks the proxy for a host and prints its answer, or that there is no proxy.
const REACH: &str = r#"
exec 2> /dev/null 3<> /dev/tcp/127.0.0.1/3128 || { echo no network; exit; }
printf 'CONNECT %s:80 HTTP/1.1\r\nHost: %s:80\r\n\r\n' "$1" "$1" >&3
read -r _ status _ <&3
echo "$status"
"#;
const OPEN: &str = "502";
const REFUSED: &str = "403";

/// Returns the output of a script that ringfence starts under a name.
fn said(policy: &str, script: &str, name: &str, argument: &str) -> String {
    let project = Project::of(policy);
    fs::write(project.root().join(name), script).unwrap();
    let path = std::env::var("PATH").unwrap();
    let variables =
        [("PATH", path.as_str()), ("COMMON", "1"), ("OWN", "2"), ("SECRET", "3"), ("OTHER", "4")];
    let command = Command::new("bash").args([name, argument]).variables(variables);
    let command = command.stdin(Stdio::Null).stdout(Stdio::Piped).stderr(Stdio::Piped);
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    assert!(outcome.is_success(), "{name}: {outcome:?}");
    String::from_utf8(outcome.stdout).unwrap().trim().to_owned()
}

#[track_caller]
fn check(name: &str, host: &str, expected: &str) {
    assert_eq!(said(POLICY, REACH, name, host), expected, "{name} to {host}");
}

#[test]
fn c054_a_command_is_refused_the_hosts_that_it_is_denied() {
    check("wider", "evil.invalid", REFUSED);
    check("wider", "own.invalid", OPEN);
}

#[test]
fn c055_every_command_is_refused_what_the_section_denies() {
    let policy = POLICY.replace("\"common.invalid\"", "\"common.invalid\", \"paste.invalid\"");
    for name in ["plain", "wider"] {
        assert_eq!(said(&policy, REACH, name, "paste.invalid"), REFUSED);
    }
}

#[test]
fn c056_denies_of_every_kind_hold_at_once() {
    for host in ["evil.invalid", "paste.invalid", "nowhere.invalid"] {
        let policy = POLICY.replace("\"own.invalid\"]", &format!("\"own.invalid\", \"{host}\"]"));
        assert_eq!(said(&policy, REACH, "wider", host), REFUSED, "{host}");
    }
}

#[test]
fn c057_a_host_that_is_denied_everywhere_is_denied_here() {
    let policy = POLICY.replace("\"common.invalid\"", "\"common.invalid\", \"nowhere.invalid\"");
    assert_eq!(said(&policy, REACH, "plain", "nowhere.invalid"), REFUSED);
    assert_eq!(said(&policy, REACH, "plain", "common.invalid"), OPEN);
}

#[test]
fn c058_a_denied_variable_is_stripped_though_it_is_listed() {
    let environment = said(POLICY, "export -p", "plain", "");
    assert!(environment.contains("COMMON"), "{environment}");
    assert!(!environment.contains("SECRET"), "{environment}");
    assert!(!environment.contains("OTHER"), "{environment}");
}

#[test]
fn c066_a_commands_own_variables_replace_the_default_ones() {
    let environment = said(POLICY, "export -p", "wider", "");
    assert!(environment.contains("OWN"), "{environment}");
    assert!(!environment.contains("COMMON"), "{environment}");
    assert!(!said(POLICY, "export -p", "plain", "").contains("OWN"));
}

#[test]
fn c067_a_commands_own_hosts_join_the_default_ones() {
    check("plain", "common.invalid", OPEN);
    check("plain", "own.invalid", REFUSED);
    check("wider", "common.invalid", OPEN);
    check("wider", "own.invalid", OPEN);
    check("alone", "own.invalid", OPEN);
    check("alone", "common.invalid", REFUSED);
}

#[test]
fn c068_a_command_without_hosts_has_no_network() {
    check("none", "common.invalid", "no network");
}

#[test]
fn a_deny_for_one_command_applies_in_the_whole_run() {
    let policy = POLICY.replace("\"common.invalid\"", "\"common.invalid\", \"evil.invalid\"");
    assert_eq!(said(&policy, REACH, "plain", "evil.invalid"), REFUSED);
}
