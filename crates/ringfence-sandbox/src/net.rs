//! What the init opens on the tree's own loopback.

/// What the init opens on the tree's own loopback.
#[derive(Debug, Clone, Default)]
pub(crate) struct NetSetup {
    /// The port of the proxy.
    pub(crate) proxy: Option<u16>,
    /// Ports that are carried to the host's loopback.
    pub(crate) local: Vec<u16>,
    /// Whether names are answered.
    pub(crate) resolver: bool,
}
