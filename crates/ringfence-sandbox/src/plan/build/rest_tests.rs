//! Programs, network, variables, and what becomes of rules.

use super::*;

fn plan(policy: &str) -> Plan {
    make(&host(&[]), documents(policy), false)
}

#[test]
fn programs_are_judged_unless_all_are_allowed() {
    assert_eq!(plan(r#"allow = ["cmd:*"]"#).exec, ExecPlan::Free);
    assert_eq!(plan(r#"allow = ["cmd:git:*"]"#).exec, ExecPlan::Gated);
    assert_eq!(plan("allow = [\"cmd:*\"]\ndeny = [\"cmd:curl\"]").exec, ExecPlan::Gated);
    let all = r#"allow = ["cmd:*"]
        danger = ["cmd:*", "env:*"]"#;
    assert_eq!(make(&host(&[]), documents(all), true).exec, ExecPlan::Free);
}

#[test]
fn nothing_is_started_for_a_network_that_nobody_grants() {
    assert!(!plan(r#"deny = ["net:*"]"#).net.is_needed());
    assert!(!plan(r#"allow = ["cmd:*"]"#).net.is_needed());
}

#[test]
fn ports_come_from_the_rules() {
    let net = plan(
        r#"
        allow = ["net:db.example:5432", "net:example.org", "net:localhost:8000",
                 "net:127.0.0.1:9000", "listen:3000", "listen:4000"]
        deny = ["listen:4000", "net:localhost:8000"]
        "#,
    )
    .net;
    assert_eq!(net.carried, [80, 443, 5432]);
    assert_eq!(net.local, [9000]);
    assert_eq!(net.published, [3000]);
    assert_eq!((net.proxy, net.resolver), (Some(3128), true));
}

/// A port that led out and in at once had whoever dialled it wait for ever.
#[test]
fn a_port_has_one_owner_inside() {
    let notes =
        |plan: &Plan| plan.held.iter().filter_map(|own| own.note.clone()).collect::<Vec<_>>();
    let both = plan(r#"allow = ["listen:3000", "net:localhost:3000", "net:localhost:5432"]"#);
    let note = "the port is published, so it is the run's own and not that of the host";
    assert_eq!(notes(&both), [note]);
    assert_eq!((both.net.local, both.net.published), (vec![5432], vec![3000]));

    let outside = plan(r#"allow = ["listen:3000", "net:localhost:3000", "net:db.example:3000"]"#);
    let note = "the port is granted for hosts outside, so nothing inside can listen at it";
    assert_eq!(notes(&outside), [note]);
    assert_eq!((outside.net.carried, outside.net.local), (vec![3000], vec![3000]));
    assert!(outside.net.published.is_empty());
}

#[test]
fn loopback_alone_needs_no_proxy() {
    let net = plan(r#"allow = ["net:localhost:8000"]"#).net;
    assert_eq!((net.proxy, net.local), (None, vec![8000]));
}

fn names(policy: &str) -> String {
    let variables = plan(policy).variables;
    variables.into_iter().map(|(name, _)| name).collect::<Vec<String>>().join(" ")
}

#[test]
fn variables_are_the_usual_ones_and_those_that_are_granted() {
    assert_eq!(names(""), "HOME PATH");
    assert_eq!(names(r#"allow = ["env:CI"]"#), "CI HOME PATH");
    assert_eq!(names(r#"ask = ["env:CI"]"#), "HOME PATH");
    assert_eq!(names("allow = [\"env:*\"]\ndeny = [\"env:AWS_*\", \"env:HOME\"]"), "CI PATH");
}

#[test]
fn programs_find_the_proxy_by_variables() {
    let variables = plan(r#"allow = ["net:example.org"]"#).variables;
    let value = |name: &str| {
        let found = variables.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    for name in ["HTTP_PROXY", "https_proxy", "ALL_PROXY"] {
        assert_eq!(value(name), "http://127.0.0.1:3128");
    }
    assert_eq!(value("NO_PROXY"), "localhost,127.0.0.1,::1");
    assert_eq!(value("NODE_USE_ENV_PROXY"), "1");
}

#[test]
fn a_restriction_that_nothing_holds_is_a_gap() {
    let gaps = plan(r#"deny = [{ pattern = "net:evil.example", command = "curl:*" }]"#).gaps;
    let shown: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["network: `net:evil.example` (policy.toml:1) holds under one command, and the kernel \
          holds all alike"]
    );
}

#[test]
fn a_grant_that_is_not_given_is_said_and_no_gap() {
    let plan = plan(r#"allow = [{ pattern = "net:a.example", command = "curl:*" }]"#);
    assert_eq!(plan.gaps, []);
    assert_eq!(plan.net.proxy, None);
    let note = plan.held[0].note.as_deref();
    assert_eq!(note, Some("only for a command that ringfence itself starts"));
}
