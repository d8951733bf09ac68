//! Leaving out rules that cannot matter, for doors that judge one call and end.
//!
//! Most of what such a door does would be to read and compile rules that have nothing to do with
//! what was asked for. A sieve looks at a pattern and at the host, and passes on whatever could
//! match. It must never hold back a rule that asks or objects and that the compiled policy would
//! have matched: where a pattern says anything unusual, the rule passes. A rule that only grants
//! may be held back where nothing but a link would let it match; without it a verdict can only be
//! stricter.

use smallvec::SmallVec;

use super::compile::{Compiler, Policy, stance_scope};
use super::entry::{Side, has_right};
use super::expand::Expander;
use super::foreseen::{Extract, Foreseen};
use super::needs::{Needs, Offers};
use super::places::Stand;
use super::problem::Problem;
use super::sketch::Sketch;
use crate::access::Extent;
use crate::class::Class;
use crate::context::Context;
use crate::document::{Document, Stance};
use crate::host::Host;
use crate::path::AbsPath;
use crate::pattern::{Base, PathPattern, Pattern, Rights};
use crate::rule::{Rule, Scope};
use crate::text::cut;

/// What a rule of a built-in list can be passed over by.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'t> {
    /// The text of its pattern.
    pub pattern: &'t str,
    /// The class of what it matches.
    pub class: Class,
    /// What it does in a decision.
    pub stand: Stand,
    /// What it needs of a call.
    pub needs: Needs,
    /// Whether it is for some commands alone.
    pub is_scoped: bool,
}

/// Tells which rules could meet what is foreseen, and compiles a policy of just these.
pub struct Sieve<'a> {
    foreseen: Foreseen,
    /// Not only single files are asked for, or they are not compared by their text.
    is_open: bool,
    /// What is foreseen, as bits.
    offers: Offers,
    expander: Expander<'a>,
    context: &'a Context,
    host: &'a dyn Host,
}

