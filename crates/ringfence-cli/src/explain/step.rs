//! From accesses and doubts to the commands that they happen under.

use std::sync::Arc;

use ringfence_core::access::{Arg, Exec};
use ringfence_core::{AccessKind, Doubt};
use ringfence_guard::Part;
use ringfence_shell::ast::{Redirect, Script};
use ringfence_shell::{commands, compound_redirects};

use super::phrase::{Phrasing, kind};
use super::{Row, Span, Step};
use crate::words::{quoted, shown};

/// The heading of what belongs to no command of a line. Calls that are no lines need none.
const WHOLE: &str = "the line as a whole";
/// How deep a command can stand inside others before it is moved no further in.
const DEEPEST: usize = 6;

/// Collects the steps of a story.
pub(super) struct Steps<'j, 'p> {
    phrasing: &'p Phrasing<'p>,
    steps: Vec<Step<'j>>,
    execs: Vec<Option<&'j Arc<Exec>>>,
    /// The places of redirections.
    redirects: Vec<Span>,
    /// The places of the simple commands.
    commands: Vec<Span>,
}

impl<'j, 'p> Steps<'j, 'p> {
    pub(super) fn new(phrasing: &'p Phrasing<'p>, script: Option<&Script>) -> Steps<'j, 'p> {
        let mut redirects = Vec::new();
        let mut spans = Vec::new();
        if let Some(script) = script {
            for found in commands(script) {
                spans.push((found.command.span.start, found.command.span.end));
                redirects.extend(found.command.redirects.iter().map(place));
            }
            let compound = compound_redirects(script);
            redirects.extend(compound.iter().map(|found| place(found.redirect)));
        }
        Steps { phrasing, steps: Vec::new(), execs: Vec::new(), redirects, commands: spans }
    }

    /// Takes an access that is a command, or happens under one.
    pub(super) fn under_command(&mut self, part: Part<'j>) {
        let exec = match &part.access.what {
            AccessKind::Exec(exec) => Some(exec),
            _ => part.access.scope.command.as_ref(),
        };
        let Some(exec) = exec else { return };
        let is_it = |own: &Option<&Arc<Exec>>| own.is_some_and(|own| Arc::ptr_eq(own, exec));
        let at = self.execs.iter().position(is_it).unwrap_or_else(|| {
            let span = part.access.span;
            let (text, depth) = (exec_text(exec), depth(exec));
            self.push(Step { text, span, depth, exec: Some(exec), ..empty() }, Some(exec))
        });
        self.add(at, part);
    }

    /// Takes an access that no command does: the shell does it itself.
    pub(super) fn by_itself(&mut self, part: Part<'j>) {
        let is_exec = matches!(part.access.what, AccessKind::Exec(_));
        if is_exec || part.access.scope.command.is_some() {
            return;
        }
        let home = part.access.span.and_then(|span| self.home(span));
        let at = home.unwrap_or_else(|| self.whole());
        self.add(at, part);
    }

    pub(super) fn doubt(&mut self, doubt: &'j Doubt) {
        let at = match doubt.span {
            Some(span) => self.home(span),
            // Without a line, nothing has a place; what is said is said of the program.
            None => (!self.phrasing.has_line && !self.steps.is_empty()).then_some(0),
        };
        let at = at.unwrap_or_else(|| self.whole());
        if let Some(step) = self.steps.get_mut(at)
            && !step.doubts.contains(&doubt)
        {
            step.doubts.push(doubt);
        }
    }

