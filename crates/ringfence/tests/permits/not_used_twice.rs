//! A permit is good for one act.

use ringfence_exec::Fence;
use ringfence_guard::{OpenFile, Permit, RunCommand};

fn open(permit: Permit<OpenFile>) -> std::io::Result<()> {
    permit.open()?;
    permit.open()?;
    Ok(())
}

fn run(fence: &Fence, permit: Permit<RunCommand>) {
    fence.run(permit, false);
    fence.run(permit, false);
}

fn main() {}
