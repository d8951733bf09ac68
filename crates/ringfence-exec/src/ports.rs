//! The ports of a run that are open on the host's loopback interface.
//!
//! They are opened before the command starts, so that a port that is in use can be reported at
//! once. The run continues without it, because nothing becomes reachable that was not granted.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};

use ringfence_sandbox::plan::NetPlan;
use serde::{Deserialize, Serialize};

/// The published ports of a plan that could be opened.
#[derive(Debug, Default)]
pub struct PublishedPorts {
    pub(crate) open: Vec<(TcpListener, u16)>,
    unpublished: Vec<UnpublishedPort>,
}

/// A port that could not be opened on the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpublishedPort {
    /// The port.
    pub port: u16,
    /// The system's error message.
    pub why: String,
    /// Whether another process uses the port.
    pub is_taken: bool,
}

impl PublishedPorts {
    /// Opens the published ports of a plan.
    pub(crate) fn of(plan: &NetPlan) -> PublishedPorts {
        let mut ports = PublishedPorts::default();
        for port in &plan.published {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, *port)) {
                Ok(listener) => ports.open.push((listener, *port)),
                Err(error) => ports.unpublished.push(UnpublishedPort::new(*port, &error)),
            }
        }
        ports
    }

    /// Returns the ports that could not be opened.
    pub fn unpublished(&self) -> &[UnpublishedPort] {
        &self.unpublished
    }
}

impl UnpublishedPort {
    fn new(port: u16, error: &io::Error) -> UnpublishedPort {
        let is_taken = error.kind() == io::ErrorKind::AddrInUse;
        UnpublishedPort { port, why: error.to_string(), is_taken }
    }
}

impl fmt::Display for UnpublishedPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = self.port;
        match self.is_taken {
            true => write!(f, "port {port} is in use on this machine already")?,
            false => write!(f, "port {port} could not be opened on this machine ({})", self.why)?,
        }
        f.write_str("; what listens on it in the run cannot be reached from outside")
    }
}

#[cfg(test)]
#[path = "ports_tests.rs"]
mod tests;
