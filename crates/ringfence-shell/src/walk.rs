//! Every simple command of a script, wherever it stands.

use crate::ast::{
    AndOr, Arith, ArrayElement, Assignment, AssignmentValue, Command, Compound, CompoundKind, Cond,
    Part, PartKind, Pipeline, Redirect, RedirectTarget, Script, SimpleCommand, Word,
};

/// What a command stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// `$( … )` or backquotes.
    CommandSubstitution,
    /// `<( … )` or `>( … )`.
    ProcessSubstitution,
    /// `( … )`
    Subshell,
    /// The body of a function.
    Function,
}

/// A simple command and what it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'s> {
    /// The command.
    pub command: &'s SimpleCommand,
    /// What it stands in, outermost first.
    pub context: Vec<Context>,
}

/// A redirection of a compound command or a function, and what it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompoundRedirect<'s> {
    /// The redirection.
    pub redirect: &'s Redirect,
    /// What the compound command stands in, outermost first.
    pub context: Vec<Context>,
}

/// Every simple command of a script, in the order in which they begin in the text.
pub fn commands(script: &Script) -> Vec<Found<'_>> {
    walk(script).commands
}

/// Every redirection of a compound command, in the order in which they begin in the text.
pub fn compound_redirects(script: &Script) -> Vec<CompoundRedirect<'_>> {
    walk(script).redirects
}

fn walk(script: &Script) -> Walk<'_> {
    let mut walk = Walk::default();
    walk.script(script);
    // A substitution that braces repeat is one command of the text.
    walk.commands.sort_by_key(|found| found.command.span);
    walk.commands.dedup_by_key(|found| found.command.span);
    walk.redirects.sort_by_key(|found| found.redirect.span);
    walk.redirects.dedup_by_key(|found| found.redirect.span);
    walk
}

#[derive(Default)]
struct Walk<'s> {
    context: Vec<Context>,
    commands: Vec<Found<'s>>,
    redirects: Vec<CompoundRedirect<'s>>,
}

impl<'s> Walk<'s> {
    fn inside(&mut self, context: Context, step: impl FnOnce(&mut Walk<'s>)) {
        self.context.push(context);
        step(self);
        self.context.pop();
    }

    fn script(&mut self, script: &'s Script) {
        for item in &script.items {
            self.and_or(&item.list);
        }
    }

    fn and_or(&mut self, list: &'s AndOr) {
        self.pipeline(&list.first);
        for (_, pipeline) in &list.rest {
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &'s Pipeline) {
        for stage in &pipeline.stages {
            self.command(&stage.command);
        }
    }

    fn command(&mut self, command: &'s Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => self.compound(compound),
            Command::Function(function) => {
                self.inside(Context::Function, |walk| walk.compound(&function.body));
            }
            Command::Coproc(coproc) => self.command(&coproc.command),
        }
    }

    fn simple(&mut self, command: &'s SimpleCommand) {
        self.commands.push(Found { command, context: self.context.clone() });
        for assignment in &command.assignments {
            self.assignment(assignment);
        }
        self.words(&command.words);
        for redirect in &command.redirects {
            self.target(redirect);
        }
    }

    fn assignment(&mut self, assignment: &'s Assignment) {
        if let Some(subscript) = &assignment.subscript {
            self.parts(subscript);
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.parts(&word.parts),
            AssignmentValue::Array(elements) => self.elements(elements),
        }
    }

    fn elements(&mut self, elements: &'s [ArrayElement]) {
        for element in elements {
            if let Some(subscript) = &element.subscript {
                self.parts(subscript);
            }
            self.parts(&element.value.parts);
        }
    }

    fn compound(&mut self, compound: &'s Compound) {
        match &compound.kind {
            CompoundKind::Subshell(script) => {
                self.inside(Context::Subshell, |walk| walk.script(script));
            }
            CompoundKind::Group(script) => self.script(script),
            CompoundKind::If(command) => {
                for (condition, body) in &command.branches {
                    self.script(condition);
                    self.script(body);
                }
                if let Some(otherwise) = &command.otherwise {
                    self.script(otherwise);
                }
            }
            CompoundKind::Loop(command) => {
                self.script(&command.condition);
                self.script(&command.body);
            }
            CompoundKind::For(command) => {
                self.words(command.words.as_deref().unwrap_or_default());
                self.script(&command.body);
            }
            CompoundKind::ArithFor { header, body } => {
                self.arith(header);
                self.script(body);
            }
            CompoundKind::Case(command) => {
                self.parts(&command.word.parts);
                for clause in &command.clauses {
                    self.words(&clause.patterns);
                    self.script(&clause.body);
                }
            }
            CompoundKind::Arith(arith) => self.arith(arith),
            CompoundKind::Cond(cond) => self.cond(cond),
        }
        for redirect in &compound.redirects {
            let context = self.context.clone();
            self.redirects.push(CompoundRedirect { redirect, context });
            self.target(redirect);
        }
    }

    fn target(&mut self, redirect: &'s Redirect) {
        match &redirect.target {
            RedirectTarget::Word(word) => self.parts(&word.parts),
            RedirectTarget::HereDoc(heredoc) => self.parts(&heredoc.body.parts),
        }
    }

    fn cond(&mut self, cond: &'s Cond) {
        match cond {
            Cond::Any(terms) | Cond::All(terms) => terms.iter().for_each(|term| self.cond(term)),
            Cond::Not(term) | Cond::Group(term) => self.cond(term),
            Cond::Word(word) | Cond::Unary { operand: word, .. } => self.parts(&word.parts),
            Cond::Binary { left, right, .. } => {
                self.parts(&left.parts);
                self.parts(&right.parts);
            }
        }
    }

    fn arith(&mut self, arith: &'s Arith) {
        self.parts(&arith.parts);
    }

    fn words(&mut self, words: &'s [Word]) {
        for word in words {
            self.parts(&word.parts);
        }
    }

    fn parts(&mut self, parts: &'s [Part]) {
        for part in parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &'s Part) {
        match &part.kind {
            PartKind::Literal(_) | PartKind::Bytes(_) | PartKind::Glob(_) | PartKind::Tilde(_) => {}
            PartKind::ExtGlob { body, .. } | PartKind::Braces(body) => self.parts(body),
            PartKind::Param(param) => {
                if let Some(subscript) = &param.subscript {
                    self.parts(subscript);
                }
                if let Some(op) = &param.op {
                    self.parts(&op.word.parts);
                }
            }
            PartKind::Command(command) => {
                self.inside(Context::CommandSubstitution, |walk| walk.script(&command.script));
            }
            PartKind::Process(process) => {
                self.inside(Context::ProcessSubstitution, |walk| walk.script(&process.script));
            }
            PartKind::Arith(arith) => self.arith(arith),
            PartKind::Array(elements) => self.elements(elements),
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
