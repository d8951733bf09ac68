//! Firing a hook as its agent would: the command in its settings, an event, an answer.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use ringfence_hooks::{Agent, HookReply, SampleVerdict};

/// Runs nothing, so that it may be done under any policy.
const HARMLESS: &str = "# ringfence doctor asks whether this may be done";
/// What nobody may do, under any policy.
const FORBIDDEN: &str = ": > ~/.config/ringfence/policy.toml";
/// How long a hook may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(10);
/// The longest answer that is read.
const LONGEST: u64 = 1 << 20;

/// What came of firing a hook twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fired {
    /// What is harmless passed, what is forbidden was blocked.
    Works,
    /// It did not.
    Fails(String),
}

/// Fires a hook with something harmless and with something forbidden.
pub(crate) fn fire(agent: Agent, command: &str, directory: &Path) -> Fired {
    let harmless = once(agent, command, HARMLESS, directory);
    let forbidden = once(agent, command, FORBIDDEN, directory);
    match (harmless, forbidden) {
        (Err(reason), _) | (_, Err(reason)) => Fired::Fails(reason),
        (Ok(SampleVerdict::Passed), Ok(SampleVerdict::Blocked)) => Fired::Works,
        (_, Ok(SampleVerdict::Passed)) => Fired::Fails("it let a forbidden call pass".to_owned()),
        (Ok(SampleVerdict::Blocked), _) => Fired::Fails("it blocked a harmless call".to_owned()),
        _ => Fired::Fails("its answer is none that the agent knows".to_owned()),
    }
}

fn once(
    agent: Agent,
    command: &str,
    line: &str,
    directory: &Path,
) -> Result<SampleVerdict, String> {
    let sample = agent.sample(line, &directory.to_string_lossy());
    let mut child = Command::new("/bin/sh")
        .args(["-c", command])
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("it cannot be started: {error}"))?;
    let (mut stdin, event) = (child.stdin.take(), sample.clone());
    // A hook that does not read must not hold this up.
    let writer = spawn(move || stdin.take().map(|mut own| own.write_all(event.as_bytes())));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = (spawn(move || text(stdout)), spawn(move || text(stderr)));
    let status = wait(&mut child)?;
    let _ = writer.join();
    let stdout = stdout.join().unwrap_or_default();
    let stderr = stderr.join().unwrap_or_default();
    let status = match status {
        Some(127) => return Err(format!("its program is not there: `{command}`")),
        Some(126) => return Err(format!("its program cannot be run: `{command}`")),
        status => status.and_then(|own| u8::try_from(own).ok()).ok_or("it was killed")?,
    };
    Ok(agent.interpret_reply(&sample, &HookReply { stdout, stderr, status }))
}

fn text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    let _ = stream.map(|own| own.take(LONGEST).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait(child: &mut Child) -> Result<Option<i32>, String> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if began.elapsed() < PATIENCE => sleep(LOOK),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not answer within {} s", PATIENCE.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}