impl<'a> Sieve<'a> {
    /// A sieve for what is foreseen.
    pub fn new(foreseen: Foreseen, context: &'a Context, host: &'a dyn Host) -> Sieve<'a> {
        let is_open = host.path_rules().case_insensitive
            || foreseen.files().iter().any(|file| file.extent != Extent::One);
        let offers = Offers::of(&foreseen, is_open);
        Sieve { foreseen, is_open, offers, expander: Expander::new(context, host), context, host }
    }

    /// Whether a built-in rule could match.
    pub fn passes_listed(&mut self, rule: Listed<'_>) -> bool {
        self.offers.may_meet(rule.class, rule.needs) && self.passes(rule.pattern, rule.stand)
    }

    /// Whether a rule with the text of this pattern, which parses, could match.
    pub fn passes(&mut self, pattern: &str, stand: Stand) -> bool {
        let Some((class, rest)) = cut(pattern, b':') else { return true };
        let passes = match class {
            "fs" => match cut(rest, b':') {
                Some((letters, path)) => self.passes_file(letters, path, stand),
                None => true,
            },
            "cmd" => self.may_meet_command(rest),
            "net" | "network" | "listen" => self.foreseen.has_class(Class::Net),
            "env" => self.foreseen.has_class(Class::Env),
            "sock" => self.foreseen.has_class(Class::Socket),
            "keychain" => self.foreseen.has_class(Class::Keychain),
            _ => true,
        };
        // The place of a variable is an error where it is not set, so that it is always looked at.
        passes || rest.bytes().any(|byte| byte == b'$')
    }

    /// What a document says of what is foreseen: all that it says apart from rules, and the rules
    /// that could match.
    pub fn extract(&mut self, document: &Document) -> Document {
        let mut extract = outline(document);
        for rule in &document.rules {
            if self.takes(rule, rule.effect.into()) {
                extract.rules.push(rule.clone());
            }
        }
        let mut keep = |rules: &[Rule], stand: Stand| -> Vec<Rule> {
            rules.iter().filter(|rule| self.takes(rule, stand)).cloned().collect()
        };
        extract.danger = document.danger.as_ref().map(|rules| keep(rules, Stand::OptIn));
        extract.dangerous = keep(&document.dangerous, Stand::Danger);
        extract.fallback = keep(&document.fallback, Stand::Fallback);
        extract
    }

    /// Compiles the documents and dangers that passed.
    ///
    /// An access that the sieve was not made for is denied, and [`Policy::missed`] tells of it.
    pub fn compile(
        self,
        classes: &[Class],
        documents: Vec<Document>,
        dangers: Vec<Rule>,
    ) -> Result<Policy, Vec<Problem>> {
        let mut compiler = Compiler::new(classes, self.context, self.host);
        compiler.expander = self.expander;
        let mut policy = compiler.compile(documents, dangers)?;
        policy.extract = Some(Extract::new(self.foreseen, self.is_open));
        Ok(policy)
    }

    /// Whether a rule could match, or could be an error.
    fn takes(&mut self, rule: &Rule, stand: Stand) -> bool {
        let Scope { command, unless, within, .. } = &rule.scope;
        if command.is_some() || unless.is_some() || within.is_some() {
            return true;
        }
        match &rule.pattern {
            Pattern::Command(command) if command.text().contains('$') => true,
            Pattern::Command(command) => self.may_meet_command(command.text()),
            Pattern::File(rights, path) => self.takes_file(*rights, path, stand),
            Pattern::Socket(_) | Pattern::Shell => true,
            other => self.foreseen.has_class(other.class()),
        }
    }

    fn may_meet_command(&self, text: &str) -> bool {
        self.offers.may_name(text) && self.foreseen.may_meet_command(text)
    }

    fn passes_file(&mut self, letters: &str, path: &str, stand: Stand) -> bool {
        let Some(rights) = Rights::from_letters(letters) else { return true };
        if self.is_open {
            return true;
        }
        self.has_right(rights, stand) && self.may_meet_text(rights, path, stand)
    }

    fn may_meet_text(&mut self, rights: Rights, path: &str, stand: Stand) -> bool {
        // Without a project nothing lies in it.
        let is_in_project = || cut(path, b'/').is_some_and(|(place, _)| place == "@root");
        if self.context.root.is_none() && is_in_project() {
            return false;
        }
        match Sketch::read(path, self.context) {
            Some(sketch) => self.may_meet(rights, &sketch, stand),
            None => true,
        }
    }

    fn takes_file(&mut self, rights: Rights, path: &PathPattern, stand: Stand) -> bool {
        if self.is_open {
            return true;
        }
        if let Some(text) = path.text_if_unread() {
            // What is unread is plain: no variable is in it.
            return self.has_right(rights, stand) && self.may_meet_text(rights, text, stand);
        }
        let mut alternatives = path.alternatives().iter();
        if self.foreseen.files().is_empty() {
            return alternatives.any(|own| matches!(own.base, Base::Var(_)));
        }
        alternatives.any(|own| match Sketch::of(own, self.context) {
            None if matches!(own.base, Base::Root(_)) && self.context.root.is_none() => false,
            Some(sketch) => self.may_meet(rights, &sketch, stand),
            None => true,
        })
    }

    fn has_right(&self, rights: Rights, stand: Stand) -> bool {
        self.offers.has_right(rights, side_of(stand))
    }

    /// Whether a pattern could match a file that is foreseen.
    fn may_meet(&mut self, rights: Rights, sketch: &Sketch<'_>, stand: Stand) -> bool {
        let side = side_of(stand);
        let files = self.foreseen.files().iter();
        let paths: SmallVec<[&AbsPath; 4]> = files
            .filter(|file| has_right(rights, file.op, side))
            .flat_map(|file| file.path.spellings())
            .filter(|path| sketch.may_end_like(path))
            .collect();
        if paths.is_empty() {
            return false;
        }
        if paths.iter().any(|path| sketch.starts(path)) {
            return true;
        }
        if stand.is_mild() {
            return false;
        }
        // Links may lead from where the pattern starts to where a path lies.
        if !self.expander.may_have_link(&sketch.base, &sketch.names, side) {
            return false;
        }
        let real = self.expander.real_place(&sketch.base, &sketch.names, side);
        real.is_some_and(|real| paths.iter().any(|path| path.starts_with(&real)))
    }
}

/// A document without rules, which still has every stance that they gave it.
fn outline(document: &Document) -> Document {
    let mut stances = document.stances.clone();
    for rule in &document.rules {
        let Some(scope) = stance_scope(rule, document.role) else { continue };
        let class = rule.pattern.class();
        if !stances.iter().any(|own| own.class == class && own.scope == *scope) {
            stances.push(Stance { class, scope: scope.into_owned() });
        }
    }
    Document {
        name: document.name.clone(),
        role: document.role,
        scope: document.scope.clone(),
        rules: Vec::new(),
        danger: None,
        dangerous: Vec::new(),
        default: document.default,
        tool_default: document.tool_default,
        stances,
        fallback: Vec::new(),
        directories: document.directories.clone(),
        programs: document.programs.clone(),
        servers: document.servers.clone(),
        settings: document.settings.clone(),
    }
}

/// The side on which a pattern on files is matched.
fn side_of(stand: Stand) -> Side {
    match stand {
        Stand::Deny | Stand::Danger => Side::Object,
        Stand::Allow | Stand::Ask | Stand::OptIn | Stand::Fallback | Stand::Except => Side::Grant,
    }
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
