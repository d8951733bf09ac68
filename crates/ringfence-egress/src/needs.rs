//! Which sockets a policy needs: what to bind inside before an egress is started.
//!
//! Nothing is decided here. A socket too many costs a descriptor: each connection is judged.

use std::collections::BTreeSet;

use ringfence_core::net::HostName;
use ringfence_core::pattern::NetTarget;
use ringfence_core::{Effect, Mode, Pattern, Policy};

/// The sockets that a policy's grants can make use of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Whether any host may be reached: the proxy and the resolver are needed.
    pub hosts: bool,
    /// Ports that grants on hosts name: programs that know no proxy are carried there.
    pub ports: BTreeSet<u16>,
    /// Ports of the host's loopback that are to be found inside (`net:localhost:PORT`).
    pub loopback: BTreeSet<u16>,
    /// Ports inside that the host is to reach (`listen:PORT`).
    pub published: BTreeSet<u16>,
}

impl Needs {
    /// What the grants of a policy, and what it asks about, can make use of.
    pub fn of(policy: &Policy) -> Needs {
        let mut needs =
            Needs { hosts: policy.settings().mode == Some(Mode::Observe), ..Needs::default() };
        for (role, rule) in policy.rules() {
            if role.grants() && rule.effect != Effect::Deny {
                needs.add(&rule.pattern);
            }
        }
        needs
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        *self == Needs::default()
    }

    fn add(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Net(net) => match (&net.target, net.port) {
                (NetTarget::Exact(HostName::Loopback), Some(port)) => {
                    self.loopback.insert(port);
                }
                (_, port) => {
                    self.hosts = true;
                    self.ports.extend(port);
                }
            },
            Pattern::Listen(port) => self.published.extend(*port),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "needs_tests.rs"]
mod tests;
