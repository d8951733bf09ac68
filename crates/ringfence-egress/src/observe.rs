//! What an egress tells about itself: each refusal, each connection, and how many.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use ringfence_core::Verdict;
use ringfence_guard::Refusal;

/// The way by which something was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Via {
    /// A tunnel through the HTTP proxy.
    Connect,
    /// A plain request through the HTTP proxy.
    Http,
    /// The SOCKS5 proxy.
    Socks,
    /// A connection of a program that knows no proxy.
    Carried,
    /// The resolver inside.
    Resolver,
    /// A connection from the host to a published port.
    Published,
    /// A connection of ringfence's own.
    Own,
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Via::Connect => "proxy tunnel",
            Via::Http => "proxy request",
            Via::Socks => "socks",
            Via::Carried => "tcp",
            Via::Resolver => "dns",
            Via::Published => "published port",
            Via::Own => "ringfence",
        })
    }
}

/// Something that was refused.
#[derive(Debug, Clone)]
pub struct Refused {
    /// How it was asked for.
    pub via: Via,
    /// Who asked: the client's address inside, by which its process can be found.
    pub client: Option<SocketAddr>,
    /// The host in its normal form; as it was written, where it has none.
    pub host: String,
    /// The port, where one was asked for.
    pub port: Option<u16>,
    /// The addresses that the name has, where it was looked up.
    pub addresses: Vec<IpAddr>,
    /// The decision, with its grounds.
    pub verdict: Verdict,
    /// What the client reads.
    pub refusal: Refusal,
    /// The pattern that would grant it, where a grant would help.
    pub grant: Option<String>,
    /// Whether it was held back; a policy that only observes lets it pass.
    pub enforced: bool,
}

/// A connection that was let through.
#[derive(Debug, Clone)]
pub struct Passed {
    /// How it was asked for.
    pub via: Via,
    /// Who asked.
    pub client: Option<SocketAddr>,
    /// The host in its normal form.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The addresses that were checked, of which one is dialled.
    pub addresses: Vec<IpAddr>,
}

/// Hears of what happens. It is called where connections are carried, so it must not wait.
pub trait Observer: Send + Sync {
    /// Something was refused.
    fn refused(&self, refused: &Refused);

    /// A connection was let through.
    fn passed(&self, _passed: &Passed) {}
}

/// An observer that does not care.
#[derive(Debug, Clone, Copy)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn refused(&self, _refused: &Refused) {}
}

/// How often what happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connections and requests let through.
    pub passed: u64,
    /// Connections, requests and names refused.
    pub refused: u64,
    /// Questions put to a person.
    pub asked: u64,
    /// Connections that were let through and could not be made.
    pub failed: u64,
}

/// The counts as they grow.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) passed: Counter,
    pub(crate) refused: Counter,
    pub(crate) asked: Counter,
    pub(crate) failed: Counter,
}

impl Counters {
    pub(crate) fn read(&self) -> Counts {
        Counts {
            passed: self.passed.get(),
            refused: self.refused.get(),
            asked: self.asked.get(),
            failed: self.failed.get(),
        }
    }
}

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
