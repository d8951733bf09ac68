//! What a line says, as a tree. It is plain data: nothing in it was looked up or run.

mod command;
mod compound;
mod cond;
mod param;
mod redirect;
mod word;

pub use command::{
    AndOr, AndOrOperator, ArrayElement, Assignment, AssignmentValue, Command, Coproc, Function,
    Item, ItemEnd, Pipe, Pipeline, Script, SimpleCommand, Stage, Timing,
};
pub use compound::{
    CaseClause, CaseCommand, CaseEnd, Compound, CompoundKind, ForCommand, ForKind, IfCommand,
    LoopCommand, LoopKind,
};
pub use cond::{BinaryOperator, Cond};
pub use param::{Param, ParamForm, ParamOp, ParamOpKind};
pub use redirect::{Descriptor, HereDoc, Redirect, RedirectOp, RedirectTarget};
pub use word::{
    Arith, Part, PartKind, ProcessDirection, ProcessSubstitution, Substitution, SubstitutionForm,
    Tilde, Word,
};
