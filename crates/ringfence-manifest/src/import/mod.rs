//! Permission rules of other programs, as a policy of ours.
//!
//! ```
//! use ringfence_manifest::import::{Foreign, Place, import};
//!
//! let settings = br#"{ "permissions": { "allow": ["Bash(npm run test:*)"] } }"#;
//! let imported = import(Foreign::Claude, "settings.json", settings, &Place::default())?;
//! assert!(imported.text.contains("cmd:npm:run:test:*"));
//! # Ok::<(), ringfence_manifest::Errors>(())
//! ```
//!
//! One module per format; each names the package and version whose code or documentation it was
//! written from. A module finds rules and gives each a rank, the place that the format gives it
//! when several match (`draft`). `settle` turns ranks into the order that the judge knows, where a
//! deny always wins and a narrower allow outranks an ask. `write` makes the text, and reads it
//! again before it is handed out.
//!
//! What cannot be said exactly is told as a [`Difference`], with its place and its direction.
//! Nothing here decides anything, and a rule that is not understood is never guessed at.

mod claude;
mod codex;
mod commands;
mod cursor;
mod difference;
mod draft;
mod gemini;
mod opencode;
mod paths;
mod seeds;
mod settle;
mod srt;
mod write;

pub use difference::{Difference, Way};

use draft::{At, Draft, Of};
use ringfence_core::Effect;
use ringfence_core::pattern::Glob;
use ringfence_core::rule::ToolKind;

use crate::text::{Errors, Format, Source, Span};

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// `permissions` in Claude Code's settings.
    Claude,
    /// Rules files and `config.toml` of Codex CLI.
    Codex,
    /// Policies and settings of Gemini CLI.
    Gemini,
    /// `permission` in opencode's configuration.
    Opencode,
    /// The permissions of Cursor.
    Cursor,
    /// Settings of the sandbox runtime.
    Srt,
    /// Path scopes of hermes-agent's tools.
    Hermes,
    /// Seal's manifest.
    Seal,
    /// A policy object of mlld.
    Mlld,
}

impl Foreign {
    /// Every format.
    pub const ALL: [Foreign; 9] = [
        Foreign::Claude,
        Foreign::Codex,
        Foreign::Gemini,
        Foreign::Opencode,
        Foreign::Cursor,
        Foreign::Srt,
        Foreign::Hermes,
        Foreign::Seal,
        Foreign::Mlld,
    ];

    /// The word for it on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Foreign::Claude => "claude",
            Foreign::Codex => "codex",
            Foreign::Gemini => "gemini",
            Foreign::Opencode => "opencode",
            Foreign::Cursor => "cursor",
            Foreign::Srt => "srt",
            Foreign::Hermes => "hermes",
            Foreign::Seal => "seal",
            Foreign::Mlld => "mlld",
        }
    }

    /// The format that a word names.
    pub fn from_word(word: &str) -> Option<Foreign> {
        Foreign::ALL.into_iter().find(|own| own.as_str() == word)
    }

    /// How a file is written whose name does not tell.
    fn usual(self) -> Format {
        match self {
            Foreign::Hermes => Format::Yaml,
            Foreign::Seal => Format::Toml,
            _ => Format::Json,
        }
    }
}

/// What a file's own place says about its rules.
#[derive(Debug, Clone)]
pub struct Place {
    /// The directory that the file's paths start from where the format says "beside the file".
    pub anchor: String,
}

impl Default for Place {
    fn default() -> Place {
        Place { anchor: "@root".to_owned() }
    }
}

/// A policy, and where it differs from what it was made of.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The policy, in canonical TOML.
    pub text: String,
    /// How many rules the file has.
    pub rules: usize,
    /// What could not be carried over exactly, in the order of the file; first what holds for all
    /// of it.
    pub differences: Vec<Difference>,
}

/// Reads a file of another program.
pub fn import(from: Foreign, name: &str, bytes: &[u8], place: &Place) -> Result<Imported, Errors> {
    let format = Format::of_path(name).unwrap_or(from.usual());
    let source = Source::from_bytes(name, format, bytes)?;
    let mut draft = Draft::new(&source);
    match from {
        Foreign::Claude => claude::read(&mut draft, place)?,
        Foreign::Codex => codex::read(&mut draft)?,
        Foreign::Gemini => gemini::read(&mut draft)?,
        Foreign::Opencode => opencode::read(&mut draft)?,
        Foreign::Cursor => cursor::read(&mut draft)?,
        Foreign::Srt => srt::read(&mut draft)?,
        Foreign::Hermes => seeds::hermes(&mut draft)?,
        Foreign::Seal => seeds::seal(&mut draft)?,
        Foreign::Mlld => seeds::mlld(&mut draft)?,
    }
    write::finish(from, draft)
}

/// Says what holds for every rule on commands.
fn commands_everywhere(draft: &mut Draft<'_>, wrappers: &str) {
    draft.everywhere(
        Way::Narrower,
        "redirections, programs that are not the ones in `PATH`, what cannot be read with \
         certainty and what is on the danger list are asked about or refused, whatever allows them",
    );
    draft.everywhere(
        Way::Narrower,
        "rules that ask or deny see through options before a subcommand and their spelling",
    );
    draft.everywhere(
        Way::Wider,
        format!(
            "`NAME=value` before a command, {wrappers}, and a program's options before its \
             subcommand need no rule of their own"
        ),
    );
}

/// Whether `*.x` matches `x` in the other format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apex {
    Included,
    Excluded,
}

/// A rule on hosts that a web tool fetches from.
fn fetch_from(draft: &mut Draft<'_>, host: &str, effect: Effect, at: At) {
    if host != "*" && host.strip_prefix("*.").unwrap_or(host).contains('*') {
        let why = "not carried over: a star inside a name has no counterpart";
        return draft.lost(effect, at.span, why);
    }
    if draft.rule(effect, &format!("net:{host}"), Of::Kind(ToolKind::Web), at) {
        host_differs(draft, host, effect, at.span, Apex::Excluded);
    }
}

/// Says how a rule on hosts differs.
fn host_differs(draft: &mut Draft<'_>, host: &str, effect: Effect, span: Span, apex: Apex) {
    match (host, effect) {
        ("*", Effect::Ask | Effect::Deny) => {}
        ("*", Effect::Allow) => {
            draft.narrower(
                span,
                "loopback, private and metadata addresses need a rule of their own",
            );
        }
        (host, effect) if host.starts_with("*.") && apex == Apex::Excluded => {
            let message = "matches the name itself as well as what is under it";
            match effect {
                Effect::Allow => draft.wider(span, message),
                _ => draft.narrower(span, message),
            }
        }
        _ => {}
    }
}

/// A name in which only `*` is a wildcard.
fn globs(name: &str) -> String {
    let parts = name.split('*').map(|part| Glob::literal(part).to_string().replace(',', "\\,"));
    parts.collect::<Vec<_>>().join("*")
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
