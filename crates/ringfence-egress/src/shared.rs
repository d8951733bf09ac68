//! What all connections of a worker share.

use std::sync::Arc;

use crate::gate::Gate;
use crate::pool::Pool;

/// What all connections of a worker share.
pub(crate) struct Shared {
    pub(crate) gate: Arc<Gate>,
    pub(crate) pool: Pool,
}
