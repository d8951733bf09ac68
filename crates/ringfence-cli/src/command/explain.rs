//! `ringfence explain`: judges one call, and shows the whole reasoning.

use ringfence_core::Effect;
use ringfence_guard::{Call, Refusal};

use crate::args::CallArgs;
use crate::command::check::{action, must_be_read};
use crate::door;
use crate::exit::{Exit, Failure};
use crate::explain::Story;
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
    let story = Story::new(&call, &judgement, guard.context());
    match args.json {
        true => show::print(&story.to_json(refusal.as_ref()).to_string()),
        false => story.print(refusal.as_ref()),
    }
    Ok(show::exit(effect))
}
