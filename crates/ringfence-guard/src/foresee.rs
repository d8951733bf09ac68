//! What a call would do, where that can be told before there is a policy.

use ringfence_core::host::Host;
use ringfence_core::{Access, Context, Policy};

use crate::call::{Action, Call};
use crate::resolve::{self, Surroundings};

/// The accesses of a call whose meaning depends on no policy; `None` where it may depend on one.
///
/// A door that judges one call and ends can leave out of its policy whatever cannot meet them.
pub fn foresee(call: &Call, context: &Context, host: &dyn Host) -> Option<Vec<Access>> {
    // A path means what the host says. Commands and MCP tools are read by the policy's word.
    let is_file = matches!(&call.action, Action::Access { text } if text.starts_with("fs:"));
    if !is_file {
        return None;
    }
    let policy = Policy::compile_for(&[], Vec::new(), Vec::new(), context, host).ok()?;
    let around = Surroundings { host, context, policy: &policy, remote_servers: &[], servers: &[] };
    Some(resolve::effects(call, &around).accesses)
}
