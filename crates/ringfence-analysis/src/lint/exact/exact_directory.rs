//! L202: a directory without what it holds.

use ringfence_core::pattern::{Component, PathAlternative, Pattern, Rights};

use super::{is_said_elsewhere, severity};
use crate::lint::code::Code;
use crate::lint::finding::{Finding, Severity};
use crate::lint::survey::{Entry, Survey};

pub(in crate::lint) const EXACT_DIRECTORY: Code = Code {
    code: "L202",
    name: "exact-directory",
    severity: Severity::Info,
    summary: "the path names a directory, but nothing in it",
    explanation: "`fs:r:src` is the directory itself: its files are not in it. `src/**` takes in \
                  the directory and all that it holds. In a deny it is a warning, since the files \
                  stay free.",
    example: r#"allow = ["fs:r:src"]"#,
    fixed: r#"allow = ["fs:r:src/**", "fs:r:LICENSE"]"#,
};

/// Names that only directories have.
const DIRECTORIES: [&str; 46] = [
    ".aws",
    ".azure",
    ".cache",
    ".cargo",
    ".claude",
    ".codex",
    ".config",
    ".docker",
    ".git",
    ".github",
    ".gnupg",
    ".kube",
    ".local",
    ".npm",
    ".ssh",
    ".venv",
    ".vscode",
    "Desktop",
    "Documents",
    "Downloads",
    "Library",
    "app",
    "apps",
    "assets",
    "build",
    "components",
    "crates",
    "dist",
    "docs",
    "examples",
    "fixtures",
    "include",
    "lib",
    "libs",
    "migrations",
    "node_modules",
    "packages",
    "public",
    "scripts",
    "secrets",
    "src",
    "static",
    "target",
    "templates",
    "tests",
    "vendor",
];

pub(in crate::lint) fn exact_directory<'a>(
    survey: &Survey<'a>,
    entry: &Entry<'a>,
) -> Option<Finding> {
    let Pattern::File(rights, path) = &entry.rule.pattern else {
        return None;
    };
    // Who forbids or allows deleting a directory means the directory.
    if *rights == Rights::DELETE || !path.alternatives().iter().any(is_directory) {
        return None;
    }
    let wider = Pattern::File(*rights, path.and_below());
    if is_said_elsewhere(survey, entry, &wider) {
        return None;
    }
    let message = format!("`{}` is the directory without what it holds", entry.rule.pattern);
    let remedy = format!("write `{wider}` to take in its files");
    Some(Finding::new(&EXACT_DIRECTORY, entry, message, remedy).with_severity(severity(entry)))
}

fn is_directory(alternative: &PathAlternative) -> bool {
    match alternative.components.last() {
        None => true,
        Some(Component::Literal(name)) => DIRECTORIES.contains(&&**name),
        Some(Component::Glob(_) | Component::Deep) => false,
    }
}
