//! Words the reasons against a call, for reports and questions.

use std::path::Path;

use ringfence_core::access::FileOp;
use ringfence_core::{Access, AccessKind, Effect, Ground};
use ringfence_guard::{Judgement, describe};

use crate::report::RefusedAction;
use crate::suggestion;
use crate::time::now;

/// The reasons against a call, as entries of a report.
pub(crate) struct Refusals(pub(crate) Vec<RefusedAction>);

impl Refusals {
    pub(crate) fn of(judgement: &Judgement, program: &str) -> Refusals {
        let effect = judgement.verdict.effect;
        let observed = judgement.is_observed();
        let entry =
            |what: String, ground: &Ground, grant: Option<String>, habit: bool| RefusedAction {
                what,
                program: program.to_owned(),
                times: 1,
                first: now(),
                why: ground.to_string(),
                grant: grant.filter(|_| is_grantable(ground)),
                list: if matches!(ground, Ground::Danger(_)) {
                    "danger".into()
                } else {
                    "allow".into()
                },
                lacks_grant: false,
                observed,
                habit,
            };
        let mut all: Vec<RefusedAction> = decisive_parts(judgement)
            .map(|(access, ground)| {
                let what = &access.what;
                let habit = is_habit(what) || is_our_own_look(what, program);
                let own = entry(describe(what), ground, suggestion::pattern(what, ground), habit);
                let is_danger = matches!(ground, Ground::Danger(_));
                let lacks_grant = is_danger && judgement.lacks_grant(access);
                RefusedAction { lacks_grant, ..own }
            })
            .collect();
        let doubts = judgement.doubts.iter().filter(|doubt| doubt.effect == effect);
        // The call is the start of a program, whatever door passed it on.
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

/// Returns the accesses whose verdict is as strict as the call's, each with its ground. A question
/// raised by one name of a start is not repeated for another name.
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

/// History files of programs; the programs work silently without them.
const HABITS: [&str; 9] = [
    ".bash_history",
    ".sh_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".sqlite_history",
    // `less` replaces it by way of `.lesshsQ`.
    ".lesshs",
    ".viminf",
    ".wget-hsts",
];

/// The program with which terminals record logins; they work without it.
const SCRIBE: &str = "utempter";

/// Returns whether ringfence itself, as a hook inside the run, reads a file in the home directory.
/// It works without the file.
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

/// Returns whether a yes would help. Files and sockets without a rule are not in the plan, so the
/// kernel would refuse them anyway.
pub(crate) fn can_be_given(judgement: &Judgement) -> bool {
    let mut asked = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    !asked.any(|part| {
        let by_default =
            part.verdict.decisive().any(|ground| matches!(ground, Ground::NotGranted { .. }));
        by_default && matches!(part.access.what, AccessKind::File(_) | AccessKind::Socket(_))
    })
}

/// Returns whether only the danger list objects to a change.
pub(crate) fn is_only_dangerous(judgement: &Judgement) -> bool {
    judgement.verdict.decisive().all(|ground| matches!(ground, Ground::Danger(_)))
}

/// Returns whether a line in a policy would help.
fn is_grantable(ground: &Ground) -> bool {
    matches!(ground, Ground::NotGranted { .. } | Ground::Danger(_) | Ground::Ceiling { .. })
        || ground.effect() == Effect::Ask
}
