//! What holds a call besides its verdict.

/// What holds the effects of a call while it is carried out.
///
/// A verdict may rely on a fence: what the kernel refuses anyway needs no question. It must never
/// rely on more than there is, so [`Advisory`](Enforcement::Advisory) is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Enforcement {
    /// Only the verdict: a bare hook, `check`, the MCP gateway, the proxy.
    #[default]
    Advisory,
    /// A fence that lacks a part which the policy lists under `best_effort`.
    PartialFence,
    /// A whole fence: the kernel holds files, network, environment, sockets and the start of every
    /// program.
    WholeFence,
}

impl Enforcement {
    /// Returns whether the kernel holds every effect of the call.
    pub fn is_whole(self) -> bool {
        self == Enforcement::WholeFence
    }

    /// Returns whether the call is carried out in a fence.
    pub fn is_fence(self) -> bool {
        self != Enforcement::Advisory
    }
}
