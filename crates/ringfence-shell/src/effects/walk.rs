//! Lists and pipelines.

use super::Walker;
use super::found::Found;
use super::output::Said;
use super::state::State;
use crate::ast::{
    AndOr, AndOrOperator, AssignmentValue, Command, Item, ItemEnd, Part, PartKind, Pipeline,
    Script, SimpleCommand, Stage,
};
use crate::field::Field;

/// What a command reads from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stdin {
    /// What the shell itself reads from.
    Inherited,
    /// A pipe or a file, of which nothing is known.
    Unknown,
    /// This file.
    File(Field),
    /// This text.
    Text(String),
    /// Names of files.
    Names(Vec<Found>),
}

impl Stdin {
    /// Whether its text cannot be told.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Stdin::Unknown | Stdin::Names(_))
    }
}

/// What a command costs, whatever it is.
const COMMAND: usize = 128;

impl Walker<'_> {
    /// A whole line, of which the tree is not needed again.
    ///
    /// Most lines are one command, and one with very many words has a tree as large as all that is made
    /// of it: so that goes as soon as the words are known.
    pub(super) fn whole(&mut self, mut script: Script) {
        let Some(only) = only_simple(&mut script) else { return self.script(&script) };
        if self.spend(COMMAND) {
            self.nested(only.span, |walker| walker.simple_once(only));
            self.state.join_ways();
        }
    }

    pub(super) fn script(&mut self, script: &Script) {
        self.script_reading(script, &Stdin::Inherited);
    }

    pub(super) fn script_reading(&mut self, script: &Script, stdin: &Stdin) {
        let (mut beside, watched) = (None, self.watched);
        for item in &script.items {
            if self.is_exhausted() {
                return;
            }
            if self.state.dead {
                // Still looked at: a trap or a function may come back to it.
                self.state.dead = false;
            }
            match item.end {
                ItemEnd::Wait => self.and_or(&item.list, stdin),
                ItemEnd::Background => {
                    beside = beside.or(Some((self.ran.len(), self.effects.accesses.len())));
                    self.watched = true;
                    self.saying_at_times(|walker| {
                        walker.in_subshell(|walker| walker.and_or(&item.list, stdin));
                    });
                }
            }
            if item.last_in_line {
                self.read_on();
            }
        }
        if let Some((ran, accesses)) = beside {
            self.watched = watched;
            self.look_back(ran, accesses);
        }
    }

    /// A word of the command may turn out to be no word, as with `$((08))`: then the shell leaves
    /// out the rest of the line.
    #[cold]
    pub(super) fn may_be_cut_short(&mut self) {
        let here = self.state.clone();
        match &mut self.cut_short {
            Some(cut) => cut.join(here),
            None => self.cut_short = Some(Box::new(here)),
        }
    }

    /// The shell goes on with what it reads next, whatever became of what it has read.
    pub(super) fn read_on(&mut self) {
        if let Some(cut) = self.cut_short.take() {
            self.state.join(*cut);
        }
    }

    /// A list is gone both ways: what holds where a part succeeded is kept apart from what holds
    /// where it failed.
    fn and_or(&mut self, list: &AndOr, stdin: &Stdin) {
        if list.rest.is_empty() && !list.first.negated {
            self.pipeline(&list.first, stdin);
            return self.state.join_ways();
        }
        self.saying_at_times(|walker| walker.both_ways_of(list, stdin));
    }

    fn both_ways_of(&mut self, list: &AndOr, stdin: &Stdin) {
        let (mut done, mut failed) = self.both_ways(&list.first, stdin);
        for (operator, pipeline) in &list.rest {
            if self.is_exhausted() {
                break;
            }
            let (before, other) = match operator {
                AndOrOperator::And => (done, failed),
                AndOrOperator::Or => (failed, done),
            };
            self.state = before;
            let (after_done, after_failed) = self.both_ways(pipeline, stdin);
            (done, failed) = (after_done, after_failed);
            match operator {
                AndOrOperator::And => failed.join(other),
                AndOrOperator::Or => done.join(other),
            }
        }
        done.join(failed);
        self.state = done;
    }

    /// Runs a pipeline; what holds where it succeeded, and where it failed.
    fn both_ways(&mut self, pipeline: &Pipeline, stdin: &Stdin) -> (State, State) {
        self.pipeline(pipeline, stdin);
        let mut done = self.state.clone();
        let mut failed = self.state.clone();
        done.if_failed = None;
        path_is_sure(&mut done, pipeline);
        if let Some(before) = failed.if_failed.take() {
            (failed.cwd, failed.pwd) = before;
        }
        match pipeline.negated {
            true => (failed, done),
            false => (done, failed),
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, stdin: &Stdin) {
        if let [only] = pipeline.stages.as_slice() {
            return self.command(&only.command, stdin);
        }
        self.watching(|walker| walker.stages(pipeline, stdin));
    }

    /// The commands of a pipeline, which run at the same time.
    fn stages(&mut self, pipeline: &Pipeline, stdin: &Stdin) {
        let taker = pipeline.stages.iter().rposition(|stage| !self.only_shows(&stage.command));
        let last = pipeline.stages.len().saturating_sub(1);
        let mut said = Said::Unknown;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let before_it = index.checked_sub(1).and_then(|at| pipeline.stages.get(at));
            let stdin = match before_it {
                None => stdin.clone(),
                Some(stage) => match self.brought(&stage.command) {
                    Stdin::Unknown => said.into_stdin(),
                    brought => brought,
                },
            };
            let handed_on = taker.is_some_and(|taker| index < taker);
            let step = |walker: &mut Self| {
                walker.handing_on(handed_on, |walker| walker.command(&stage.command, &stdin));
            };
            said = Said::Unknown;
            match index < last {
                true => said = self.capture(step),
                false => step(self),
            }
        }
    }

    fn command(&mut self, command: &Command, stdin: &Stdin) {
        if !self.spend(COMMAND) {
            return;
        }
        self.nested(command.span(), |walker| match command {
            Command::Simple(simple) => walker.simple(simple, stdin),
            Command::Compound(compound) => walker.compound(compound, stdin),
            Command::Function(function) => walker.define(function),
            Command::Coproc(coproc) => {
                walker.capture(|walker| {
                    walker.handing_on(true, |walker| {
                        walker.command(&coproc.command, &Stdin::Unknown);
                    });
                });
            }
        });
    }
}

