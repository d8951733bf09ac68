//! What is said when a run has ended.

use ringfence_core::Effect;
use ringfence_exec::{RefusedAction, Report};
use ringfence_guard::policy_text;
use ringfence_guard::redact::visible;

use crate::show::{self, QUIET};

/// The most lines of the list at the end.
const MOST_LINES: usize = 12;

/// The short list at the end: what was refused, and what would grant it.
pub(super) fn refused(report: &Report) {
    let worth: Vec<&RefusedAction> =
        report.refused.iter().filter(|refused| !refused.habit).collect();
    if worth.is_empty() {
        return;
    }
    let red = show::style(Effect::Deny);
    let total: u64 = worth.iter().map(|refused| refused.times).sum();
    say_line(&format!("{red}ringfence{red:#}: {total} refused"));
    for refused in worth.iter().take(MOST_LINES) {
        say_line(&format!("  {}", line(refused)));
        if let Some(grant) = &refused.grant {
            let grant = policy_text(grant);
            let also = refused.lacks_grant.then_some("allow");
            for list in also.into_iter().chain([&*refused.list]) {
                say_line(&format!("    {QUIET}{list} = [{grant}]{QUIET:#}"));
            }
        }
    }
    let more = worth.len().saturating_sub(MOST_LINES);
    if more > 0 {
        say_line(&format!("  {QUIET}and {more} more; --report FILE has all of them{QUIET:#}"));
    }
}

/// Nothing was drawn while the command had the terminal; now it can be said.
pub(super) fn unanswered(questions: u64) {
    let many = match questions {
        0 => return,
        1 => "1 question was".to_owned(),
        many => format!("{many} questions were"),
    };
    say_line(&format!("ringfence: {many} not answered in time"));
    say_line(&format!(
        "  {QUIET}while a run waits, another terminal has `ringfence pending`, `approve ID` and \
         `deny ID`; inside tmux there is a pop-up{QUIET:#}"
    ));
}

/// Nobody was there to be asked.
pub(super) fn unasked(questions: u64) {
    let many = match questions {
        0 => return,
        1 => "1 question was".to_owned(),
        many => format!("{many} questions were"),
    };
    say_line(&format!("ringfence: {many} refused at once: without a terminal nobody is there"));
    say_line(&format!(
        "  {QUIET}`ringfence run --ask` waits for `ringfence approve ID` from another terminal{QUIET:#}"
    ));
}

fn line(refused: &RefusedAction) -> String {
    let times = match refused.times {
        1 => String::new(),
        times => format!(" ({times} times)"),
    };
    let by = match refused.program.rsplit('/').next() {
        None | Some("") => String::new(),
        Some(name) => format!(" by {name}"),
    };
    visible(&format!("{}{by}{times}: {}", refused.what, refused.why)).into_owned()
}

fn say_line(text: &str) {
    show::say(text);
}
