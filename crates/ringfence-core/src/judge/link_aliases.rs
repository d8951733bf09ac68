//! Checks what a new symbolic link would make reachable under other names.
//!
//! Rules are matched against real paths. If an agent makes `.vscode` a link to `v`, then
//! `v/tasks.json` is read as `.vscode/tasks.json`, a name that no rule was matched against. So
//! creating a link counts as writing each path below it that a deny or danger rule names.

use super::compile::Policy;
use super::entry::{Side, has_right};
use super::expand::steps;
use super::rule_places::{RuleKind, RulePlace};
use crate::access::{Access, AccessKind, AccessScope, Extent, FileAccess, FileOp};
use crate::effect::Effect;
use crate::index::Step;
use crate::path::{AbsPath, FilePath};
use crate::pattern::{Glob, GlobPart};
use crate::verdict::Ground;

/// A Unicode noncharacter, used as a file name that no rule contains.
const ANY_NAME: char = '\u{fdd0}';

impl Policy {
    /// Returns a path below a new symbolic link that a deny or danger rule forbids to write.
    ///
    /// The rule must name the link itself: `.config` in `~/.config/app/policy`, or `.vscode` in
    /// `**/.vscode/tasks.json`. A name that only a wildcard matches, such as `a` for `**/.env`,
    /// does not count.
    ///
    /// `leads` is the real path of the link's target. It matters for a rule with a second `**`,
    /// such as `**/.git/modules/**/hooks`: a link that stays below the named directory adds no new
    /// names.
    pub fn forbidden_below_link(
        &self,
        scope: &AccessScope,
        link: &AbsPath,
        leads: Option<&AbsPath>,
    ) -> Option<AbsPath> {
        let at = self.path_rules.folded(link);
        let leads = leads.map(|leads| self.path_rules.folded(leads));
        let names: Vec<&str> = at.components().collect();
        let write = |path: AbsPath| Access {
            scope: scope.clone(),
            ..Access::new(AccessKind::File(FileAccess {
                op: FileOp::Write,
                extent: Extent::One,
                path: FilePath::named(path),
            }))
        };
        let access = write(link.clone());
        self.file_places(&access).filter(objects).find_map(|place| {
            let steps: Vec<Step<'_>> = steps(&place.literal, place.rest).collect();
            let below = LinkMatcher { steps: &steps, names: &names }.below(leads.as_deref())?;
            // An exception may apply to one of the example paths only.
            [None, Some(ANY_NAME)].into_iter().find_map(|deep| {
                let mut names = below.iter().filter_map(|step| example(step, deep));
                let path = names.try_fold(link.clone(), |path, name| path.child(&name).ok())?;
                let verdict = self.decide(&write(path.clone()));
                let is_denied = verdict.effect == Effect::Deny;
                (is_denied && verdict.decisive().any(is_objection)).then_some(path)
            })
        })
    }
}

fn objects(place: &RulePlace<'_>) -> bool {
    matches!(place.kind, RuleKind::Deny | RuleKind::Danger)
        && has_right(place.rights, FileOp::Write, Side::Object)
}

fn is_objection(ground: &Ground) -> bool {
    matches!(ground, Ground::Rule(_) | Ground::Danger(_) | Ground::Protected(_))
}

/// A matcher of a rule's path elements against the components of a link's path.
struct LinkMatcher<'s> {
    steps: &'s [Step<'s>],
    names: &'s [&'s str],
}

/// A position of the matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MatcherState {
    /// The number of path elements that are matched.
    steps: usize,
    /// The number of components that were taken when the current element was reached.
    names: usize,
}

