//! `ringfence check`: judges one call.

use ringfence_core::Effect;
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::{Action, Call, Judgement, Refusal, strict_json};
use serde_json::Value;

use crate::args::CallArgs;
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &CallArgs) -> Result<Exit, Failure> {
    let mut call = Call::new(action(args)?);
    let agent = door::known_agent(&args.files.policies, args.agent.as_deref())?;
    call.agent = agent.map(Into::into);
    let guard = door::open(&args.files.policies)?;
    let judgement = guard.consider(&call);
    must_be_read(&call, &judgement)?;
    let effect = judgement.verdict.effect;
    let refusal = (effect != Effect::Allow).then(|| Refusal::new(&call, &judgement));
    if args.json {
        show::print(&show::verdict_json(&judgement, refusal.as_ref()).to_string());
    } else {
        show::verdict(&judgement, refusal.as_ref());
    }
    // The process ends here; taking the policy apart piece by piece would only cost time.
    std::mem::forget((guard, judgement));
    Ok(show::exit(effect))
}

/// Fails if the text of `--access` is not an access: that is a mistake of who typed it, and no verdict.
pub(crate) fn must_be_read(call: &Call, judgement: &Judgement) -> Result<(), Failure> {
    match (&call.action, judgement.doubts.first()) {
        (Action::Access { .. }, Some(doubt)) if judgement.parts().next().is_none() => {
            Err(Failure::new(visible(&redact(&doubt.reason)).into_owned()).hint(
                "accesses: fs:r:PATH, cmd:git:push, net:HOST:PORT, env:NAME, mcp:SERVER/TOOL",
            ))
        }
        _ => Ok(()),
    }
}

/// What the command line asks for.
pub(crate) fn action(args: &CallArgs) -> Result<Action, Failure> {
    if let Some(access) = &args.access {
        return Ok(Action::Access { text: access.clone() });
    }
    if let Some(name) = &args.tool {
        let input = match &args.input {
            None => Value::Object(serde_json::Map::new()),
            Some(text) => strict_json::read(text).map_err(|error| {
                Failure::new(format!("`--input` is not JSON: {error}"))
                    .hint("quote it for your shell: --input '{\"path\":\"README.md\"}'")
            })?,
        };
        return Ok(Action::Tool { name: name.clone(), input });
    }
    match args.words.as_slice() {
        [] => Err(Failure::new("nothing to judge")
            .hint("ringfence check git status; `ringfence check --help` shows more")),
        [line] => Ok(Action::Line { line: line.clone(), shell: None }),
        words => Ok(Action::Argv { argv: words.to_vec(), env: Vec::new() }),
    }
}
