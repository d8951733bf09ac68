//! Documents as they are written: one set of types for every format and every notation.
//!
//! These types say which keys there are and of which sort their values are; `ringfence schema`
//! prints them. What the values mean is `lower`'s business.

mod capabilities;
mod document;
mod forms;
mod program;
mod rule;
mod sandbox;
mod seal;
mod settings;
mod texts;
mod tools;

pub(crate) use capabilities::{DenySections, RawCapabilities};
pub(crate) use document::{RawAgent, RawDocument, RawTest};
pub(crate) use forms::{AllOr, AnyForm, ListOr, Names, TextOr};
pub(crate) use program::{
    ChildrenWord, FillsWord, RawOption, RawProgram, RawWhen, UnlistedWord, WrapperWord,
};
pub(crate) use rule::{ClassWord, DenyNames, RawCeiling, RawDeny, RawRule, RuleTable};
pub(crate) use sandbox::{
    AnswererWord, FacetWord, HookShellWord, RawHooks, RawLimits, RawSandbox, UnlistedProgramsWord,
};
pub(crate) use seal::{
    AllowSections, CommandSection, CommandTable, DenyCommandSection, FileSection, PathTable,
};
pub(crate) use settings::{Answer, DefaultWord, GrantWord, ModeWord, RawSecurity};
pub(crate) use texts::Texts;
pub(crate) use tools::{PathsWord, RawEnv, RawKeychain, RawMcp, RawPermissions, RawTool};
