//! `[capabilities]`.

use ringfence_core::pattern::{PathPattern, Rights};
use ringfence_core::{Document, Rule};

use super::context::Context;
use super::files::Sense;
use super::lists::{self, Side};
use super::rule::{List, parse_directory};
use super::{commands, files, grants};
use crate::raw::{AllOr, AllowSections, DenySections, ListOr, RawCapabilities, RawRule};

/// What `[capabilities]` says.
#[derive(Default)]
pub(super) struct Nested {
    pub(super) side: Side,
    pub(super) denials: Vec<Rule>,
    pub(super) danger: Option<Vec<Rule>>,
    pub(super) dangerous: Vec<Rule>,
    pub(super) ceilings: Vec<Document>,
    pub(super) directories: Vec<PathPattern>,
}

pub(super) fn lower(cx: &mut Context<'_>, raw: RawCapabilities) -> Nested {
    let mut nested = Nested::default();
    match raw.allow {
        Some(ListOr::List(entries)) => add_checked(cx, &mut nested.side, List::Allow, entries),
        Some(ListOr::Table(sections)) => allow_sections(cx, sections, &mut nested),
        None => {}
    }
    add_checked(cx, &mut nested.side, List::Ask, raw.ask.unwrap_or_default());
    if let Some(deny) = raw.deny {
        nested.denials = match deny.value {
            AllOr::All(()) => lists::everything(cx, deny.span),
            AllOr::List(entries) => lists::rules(cx, List::Deny, entries),
            AllOr::Table(sections) => deny_sections(cx, sections),
        };
    }
    nested.danger = raw.danger.map(|entries| lists::rules(cx, List::Danger, entries));
    let danger_list = raw.danger_list.unwrap_or_default();
    nested.dangerous = lists::rules(cx, List::Dangerous, danger_list);
    nested.ceilings = lists::ceilings(cx, raw.ceiling.unwrap_or_default());
    nested
}

fn add_checked(cx: &mut Context<'_>, side: &mut Side, list: List, entries: Vec<RawRule>) {
    for entry in entries {
        let (span, before) = (entry.span, side.rules.len());
        side.add(cx, list, Some(vec![entry]));
        if let Some(rule) = side.rules.get(before) {
            grants::check_rule(cx, rule, span);
        }
    }
}

fn allow_sections(cx: &mut Context<'_>, sections: AllowSections, nested: &mut Nested) {
    let texts = sections.additional_directories;
    let directories = texts.iter().filter_map(|text| cx.parsed(text, parse_directory));
    nested.directories = directories.collect();
    let by_right = [
        (Rights::READ, sections.read),
        (Rights::WRITE, sections.write),
        (Rights::DELETE, sections.delete),
    ];
    if by_right.iter().any(|(_, section)| section.is_some()) {
        nested.side.stances.push(files::stance());
    }
    for (rights, section) in by_right {
        if let Some(section) = section {
            files::check_reach(cx, &section.value, &texts);
            nested.side.rules.extend(files::lower(cx, (Sense::Allow, rights), section.value));
        }
    }
    if let Some(section) = sections.commands {
        commands::allow(cx, section.value, &nested.directories, &mut nested.side);
    }
}

fn deny_sections(cx: &mut Context<'_>, sections: DenySections) -> Vec<Rule> {
    let mut rules = lists::names(cx, [sections.sh, sections.network, sections.net]);
    let by_right = [
        (Rights::READ, sections.read),
        (Rights::WRITE, sections.write),
        (Rights::DELETE, sections.delete),
    ];
    for (rights, section) in by_right {
        if let Some(section) = section {
            rules.extend(files::lower(cx, (Sense::Deny, rights), section.value));
        }
    }
    if let Some(section) = sections.commands {
        rules.extend(commands::deny(cx, section));
    }
    rules
}
