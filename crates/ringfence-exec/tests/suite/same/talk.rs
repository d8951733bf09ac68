//! Exchanges lines with the test agent, inside or outside a fence.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use ringfence_exec::Fence;
use ringfence_guard::Guard;

use super::access::{Access, Op};
use crate::suite::standard::Streams;

/// The outcome of an access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The error number, or 0.
    pub(super) errno: i32,
    /// The data that was read or received.
    pub(super) got: String,
}

/// Makes accesses outside any fence.
pub(super) fn outside(
    agent: &Path,
    directory: &Path,
    environment: &[(String, String)],
    accesses: &[Access],
) -> Vec<Outcome> {
    let mut command = Command::new(agent);
    command.env_clear().envs(environment.iter().cloned()).current_dir(directory);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let outcomes = talk(to, from, accesses);
    child.wait().unwrap();
    outcomes
}

/// Makes accesses inside a fence. The error says that the run did not start or ended too early.
pub(super) fn inside(
    (guard, fence): (&Guard, &Fence),
    agent: &Path,
    accesses: &[Access],
) -> Result<Vec<Outcome>, String> {
    let (theirs_in, to) = pipe().unwrap();
    let (from, theirs_out) = pipe().unwrap();
    let own = Streams::replaced(theirs_in.into(), theirs_out.into());
    let asked = accesses.to_vec();
    let talking = thread::spawn(move || talk(to, from, &asked));
    let permit = guard.permit_typed_command(agent, vec![agent.as_os_str().to_owned()]);
    let finished = fence.run(permit, false);
    drop(own);
    let outcomes = talking.join().unwrap();
    match outcomes.len() == accesses.len() {
        true => Ok(outcomes),
        false => Err(format!("{:?} after {} answers", finished.ended, outcomes.len())),
    }
}

/// Sends one line per access and reads one outcome per line; fewer if the agent ended.
fn talk(to: impl Into<OwnedFd>, from: impl Into<OwnedFd>, accesses: &[Access]) -> Vec<Outcome> {
    let (mut to, mut from) = (File::from(to.into()), BufReader::new(File::from(from.into())));
    let mut outcomes = Vec::new();
    for access in accesses {
        if to.write_all(access.line().as_bytes()).is_err() {
            break;
        }
        let mut line = String::new();
        let mut next = |line: &mut String| {
            line.clear();
            from.read_line(line).is_ok_and(|length| length > 0)
        };
        if !next(&mut line) {
            break;
        }
        let mut reached = true;
        if access.op == Op::Serve && line == "listening\n" {
            reached = is_reached(&access.words[0]);
            if to.write_all(b".").is_err() || !next(&mut line) {
                break;
            }
        }
        let Some((errno, got)) = line.trim_end_matches('\n').split_once('\t') else { break };
        let errno = if reached { errno.parse().unwrap() } else { REFUSED };
        outcomes.push(Outcome { errno, got: got.to_owned() });
    }
    outcomes
}

const REFUSED: i32 = 111;

/// Returns whether a connection to a port is greeted.
fn is_reached(port: &str) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap()));
    let patience = Duration::from_secs(2);
    let Ok(mut stream) = TcpStream::connect_timeout(&address, patience) else { return false };
    stream.set_read_timeout(Some(patience)).unwrap();
    let mut greeting = [0; 5];
    stream.read_exact(&mut greeting).is_ok() && &greeting == b"hello"
}
