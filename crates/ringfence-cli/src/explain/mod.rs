//! A judgement as a story: the commands of a call, what each would do, and why it may or may not.
//!
//! Nothing is decided here, and nothing leaves here that is not fit to be shown.

mod held;
mod json;
mod phrase;
mod print;
mod step;

use ringfence_core::access::Exec;
use ringfence_core::{Context, Doubt, Effect, Ground};
use ringfence_guard::redact::{redact, redact_json, visible};
use ringfence_guard::{Action, Call, Judgement, Part};
use ringfence_shell::ast::Script;

use crate::source::Source;
use crate::words::{quoted, shown};
use phrase::Phrasing;
use step::Steps;

/// A range of bytes of the call's line.
type Span = (usize, usize);

/// What a call would do, command by command.
pub(crate) struct Story<'j> {
    judgement: &'j Judgement,
    /// The text of the call.
    source: Source,
    /// The line that places are counted in, where there is one.
    line: Option<&'j str>,
    steps: Vec<Step<'j>>,
    /// Programs that may do more than the line says.
    unheld: Vec<String>,
    /// How many effects and doubts are not told, because there are too many.
    left_out: usize,
}

/// So many effects are told, and as many doubts: nobody reads more, and each is compared with the
/// others. The verdict is on all of them.
const MOST: usize = 2_000;

/// One command with what it does; or something that the shell itself does.
struct Step<'j> {
    /// Its words; none where the call is no line and runs nothing.
    text: String,
    span: Option<Span>,
    /// How many commands carry it.
    depth: usize,
    exec: Option<&'j Exec>,
    rows: Vec<Row<'j>>,
    doubts: Vec<&'j Doubt>,
}

/// One effect.
struct Row<'j> {
    part: Part<'j>,
    kind: &'static str,
    what: String,
    /// The words of the line that say so, where they say it otherwise.
    from: Option<String>,
}

impl Step<'_> {
    fn effect(&self) -> Effect {
        let rows = self.rows.iter().map(|row| row.part.verdict.effect);
        let doubts = self.doubts.iter().map(|doubt| doubt.effect);
        rows.chain(doubts).max().unwrap_or(Effect::Allow)
    }
}

impl Row<'_> {
    /// Whether another row tells a person nothing new.
    fn says_the_same(&self, other: &Row<'_>) -> bool {
        (self.kind, &self.what) == (other.kind, &other.what)
            && self.part.verdict.grounds == other.part.verdict.grounds
    }
}

impl<'j> Story<'j> {
    /// Tells what became of a call.
    pub(crate) fn new(call: &'j Call, judgement: &'j Judgement, context: &Context) -> Story<'j> {
        let line = call.line();
        let source = line.map_or_else(|| text_of(call), Source::new);
        let script = line.and_then(|line| ringfence_shell::parse(line).ok());
        let phrasing = Phrasing { context, source: &source, has_line: line.is_some() };
        let (steps, left_out) = tell(judgement, &phrasing, script.as_ref());
        let unheld = held::unheld(&judgement.policy, &steps);
        Story { judgement, source, line, steps, unheld, left_out }
    }
}

fn tell<'j>(
    judgement: &'j Judgement,
    phrasing: &Phrasing<'_>,
    script: Option<&Script>,
) -> (Vec<Step<'j>>, usize) {
    // That a tool is one which is known explains nothing where its effects are listed.
    let telling = |part: &Part<'_>| *part.verdict.grounds != [Ground::KnownTool];
    let mut steps = Steps::new(phrasing, script);
    let parts: Vec<Part<'j>> = judgement.parts().filter(telling).collect();
    let all = parts.len().saturating_add(judgement.doubts.len());
    let parts = not_too_many(parts, |part| part.verdict.effect);
    let doubts = not_too_many(judgement.doubts.iter().collect(), |doubt| doubt.effect);
    parts.iter().for_each(|part| steps.under_command(*part));
    parts.iter().for_each(|part| steps.by_itself(*part));
    doubts.iter().for_each(|doubt| steps.doubt(doubt));
    let left_out = all.saturating_sub(parts.len()).saturating_sub(doubts.len());
    (steps.finish(), left_out)
}

/// Of more than can be told those that are not allowed before those that are.
fn not_too_many<T>(mut all: Vec<T>, effect: impl Fn(&T) -> Effect) -> Vec<T> {
    if all.len() > MOST {
        let allowed = |own: &T| effect(own) == Effect::Allow;
        let objected = all.iter().filter(|own| !allowed(own)).count();
        let mut room = [MOST, MOST.saturating_sub(objected)];
        all.retain(|own| {
            let [objected, permitted] = &mut room;
            let left = if allowed(own) { permitted } else { objected };
            let has_room = *left > 0;
            *left = left.saturating_sub(1);
            has_room
        });
    }
    all
}

/// What was called, where it was no line.
fn text_of(call: &Call) -> Source {
    let text = match &call.action {
        Action::Argv { argv, .. } => {
            let words: Vec<_> = argv.iter().map(|word| quoted(word)).collect();
            shown(&words)
        }
        Action::Tool { name, input } => format!("{name} {}", redact_json(input)),
        Action::Access { text } => text.clone(),
        _ => call.tool_name(),
    };
    Source::new(&visible(&redact(&text)))
}
