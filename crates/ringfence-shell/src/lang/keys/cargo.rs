//! cargo's `--config` and rustc's `-C`.

use super::super::words::split;
use super::super::{Finding, unreadable};

/// Reads `KEY=VALUE` in TOML, or the path of a file with such lines.
pub(in super::super) fn config(code: &str) -> Vec<Finding> {
    let Some((key, value)) = assignment(code) else {
        return vec![Finding::CodeFile("cargo-config", code.to_owned())];
    };
    if key.contains('\\') || value.contains('\\') || value.contains("\"\"\"") || code.contains('\n')
    {
        return vec![unreadable("a setting of cargo has escapes or several lines")];
    }
    let parts: Vec<String> = parts(&key);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    setting(&parts, value.trim())
}

/// Splits at the first `=` outside of quotes.
fn assignment(code: &str) -> Option<(String, &str)> {
    let mut quote = None;
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (None, '=') => {
                return Some((
                    code.get(..at)?.trim().to_owned(),
                    code.get(at.saturating_add(1)..)?,
                ));
            }
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    None
}

/// The parts of a key, with quotes taken off.
fn parts(key: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in key.chars() {
        match (quote, c) {
            (None, '.') => parts.push(String::new()),
            (None, '"' | '\'') => quote = Some(c),
            (None, ' ' | '\t') => {}
            (Some(open), c) if c == open => quote = None,
            (_, c) => {
                if let Some(part) = parts.last_mut() {
                    part.push(c);
                }
            }
        }
    }
    parts
}

/// A string or a list of strings; `None` for anything else.
fn strings(value: &str) -> Option<Vec<String>> {
    let string = |text: &str| {
        let text = text.trim();
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then(|| inner.to_owned())
    };
    match value.strip_prefix('[').and_then(|list| list.trim_end().strip_suffix(']')) {
        Some(list) => list.split(',').filter(|item| !item.trim().is_empty()).map(string).collect(),
        None => string(value).map(|text| vec![text]),
    }
}

fn setting(key: &[&str], value: &str) -> Vec<Finding> {
    let words = strings(value);
    let unknown =
        || vec![Finding::RunUnknown(format!("cargo's `{}` may name what is run", key.join(".")))];
    let Some(words) = words else {
        let harmless = matches!(
            key.first(),
            Some(&("term" | "profile" | "net" | "future-incompat-report" | "cache"))
        ) || matches!(key, ["build", "jobs" | "incremental"] | ["http", ..]);
        return if harmless { Vec::new() } else { unknown() };
    };
    let each =
        |finding: fn(String) -> Finding| words.iter().cloned().map(finding).collect::<Vec<_>>();
    match key {
        ["build", "rustc" | "rustc-wrapper" | "rustc-workspace-wrapper" | "rustdoc"]
        | ["target", .., "linker"]
        | ["doc", "browser"] => vec![Finding::Run(words)],
        ["target", .., "runner"] | ["registry" | "registries", .., "credential-provider"] => {
            command(words)
        }
        ["alias", _] => match command(words).pop() {
            Some(Finding::Run(words)) => {
                vec![Finding::Run(std::iter::once("cargo".to_owned()).chain(words).collect())]
            }
            _ => unknown(),
        },
        ["build", "rustflags" | "rustdocflags"] | ["target", .., "rustflags" | "rustdocflags"] => {
            flags(&words)
        }
        ["registry", "index"]
        | ["registries", _, "index"]
        | ["source", _, "registry" | "git"]
        | ["http", "proxy"] => each(Finding::Url),
        ["source", _, "replace-with" | "branch" | "tag" | "rev"] => Vec::new(),
        ["source", _, "directory" | "local-registry"]
        | ["patch", .., "path"]
        | ["paths"]
        | ["http", "cainfo"] => each(Finding::Read),
        ["patch", .., "git"] => each(Finding::Url),
        ["env", name, ..] => vec![Finding::SetEnv((*name).to_owned())],
        ["build", "target-dir" | "build-dir"] | ["install", "root"] => each(Finding::Write),
        ["include", ..] => {
            words.into_iter().map(|path| Finding::CodeFile("cargo-config", path)).collect()
        }
        ["build", "target"]
        | ["registry", "default"]
        | ["profile" | "term" | "net" | "http", ..] => Vec::new(),
        _ => unknown(),
    }
}

