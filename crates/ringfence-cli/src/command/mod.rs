//! The commands, one file each.

pub(crate) mod allow;
pub(crate) mod allowed;
pub(crate) mod approve;
pub(crate) mod check;
pub(crate) mod danger;
pub(crate) mod deny;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod forget;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod jsonl;
pub(crate) mod lint;
pub(crate) mod log;
pub(crate) mod mcp;
pub(crate) mod parse;
pub(crate) mod pending;
pub(crate) mod policy;
pub(crate) mod programs;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod status;
pub(crate) mod test;
pub(crate) mod trust;
pub(crate) mod uninstall;
