//! `[[ … ]]`.

use super::word::Word;

/// An expression of `[[ … ]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cond {
    /// Several joined by `||`.
    Any(Vec<Cond>),
    /// Several joined by `&&`.
    All(Vec<Cond>),
    /// `! …`
    Not(Box<Cond>),
    /// `( … )`
    Group(Box<Cond>),
    /// A word alone: is it not empty?
    Word(Word),
    /// `-f WORD` and its like.
    Unary {
        /// The letter of the operator.
        operator: char,
        /// What it is asked of.
        operand: Word,
    },
    /// `LEFT = RIGHT` and its like.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left side.
        left: Word,
        /// The right side: a pattern, an expression or a text, by the operator.
        right: Word,
    },
}

/// An operator between two words of `[[ … ]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `=`, `==`: the right side is a pattern.
    Matches,
    /// `!=`: the right side is a pattern.
    Differs,
    /// `=~`: the right side is a regular expression.
    Regex,
    /// `<`
    Before,
    /// `>`
    After,
    /// `-nt`, `-ot`, `-ef`: both sides are files.
    Files,
    /// `-eq` and kin: both sides are evaluated as arithmetic.
    Numbers,
}
