//! Puts the bodies of here-documents where they belong.

use std::sync::Arc;

use crate::ast::{
    AndOr, Command, Compound, CompoundKind, Pipeline, Redirect, RedirectTarget, Script, Word,
};

use super::{Parsed, Parser};

impl Parser<'_> {
    /// Gives the here-documents of a list their bodies.
    pub(super) fn settle(&mut self, script: &mut Script) -> Parsed<()> {
        let mut bodies = self.end_heredocs()?;
        if !bodies.is_empty() {
            settle_script(script, &mut bodies);
        }
        Ok(())
    }
}

fn settle_script(script: &mut Script, bodies: &mut [Word]) {
    for item in &mut script.items {
        settle_and_or(&mut item.list, bodies);
    }
}

fn settle_and_or(list: &mut AndOr, bodies: &mut [Word]) {
    settle_pipeline(&mut list.first, bodies);
    for (_, pipeline) in &mut list.rest {
        settle_pipeline(pipeline, bodies);
    }
}

fn settle_pipeline(pipeline: &mut Pipeline, bodies: &mut [Word]) {
    for stage in &mut pipeline.stages {
        settle_command(&mut stage.command, bodies);
    }
}

fn settle_command(command: &mut Command, bodies: &mut [Word]) {
    match command {
        Command::Simple(simple) => settle_redirects(&mut simple.redirects, bodies),
        Command::Compound(compound) => settle_compound(compound, bodies),
        Command::Function(function) => settle_compound(Arc::make_mut(&mut function.body), bodies),
        Command::Coproc(coproc) => settle_command(&mut coproc.command, bodies),
    }
}

fn settle_compound(compound: &mut Compound, bodies: &mut [Word]) {
    match &mut compound.kind {
        CompoundKind::Subshell(script) | CompoundKind::Group(script) => {
            settle_script(script, bodies);
        }
        CompoundKind::If(command) => {
            for (condition, body) in &mut command.branches {
                settle_script(condition, bodies);
                settle_script(body, bodies);
            }
            if let Some(otherwise) = &mut command.otherwise {
                settle_script(otherwise, bodies);
            }
        }
        CompoundKind::Loop(command) => {
            settle_script(&mut command.condition, bodies);
            settle_script(&mut command.body, bodies);
        }
        CompoundKind::For(command) => settle_script(&mut command.body, bodies),
        CompoundKind::ArithFor { body, .. } => settle_script(body, bodies),
        CompoundKind::Case(command) => {
            for clause in &mut command.clauses {
                settle_script(&mut clause.body, bodies);
            }
        }
        CompoundKind::Arith(_) | CompoundKind::Cond(_) => {}
    }
    settle_redirects(&mut compound.redirects, bodies);
}

fn settle_redirects(redirects: &mut [Redirect], bodies: &mut [Word]) {
    for redirect in redirects {
        if let RedirectTarget::HereDoc(heredoc) = &mut redirect.target
            && let Some(body) = bodies.get_mut(heredoc.slot)
        {
            heredoc.body = std::mem::take(body);
        }
    }
}