    /// The steps in the order of the text, none of them twice.
    pub(super) fn finish(self) -> Vec<Step<'j>> {
        let mut steps: Vec<Step<'j>> = Vec::new();
        for step in self.steps {
            let same = |own: &&mut Step<'_>| {
                own.exec.is_some() && (&own.text, own.span) == (&step.text, step.span)
            };
            match steps.iter_mut().find(same) {
                None => steps.push(step),
                Some(own) => {
                    step.rows.into_iter().for_each(|row| add_row(own, row));
                    own.doubts.extend(step.doubts);
                }
            }
        }
        steps.sort_by_key(|step| step.span.map(|(start, end)| (start, usize::MAX.abs_diff(end))));
        steps
    }

    fn push(&mut self, step: Step<'j>, exec: Option<&'j Arc<Exec>>) -> usize {
        self.steps.push(step);
        self.execs.push(exec);
        self.steps.len().saturating_sub(1)
    }

    /// The step that a place belongs to: the narrowest redirection or command around it.
    fn home(&mut self, span: Span) -> Option<usize> {
        let around = |own: &&Span| contains(**own, span);
        let redirect = self.redirects.iter().filter(around).min_by_key(|own| length(own)).copied();
        let run = self.around(span);
        let run_length = run.and_then(|at| self.steps.get(at)?.span).map(|own| length(&own));
        let command = self.command_at(span);
        match (run, redirect) {
            (_, Some(redirect)) if run_length.is_none_or(|run| length(&redirect) < run) => {
                Some(self.stand_alone(redirect))
            }
            (Some(run), _) => Some(run),
            (None, _) => {
                let command = command?;
                let runs = |step: &Step<'_>| {
                    step.exec.is_some()
                        && step.span.and_then(|own| self.command_at(own)) == Some(command)
                };
                let run = self.steps.iter().position(runs);
                Some(run.unwrap_or_else(|| self.stand_alone(command)))
            }
        }
    }

    /// The step for what belongs to no command.
    fn whole(&mut self) -> usize {
        let known = |step: &Step<'_>| step.exec.is_none() && step.span.is_none();
        self.steps.iter().position(known).unwrap_or_else(|| {
            let text = if self.phrasing.has_line { WHOLE } else { "" };
            self.push(Step { text: text.to_owned(), ..empty() }, None)
        })
    }

    /// The narrowest simple command around a place.
    fn command_at(&self, span: Span) -> Option<Span> {
        let around = |own: &&Span| contains(**own, span);
        self.commands.iter().filter(around).min_by_key(|own| length(own)).copied()
    }

    /// A step of its own for what the shell does.
    fn stand_alone(&mut self, span: Span) -> usize {
        let known = |step: &Step<'_>| step.exec.is_none() && step.span == Some(span);
        self.steps.iter().position(known).unwrap_or_else(|| {
            let text = self.phrasing.source.part(span);
            self.push(Step { text, span: Some(span), ..empty() }, None)
        })
    }

    /// The innermost command around a place, if it is clear which one that is.
    fn around(&self, span: Span) -> Option<usize> {
        let runs = self.steps.iter().enumerate().filter(|(_, step)| step.exec.is_some());
        let spans = runs.filter_map(|(at, step)| Some((at, step.span?)));
        let candidates = spans.filter(|(_, own)| contains(*own, span) && !self.is_shared(*own));
        candidates.min_by_key(|(_, own)| length(own)).map(|(at, _)| at)
    }

    /// Whether several commands have this place: those of a text inside the line all have its.
    fn is_shared(&self, span: Span) -> bool {
        self.steps.iter().filter(|step| step.span == Some(span)).count() > 1
    }

    fn add(&mut self, at: usize, part: Part<'j>) {
        let what = self.phrasing.what(&part.access.what);
        let place =
            part.access.span.filter(|span| self.steps.iter().all(|step| step.span != Some(*span)));
        let Some(step) = self.steps.get_mut(at) else { return };
        let from = place.and_then(|span| self.phrasing.from(span, &part.access.what, &what));
        add_row(step, Row { part, kind: kind(&part.access.what), what, from });
    }
}

fn add_row<'j>(step: &mut Step<'j>, row: Row<'j>) {
    if !step.rows.iter().any(|own| own.says_the_same(&row)) {
        step.rows.push(row);
    }
}

fn empty<'j>() -> Step<'j> {
    let (rows, doubts) = (Vec::new(), Vec::new());
    Step { text: String::new(), span: None, depth: 0, exec: None, rows, doubts }
}

fn contains(own: Span, other: Span) -> bool {
    own.0 <= other.0 && other.1 <= own.1
}

fn length(span: &Span) -> usize {
    span.1.saturating_sub(span.0)
}

fn place(redirect: &Redirect) -> Span {
    (redirect.span.start, redirect.span.end)
}

/// The words of a command as a person would type them.
fn exec_text(exec: &Exec) -> String {
    let words = exec.args.iter().map(|arg| match arg {
        Arg::Known(text) => quoted(text),
        Arg::Unknown(unknown) => unknown.shown.as_ref().into(),
    });
    let words: Vec<_> = std::iter::once(quoted(&exec.program.invoked)).chain(words).collect();
    shown(&words)
}

fn depth(exec: &Exec) -> usize {
    let mut depth = 0usize;
    let mut inner = exec;
    while let Some((carrier, _)) = &inner.carrier
        && depth < DEEPEST
    {
        depth = depth.saturating_add(1);
        inner = carrier;
    }
    depth
}
