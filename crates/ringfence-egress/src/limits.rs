//! How long and how large: what one run may hold open and how long it may hesitate.

use std::time::Duration;

/// The limits of an egress. [`Limits::default`] suits a person at work.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections carried at one time. A further one takes the place of the one that has asked
    /// nothing for longest, or of a tunnel at rest; where there is none it waits in the kernel's
    /// queue.
    pub connections: usize,
    /// The largest head of a request or response, in bytes.
    pub head_bytes: usize,
    /// How long a client may take over a head, or over a SOCKS greeting, once it has begun.
    pub head_time: Duration,
    /// How long a client may keep a connection without asking anything.
    pub keep_alive: Duration,
    /// How long connecting may take, all addresses together.
    pub connect: Duration,
    /// How long a server may be silent while a client waits for it.
    pub response: Duration,
    /// How long a tunnel may be silent in both directions.
    pub tunnel_idle: Duration,
    /// How long a connection must have asked nothing before a new one may take its place.
    pub idle_rest: Duration,
    /// How long a tunnel must have been silent before a new connection may take its place.
    pub tunnel_rest: Duration,
    /// The largest opening of a tunnel that is held back until it is understood, in bytes.
    pub opening_bytes: usize,
    /// How long a client may take over the opening of a tunnel, once it has begun.
    pub opening_time: Duration,
    /// How long a person has to answer; no answer is a refusal.
    pub answer: Duration,
    /// How long the addresses of a name are used before it is looked up again.
    pub addresses: Duration,
    /// The names that the resolver inside gives addresses to.
    pub names: usize,
    /// Connections to servers that are kept for the next request, and for how long.
    pub pooled: usize,
    /// How long a connection to a server is kept for the next request.
    pub pooled_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // Two descriptors each: with the usual limit of 1024, the process keeps some.
            connections: 400,
            head_bytes: 64 * 1024,
            head_time: Duration::from_secs(20),
            keep_alive: Duration::from_secs(120),
            connect: Duration::from_secs(20),
            response: Duration::from_secs(600),
            // Sessions of ssh and pools of database connections rest for long.
            tunnel_idle: Duration::from_secs(4 * 60 * 60),
            idle_rest: Duration::from_millis(500),
            tunnel_rest: Duration::from_secs(60),
            opening_bytes: 32 * 1024,
            opening_time: Duration::from_secs(10),
            answer: Duration::from_secs(120),
            addresses: Duration::from_secs(10),
            names: 16 * 1024,
            pooled: 64,
            pooled_time: Duration::from_secs(30),
        }
    }
}
