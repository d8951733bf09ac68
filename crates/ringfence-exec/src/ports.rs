//! Ports of a run that are open on the host's loopback.
//!
//! They are opened before the command begins, so that whoever starts it can be told at once which of
//! them somebody else has. A run goes on without those: nothing is reached that is not granted.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};

use ringfence_sandbox::plan::NetPlan;
use serde::{Deserialize, Serialize};

/// The ports that a plan publishes, as far as they could be opened.
#[derive(Debug, Default)]
pub struct Ports {
    pub(crate) open: Vec<(TcpListener, u16)>,
    unpublished: Vec<Unpublished>,
}

/// A port that could not be opened on the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpublished {
    /// The port.
    pub port: u16,
    /// What the kernel said.
    pub why: String,
    /// Whether somebody else has it.
    pub is_taken: bool,
}

impl Ports {
    /// Opens those of a plan.
    pub(crate) fn of(plan: &NetPlan) -> Ports {
        let mut ports = Ports::default();
        for port in &plan.published {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, *port)) {
                Ok(listener) => ports.open.push((listener, *port)),
                Err(error) => ports.unpublished.push(Unpublished::new(*port, &error)),
            }
        }
        ports
    }

    /// Those that could not be opened.
    pub fn unpublished(&self) -> &[Unpublished] {
        &self.unpublished
    }
}

impl Unpublished {
    fn new(port: u16, error: &io::Error) -> Unpublished {
        let is_taken = error.kind() == io::ErrorKind::AddrInUse;
        Unpublished { port, why: error.to_string(), is_taken }
    }
}

impl fmt::Display for Unpublished {
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
