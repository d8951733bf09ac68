//! Commands that are others by their words: `docker container run` is `docker run`.
//!
//! What is added here grants nothing; rules that object meet it.

use ringfence_core::access::base_name;
use ringfence_core::program::{CatalogueEntry, ImpliedEffect};

use super::Walker;
use crate::argv::{self, Reading};
use crate::field::Field;
use crate::span::Span;

impl Walker<'_> {
    /// Adds the command that the catalogue says this one is, with all words of this one behind its
    /// own, apart from the subcommands.
    #[cold]
    pub(super) fn same_as(
        &mut self,
        given: &ImpliedEffect,
        reading: &Reading<'_>,
        args: &[Field],
        span: Span,
    ) {
        let mut words = given.text.split(' ');
        let Some(program) = words.next() else { return };
        let Some(entry) = argv::entry_of(self.world.catalogue(), program) else { return };
        // A program of several names is called as it was here.
        let is_own = reading.entries.first().is_some_and(|own| *own.name == *program);
        let invoked = self.scope.command.clone().filter(|_| is_own);
        let program = invoked.as_ref().map_or(program, |exec| base_name(&exec.program.invoked));
        let own = words.map(|word| Field::known(word, span));
        let rest = self.other_words(reading, given, args);
        let words: Vec<Field> = own.chain(rest).collect();
        let mut same = argv::read(self.world.catalogue(), entry, &words);
        self.by_another_name(program, &words, std::mem::take(&mut same.meant), span);
        // `gcloud beta …`: what it does is known by the words behind alone.
        let says = |entry: &CatalogueEntry| entry.always.iter().any(|own| std::ptr::eq(own, given));
        if !given.text.contains(' ') && reading.entry().is_some_and(says) {
            same.doubt.iter().for_each(|reason| self.unanalysable(reason, Some(span)));
            for own in &same.uses {
                match own.role {
                    Some(role) => self.role(role, &own.fields, own.option),
                    None => own.fields.iter().for_each(|field| self.loose_operand(field)),
                }
            }
        }
    }

    /// The words of a command apart from its subcommands, each where it stands first, up to the one
    /// whose entry says that it is another command; and apart from the options that say so.
    fn other_words(
        &self,
        reading: &Reading<'_>,
        given: &ImpliedEffect,
        args: &[Field],
    ) -> Vec<Field> {
        let is_it = |own: &ImpliedEffect| std::ptr::eq(own, given);
        let level = reading.entries.iter().position(|entry| entry.always.iter().any(is_it));
        let mut rest: Vec<Option<&Field>> = args.iter().map(Some).collect();
        for entry in
            reading.entries.iter().take(level.map_or(usize::MAX, |at| at.saturating_add(1))).skip(1)
        {
            let own = entry.name.rsplit(' ').next().unwrap_or_default();
            let is_name =
                |word: &str| own == word || entry.names.iter().any(|name| **name == *word);
            let is_sub =
                |field: &&mut Option<&Field>| field.and_then(Field::as_known).is_some_and(is_name);
            rest.iter_mut().find(is_sub).into_iter().for_each(|word| *word = None);
        }
        let mut whens = reading.entries.iter().flat_map(|entry| &entry.when);
        let when = whens.find(|when| when.always.iter().any(is_it));
        if let (Some(when), Some(entry)) = (when, reading.entries.first()) {
            let says =
                |name: &str| when.has.iter().any(|own| own.split('&').any(|own| own == name));
            let options = argv::options(self.world.catalogue(), entry, args);
            for (at, word) in rest.iter_mut().enumerate() {
                let mut here = options.iter().filter(|own| own.at == at).peekable();
                let is_there = here.peek().is_some();
                if is_there && here.all(|own| own.names.iter().any(|name| says(name))) {
                    *word = None;
                }
            }
        }
        rest.into_iter().flatten().cloned().collect()
    }
}
