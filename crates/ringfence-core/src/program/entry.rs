//! Entries of the program catalogue.

use std::sync::Arc;

use super::habit::Habit;
use super::named_list::NamedList;
use super::operands::Operands;
use super::role::WordRole;
use super::spelling::{OptionSpelling, split_takes};
use crate::access::Text;
use crate::text::{split_at_byte, split_at_each_byte};

/// The catalogue entry of a program or of a subcommand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The name; for a subcommand including the program (`git push`).
    pub name: Box<str>,
    /// The worst effect of granting the program carelessly.
    pub why: Box<str>,
    /// Other names of the program.
    pub names: Vec<Box<str>>,
    /// The Debian package that contains the program.
    pub package: Option<Box<str>>,
    /// The syntax of the program's options.
    pub style: OptionStyle,
    /// The options.
    pub options: NamedList<Arc<OptionSpec>>,
    /// The roles of the operands; `None` if they are unknown.
    pub operands: Option<Operands>,
    /// The role of operands after `--`, if it differs.
    pub behind_dashes: Option<WordRole>,
    /// Effects of every use.
    pub always: Vec<ImpliedEffect>,
    /// Additional effects of a use without operands.
    pub default: Vec<ImpliedEffect>,
    /// The subcommands.
    pub subs: NamedList<SubcommandSpec>,
    /// Differences that depend on options.
    pub when: Vec<OptionCondition>,
    /// How the program runs another command, if that is its purpose.
    pub wrapper: Option<Wrapper>,
    /// Whether the command that the program runs is run on another machine.
    pub remote: bool,
    /// Variables that the program sets for its child processes; a final `*` matches any rest.
    pub sets: Vec<Box<str>>,
    /// Whether child processes need a grant of their own.
    pub children: Children,
    /// Whether a shell executes the program itself, as a builtin.
    pub builtin: bool,
    /// Whether a builtin needs no grant, because it changes nothing outside the shell.
    pub free: bool,
    /// The meaning of options that are not listed.
    pub unlisted: Option<UnlistedOption>,
    /// Behaviour that does not depend on single words.
    pub habits: Vec<Habit>,
}

impl CatalogueEntry {
    /// Returns whether some option or operand names a command that the program runs.
    pub fn runs_commands(&self) -> bool {
        let options = self.options.iter().flat_map(|option| &option.roles);
        let operands = self.operands.iter().flat_map(Operands::roles);
        options.chain(operands).any(WordRole::runs)
            || self.when.iter().any(|when| {
                let options = when.options.iter().flat_map(|option| &option.roles);
                let operands = when.operands.iter().flat_map(Operands::roles);
                options.chain(operands).any(WordRole::runs)
            })
    }

    /// Returns whether the program sets a variable for its child processes by itself.
    pub fn sets_variable(&self, name: &str) -> bool {
        self.sets.iter().any(|own| match own.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => **own == *name,
        })
    }

    /// Returns whether a command follows among the operands. Every word before that command then
    /// matters.
    pub fn carries_command(&self) -> bool {
        let operands = self.operands.iter().flat_map(Operands::roles);
        operands.into_iter().any(|role| matches!(role, WordRole::Command(_)))
    }

    /// Adds the effects of another entry for the same program. Never removes an effect.
    pub fn extend(&mut self, other: &CatalogueEntry) {
        for option in &other.options {
            match self.options.also_roles_sharing(option) {
                Some(also) if option.roles.iter().any(|role| *role != WordRole::Text) => {
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

/// An option of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// The names of the option, and whether the option takes a value.
    pub spelling: OptionSpelling,
    /// The roles of the option's values, in order.
    pub roles: Vec<WordRole>,
    /// Further roles of the first value, which a policy added.
    pub also: Vec<WordRole>,
    /// The operand that the option replaces.
    pub fills: Option<ReplacedOperand>,
}

/// The operand that an option replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplacedOperand {
    /// The first operand: with `-e`, `grep -e PATTERN FILE` has no operand for the pattern.
    First,
    /// The last operand: with `-t`, `cp -t DIRECTORY FILE` has no operand for the destination.
    Last,
}

/// An effect of a program that no word of the command line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpliedEffect {
    /// The kind of effect.
    pub role: WordRole,
    /// The object of the effect, such as a path.
    pub text: Text,
}

impl ImpliedEffect {
    /// Parses `read .`, `registry npm` or `code sh ls`: a role, and an optional object.
    pub fn parse(text: &str) -> Option<ImpliedEffect> {
        if let Some(role) = WordRole::parse(text) {
            return Some(ImpliedEffect { role, text: Text::default() });
        }
        let (first, rest) = split_at_byte(text, b' ')?;
        let role = match first {
            "code" | "code-file" | "registry" => {
                let end = first
                    .len()
                    .saturating_add(split_at_byte(rest, b' ')?.0.len())
                    .saturating_add(1);
                text.get(..end)?
            }
            first => first,
        };
        let rest = text.get(role.len().saturating_add(1)..)?;
        Some(ImpliedEffect { role: WordRole::parse(role)?, text: rest.into() })
    }
}

/// A subcommand of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubcommandSpec {
    /// The names; the first one is the main name.
    pub names: Arc<[Box<str>]>,
    /// The name of the subcommand's entry in the catalogue.
    pub key: Box<str>,
}

