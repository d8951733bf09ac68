//! Allow rules that reach far beyond what they look like.

mod any_host;
mod any_program;
mod any_tool;
mod any_variable;
mod broad_path;
mod broad_program;
mod floating_path;
mod shared_domain;

pub(super) use any_host::{ANY_HOST, any_host};
pub(super) use any_program::{ANY_PROGRAM, any_program};
pub(super) use any_tool::{ANY_TOOL, any_tool};
pub(super) use any_variable::{ANY_VARIABLE, any_variable};
pub(super) use broad_path::{BROAD_READ, BROAD_WRITE, broad_read, broad_write};
pub(super) use broad_program::{
    BROAD_PROGRAM, PRIVILEGED_PROGRAM, broad_program, privileged_program,
};
pub(super) use floating_path::{FLOATING_PATH, floating_path};
pub(super) use shared_domain::{SHARED_DOMAIN, shared_domain};
