//! A permit to open a file is none to start a command.

use ringfence_exec::Fence;
use ringfence_guard::{OpenFile, Permit};

fn start(fence: &Fence, permit: Permit<OpenFile>) {
    fence.run(permit, false);
}

fn main() {}
