//! Connections of ringfence's own, to hosts that a policy grants.

use std::io;
use std::sync::Arc;

use ringfence_core::net::HostName;
use tokio::net::TcpStream;

use crate::dial::Destination;
use crate::egress::Egress;
use crate::gate::{Asks, Gate, Stop};
use crate::observe::{Counters, Refused, Via};

/// Connects where the policy lets it, as the proxy does for what runs inside: by name first, then
/// by every address of it.
pub struct Dialer(Arc<Gate>);

/// Why there is no connection.
#[derive(Debug)]
pub enum Unreached {
    /// The policy refuses it.
    Refused(Box<Refused>),
    /// It was granted, and failed.
    Failed(io::Error),
}

impl Egress {
    /// A dialer that decides as this egress would.
    pub fn dialer(self) -> Dialer {
        Dialer(self.into_gate(Arc::new(Counters::default())))
    }
}

impl Dialer {
    /// Connects to a host that is granted. It must be called in a runtime.
    pub async fn dial(&self, host: &HostName, port: u16) -> Result<TcpStream, Unreached> {
        let asks = Asks { via: Via::Own, client: None };
        let permit = self.0.check(asks, host.clone(), port).await.map_err(|stop| match stop {
            Stop::Refused(refused) => Unreached::Refused(refused),
            Stop::Unresolved(error) => Unreached::Failed(error),
        })?;
        Destination::of(permit).dial(self.0.limits.connect).await.map_err(Unreached::Failed)
    }
}
