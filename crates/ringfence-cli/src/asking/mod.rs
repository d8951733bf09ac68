//! Questions of runs, as people meet them: a queue, a prompt, a pop-up.
//!
//! A question is never drawn on a terminal that the confined command has.

mod answer;
mod notice;
mod prompt;
mod remember;
mod scopes;
mod terminal;
mod tmux;

use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use ringfence_exec::queue::{
    self, PersistentQuestions, Preapprovals, QuestionDisplay, QuestionSummary, Queue,
    QueueTimeouts, RunInfo,
};
use ringfence_guard::policy_text;
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::world::{PolicyLocations, RealHost, SurroundingsError, User};

pub(crate) use answer::carry_out;
pub(crate) use prompt::{Choice, ask};
pub(crate) use scopes::scopes;

use crate::door::absolute;
use crate::exit::Failure;
use notice::Notice;
use terminal::Terminal;
use tmux::PopUp;

/// Where the runs of this user listen.
pub(crate) fn places() -> Result<Vec<PathBuf>, Failure> {
    Ok(places_of(user(&RealHost::new())?))
}

fn places_of(user: &User) -> Vec<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    queue::socket_dirs(user.uid, user.home.as_str().as_ref(), runtime.as_deref())
}

/// Whose process this is. Where it is does not matter to questions.
fn user(host: &RealHost) -> Result<&User, Failure> {
    let unknown = || Failure::new(SurroundingsError::NoUser(host.uid()).to_string());
    host.user().ok_or_else(unknown)
}

/// Where this user's documents and records lie.
fn records_of(user: &User) -> Result<PolicyLocations, Failure> {
    let places = PolicyLocations::of_user(user.uid, &user.home);
    places.map_err(|_| Failure::new(SurroundingsError::NoUser(user.uid).to_string()))
}

/// How questions are put.
pub(crate) struct Manner<'a> {
    /// The policies that were named.
    pub(crate) policies: &'a [PathBuf],
    pub(crate) times: QueueTimeouts,
    /// Whether questions wait though nobody seems to be there.
    pub(crate) waits: bool,
}

/// Where the questions of this user's hooks are written down.
pub(crate) fn shelf() -> Result<PersistentQuestions, Failure> {
    let places = records_of(user(&RealHost::new())?)?;
    Ok(PersistentQuestions::new(places.state_dir.as_str().as_ref()))
}

/// Answers that this user gave before anybody asked.
pub(crate) fn slips() -> Result<Preapprovals, Failure> {
    slips_of(user(&RealHost::new())?)
}

fn slips_of(user: &User) -> Result<Preapprovals, Failure> {
    let places = records_of(user)?;
    Ok(Preapprovals::new(places.state_dir.as_str().as_ref()))
}

/// The queue of a run on this host.
pub(crate) fn queue(
    host: &RealHost,
    words: &[OsString],
    manner: &Manner<'_>,
) -> Result<Queue, Failure> {
    let run = run(words, manner.policies)?;
    let user = user(host)?;
    let queue =
        Queue::new(run.clone(), places_of(user), manner.times).with_preapprovals(slips_of(user)?);
    Ok(match desk(run) {
        Some(desk) => queue.with_display(desk),
        None if manner.waits || is_at_terminal() => queue,
        None => queue.without_person(),
    })
}

/// A run, as people who are asked see it.
pub(crate) fn run(words: &[OsString], policies: &[PathBuf]) -> Result<RunInfo, Failure> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let directory = std::env::current_dir().unwrap_or_default();
    Ok(RunInfo {
        pid: std::process::id(),
        command: visible(&redact(&words.join(" "))).into_owned(),
        directory: directory.display().to_string(),
        policy: policy(policies)?,
    })
}

/// Whether somebody may be there: this process belongs to a terminal, whoever has the use of it now.
fn is_at_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

/// Returns the file in which an answer that lasts belongs: the first policy that was named, else the
/// user's, else the user's answers.
pub(crate) fn policy(named: &[PathBuf]) -> Result<String, Failure> {
    if let Some(first) = named.first() {
        return absolute(first).map(|path| path.as_str().to_owned());
    }
    let places = records_of(user(&RealHost::new())?)?;
    // Programs change only TOML; what they cannot change gets the answers beside it.
    let own = places.user_dir.child("policy.toml").ok();
    let own = own.filter(|path| std::fs::symlink_metadata(path.as_str()).is_ok());
    let file = own.or(places.answer_files().everywhere);
    Ok(file.map(|path| path.as_str().to_owned()).unwrap_or_default())
}

/// Where a person would see a question at once.
fn desk(run: RunInfo) -> Option<Arc<dyn QuestionDisplay>> {
    if let Some(terminal) = Terminal::free(run.clone()) {
        return Some(Arc::new(terminal));
    }
    if let Some(pop_up) = PopUp::here() {
        return Some(Arc::new(pop_up));
    }
    Notice::here(run).map(|notice| Arc::new(notice) as Arc<dyn QuestionDisplay>)
}

/// A question in words, without the means of a terminal.
pub(crate) fn lines(run: &RunInfo, question: &QuestionSummary) -> Vec<String> {
    let mut lines = vec![format!("{} wants to {}", who(run, question), plain(&question.what))];
    if !question.why.is_empty() {
        lines.push(format!("why     {}", plain(&question.why)));
    }
    lines.push(format!("run     {} in {}", plain(&run.command), plain(&run.directory)));
    for (number, own) in scopes(question).iter().enumerate() {
        let head = if number == 0 { "scope" } else { "" };
        let number = number.saturating_add(1);
        let usual = if own.is_usual { ", for `always`" } else { "" };
        let pattern = policy_text(&own.pattern);
        lines.push(format!("{head:<6}{number:>2} {pattern}  {}{usual}", visible(&own.words)));
    }
    lines
}

/// A text of a program, as people may see it.
fn plain(text: &str) -> String {
    visible(&redact(text)).into_owned()
}

/// The program that asks.
fn who(run: &RunInfo, question: &QuestionSummary) -> String {
    let name = question.program.rsplit('/').next().filter(|name| !name.is_empty());
    let first = run.command.split(' ').next().unwrap_or_default();
    visible(name.unwrap_or(first)).into_owned()
}

/// Authority is given at a terminal, never through a pipe that an agent could hold.
pub(crate) fn must_be_a_person() -> Result<(), Failure> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::new("this changes what agents may do, and needs a person at a terminal")
        .hint("run it yourself, in a terminal that no agent drives"))
}

/// Asks; anything but a clear yes is no.
pub(crate) fn confirmed(question: &str) -> Result<bool, Failure> {
    let broken = |error: std::io::Error| Failure::new(format!("no answer: {error}"));
    let mut output = anstream::stdout();
    write!(output, "{question} [y/N] ").and_then(|()| output.flush()).map_err(broken)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(broken)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
