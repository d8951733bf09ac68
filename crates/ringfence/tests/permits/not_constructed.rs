//! Only the guard makes permits and approvals.

use ringfence_guard::{Approval, OpenFile, Permit, PermitBasis};

fn call(act: OpenFile) -> Permit<OpenFile> {
    Permit::new(act, PermitBasis::Allowed)
}

fn approve() -> Approval {
    Approval(())
}

fn main() {}
