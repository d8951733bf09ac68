//! The gate: every connection, request and name passes it, and it asks the guard.
//!
//! It gets the permit that [`Destination`](crate::Destination) takes, and it must never look a
//! refused name up.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ringfence_core::access::{AccessScope, Connect};
use ringfence_core::net::{Endpoint, HostName, is_public};
use ringfence_core::{Access, AccessKind, Doubt, Effect, Effects};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::{
    Action, Call, ConnectHost, Guard, Judgement, Outcome, Permit, Refusal, ResolveHost,
};

use crate::ask::{Asking, Ended, Question};
use crate::limits::Limits;
use crate::names::{Meaning, Names};
use crate::observe::{Counters, Observer, Passed, Refused, Via};
use crate::places;
use crate::resolve::Remembering;

/// What decides, and whom it tells.
pub(crate) struct Gate {
    pub(crate) guard: Arc<Guard>,
    pub(crate) scope: AccessScope,
    pub(crate) resolve: Remembering,
    pub(crate) asking: Asking,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) counters: Arc<Counters>,
    pub(crate) names: Names,
    pub(crate) limits: Limits,
}

/// Who asks, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asks {
    pub(crate) via: Via,
    pub(crate) client: Option<SocketAddr>,
}

/// Why there is nothing to dial.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It was refused.
    Refused(Box<Refused>),
    /// It would have been let through, but the name cannot be looked up.
    Unresolved(io::Error),
}

impl Gate {
    /// Decides a connection: first by name, then, once looked up, by every address of it.
    pub(crate) async fn check(
        &self,
        asks: Asks,
        host: HostName,
        port: u16,
    ) -> Result<Permit<ConnectHost>, Stop> {
        places::asking();
        let host = self.meant(asks, host, port)?;
        let by_name = self.guard.judge_host(host.clone(), port, self.scope.clone());
        let by_name = self.settle(asks, &host, port, &[], by_name).await?;
        let addresses = self.addresses(&by_name).await.map_err(Stop::Unresolved)?;
        let by_address = self.guard.judge_addresses(by_name, &addresses);
        let permit = self.settle(asks, &host, port, &addresses, by_address).await?;
        self.counters.passed.add_one();
        self.observer.passed(&Passed {
            via: asks.via,
            client: asks.client,
            host: host.to_string(),
            port,
            addresses: permit.act().addresses().to_vec(),
        });
        Ok(permit)
    }

    /// Refuses what could not be made out, or does not agree with what was granted.
    pub(crate) fn doubt(
        &self,
        asks: Asks,
        host: &HostName,
        port: u16,
        reason: String,
    ) -> Box<Refused> {
        let connect = Connect { host: host.clone(), port: Some(port), addresses: Vec::new() };
        let judgement = self.consider(AccessKind::Connect(connect), Some(Doubt::denied(reason)));
        self.refuse(asks, Target::of(host, port), &[], &judgement)
    }

    /// Refuses a host that cannot be read; `text` is what was written.
    pub(crate) fn unreadable(&self, asks: Asks, text: &str, reason: String) -> Box<Refused> {
        let judgement = self.guard.consider_effects(Doubt::denied(reason).into());
        let host = visible(&redact(text)).into_owned();
        self.refuse(asks, Target { host, port: None, endpoint: None }, &[], &judgement)
    }

    /// Whether the resolver inside may answer for a name.
    pub(crate) fn check_name(&self, asks: Asks, name: &HostName) -> bool {
        let judgement = self.consider(AccessKind::Resolve(name.clone()), None);
        let target = Target { host: name.to_string(), port: None, endpoint: None };
        match judgement.verdict.effect {
            // Who is to be asked is asked when the connection is made.
            Effect::Allow | Effect::Ask => true,
            Effect::Deny => {
                self.refuse(asks, target, &[], &judgement);
                judgement.is_observed()
            }
        }
    }

    /// Whether a published port may be reached from the host.
    ///
    /// Whoever handed its listener over has asked, where it is to be asked about.
    pub(crate) fn check_listen(&self, asks: Asks, port: u16) -> bool {
        let judgement = self.consider(AccessKind::Listen(port), None);
        if judgement.verdict.effect != Effect::Deny {
            self.counters.passed.add_one();
            return true;
        }
        let target = Target { host: "localhost".to_owned(), port: Some(port), endpoint: None };
        self.refuse(asks, target, &[], &judgement);
        judgement.is_observed()
    }

