//! What the judge says of addresses, observation and scopes.

use std::net::IpAddr;

use ringfence_core::net::{Endpoint, HostName};

use super::fence::{Fence, Plan};
use super::server::Server;

#[track_caller]
fn refused_by_address(addresses: &[&str]) {
    let plan = Plan::new("allow = [\"net:*.test\"]").pin("inward.test", addresses);
    let fence = plan.start();
    let (_, head) = fence.connect("inward.test:80");
    assert!(head.starts_with("HTTP/1.1 403 "), "{addresses:?}: {head}");
    let refused = fence.refusal();
    assert_eq!(refused.addresses.len(), addresses.len());
    assert!(refused.grant.is_some(), "{addresses:?}");
}

/// Whoever owns a public name can have it answer with any address.
#[test]
fn a_public_name_leads_to_no_private_address() {
    for address in ["127.0.0.1", "10.0.0.5", "169.254.169.254", "fd00::1"] {
        let plan = Plan::new("allow = [\"net:owned.example.com\"]");
        let fence = plan.pin("owned.example.com", &[address]).start();
        let (_, head) = fence.connect("owned.example.com:443");
        assert!(head.starts_with("HTTP/1.1 403 "), "{address}: {head}");
        let host = HostName::from(address.parse::<IpAddr>().unwrap());
        let endpoint = Endpoint { host, port: Some(443) };
        assert_eq!(fence.refusal().grant, Some(format!("net:{endpoint}")), "{address}");
    }
}

#[test]
fn a_star_does_not_reach_private_addresses() {
    for address in [
        "10.0.0.1",
        "192.168.1.1",
        "172.16.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "0.0.0.0",
        "fd00::1",
        "::1",
    ] {
        refused_by_address(&[address]);
    }
}

#[test]
fn a_star_does_not_reach_link_local_or_metadata_addresses() {
    for address in [
        "169.254.169.254",
        "169.254.1.1",
        "fe80::1",
        "fd00:ec2::254",
        "100.100.100.200",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
    ] {
        refused_by_address(&[address]);
    }
}

#[test]
fn one_private_address_among_public_ones_refuses_the_name() {
    refused_by_address(&["93.184.216.34", "10.0.0.1"]);
    refused_by_address(&["10.0.0.1", "93.184.216.34"]);
}

#[test]
fn an_exact_name_an_address_or_a_network_reaches_them() {
    let server = Server::echo();
    for grant in ["net:own.test", "net:127.0.0.1", "net:127.0.0.0/8", "net:localhost"] {
        let policy = format!("allow = [\"net:*.test\", \"{grant}\"]");
        let fence = Plan::new(&policy).start();
        let (_, head) = fence.connect(&format!("own.test:{}", server.port()));
        assert!(head.starts_with("HTTP/1.1 200 "), "{grant}: {head}");
    }
}

#[test]
fn a_denied_network_refuses_every_name_that_leads_there() {
    let policy = "allow = [\"net:own.test\"]\ndeny = [\"net:93.184.0.0/16\"]";
    let fence = Plan::new(policy).pin("own.test", &["1.1.1.1", "93.184.216.34"]).start();
    let (_, head) = fence.connect("own.test:443");
    assert!(head.starts_with("HTTP/1.1 403 Refused by ringfence\r\n"), "{head}");
    assert_eq!(fence.refusal().grant, None);
}

#[test]
fn addresses_of_the_resolver_block_that_were_not_given_out_lead_nowhere() {
    let fence = Fence::allowing(&["net:*"]);
    let (_, head) = fence.connect("198.18.0.7:443");
    assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
}

#[test]
fn metadata_names_need_their_exact_name() {
    let fence = Fence::allowing(&["net:*"]);
    let (_, head) = fence.connect("metadata.google.internal:80");
    assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    assert_eq!(fence.lookups(), Vec::<String>::new());
}

#[test]
fn an_empty_policy_lets_nothing_out() {
    for policy in ["", "allow = []"] {
        let fence = Plan::new(policy).start();
        assert!(fence.connect("a.test:443").1.starts_with("HTTP/1.1 403 "));
    }
}

#[test]
fn a_policy_that_only_observes_lets_pass_and_tells() {
    let server = Server::echo();
    let fence = Plan::new("mode = \"observe\"\nallow = [\"net:a.test\"]").start();
    let (_, head) = fence.connect(&format!("b.test:{}", server.port()));
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    let refused = fence.tally.refusals();
    assert!(refused.iter().all(|(refused, _)| !refused.enforced), "{refused:?}");
    assert!(!refused.is_empty());
}

#[test]
fn refusals_are_counted_by_target() {
    let fence = Fence::allowing(&["net:a.test"]);
    for _ in 0..3 {
        fence.connect("b.test:443");
    }
    fence.connect("c.test:443");
    let counts: Vec<(String, u64)> =
        fence.tally.refusals().into_iter().map(|(refused, times)| (refused.host, times)).collect();
    assert_eq!(counts, [("b.test".to_owned(), 3), ("c.test".to_owned(), 1)]);
    assert_eq!(fence.running.counts().refused, 4);
}