/// Where `x=$(command)` succeeds, so did the command.
fn path_is_sure(state: &mut State, pipeline: &Pipeline) {
    let [Stage { command: Command::Simple(only), .. }] = pipeline.stages.as_slice() else { return };
    if only.words.is_empty()
        && let [set] = only.assignments.as_slice()
        && let AssignmentValue::Scalar(word) = &set.value
    {
        // Quotes leave an empty part behind.
        let is_empty =
            |part: &&Part| matches!(&part.kind, PartKind::Literal(text) if text.is_empty());
        let mut parts = word.parts.iter().filter(|part| !is_empty(part));
        let is_command = parts.next().is_some_and(|own| matches!(own.kind, PartKind::Command(_)));
        if is_command && parts.next().is_none() {
            state.path_is_sure(&set.name);
        }
    }
}

/// The simple command that a script is, if it is only one.
fn only_simple(script: &mut Script) -> Option<&mut SimpleCommand> {
    let [Item { list: AndOr { first, rest, .. }, end: ItemEnd::Wait, .. }] =
        script.items.as_mut_slice()
    else {
        return None;
    };
    match first.stages.as_mut_slice() {
        [Stage { command: Command::Simple(only), .. }] if rest.is_empty() && !first.negated => {
            Some(only)
        }
        _ => None,
    }
}
