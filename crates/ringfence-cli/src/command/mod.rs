//! The commands, one file each.

pub(crate) mod approve;
pub(crate) mod check;
pub(crate) mod danger;
pub(crate) mod deny;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod jsonl;
pub(crate) mod lint;
pub(crate) mod mcp;
pub(crate) mod parse;
pub(crate) mod pending;
pub(crate) mod policy;
pub(crate) mod programs;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod test;
pub(crate) mod trust;