    /// The host that a client means: the resolver's addresses stand for names.
    fn meant(&self, asks: Asks, host: HostName, port: u16) -> Result<HostName, Stop> {
        let HostName::Ip(ip) = host else { return Ok(host) };
        match self.names.meaning(ip) {
            Meaning::Itself => Ok(host),
            Meaning::Name(name) => Ok(name),
            Meaning::Nobody => {
                let reason = format!("`{ip}` stands for no name that was looked up here");
                Err(Stop::Refused(self.doubt(asks, &host, port, reason)))
            }
        }
    }

    fn consider(&self, what: AccessKind, doubt: Option<Doubt>) -> Judgement {
        let access = Access { what, scope: self.scope.clone(), span: None };
        let doubts = doubt.into_iter().collect();
        self.guard.consider_effects(Effects { accesses: vec![access], doubts })
    }

    /// Turns an outcome into a permit or a refusal; asks a person where the rules ask.
    async fn settle<A>(
        &self,
        asks: Asks,
        host: &HostName,
        port: u16,
        addresses: &[IpAddr],
        outcome: Outcome<A>,
    ) -> Result<Permit<A>, Stop> {
        let target = || Target::of(host, port);
        match outcome {
            Outcome::Allowed(permit) => Ok(permit),
            Outcome::Observed(permit, judgement) => {
                self.refuse(asks, target(), addresses, &judgement);
                Ok(permit)
            }
            Outcome::Refused(judgement) => {
                Err(Stop::Refused(self.refuse(asks, target(), addresses, &judgement)))
            }
            Outcome::Asks(open) => {
                let inward = addresses.iter().copied().filter(|ip| !is_public(*ip));
                let question = Question {
                    host: host.clone(),
                    port,
                    via: asks.via,
                    addresses: inward.collect(),
                    refusal: refusal_of(&target(), open.judgement()),
                };
                let ended = self.asking.ask(question).await;
                if matches!(ended, Ended::Asked(_)) {
                    self.counters.asked.add_one();
                }
                match ended.into_approval() {
                    Some(approval) => Ok(open.approved(approval)),
                    None => {
                        let judgement = open.declined();
                        Err(Stop::Refused(self.refuse(asks, target(), addresses, &judgement)))
                    }
                }
            }
        }
    }

    /// Looks up the addresses of a host that passed by name. Nothing but a domain is looked up.
    async fn addresses(&self, permit: &Permit<ResolveHost>) -> io::Result<Arc<[IpAddr]>> {
        match permit.act().host() {
            HostName::Domain(name) => self.resolve.resolve(name).await,
            HostName::Ip(_) | HostName::Loopback => Ok([].into()),
        }
    }

    /// Makes the refusal, counts it and tells the observer.
    fn refuse(
        &self,
        asks: Asks,
        target: Target,
        addresses: &[IpAddr],
        judgement: &Judgement,
    ) -> Box<Refused> {
        let refusal = refusal_of(&target, judgement);
        let refused = Box::new(Refused {
            via: asks.via,
            client: asks.client,
            grant: refusal.would_grant.clone(),
            host: target.host,
            port: target.port,
            addresses: addresses.to_vec(),
            verdict: judgement.verdict.clone(),
            refusal,
            enforced: !judgement.is_observed(),
        });
        self.counters.refused.add_one();
        self.observer.refused(&refused);
        refused
    }
}

/// What was refused, for messages.
struct Target {
    host: String,
    port: Option<u16>,
    endpoint: Option<String>,
}

impl Target {
    fn of(host: &HostName, port: u16) -> Target {
        let endpoint = Endpoint { host: host.clone(), port: Some(port) }.to_string();
        Target { host: host.to_string(), port: Some(port), endpoint: Some(endpoint) }
    }
}

/// The one envelope. A grant that helps is named with its port: a run's report is a list of lines
/// to add, and the narrowest is the right one.
fn refusal_of(target: &Target, judgement: &Judgement) -> Refusal {
    let endpoint = target.endpoint.clone().unwrap_or_else(|| target.host.clone());
    let action = match &target.endpoint {
        Some(_) => Action::Connect { endpoint: endpoint.clone(), ip: None, sni: None, host: None },
        None => Action::Resolve { name: target.host.clone() },
    };
    let mut refusal = Refusal::new(&Call::new(action), judgement);
    if let (Some(_), Some(grant)) = (&target.endpoint, refusal.would_grant.as_mut()) {
        *grant = format!("net:{}", unexpected_endpoint(judgement).unwrap_or(endpoint));
    }
    refusal
}

/// Returns the address that no grant of the name leads to, with the port, if that is what is missing.
fn unexpected_endpoint(judgement: &Judgement) -> Option<String> {
    judgement.parts().find_map(|part| {
        let AccessKind::Connect(connect) = &part.access.what else { return None };
        let host = HostName::from(connect.unexpected_address()?);
        Some(Endpoint { host, port: connect.port }.to_string())
    })
}
