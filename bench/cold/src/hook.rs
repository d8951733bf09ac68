//! `cargo xtask bench hook`: how long a cold `ringfence hook claude-code` takes, with a policy of 200
//! rules on top of every profile, beside a dynamically linked C program that reads its input and
//! prints one line.
//!
//! Of three events one is allowed, one asks and one is denied. The benchmark checks these answers before
//! it measures.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use bench_cold::programs::{Workshop, echo, ringfence};
use bench_cold::report::compare;
use bench_measure::Program;

/// How many rules the policy has beside those of the profiles.
const RULES: usize = 200;

/// A command of each event, with what the hook has to answer.
const EVENTS: [(&str, &str); 3] = [
    ("allow", "git status && ls -la"),
    ("ask", "git push origin main"),
    ("deny", "git push --force origin main"),
];

/// The variable by which the agent says that its prompt is shown: without it a question waits for
/// an answer from elsewhere.
const AT_A_TERMINAL: (&str, &str) = ("CLAUDE_CODE_ENTRYPOINT", "cli");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let workshop = Workshop::open()?;
    let policy = write_policy(&workshop.scratch)?;
    let policy = policy.to_str().ok_or("the path of the policy is UTF-8")?;
    let arguments = ["hook", "claude-code", "--policy", policy];
    let file = ringfence(&workshop)?;
    let mut own = Vec::new();
    for (decision, command) in EVENTS {
        let event = write_event(&workshop, decision, command)?;
        must_answer(&file, &arguments, &event, &workshop.empty, decision)?;
        let name = format!("ringfence hook, {decision}");
        let program = workshop.program(&name, file.clone(), &arguments);
        own.push(Program { input: Some(event), variables: vec![AT_A_TERMINAL], ..program });
    }
    let c = workshop.program("C, reads and prints", echo(&workshop)?, &[]);
    let input = own.first().and_then(|first| first.input.clone());
    compare(Program { input, ..c }, own)
}

/// Every profile, and rules of each class in equal parts.
fn write_policy(directory: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut text =
        "extends = [\"@workspace\", \"@git\", \"@rust\", \"@node\", \"@python\", \"@go\", \
                    \"@docker\"]\ndefault = \"ask\"\nallow = [\n"
            .to_owned();
    for number in 0..RULES {
        let pattern = match number % 5 {
            0 => format!("cmd:tool{number}:run:*"),
            1 => format!("fs:r:/srv/data{number}/**"),
            2 => format!("fs:w:@root/out{number}/**"),
            3 => format!("net:host{number}.example"),
            _ => format!("env:SETTING_{number}"),
        };
        writeln!(text, "  \"{pattern}\",")?;
    }
    text.push_str("]\n");
    let file = directory.join("policy.toml");
    fs::write(&file, text)?;
    Ok(file)
}

fn write_event(
    workshop: &Workshop,
    decision: &str,
    command: &str,
) -> Result<PathBuf, Box<dyn Error>> {
    let file = workshop.scratch.join(format!("{decision}.json"));
    let event = format!(
        r#"{{"session_id":"s","transcript_path":"/t","cwd":{:?},"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":{command:?},"description":"look"}},"tool_use_id":"toolu_1"}}"#,
        workshop.empty
    );
    fs::write(&file, event)?;
    Ok(file)
}

fn must_answer(
    program: &Path,
    arguments: &[&str],
    event: &Path,
    directory: &Path,
    decision: &str,
) -> Result<(), Box<dyn Error>> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env(AT_A_TERMINAL.0, AT_A_TERMINAL.1)
        .stdin(Stdio::from(fs::File::open(event)?))
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let answer = format!(r#""permissionDecision":"{decision}""#);
    if output.status.success() && said.contains(&answer) {
        return Ok(());
    }
    Err(format!("the answer is not `{decision}`: {said}").into())
}
