//! Entries of the catalogue.

use std::sync::Arc;

use super::by_name::ByName;
use super::habit::Habit;
use super::operands::Operands;
use super::role::Role;
use super::spelling::{Spelling, split_takes};
use crate::access::Text;
use crate::text::{cut, parts};

/// A program, or a subcommand of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name; for a subcommand with the names above it (`git push`).
    pub name: Box<str>,
    /// What a careless grant of it would give away.
    pub why: Box<str>,
    /// Its other names.
    pub names: Vec<Box<str>>,
    /// The Debian package that has it.
    pub package: Option<Box<str>>,
    /// How its options are written.
    pub style: Style,
    /// Its options.
    pub options: ByName<Arc<OptionSpec>>,
    /// What its operands are; `None` where nothing is known about them.
    pub operands: Option<Operands>,
    /// What operands behind `--` are, where they differ from the others.
    pub behind_dashes: Option<Role>,
    /// What every use of it does.
    pub always: Vec<Given>,
    /// What a use without operands does.
    pub default: Vec<Given>,
    /// Its subcommands.
    pub subs: ByName<Sub>,
    /// What options change about it.
    pub when: Vec<When>,
    /// Whether it only carries another command.
    pub wrapper: Option<Wrapper>,
    /// Whether what it runs runs on another machine.
    pub remote: bool,
    /// Variables that it sets for what it starts; `*` at the end stands for the rest.
    pub sets: Vec<Box<str>>,
    /// What holds for the programs that it starts.
    pub children: Children,
    /// Whether a shell carries it out itself.
    pub builtin: bool,
    /// Whether a shell may carry it out without a grant: it changes nothing outside the shell.
    pub free: bool,
    /// What an option means that is not listed.
    pub unlisted: Option<Unlisted>,
    /// What else it does, whatever its words are.
    pub habits: Vec<Habit>,
}

impl Entry {
    /// Whether any option or operand names a command that it runs.
    pub fn runs_commands(&self) -> bool {
        let options = self.options.iter().flat_map(|option| &option.roles);
        let operands = self.operands.iter().flat_map(Operands::roles);
        options.chain(operands).any(Role::runs)
            || self.when.iter().any(|when| {
                let options = when.options.iter().flat_map(|option| &option.roles);
                let operands = when.operands.iter().flat_map(Operands::roles);
                options.chain(operands).any(Role::runs)
            })
    }

    /// Whether it sets this variable for what it starts, by its own habit.
    pub fn sets_variable(&self, name: &str) -> bool {
        self.sets.iter().any(|own| match own.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => **own == *name,
        })
    }

    /// Whether a command follows among the operands, so that each word before it matters.
    pub fn carries_command(&self) -> bool {
        let operands = self.operands.iter().flat_map(Operands::roles);
        operands.into_iter().any(|role| matches!(role, Role::Command(_)))
    }

    /// Adds what another entry says of the same program. Effects are added, none is taken away.
    pub fn extend(&mut self, other: &Entry) {
        for option in &other.options {
            match self.options.sharing(option) {
                Some(also) if option.roles.iter().any(|role| *role != Role::Text) => {
                    also.extend(option.roles.iter().cloned());
                }
                Some(_) => {}
                None => self.options.push(Arc::clone(option)),
            }
        }
        if self.operands.is_none() {
            self.operands.clone_from(&other.operands);
        }
        self.habits.extend(other.habits.iter().filter(|own| own.adds()).cloned());
        self.always.extend(other.always.iter().cloned());
        self.default.extend(other.default.iter().cloned());
        self.when.extend(other.when.iter().cloned());
        for sub in &other.subs {
            if !self.subs.iter().any(|own| own.key == sub.key) {
                self.subs.push(sub.clone());
            }
        }
    }
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its names, and whether it takes a value.
    pub spelling: Spelling,
    /// What its values are, one after the other.
    pub roles: Vec<Role>,
    /// What else its first value is, by a policy's own word.
    pub also: Vec<Role>,
    /// Whose place among the operands it takes.
    pub fills: Option<Fills>,
}

/// Whose place among the operands an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fills {
    /// The first one's: `grep -e PATTERN FILE`.
    First,
    /// The last one's: `cp -t DIRECTORY FILE`.
    Last,
}

/// An effect that no word of the line states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What is done.
    pub role: Role,
    /// To what.
    pub text: Text,
}

