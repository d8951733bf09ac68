//! Exchanges data with a command in the fence through pipes, then kills it.
//!
//! `cargo run --example run_async --features tokio`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use ringfence::asynchronous::spawn;
use ringfence::{Command, Door, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let door = Door::open(".", std::iter::empty::<&str>())?;
    let cat = Command::new("cat").stdin(Stdio::Piped).stdout(Stdio::Piped);
    let fence = Arc::new(door.fence(&cat)?);
    let mut child = spawn(&fence, door.permit_typed_command(&cat)?)?;
    let (mut input, mut output) = child.stdin.take().zip(child.stdout.take()).ok_or("no pipes")?;
    input.write_all(b"hello").await?;
    let mut heard = [0; 5];
    output.read_exact(&mut heard).await?;
    println!("it said {:?}", String::from_utf8_lossy(&heard));

    // `cat` waits for more input.
    let waited = tokio::time::timeout(Duration::from_millis(200), output.read(&mut heard)).await;
    assert!(waited.is_err());
    child.kill();
    let (ended, _report) = child.wait().await?;
    println!("it ended: {ended:?}");
    Ok(())
}
