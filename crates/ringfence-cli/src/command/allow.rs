//! `ringfence allow`: one more rule, added by a person.

use ringfence::core::Effect;
use ringfence::core::pattern::Pattern;
use ringfence::guard::redact::visible;

use crate::args::AllowArgs;
use crate::asking::must_be_a_person;
use crate::by_hand::{Outcome, Policy, Whose, suggestion, without_secrets};
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &AllowArgs) -> Result<Exit, Failure> {
    add(Effect::Allow, &args.pattern, args.whose.whose(), args.why.as_deref())
}

/// Adds a rule, and says what came of it.
pub(super) fn add(
    effect: Effect,
    pattern: &str,
    whose: Whose,
    why: Option<&str>,
) -> Result<Exit, Failure> {
    must_be_a_person()?;
    Pattern::parse(pattern).map_err(|error| {
        Failure::new(format!("`{}` is no pattern: {error}", visible(pattern)))
            .hint(suggestion(pattern))
    })?;
    without_secrets(pattern)?;
    if let Some(why) = why {
        without_secrets(why)?;
    }
    let policy = Policy::find(whose)?;
    let (shown, file) = (visible(pattern), policy.file.display());
    match policy.add(effect, pattern, why)? {
        Outcome::Nothing => show::print(&format!("{file} has `{shown}` already")),
        Outcome::Done(note) => {
            let style = show::style(effect);
            show::print(&format!("{style}{effect}{style:#}   {shown}  in {file}"));
            show::print(&format!("undo    ringfence forget {}", undo(pattern, whose)));
            if let Some(note) = note {
                show::say(&format!("note: {note}"));
            }
        }
    }
    Ok(Exit::Allow)
}

fn undo(pattern: &str, whose: Whose) -> String {
    let option = if whose == Whose::Project { " --project" } else { "" };
    format!("{}{option}", crate::words::quoted(&visible(pattern)))
}
