//! `ringfence danger`: the danger list, and why a call is on it.

use ringfence_core::{AccessKind, Ground};
use ringfence_guard::redact::visible;
use ringfence_guard::{Action, Call, describe, pattern_for};
use ringfence_manifest::builtin;
use serde_json::json;

use crate::args::{DangerArgs, DangerVerb};
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &DangerArgs) -> Result<Exit, Failure> {
    match &args.verb {
        None => list(false),
        Some(DangerVerb::List { json }) => list(*json),
        Some(DangerVerb::Explain { words }) => explain(words),
    }
}

fn list(as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        let entries: Vec<_> = builtin::danger_entries()
            .map(|entry| {
                json!({
                    "pattern": entry.pattern(),
                    "why": entry.why(),
                    "group": entry.group(),
                    "source": entry.source(),
                    "except": entry.except().collect::<Vec<_>>(),
                })
            })
            .collect();
        show::print(&json!(entries).to_string());
        return Ok(Exit::Allow);
    }
    let mut groups: Vec<&str> = builtin::danger_entries().map(|entry| entry.group()).collect();
    groups.sort_unstable();
    groups.dedup();
    let bold = anstyle::Style::new().bold();
    let quiet = show::QUIET;
    for group in groups {
        show::print(&format!("{bold}{group}{bold:#}"));
        for entry in builtin::danger_entries().filter(|entry| entry.group() == group) {
            show::print(&format!("  {:<52} {quiet}{}{quiet:#}", entry.pattern(), entry.why()));
        }
    }
    Ok(Exit::Allow)
}

fn explain(words: &[String]) -> Result<Exit, Failure> {
    let guard = door::open(&[])?;
    let call = Call::new(match words {
        [one] if is_access(one) => Action::Access { text: one.clone() },
        [one] => Action::Line { line: one.clone(), shell: None },
        words => Action::Argv { argv: words.to_vec(), env: Vec::new() },
    });
    let judgement = guard.consider(&call);
    let mut dangerous = false;
    for part in judgement.parts() {
        let entries: Vec<&Ground> =
            part.verdict.grounds.iter().filter(|own| matches!(own, Ground::Danger(_))).collect();
        if !entries.is_empty() {
            dangerous = true;
            explain_part(&part.access.what, &entries);
        }
    }
    for doubt in &judgement.doubts {
        show::say(&format!("not read: {}", doubt.reason));
    }
    if !dangerous {
        show::print("nothing in this call is on the danger list, or all of it is opted in");
    }
    Ok(if dangerous { Exit::Deny } else { Exit::Allow })
}

/// The entries that one access meets, and the one line that opts in to all of them.
fn explain_part(what: &AccessKind, entries: &[&Ground]) {
    let quiet = show::QUIET;
    show::print(&describe(what));
    for rule in entries.iter().filter_map(|ground| ground.rule()) {
        let why = rule.note.why.as_deref().unwrap_or_default();
        let pattern = rule.pattern.to_string();
        show::print(&format!("  {quiet}on{quiet:#}      {pattern:<28} {quiet}{why}{quiet:#}"));
    }
    let Some(opt_in) = pattern_for(what) else { return };
    let opt_in = visible(&opt_in);
    show::print(&format!(
        "  {quiet}opt in{quiet:#}  add `{opt_in}` to `danger`, beside an `allow`"
    ));
}

fn is_access(text: &str) -> bool {
    let prefixes =
        ["fs:", "net:", "env:", "sock:", "listen:", "cmd:", "tool:", "mcp:", "keychain:"];
    prefixes.iter().any(|prefix| text.starts_with(prefix))
}
