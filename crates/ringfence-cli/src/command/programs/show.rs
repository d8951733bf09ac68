//! `programs show`: one entry, readable.

use std::sync::Arc;

use anstyle::Style;
use ringfence_core::Effect;
use ringfence_core::program::{Catalogue, CatalogueEntry, OptionCondition, OptionSpec};
use ringfence_core::text::nearest;
use ringfence_guard::redact::visible;
use ringfence_guard::{Guard, Programs};
use ringfence_manifest::catalogue::{self, Lines};

use super::entry::{given, is_inert, roles, spelling, to_json, traits};
use super::{WIDTH, columns, names, wrapped};
use crate::exit::{Exit, Failure};
use crate::show::{self, QUIET};

const BOLD: Style = Style::new().bold();

pub(super) fn run(guard: &Guard, name: &str, as_json: bool) -> Result<Exit, Failure> {
    let policy = guard.policy();
    let known = Programs::of(&policy);
    let Some(entry) = known.entry(name) else {
        return Err(unknown(name, names(&policy)));
    };
    let lines = catalogue::lines(&entry.name).unwrap_or_default();
    match as_json {
        true => show::print(&to_json(entry, &lines).to_string()),
        false => print(entry, &lines),
    }
    Ok(Exit::Allow)
}

fn unknown(name: &str, names: Vec<&str>) -> Failure {
    let failure = Failure::new(format!("no entry for `{}`", visible(name)));
    match nearest(name, names) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint("`ringfence programs list` has all names"),
    }
}

fn print(entry: &CatalogueEntry, lines: &Lines) {
    show::print(&format!("{BOLD}{}{BOLD:#}", entry.name));
    if !entry.why.is_empty() {
        show::print(&format!("  {}", entry.why));
    }
    show::print("");
    for (key, text) in traits(entry) {
        row(key, &[text]);
    }
    print_options(&entry.options);
    for when in &entry.when {
        print_when(when);
    }
    let subs: Vec<&str> =
        entry.subs.iter().filter_map(|sub| sub.names.first()).map(|own| &**own).collect();
    if !subs.is_empty() {
        heading(&format!("{} subcommands", subs.len()));
        for line in columns(&subs, WIDTH) {
            show::print(&format!("    {line}"));
        }
    }
    print_lines("allowed, where the program is granted", Effect::Allow, &lines.benign);
    print_lines("not allowed even so", Effect::Deny, &lines.hostile);
}

fn heading(text: &str) {
    show::print(&format!("\n  {QUIET}{text}{QUIET:#}"));
}

/// A key, and what belongs to it in one or more lines.
fn row(key: &str, texts: &[String]) {
    for (index, text) in texts.iter().enumerate() {
        let key = if index == 0 { key } else { "" };
        show::print(&format!("  {QUIET}{key:<10}{QUIET:#}  {text}"));
    }
}

/// The options by what they do; those that do nothing last.
fn print_options(options: &[Arc<OptionSpec>]) {
    if options.is_empty() {
        return;
    }
    heading("options");
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for option in options.iter().filter(|own| !is_inert(own)) {
        let (kind, name) = (roles(option), spelling(&option.spelling));
        match kinds.iter_mut().find(|(own, _)| *own == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    let inert = options.iter().filter(|own| is_inert(own)).map(|own| spelling(&own.spelling));
    kinds.push(("no effect".to_owned(), inert.collect()));
    let widest = kinds.iter().map(|(kind, _)| kind.len()).filter(|width| *width < 24).max();
    let column = widest.unwrap_or_default();
    for (kind, names) in kinds {
        for (index, line) in wrapped(&names, WIDTH.saturating_sub(column)).iter().enumerate() {
            let kind = if index == 0 { kind.as_str() } else { "" };
            show::print(&format!("    {kind:<column$}  {line}"));
        }
    }
}

fn print_when(when: &OptionCondition) {
    let condition = match (when.has.is_empty(), when.lacks.is_empty()) {
        (false, true) => format!("with {}", when.has.join(" or ")),
        (true, _) => format!("without {}", when.lacks.join(", ")),
        (false, false) => {
            format!("with {}, without {}", when.has.join(" or "), when.lacks.join(", "))
        }
    };
    heading(&condition);
    let rows = when.operands.iter().map(|operands| ("operands", operands.to_string()));
    let always = when.always.iter().map(|own| ("always", given(own)));
    let default = when.default.iter().map(|own| ("default", given(own)));
    for (key, text) in rows.chain(always).chain(default) {
        show::print(&format!("    {key:<8}  {text}"));
    }
    for option in &when.options {
        show::print(&format!("    {}  {}", spelling(&option.spelling), roles(option)));
    }
}

fn print_lines(title: &str, effect: Effect, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    heading(title);
    let (style, mark) = (show::style(effect), if effect == Effect::Allow { '✓' } else { '✗' });
    for line in lines {
        show::print(&format!("    {style}{mark}{style:#} {}", visible(line)));
    }
}