impl<'s> LinkMatcher<'s> {
    /// Returns the path elements after the link, if the rule names the link.
    fn below(&self, leads: Option<&AbsPath>) -> Option<&'s [Step<'s>]> {
        let (last, above) = self.names.split_last()?;
        let mut states = vec![MatcherState { steps: 0, names: 0 }];
        for (taken, name) in above.iter().enumerate() {
            states = self.closed(states, taken).flat_map(|own| self.next(own, name, taken)).fold(
                Vec::new(),
                |mut all, own| {
                    if !all.contains(&own) {
                        all.push(own);
                    }
                    all
                },
            );
            if states.is_empty() {
                return None;
            }
        }
        self.closed(states, above.len()).find_map(|own| self.rest(own, last, leads))
    }

    /// Returns the states, and those after deep wildcards that match no component.
    fn closed(
        &self,
        states: Vec<MatcherState>,
        taken: usize,
    ) -> impl Iterator<Item = MatcherState> {
        states.into_iter().flat_map(move |own| {
            let behind = MatcherState { steps: own.steps.saturating_add(1), names: taken };
            let is_deep = self.steps.get(own.steps) == Some(&Step::Deep);
            [own].into_iter().chain(is_deep.then_some(behind))
        })
    }

    /// Returns the state after the next component.
    fn next(&self, state: MatcherState, name: &str, taken: usize) -> Option<MatcherState> {
        match self.steps.get(state.steps)? {
            Step::Deep => Some(state),
            step if takes(step, name) => Some(MatcherState {
                steps: state.steps.saturating_add(1),
                names: taken.saturating_add(1),
            }),
            _ => None,
        }
    }

    /// Returns the rule's path elements below the link, if the rule names the link (not only by a
    /// wildcard) and something below the link. `state` is the position before the link's own name.
    fn rest(
        &self,
        state: MatcherState,
        last: &str,
        leads: Option<&AbsPath>,
    ) -> Option<&'s [Step<'s>]> {
        let (before, rest) = self.steps.split_at_checked(state.steps)?;
        let (step, rest) = rest.split_first()?;
        let is_part = match step {
            Step::Deep => {
                before.contains(&Step::Deep) && is_named(before) && !self.stays(state.names, leads)
            }
            step => takes(step, last) && is_named(self.steps.get(..=state.steps)?),
        };
        let names_more = rest.iter().any(|step| *step != Step::Deep);
        (is_part && names_more).then_some(rest)
    }

    /// Returns whether the link's target shares this number of components with the link's own path.
    fn stays(&self, count: usize, leads: Option<&AbsPath>) -> bool {
        let own = self.names.iter().take(count);
        leads.is_some_and(|leads| leads.components().take(count).eq(own.copied()))
    }
}

/// Returns whether the elements after the last `**` contain more than a wildcard.
fn is_named(steps: &[Step<'_>]) -> bool {
    let last = steps.iter().rev().take_while(|step| **step != Step::Deep);
    last.into_iter().any(|step| !matches!(step, Step::Glob(glob) if glob.is_any()))
}

fn takes(step: &Step<'_>, name: &str) -> bool {
    match step {
        Step::Literal(own) => *own == name,
        Step::OneOf(names) => names.iter().any(|own| own == name),
        Step::Glob(glob) => glob.matches(name),
        Step::Deep => false,
    }
}

/// Returns a name that an element matches. For `**` it is the given character, or none.
fn example(step: &Step<'_>, deep: Option<char>) -> Option<String> {
    match step {
        Step::Literal(name) => Some((*name).to_owned()),
        Step::OneOf(names) => names.first().cloned(),
        Step::Glob(glob) => Some(example_of(glob)),
        Step::Deep => deep.map(String::from),
    }
}

fn example_of(glob: &Glob) -> String {
    let sign = |part: &GlobPart| match part {
        GlobPart::Char(sign) => *sign,
        GlobPart::Any | GlobPart::Star => ANY_NAME,
        GlobPart::Class(class) => [ANY_NAME]
            .into_iter()
            .chain(class.edges())
            .find(|sign| class.has(*sign))
            .unwrap_or(ANY_NAME),
    };
    glob.parts().iter().map(sign).collect()
}

#[cfg(test)]
#[path = "link_aliases_tests.rs"]
mod tests;
