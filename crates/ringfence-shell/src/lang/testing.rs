//! Short words for what tests expect of a reader.

use super::{Finding, read};

pub(crate) fn shell(text: &str) -> Finding {
    Finding::Shell(text.to_owned())
}

pub(crate) fn run(words: &[&str]) -> Finding {
    Finding::Run(words.iter().map(|word| (*word).to_owned()).collect())
}

pub(crate) fn reads(path: &str) -> Finding {
    Finding::Read(path.to_owned())
}

pub(crate) fn writes(path: &str) -> Finding {
    Finding::Write(path.to_owned())
}

pub(crate) fn deletes(path: &str) -> Finding {
    Finding::Delete(path.to_owned())
}

pub(crate) fn url(text: &str) -> Finding {
    Finding::Url(text.to_owned())
}

pub(crate) fn host(text: &str) -> Finding {
    Finding::Host(text.to_owned())
}

pub(crate) fn listens(text: &str) -> Finding {
    Finding::Listen(text.to_owned())
}

pub(crate) fn gets(name: &str) -> Finding {
    Finding::GetEnv(name.to_owned())
}

pub(crate) fn sets(name: &str) -> Finding {
    Finding::SetEnv(name.to_owned())
}

/// The code does exactly this.
#[track_caller]
pub(crate) fn check(language: &str, code: &str, expected: &[Finding]) {
    assert_eq!(read(language, code).unwrap(), expected, "{language}: {code}");
}

/// The code does this among other things.
#[track_caller]
pub(crate) fn has(language: &str, code: &str, expected: &Finding) {
    let found = read(language, code).unwrap();
    assert!(found.contains(expected), "{language}: {code}\n{found:?}\nlacks {expected:?}");
}

/// The code does nothing that matters.
#[track_caller]
pub(crate) fn harmless(language: &str, code: &str) {
    check(language, code, &[]);
}

/// The code runs something, and what it is cannot be told; or it cannot be read.
#[track_caller]
pub(crate) fn unsure(language: &str, code: &str) {
    let found = read(language, code).unwrap();
    let told = found
        .iter()
        .any(|finding| matches!(finding, Finding::RunUnknown(_) | Finding::Unreadable(_)));
    assert!(told, "{language}: {code}\n{found:?}\nis not unsure");
}

/// A file is read whose name cannot be told.
#[track_caller]
pub(crate) fn reads_unknown(language: &str, code: &str) {
    let found = read(language, code).unwrap();
    let told = found.iter().any(|finding| matches!(finding, Finding::ReadUnknown(_)));
    assert!(told, "{language}: {code}\n{found:?}");
}

/// A file is written whose name cannot be told.
#[track_caller]
pub(crate) fn writes_unknown(language: &str, code: &str) {
    let found = read(language, code).unwrap();
    let told = found.iter().any(|finding| matches!(finding, Finding::WriteUnknown(_)));
    assert!(told, "{language}: {code}\n{found:?}");
}