/// Differences of an entry that depend on options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionCondition {
    /// Options of which at least one must be present.
    pub has: Vec<Box<str>>,
    /// Options of which none may be present.
    pub lacks: Vec<Box<str>>,
    /// The roles of the operands in this case.
    pub operands: Option<Operands>,
    /// The roles of these options in this case.
    pub options: Vec<Arc<OptionSpec>>,
    /// Further effects in this case.
    pub always: Vec<ImpliedEffect>,
    /// Further effects in this case if there are no operands.
    pub default: Vec<ImpliedEffect>,
}

impl OptionCondition {
    /// Returns the option names in a list such as `-o|--output= --color[=]`.
    pub fn option_names(text: &str) -> impl Iterator<Item = Box<str>> {
        let words = text.split_whitespace().flat_map(|word| split_at_each_byte(word, b'|'));
        words.map(|name| split_takes(name).0.into())
    }
}

/// The syntax of a program's options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OptionStyle {
    /// Options anywhere, single letters in clusters, long names may be abbreviated.
    #[default]
    Gnu,
    /// Like `Gnu`, but options end at the first operand.
    Posix,
    /// Like `Gnu`, but long names may not be abbreviated.
    Clap,
    /// Like `Clap`, but options end at the first operand.
    ClapFirst,
    /// Long names after a single dash, and no clusters.
    Go,
    /// Like `Go`, but options end at the first operand, or at an option that replaces it.
    GoFirst,
    /// `key=value` words.
    Keys,
    /// Like `Gnu`, and the first word may be a cluster without a dash (`tar xf`).
    Bundle,
    /// Like `Gnu`, but a single dash starts a long name if there is one, otherwise a cluster.
    Names,
    /// No options: every word is an operand.
    Raw,
}

impl OptionStyle {
    /// Returns the style with this name.
    pub fn named(name: &str) -> Option<OptionStyle> {
        Some(match name {
            "gnu" => OptionStyle::Gnu,
            "posix" => OptionStyle::Posix,
            "clap" => OptionStyle::Clap,
            "clap-first" => OptionStyle::ClapFirst,
            "go" => OptionStyle::Go,
            "go-first" => OptionStyle::GoFirst,
            "keys" => OptionStyle::Keys,
            "bundle" => OptionStyle::Bundle,
            "names" => OptionStyle::Names,
            "raw" => OptionStyle::Raw,
            _ => return None,
        })
    }

    /// Returns the name of this style.
    pub fn as_str(self) -> &'static str {
        match self {
            OptionStyle::Gnu => "gnu",
            OptionStyle::Posix => "posix",
            OptionStyle::Clap => "clap",
            OptionStyle::ClapFirst => "clap-first",
            OptionStyle::Go => "go",
            OptionStyle::GoFirst => "go-first",
            OptionStyle::Keys => "keys",
            OptionStyle::Bundle => "bundle",
            OptionStyle::Names => "names",
            OptionStyle::Raw => "raw",
        }
    }

    /// Returns whether options may follow operands.
    pub fn permutes(self) -> bool {
        !matches!(self, OptionStyle::Posix | OptionStyle::ClapFirst | OptionStyle::GoFirst)
    }

    /// Returns whether `=` between a letter and its value is ignored: `-o=FILE`.
    pub fn drops_equals(self) -> bool {
        matches!(self, OptionStyle::Clap | OptionStyle::ClapFirst)
    }

    /// Returns whether long names may be abbreviated.
    pub fn abbreviates(self) -> bool {
        matches!(
            self,
            OptionStyle::Gnu | OptionStyle::Posix | OptionStyle::Bundle | OptionStyle::Names
        )
    }

    /// Returns whether long names follow a single dash.
    pub fn is_go(self) -> bool {
        matches!(self, OptionStyle::Go | OptionStyle::GoFirst)
    }

    /// Returns whether several letters may follow a single dash.
    pub fn clusters(self) -> bool {
        !self.is_go() && !matches!(self, OptionStyle::Keys | OptionStyle::Raw)
    }
}

/// How a program runs another command that its words contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// A transparent wrapper: it needs no grant of its own.
    Transparent,
    /// A boundary: it needs a grant in addition to the inner command.
    Boundary,
}

/// Whether the programs that a program starts need grants of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Children {
    /// Each of the programs is judged and needs its own grant.
    #[default]
    Judged,
    /// The programs are covered by the grant of the program that starts them.
    Inherit,
}

/// The meaning of options that are not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlistedOption {
    /// The option's value may be a path.
    Operand,
    /// The option makes the whole command a doubt.
    Doubt,
}
