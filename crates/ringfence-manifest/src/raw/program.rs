//! Programs of the catalogue.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::{AnyForm, Names};
use super::texts::Texts;
use crate::de::Spanned;

/// `[programs.NAME]`: what the options and operands of a program do.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "Program")]
pub(crate) struct RawProgram {
    /// What a careless grant of the program would give away.
    pub(crate) why: Option<String>,
    /// Other names of the same program or subcommand.
    pub(crate) names: Vec<Spanned<String>>,
    /// Other subcommands that are read as this one is, each with its names, `|` between them.
    pub(crate) alike: Vec<Spanned<String>>,
    /// The Debian package that has it.
    pub(crate) package: Option<String>,
    /// How options are written.
    pub(crate) style: Option<Spanned<String>>,
    /// Options without any effect of their own, separated by blanks.
    pub(crate) flags: Option<Texts>,
    /// Options that have an effect: spelling to role.
    pub(crate) options: Option<Names<Spanned<RawOption>>>,
    /// The roles of the operands, in order.
    pub(crate) operands: Option<Spanned<String>>,
    /// The role of operands behind `--`, where it differs.
    pub(crate) behind_dashes: Option<Spanned<String>>,
    /// What every use does: `ROLE TEXT`.
    pub(crate) always: Vec<Spanned<String>>,
    /// What a use without operands does: `ROLE TEXT`.
    pub(crate) default: Vec<Spanned<String>>,
    /// Subcommands, each with the same keys.
    pub(crate) sub: Option<Names<RawProgram>>,
    /// What options change about it.
    pub(crate) when: Vec<RawWhen>,
    /// `transparent` or `boundary`.
    pub(crate) wrapper: Option<Spanned<WrapperWord>>,
    /// Whether what it runs runs on another machine.
    pub(crate) remote: bool,
    /// Variables that the program sets for what it starts; `*` at the end stands for the rest.
    pub(crate) sets: Vec<String>,
    /// `inherit` or `judged`.
    pub(crate) children: Option<ChildrenWord>,
    /// Whether a shell carries it out itself.
    pub(crate) builtin: bool,
    /// Whether a shell may carry it out without a grant: it changes nothing outside the shell.
    pub(crate) free: bool,
    /// What an option means that is not listed.
    pub(crate) unknown: Option<UnlistedWord>,
    /// What else the program does, whatever its words are.
    pub(crate) habits: Vec<Spanned<String>>,
    /// Whether this takes the place of what is known; only in the organisation's policy.
    pub(crate) replace: Option<Spanned<bool>>,
    /// Further rules that the lines below need.
    pub(crate) grants: Vec<String>,
    /// Lines that are allowed where the program is granted.
    pub(crate) benign: Vec<String>,
    /// Lines that are not.
    pub(crate) hostile: Vec<String>,
}

/// The role of an option's value, or of each of its values, or a table.
pub(crate) type RawOption = AnyForm<OptionTable, Spanned<String>>;

/// An option with more than a role.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
#[schemars(rename = "ProgramOption")]
pub(crate) struct OptionTable {
    /// The role of its value, or of each of its values.
    pub(crate) role: Spanned<Texts>,
    /// Whose place among the operands it takes.
    #[serde(default)]
    pub(crate) fills: Option<FillsWord>,
}

/// What options change about a program.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
#[schemars(rename = "ProgramWhen")]
pub(crate) struct RawWhen {
    /// Options of which one must be there.
    pub(crate) has: Option<Texts>,
    /// Options of which none may be there.
    pub(crate) lacks: Option<Texts>,
    /// What the operands are then.
    pub(crate) operands: Option<Spanned<String>>,
    /// What these options are then.
    pub(crate) options: Option<Names<Spanned<RawOption>>>,
    /// What is done then, besides.
    pub(crate) always: Vec<Spanned<String>>,
    /// What is done then without operands.
    pub(crate) default: Vec<Spanned<String>>,
}

/// How a program carries another command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Wrapper")]
pub(crate) enum WrapperWord {
    /// It needs no grant of its own.
    Transparent,
    /// It needs a grant as well as what it carries.
    Boundary,
}

/// What holds for the programs that a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Children")]
pub(crate) enum ChildrenWord {
    /// They are part of its grant.
    Inherit,
    /// Each is judged.
    Judged,
}

/// What an option means that is not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Unlisted")]
pub(crate) enum UnlistedWord {
    /// Its value may be a path.
    Operand,
    /// Nothing can be told about what would run.
    Doubt,
}

/// Whose place among the operands an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Fills")]
pub(crate) enum FillsWord {
    /// The first one's.
    First,
    /// The last one's.
    Last,
}
