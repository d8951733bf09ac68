//! A host that passed by name has addresses that nobody judged yet.

use ringfence_egress::Destination;
use ringfence_guard::{Permit, ResolveHost};

fn connect(permit: Permit<ResolveHost>) -> Destination {
    Destination::of(permit)
}

fn main() {}