/// A program with its arguments: a list, or one string with blanks.
fn command(words: Vec<String>) -> Vec<Finding> {
    match words.as_slice() {
        [line] => match split(line) {
            Some(words) => vec![Finding::Run(words)],
            None => vec![unreadable("the words of a command are not plain")],
        },
        _ => vec![Finding::Run(words)],
    }
}

/// Flags for rustc: those for code generation may name a linker.
fn flags(words: &[String]) -> Vec<Finding> {
    let all: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        match word.strip_prefix("-C") {
            Some("") => found.extend(
                all.get(at.saturating_add(1)).map(|value| rustc(value)).unwrap_or_default(),
            ),
            Some(value) => found.extend(rustc(value)),
            None if word.starts_with("--codegen") || word.starts_with("-Z") => {
                found.push(Finding::RunUnknown("flags for rustc are not known".to_owned()));
            }
            None => {}
        }
    }
    found
}

/// Options of rustc's code generation that only change the code.
const HARMLESS: &[&str] = &[
    "code-model",
    "codegen-units",
    "collapse-macro-debuginfo",
    "control-flow-guard",
    "debug-assertions",
    "debuginfo",
    "default-linker-libraries",
    "dlltool",
    "dwarf-version",
    "embed-bitcode",
    "extra-filename",
    "force-frame-pointers",
    "force-unwind-tables",
    "inline-threshold",
    "instrument-coverage",
    "link-dead-code",
    "link-self-contained",
    "linker-flavor",
    "lto",
    "metadata",
    "no-prepopulate-passes",
    "no-redzone",
    "no-stack-check",
    "no-vectorize-loops",
    "no-vectorize-slp",
    "opt-level",
    "overflow-checks",
    "panic",
    "prefer-dynamic",
    "relocation-model",
    "relro-level",
    "remark",
    "rpath",
    "save-temps",
    "soft-float",
    "split-debuginfo",
    "strip",
    "symbol-mangling-version",
    "target-cpu",
    "target-feature",
    "tune-cpu",
    "unsafe-allow-abi-mismatch",
    "jump-tables",
    "no-stack-protector",
];

/// Reads `NAME[=VALUE]` as rustc's `-C` takes it.
pub(in super::super) fn rustc(code: &str) -> Vec<Finding> {
    let (name, value) = code.trim().split_once('=').unwrap_or((code.trim(), ""));
    let name = name.trim().replace('_', "-");
    let text = value.to_owned();
    match name.as_str() {
        "linker" | "ar" | "dlltool" => vec![Finding::Run(vec![text])],
        "link-arg" | "link-args" | "pre-link-args" => {
            let safe = |word: &str| {
                word.strip_prefix("-fuse-ld=")
                    .is_some_and(|ld| ["lld", "mold", "gold", "bfd"].contains(&ld))
                    || matches!(
                        word,
                        "-s" | "-static"
                            | "-no-pie"
                            | "-pie"
                            | "-Wl,--gc-sections"
                            | "-Wl,--as-needed"
                    )
            };
            match value.split_whitespace().all(safe) {
                true => Vec::new(),
                false => vec![Finding::RunUnknown(
                    "arguments for a linker may name what it runs".to_owned(),
                )],
            }
        }
        "incremental" | "profile-generate" if value.is_empty() => Vec::new(),
        "incremental" | "profile-generate" => vec![Finding::Write(text)],
        "profile-use" => vec![Finding::Read(text)],
        name if HARMLESS.contains(&name) => Vec::new(),
        _ => vec![Finding::RunUnknown(format!("rustc's option `{name}` is not known"))],
    }
}
