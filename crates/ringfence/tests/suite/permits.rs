//! Acting without a permit does not compile.
//!
//! Each file in `tests/permits` is a program that acts wrongly, with what the compiler says of it.
//! After a change of the toolchain, `TRYBUILD=overwrite cargo nextest run -p ringfence
//! --all-features permits` writes the messages anew; read the difference.

use std::time::Duration;

use ringfence_egress::Destination;
use ringfence_exec::Fence;
use ringfence_guard::{
    Approval, ConnectHost, ForwardMessage, OpenFile, Permit, RunCommand, Unanswered,
};
use ringfence_mcp::Upstream;

#[test]
fn acting_without_a_permit_does_not_compile() {
    // What the programs get wrong, done right: it compiles.
    let _ = act;
    trybuild::TestCases::new().compile_fail("tests/permits/*.rs");
}

async fn act(
    (open, run): (Permit<OpenFile>, Permit<RunCommand>),
    (connect, forward): (Permit<ConnectHost>, Unanswered<ForwardMessage<'_>>),
    (fence, server): (&Fence, &dyn Upstream),
) -> std::io::Result<()> {
    open.open()?;
    fence.run(run, false);
    Destination::of(connect).dial(Duration::from_secs(1)).await?;
    server.send(forward.approved(Approval::by_person()).into());
    Ok(())
}
