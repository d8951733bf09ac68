//! A name with a port is no permit to connect.

use ringfence_core::net::HostName;
use ringfence_egress::Destination;

fn connect(host: HostName) -> Destination {
    Destination::of((host, 443))
}

fn main() {}
