//! Entries of the catalogue from the records into which `build/record.rs` has made them.

use std::sync::Arc;

use ringfence_core::program::{
    CatalogueEntry, Children, Habit, ImpliedEffect, NamedList, Operands, OptionCondition,
    OptionSpec, OptionStyle, ParseLine, UnlistedOption, WordRole, Wrapper,
};

/// What parts the items of a list, the fields of a record, the blocks of `when` and their fields.
const ITEM: u8 = 0x1d;
const FIELD: u8 = 0x1f;
const BLOCK: u8 = 0x1e;
const BLOCK_FIELD: u8 = 0x1c;

/// Where an entry lies.
pub(super) struct Record {
    pub(super) name: &'static str,
    /// What is said of it apart from its options and subcommands.
    pub(super) text: &'static str,
    /// Its options, one in each line.
    pub(super) options: &'static str,
    /// Its subcommands, one in each line.
    pub(super) subs: &'static str,
}

impl Record {
    /// Reads the entry; options and subcommands are read when they are asked for.
    pub(super) fn read(&self) -> Option<CatalogueEntry> {
        let mut fields = parts(self.text, FIELD);
        let mut next = || fields.next();
        Some(CatalogueEntry {
            name: self.name.into(),
            names: items(next()?).map(Into::into).collect(),
            package: some(next()?).map(Into::into),
            style: said(next()?, OptionStyle::named)?.unwrap_or_default(),
            operands: said(next()?, |text| Operands::parse(text).ok())?,
            behind_dashes: said(next()?, WordRole::parse)?,
            always: items(next()?).map(ImpliedEffect::parse).collect::<Option<_>>()?,
            default: items(next()?).map(ImpliedEffect::parse).collect::<Option<_>>()?,
            wrapper: said(next()?, wrapper)?,
            remote: is_set(next()?),
            sets: items(next()?).map(Into::into).collect(),
            children: if next()? == "inherit" { Children::Inherit } else { Children::Judged },
            builtin: is_set(next()?),
            free: is_set(next()?),
            unlisted: said(next()?, unlisted)?,
            habits: items(next()?).map(Habit::parse).collect::<Option<_>>()?,
            when: parted(next()?, BLOCK).map(when).collect::<Option<_>>()?,
            why: next()?.into(),
            options: NamedList::kept(self.options, self.name),
            subs: NamedList::kept(self.subs, self.name),
        })
    }
}

fn when(block: &str) -> Option<OptionCondition> {
    let mut fields = parts(block, BLOCK_FIELD);
    let mut next = || fields.next();
    let option = |line| <Arc<OptionSpec> as ParseLine>::read(line, "");
    Some(OptionCondition {
        options: parted(next()?, b'\n').map(option).collect::<Option<_>>()?,
        has: items(next()?).flat_map(OptionCondition::option_names).collect(),
        lacks: items(next()?).flat_map(OptionCondition::option_names).collect(),
        operands: said(next()?, |text| Operands::parse(text).ok())?,
        always: items(next()?).map(ImpliedEffect::parse).collect::<Option<_>>()?,
        default: items(next()?).map(ImpliedEffect::parse).collect::<Option<_>>()?,
    })
}

fn wrapper(word: &str) -> Option<Wrapper> {
    match word {
        "transparent" => Some(Wrapper::Transparent),
        "boundary" => Some(Wrapper::Boundary),
        _ => None,
    }
}

fn unlisted(word: &str) -> Option<UnlistedOption> {
    match word {
        "operand" => Some(UnlistedOption::Operand),
        "doubt" => Some(UnlistedOption::Doubt),
        _ => None,
    }
}

/// What a field says, if it says anything; the outer `None` is for what cannot be read.
#[expect(clippy::option_option, reason = "absent and bad are two things")]
fn said<T>(text: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        "" => Some(None),
        text => parse(text).map(Some),
    }
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn is_set(text: &str) -> bool {
    text == "true"
}

/// The items of a list, of which there may be none.
fn items(text: &str) -> impl Iterator<Item = &str> {
    parted(text, ITEM)
}

fn parted(text: &str, at: u8) -> impl Iterator<Item = &str> {
    some(text).into_iter().flat_map(move |text| parts(text, at))
}

/// The parts of a text between such bytes.
fn parts(text: &str, at: u8) -> impl Iterator<Item = &str> {
    text.split(char::from(at))
}