impl Given {
    /// Reads `read .`, `registry npm`, `code sh ls`: a role, and what it is done to, if anything.
    pub fn parse(text: &str) -> Option<Given> {
        if let Some(role) = Role::parse(text) {
            return Some(Given { role, text: Text::default() });
        }
        let (first, rest) = cut(text, b' ')?;
        let role = match first {
            "code" | "code-file" | "registry" => {
                let end = first.len().saturating_add(cut(rest, b' ')?.0.len()).saturating_add(1);
                text.get(..end)?
            }
            first => first,
        };
        let rest = text.get(role.len().saturating_add(1)..)?;
        Some(Given { role: Role::parse(role)?, text: rest.into() })
    }
}

/// A subcommand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sub {
    /// Its names; the first is its own.
    pub names: Arc<[Box<str>]>,
    /// The name under which the catalogue has its entry.
    pub key: Box<str>,
}

/// What options change about an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// Options of which one must be there.
    pub has: Vec<Box<str>>,
    /// Options of which none may be there.
    pub lacks: Vec<Box<str>>,
    /// What the operands are then.
    pub operands: Option<Operands>,
    /// What these options are then.
    pub options: Vec<Arc<OptionSpec>>,
    /// What is done then, besides.
    pub always: Vec<Given>,
    /// What is done then without operands.
    pub default: Vec<Given>,
}

impl When {
    /// The names of the options that a text lists: `-o|--output= --color[=]`.
    pub fn option_names(text: &str) -> impl Iterator<Item = Box<str>> {
        let words = text.split_whitespace().flat_map(|word| parts(word, b'|'));
        words.map(|name| split_takes(name).0.into())
    }
}

/// How options are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// Anywhere; letters together; long names cut short.
    #[default]
    Gnu,
    /// As GNU's, up to the first operand.
    Posix,
    /// As GNU's, but long names are never cut short.
    Clap,
    /// As `clap`, up to the first operand.
    ClapFirst,
    /// Long names behind one dash; no letters together.
    Go,
    /// As `go`, up to the first operand, or the option that takes its place.
    GoFirst,
    /// `key=value` words.
    Keys,
    /// As GNU's, and the first word may be letters without a dash.
    Bundle,
    /// As GNU's, but a name of several letters behind one dash comes before letters together.
    Names,
    /// Every word is an operand.
    Raw,
}

impl Style {
    /// The style of this name.
    pub fn named(name: &str) -> Option<Style> {
        Some(match name {
            "gnu" => Style::Gnu,
            "posix" => Style::Posix,
            "clap" => Style::Clap,
            "clap-first" => Style::ClapFirst,
            "go" => Style::Go,
            "go-first" => Style::GoFirst,
            "keys" => Style::Keys,
            "bundle" => Style::Bundle,
            "names" => Style::Names,
            "raw" => Style::Raw,
            _ => return None,
        })
    }

    /// The name of this style.
    pub fn as_str(self) -> &'static str {
        match self {
            Style::Gnu => "gnu",
            Style::Posix => "posix",
            Style::Clap => "clap",
            Style::ClapFirst => "clap-first",
            Style::Go => "go",
            Style::GoFirst => "go-first",
            Style::Keys => "keys",
            Style::Bundle => "bundle",
            Style::Names => "names",
            Style::Raw => "raw",
        }
    }

    /// Whether options may stand behind operands.
    pub fn permutes(self) -> bool {
        !matches!(self, Style::Posix | Style::ClapFirst | Style::GoFirst)
    }

    /// Whether the sign between a letter and its value is dropped: `-o=FILE`.
    pub fn drops_equals(self) -> bool {
        matches!(self, Style::Clap | Style::ClapFirst)
    }

    /// Whether long names may be cut short.
    pub fn abbreviates(self) -> bool {
        matches!(self, Style::Gnu | Style::Posix | Style::Bundle | Style::Names)
    }

    /// Whether long names stand behind one dash.
    pub fn is_go(self) -> bool {
        matches!(self, Style::Go | Style::GoFirst)
    }

    /// Whether letters may stand together behind one dash.
    pub fn clusters(self) -> bool {
        !self.is_go() && !matches!(self, Style::Keys | Style::Raw)
    }
}

/// How a program carries another command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// It needs no grant of its own.
    Transparent,
    /// It needs a grant as well as what it carries.
    Boundary,
}

/// What holds for the programs that a program starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Children {
    /// Each is judged.
    #[default]
    Judged,
    /// They are part of its grant.
    Inherit,
}

/// What an option means that is not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// Its value may be a path.
    Operand,
    /// Nothing can be told about what would run.
    Doubt,
}
