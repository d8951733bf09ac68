//! L104, L105: grants of every file, or of every file at home.

use ringfence_core::pattern::{Base, Component, PathAlternative, Pattern};

use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::rights;
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const BROAD_WRITE: Code = Code {
    code: "L104",
    name: "broad-write",
    severity: Severity::Warning,
    summary: "the rule allows writing everywhere, or everywhere at home",
    explanation: "Much of what lies in a home directory is run or obeyed later: settings, \
                  start-up files, other projects. The danger list names what is known of it, not \
                  all of it.",
    example: r#"allow = ["fs:w:~/**"]"#,
    fixed: r#"allow = ["fs:w:@root/**", "fs:w:~/.cache/shop/**"]"#,
};

pub(in crate::lint) const BROAD_READ: Code = Code {
    code: "L105",
    name: "broad-read",
    severity: Severity::Info,
    summary: "the rule allows reading everywhere, or everywhere at home",
    explanation: "The danger list still holds back the credential files that are known; mail, \
                  notes, other projects and unknown credentials are free to read.",
    example: r#"allow = ["fs:r:**"]"#,
    fixed: r#"allow = ["fs:r:@root/**", "fs:r:@system/**"]"#,
};

pub(in crate::lint) fn broad_write<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let place = broad_place(entry).filter(|_| may_replace(&entry.rule.pattern))?;
    let message = format!("`{}` allows writing {place}", entry.rule.pattern);
    let remedy = "name the directories: `fs:w:@root/**`, `fs:w:@tmp/**`".to_owned();
    Some(Finding::new(&BROAD_WRITE, entry, message, remedy))
}

pub(in crate::lint) fn broad_read<'a>(_: &Survey<'a>, entry: &Entry<'a>) -> Option<Finding> {
    let place = broad_place(entry).filter(|_| !may_replace(&entry.rule.pattern))?;
    let message = format!(
        "`{}` allows reading {place}; only what is on the danger list stays closed",
        entry.rule.pattern
    );
    let remedy = "name the directories: `fs:r:@root/**`, `fs:r:@system/**`".to_owned();
    Some(Finding::new(&BROAD_READ, entry, message, remedy))
}

fn may_replace(pattern: &Pattern) -> bool {
    rights::granted_ops(pattern).iter().any(rights::replaces)
}

/// The place that an allow rule opens as a whole, if it is one that nobody oversees.
fn broad_place(entry: &Entry<'_>) -> Option<&'static str> {
    let Pattern::File(_, path) = &entry.rule.pattern else {
        return None;
    };
    let mut places = path.alternatives().iter().filter_map(place);
    places.next().filter(|_| entry.is_open_grant())
}

fn place(alternative: &PathAlternative) -> Option<&'static str> {
    let (last, stem) = alternative.components.split_last()?;
    if *last != Component::Deep {
        return None;
    }
    let stem: Option<Vec<&str>> = stem.iter().map(literal).collect();
    match (&alternative.base, stem?.as_slice()) {
        (Base::Slash, []) => Some("everywhere"),
        (Base::Slash, ["home" | "Users"]) => Some("in every home directory"),
        (Base::Home, []) | (Base::Slash, ["root"]) => Some("everywhere in the home directory"),
        (Base::Root(1..), []) => Some("everywhere beside the project"),
        _ => None,
    }
}

fn literal(component: &Component) -> Option<&str> {
    match component {
        Component::Literal(name) => Some(name),
        Component::Glob(_) | Component::Deep => None,
    }
}
