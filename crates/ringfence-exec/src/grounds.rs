//! What stands against a call, and in which words it is reported or asked about.

use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::{Access, AccessKind, Effect, Ground};
use ringfence_guard::{Judgement, describe};

use crate::report::Refused;
use crate::spare;
use crate::time::now;

/// What stands against a call, in the words of a report.
pub(crate) struct Refusals(pub(crate) Vec<Refused>);

impl Refusals {
    pub(crate) fn of(judgement: &Judgement, program: &str) -> Refusals {
        let effect = judgement.verdict.effect;
        let observed = judgement.is_observed();
        let entry = |what: String, ground: &Ground, grant: Option<String>, habit: bool| Refused {
            what,
            program: program.to_owned(),
            times: 1,
            first: now(),
            why: ground.to_string(),
            grant: grant.filter(|_| is_grantable(ground)),
            list: if matches!(ground, Ground::Danger(_)) { "danger" } else { "allow" },
            lacks_grant: false,
            observed,
            habit,
        };
        let mut all: Vec<Refused> = decisive_parts(judgement)
            .map(|(access, ground)| {
                let what = &access.what;
                let habit = is_habit(what) || is_our_own_look(what, program);
                let own = entry(describe(what), ground, spare::pattern(what, ground), habit);
                let is_danger = matches!(ground, Ground::Danger(_));
                let lacks_grant = is_danger && judgement.lacks_grant(access);
                Refused { lacks_grant, ..own }
            })
            .collect();
        let doubts = judgement.doubts.iter().filter(|doubt| doubt.effect == effect);
        // What was asked for is a start, however the door that handed it over is called.
        let is_start = |what: &&AccessKind| matches!(what, AccessKind::Exec(_));
        let parts = || judgement.parts().map(|part| &part.access.what);
        let command = parts().find(is_start).or_else(|| parts().next()).map(describe);
        all.extend(doubts.map(|doubt| {
            let what = command.clone().unwrap_or_else(|| "something unclear".to_owned());
            entry(what, &doubt.clone().into(), None, false)
        }));
        Refusals(all)
    }
}

/// Returns the parts of a call that are as strict as its verdict, each with the ground for that. A
/// question that was raised by one name of a start is not raised again by another.
pub(crate) fn decisive_parts(judgement: &Judgement) -> impl Iterator<Item = (&Access, &Ground)> {
    let effect = judgement.verdict.effect;
    let mut raised: Vec<&Ground> = Vec::new();
    judgement.parts().filter_map(move |part| {
        let by_other_name = effect == Effect::Ask && part.access.scope.gate.by_other_name;
        let mut grounds = part.verdict.grounds.iter().filter(|ground| ground.effect() == effect);
        let ground = grounds.find(|ground| !(by_other_name && raised.contains(ground)))?;
        raised.push(ground);
        Some((part.access, ground))
    })
}

/// Files in which programs keep what was typed; none of them says a word if it cannot.
const HABITS: [&str; 9] = [
    ".bash_history",
    ".sh_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".sqlite_history",
    // It is replaced by `.lesshsQ`.
    ".lesshs",
    ".viminf",
    ".wget-hsts",
];

/// Terminals have it write down who uses them, and do without where it cannot.
const SCRIBE: &str = "utempter";

/// Whether this is ringfence itself, as a hook inside: it looks for links at home, and does without.
fn is_our_own_look(what: &AccessKind, program: &str) -> bool {
    let reads = matches!(what, AccessKind::File(file) if file.op == FileOp::Read);
    reads && std::env::current_exe().is_ok_and(|own| own == Path::new(program))
}

fn is_habit(what: &AccessKind) -> bool {
    match what {
        AccessKind::File(file) => {
            let name = file.path.real.file_name();
            HABITS.iter().any(|own| name.starts_with(own))
        }
        AccessKind::Exec(exec) => {
            exec.program.file.as_ref().is_some_and(|file| file.file_name() == SCRIBE)
        }
        _ => false,
    }
}

/// Whether a yes would help: files and sockets that no rule speaks of are not in the plan, so the
/// kernel would refuse them all the same.
pub(crate) fn can_be_given(judgement: &Judgement) -> bool {
    let mut asked = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    !asked.any(|part| {
        let by_default =
            part.verdict.decisive().any(|ground| matches!(ground, Ground::NotGranted { .. }));
        by_default && matches!(part.access.what, AccessKind::File(_) | AccessKind::Socket(_))
    })
}

/// Whether nothing but the danger list stands against a change.
pub(crate) fn is_only_dangerous(judgement: &Judgement) -> bool {
    judgement.verdict.decisive().all(|ground| matches!(ground, Ground::Danger(_)))
}

/// Whether a line in a policy would help.
fn is_grantable(ground: &Ground) -> bool {
    matches!(ground, Ground::NotGranted { .. } | Ground::Danger(_) | Ground::Ceiling { .. })
        || ground.effect() == Effect::Ask
}
