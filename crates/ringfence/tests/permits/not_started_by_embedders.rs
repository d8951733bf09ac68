//! An embedder's command needs a permit as well.

use std::sync::Arc;

use ringfence::{Command, Fence};

fn start(fence: &Arc<Fence>) {
    let _ = ringfence::run(fence, Command::new("ls"));
    let _ = ringfence::spawn(fence, Command::new("ls"));
}

fn main() {}
