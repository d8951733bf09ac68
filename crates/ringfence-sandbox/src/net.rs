//! What the init opens on the tree's own loopback.

use crate::plan::NetPlan;

/// What the init opens on the tree's own loopback.
#[derive(Debug, Clone, Default)]
pub(crate) struct NetSetup {
    /// The port of the proxy.
    pub(crate) proxy: Option<u16>,
    /// Further places at which connections are taken: an address, any of them as zeros, and a port.
    pub(crate) taken: Vec<([u8; 4], u16)>,
    /// Whether names are answered.
    pub(crate) resolver: bool,
}

impl NetSetup {
    pub(crate) fn new(plan: &NetPlan) -> NetSetup {
        // A port of granted names is taken at every address: each name has one of its own, given
        // out when it is asked for. All of them lie on the loopback, and nothing else is there, so
        // nobody outside can reach them.
        let any = plan.carried.iter().map(|port| ([0; 4], *port));
        let own = plan.local.iter().filter(|port| !plan.carried.contains(port));
        let own = own.map(|port| ([127, 0, 0, 1], *port));
        let is_free = |taken: &([u8; 4], u16)| Some(taken.1) != plan.proxy;
        NetSetup {
            proxy: plan.proxy,
            taken: any.chain(own).filter(is_free).collect(),
            resolver: plan.resolver,
        }
    }
}
