//! A text is no permit to forward it.

use ringfence_mcp::{Outgoing, Upstream};

fn forward(server: &dyn Upstream, text: &str) {
    server.send(text.into());
}

fn wrap(text: &'static str) -> Outgoing<'static> {
    Outgoing::own(text.to_owned())
}

fn main() {}
