//! Parameter expansions.

use super::word::{Part, Word};

/// `$NAME` or `${ … }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The parameter: a name, a number or one of `@ * # ? - $ !`.
    pub name: String,
    /// Whether it is written in braces.
    pub braced: bool,
    /// What of it is asked for.
    pub form: ParamForm,
    /// The subscript, as in `${a[i]}`; `@` and `*` included.
    pub subscript: Option<Vec<Part>>,
    /// The operator after it.
    pub op: Option<ParamOp>,
}

/// What of a parameter is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamForm {
    /// Its value.
    Value,
    /// `${#x}`: its length.
    Length,
    /// `${!x}`: the value of what it names; with a subscript of `@` or `*`, its keys.
    Indirect,
    /// `${!x*}`, `${!x@}`: the names that begin so.
    Names,
}

/// An operator and the word after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamOp {
    /// The operator.
    pub kind: ParamOpKind,
    /// What stands after it, up to `}`.
    pub word: Word,
}

/// An operator of a parameter expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamOpKind {
    /// `-`, `:-`
    UseDefault,
    /// `=`, `:=`
    AssignDefault,
    /// `?`, `:?`
    FailIfUnset,
    /// `+`, `:+`
    UseAlternative,
    /// `:OFFSET`, `:OFFSET:LENGTH`; evaluated as arithmetic.
    Substring,
    /// `#`, `##`
    RemovePrefix,
    /// `%`, `%%`
    RemoveSuffix,
    /// `/`, `//`, `/#`, `/%`
    Replace,
    /// `^`, `^^`, `,`, `,,`, `~`, `~~`
    ChangeCase,
    /// `@X`; `@P` expands the value as a prompt, which runs what it contains.
    Transform(char),
}
