//! `ringfence forget`: takes away a rule that was added by hand.

use ringfence_core::Effect;
use ringfence_guard::redact::visible;

use super::allowed;
use crate::args::ForgetArgs;
use crate::args::everyday::WhoseArgs;
use crate::asking::{must_be_a_person, slips};
use crate::exit::{Exit, Failure};
use crate::manual_rules::{Outcome, Policy, Whose};
use crate::show;

pub(crate) fn run(args: &ForgetArgs) -> Result<Exit, Failure> {
    must_be_a_person()?;
    let WhoseArgs { user, here, project } = args.whose;
    let whose = match (user, here, project) {
        (true, ..) => vec![Whose::User, Whose::Answers],
        (_, true, _) => vec![Whose::Here],
        (.., true) => vec![Whose::Project],
        _ => vec![Whose::User, Whose::Answers, Whose::Here, Whose::Project],
    };
    let shown = visible(&args.pattern);
    let mut gone = false;
    if !(user || here || project) && slips()?.revoke(&args.pattern) {
        gone = true;
        show::print(&format!("forgot  `{shown}`, which was for once or for a session"));
    }
    for whose in whose {
        // Where there is no project there is none of its rules.
        let policy = match Policy::find(whose) {
            Err(_) if !(here || project) && matches!(whose, Whose::Here | Whose::Project) => {
                continue;
            }
            found => found?,
        };
        for effect in [Effect::Allow, Effect::Deny] {
            let Outcome::Done(note) = policy.remove(effect, &args.pattern)? else { continue };
            gone = true;
            let file = policy.file.display();
            show::print(&format!("forgot  {effect} `{shown}` of {file}"));
            if let Some(note) = note {
                show::say(&format!("note: {note}"));
            }
        }
    }
    if gone {
        return Ok(Exit::Allow);
    }
    let failure = Failure::new(format!("no rule `{shown}` was added by hand"));
    Err(match allowed::elsewhere(&args.pattern) {
        Some(origin) => failure.hint(format!("{origin} has it; change it there")),
        None => failure.hint("`ringfence allowed` lists those that were"),
    })
}
