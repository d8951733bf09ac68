//! What holds only where a kernel stands behind it.

use ringfence_core::access::{Arg, Exec};
use ringfence_core::program::{Catalogue, CatalogueEntry, Children, WordRole};
use ringfence_core::{AccessKind, Effect, Policy};
use ringfence_guard::Programs;
use ringfence_shell::argv::{self, Reading};
use ringfence_shell::{Field, Span};

use super::Step;

/// Languages in which anything can be said.
const GENERAL: [&str; 9] =
    ["python", "node", "ruby", "perl", "php", "lua", "tcl", "powershell", "elisp"];

/// The programs that are granted, and run code that the line does not show.
pub(super) fn unheld(policy: &Policy, steps: &[Step<'_>]) -> Vec<String> {
    let catalogue = Programs::of(policy);
    let mut names: Vec<String> = Vec::new();
    for exec in steps.iter().filter(|step| is_granted(step)).filter_map(|step| step.exec) {
        let name = exec.program.invoked.to_string();
        if runs_anything(&catalogue, exec) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn is_granted(step: &Step<'_>) -> bool {
    let mut runs =
        step.rows.iter().filter(|row| matches!(row.part.access.what, AccessKind::Exec(_)));
    runs.all(|row| row.part.verdict.effect == Effect::Allow)
}

fn runs_anything(catalogue: &dyn Catalogue, exec: &Exec) -> bool {
    let Some(entry) = argv::entry_of(catalogue, &exec.program.invoked) else { return false };
    let fields: Vec<Field> = exec.args.iter().map(field).collect();
    let reading = argv::read(catalogue, entry, &fields);
    // What git starts is its own: helpers, pagers, hooks that the project has.
    let inherits =
        |entry: &&CatalogueEntry| entry.children == Children::Inherit && &*entry.name != "git";
    reading.entries.iter().any(inherits) || is_code(&reading)
}

fn is_code(reading: &Reading<'_>) -> bool {
    reading.uses.iter().any(|own| match own.role {
        Some(WordRole::Code(language) | WordRole::CodeFile(language)) => {
            GENERAL.contains(&&**language)
        }
        _ => false,
    })
}

fn field(arg: &Arg) -> Field {
    match arg {
        Arg::Known(text) => Field::known(&**text, Span::default()),
        Arg::Unknown(unknown) => Field::unknown(&unknown.shown, unknown.many, Span::default()),
    }
}
