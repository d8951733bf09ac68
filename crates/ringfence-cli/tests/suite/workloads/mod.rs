//! Everyday work in the fence: what is granted works as if there were none.
//!
//! Each piece of work is done under `@workspace` and the obvious profile, by root and by an
//! ordinary user, each with a home of their own. Registries are those that the clients of this
//! machine are configured with.

mod building;
mod foreground;
pub(super) mod machine;
mod packages;
mod projects;
mod shims;
mod terminal;
