//! A permit to run a command is none to forward a message.

use ringfence_guard::{Permit, RunCommand};
use ringfence_mcp::Upstream;

fn forward(server: &dyn Upstream, permit: Permit<RunCommand>) {
    server.send(permit.into());
}

fn main() {}
