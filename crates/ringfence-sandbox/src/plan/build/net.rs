//! The ways out: which ports are carried, dialled and published.

use std::collections::BTreeSet;

use ringfence_core::access::Connect;
use ringfence_core::judge::RuleKind;
use ringfence_core::net::HostName;
use ringfence_core::pattern::{NetPattern, NetTarget, Pattern};
use ringfence_core::{AccessKind, Effect};

use super::oracle::Oracle;
use crate::plan::NetPlan;

/// Where the proxy is reached inside.
const PROXY_PORT: u16 = 3128;
/// The ports that are carried for a host that was granted without one.
const WEB_PORTS: [u16; 2] = [80, 443];

/// The ways out that rules grant or ask about.
pub(super) fn plan(oracle: &Oracle<'_>) -> NetPlan {
    let mut carried = BTreeSet::new();
    let mut local = BTreeSet::new();
    let mut published = BTreeSet::new();
    let mut dials = false;
    let grants =
        oracle.policy.rules_with_kind(&oracle.anything).filter(|(kind, role, _, in_force)| {
            *in_force
                && role.grants()
                && matches!(kind, RuleKind::Allow | RuleKind::Ask | RuleKind::Fallback)
        });
    for (_, _, rule, _) in grants {
        match &rule.pattern {
            Pattern::Net(net) if is_loopback(net) => {
                let granted = |port: &u16| is_dialled(oracle, net, *port);
                local.extend(net.port.filter(granted));
            }
            Pattern::Net(net) => {
                dials = true;
                match net.port {
                    Some(port) => carried.extend([port]),
                    None => carried.extend(WEB_PORTS),
                }
            }
            // Publishing cannot wait for an answer: a port is open from the start, or not at all.
            Pattern::Listen(Some(port)) if is_published(oracle, *port) => {
                published.extend([*port]);
            }
            _ => {}
        }
    }
    // Each port has one owner inside. One that is carried is taken at every address, so that nothing
    // inside can listen at it; and if one that is published led to the host's as well, whoever dialled
    // it would come back in by it, again and again.
    published.retain(|port| !carried.contains(port));
    local.retain(|port| !published.contains(port));
    NetPlan {
        proxy: dials.then_some(PROXY_PORT),
        resolver: dials,
        carried: carried.into_iter().collect(),
        local: local.into_iter().collect(),
        published: published.into_iter().collect(),
    }
}

/// Whether a pattern means this machine itself.
pub(super) fn is_loopback(net: &NetPattern) -> bool {
    match &net.target {
        NetTarget::Exact(HostName::Loopback) => true,
        NetTarget::Exact(HostName::Ip(address)) => address.is_loopback(),
        _ => false,
    }
}

fn is_dialled(oracle: &Oracle<'_>, net: &NetPattern, port: u16) -> bool {
    let NetTarget::Exact(host) = &net.target else { return false };
    let connect = Connect { host: host.clone(), port: Some(port), addresses: Vec::new() };
    oracle.decide(AccessKind::Connect(connect)) != Effect::Deny
}

pub(super) fn is_published(oracle: &Oracle<'_>, port: u16) -> bool {
    oracle.decide(AccessKind::Listen(port)) == Effect::Allow
}
