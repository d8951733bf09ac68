//! The permits to look a host up and to connect to it.
//!
//! A connection is judged twice: by the name, before anyone looks it up, and by every address that
//! the name turned out to have. The first permit is used up by the second judgement.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ringfence_core::access::{AccessScope, Connect};
use ringfence_core::net::{HostName, is_public};
use ringfence_core::{Access, AccessKind, Effects};

use super::{Outcome, Permit};
use crate::guard::{Guard, Judgement};

/// The act of looking up a host to which a connection was granted by name.
#[derive(Debug)]
pub struct ResolveHost {
    host: HostName,
    port: u16,
    scope: AccessScope,
}

impl ResolveHost {
    /// Returns the host.
    pub fn host(&self) -> &HostName {
        &self.host
    }
}

/// The act of connecting to one port of a host, at the addresses that were judged.
#[derive(Debug)]
pub struct ConnectHost {
    host: HostName,
    port: u16,
    addresses: Vec<IpAddr>,
}

impl ConnectHost {
    /// Returns the host.
    pub fn host(&self) -> &HostName {
        &self.host
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the addresses that were judged.
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    /// Returns the socket addresses that may be dialled.
    pub fn targets(&self) -> impl Iterator<Item = SocketAddr> {
        self.addresses.iter().map(|ip| SocketAddr::new(*ip, self.port))
    }

    /// Returns whether an address was judged for this host and port.
    pub fn covers(&self, target: SocketAddr) -> bool {
        target.port() == self.port && self.addresses.contains(&target.ip())
    }
}

impl Guard {
    /// Judges a connection by the host and port, before anyone looks the host up.
    pub fn judge_host(
        &self,
        host: HostName,
        port: u16,
        scope: AccessScope,
    ) -> Outcome<ResolveHost> {
        let judgement = self.judge_connect(&host, port, &[], &scope);
        Outcome::of(ResolveHost { host, port, scope }, judgement)
    }

    /// Judges the addresses that a host name resolved to, after the name itself passed.
    ///
    /// A host that is an IP address or loopback was judged completely by [`Guard::judge_host`].
    /// Addresses on the internet are not asked about again: the approval of the name covers them.
    pub fn judge_addresses(
        &self,
        permit: Permit<ResolveHost>,
        addresses: &[IpAddr],
    ) -> Outcome<ConnectHost> {
        let basis = permit.basis();
        let ResolveHost { host, port, scope } = permit.into_act();
        let addresses = match &host {
            HostName::Ip(ip) => vec![*ip],
            HostName::Loopback => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
            HostName::Domain(_) => {
                let judgement = self.judge_connect(&host, port, addresses, &scope);
                let is_agreed = !addresses.is_empty() && addresses.iter().all(|ip| is_public(*ip));
                let act = ConnectHost { host, port, addresses: addresses.to_vec() };
                return match Outcome::of(act, judgement) {
                    Outcome::Allowed(permit) => {
                        Outcome::Allowed(Permit::new(permit.into_act(), basis))
                    }
                    Outcome::Asks(open) if is_agreed => Outcome::Allowed(open.covered()),
                    outcome => outcome,
                };
            }
        };
        Outcome::Allowed(Permit::new(ConnectHost { host, port, addresses }, basis))
    }

    fn judge_connect(
        &self,
        host: &HostName,
        port: u16,
        addresses: &[IpAddr],
        scope: &AccessScope,
    ) -> Judgement {
        let addresses = addresses.to_vec();
        let connect = Connect { host: host.clone(), port: Some(port), addresses };
        let access =
            Access { what: AccessKind::Connect(connect), scope: scope.clone(), span: None };
        self.consider_effects(Effects { accesses: vec![access], doubts: Vec::new() })
    }
}
