//! The sockets that stand inside the namespace, and the way back in.

use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::Arc;

/// Sockets that were bound inside the namespace and handed out of it.
///
/// A socket keeps its namespace: what is accepted here comes from inside, what is dialled goes
/// out from where this process is.
#[derive(Debug, Default)]
pub struct Inside {
    /// HTTP and SOCKS5 on one port.
    pub proxy: Option<TcpListener>,
    /// For programs that know no proxy: the address at which a connection arrives says where it
    /// was meant to go.
    ///
    /// An address that the resolver gave out stands for its name, one of loopback for the host's
    /// own loopback (`net:localhost:PORT`), and any other for itself.
    pub carried: Vec<TcpListener>,
    /// Answers for granted names; nothing is ever forwarded.
    ///
    /// `lo` must have an address beside loopback, such as 198.18.0.0/32, which no name is given:
    /// without one, libc looks nothing up for programs that ask for configured families.
    pub resolver: Option<UdpSocket>,
}

impl Inside {
    /// Whether there is nothing to serve.
    pub fn is_empty(&self) -> bool {
        self.proxy.is_none() && self.carried.is_empty() && self.resolver.is_none()
    }
}

/// Opens connections inside, for published ports.
pub trait Dial: Send + Sync {
    /// Connects to this port of the loopback inside. It may block.
    fn dial(&self, port: u16) -> io::Result<TcpStream>;
}

/// Ports of the inside that are open on the host's loopback (`listen:PORT`).
pub struct Published {
    /// A listener on the host's loopback, and the port inside that it leads to.
    pub ports: Vec<(TcpListener, u16)>,
    /// The way in.
    pub dial: Arc<dyn Dial>,
}
