//! Entries of the catalogue from the records into which `build/record.rs` has made them.

use std::sync::Arc;

use ringfence_core::program::{
    ByName, Children, Entry, Given, Habit, Line, Operands, OptionSpec, Role, Style, Unlisted, When,
    Wrapper,
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
    pub(super) fn read(&self) -> Option<Entry> {
        let mut fields = parts(self.text, FIELD);
        let mut next = || fields.next();
        Some(Entry {
            name: self.name.into(),
            names: items(next()?).map(Into::into).collect(),
            package: some(next()?).map(Into::into),
            style: said(next()?, Style::named)?.unwrap_or_default(),
            operands: said(next()?, |text| Operands::parse(text).ok())?,
            behind_dashes: said(next()?, Role::parse)?,
            always: items(next()?).map(Given::parse).collect::<Option<_>>()?,
            default: items(next()?).map(Given::parse).collect::<Option<_>>()?,
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
            options: ByName::kept(self.options, self.name),
            subs: ByName::kept(self.subs, self.name),
        })
    }
}

fn when(block: &str) -> Option<When> {
    let mut fields = parts(block, BLOCK_FIELD);
    let mut next = || fields.next();
    let option = |line| <Arc<OptionSpec> as Line>::read(line, "");
    Some(When {
        options: parted(next()?, b'\n').map(option).collect::<Option<_>>()?,
        has: items(next()?).flat_map(When::option_names).collect(),
        lacks: items(next()?).flat_map(When::option_names).collect(),
        operands: said(next()?, |text| Operands::parse(text).ok())?,
        always: items(next()?).map(Given::parse).collect::<Option<_>>()?,
        default: items(next()?).map(Given::parse).collect::<Option<_>>()?,
    })
}

fn wrapper(word: &str) -> Option<Wrapper> {
    match word {
        "transparent" => Some(Wrapper::Transparent),
        "boundary" => Some(Wrapper::Boundary),
        _ => None,
    }
}

fn unlisted(word: &str) -> Option<Unlisted> {
    match word {
        "operand" => Some(Unlisted::Operand),
        "doubt" => Some(Unlisted::Doubt),
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
