//! The fields of a permit are the guard's own.

use ringfence_guard::{OpenFile, Permit, PermitBasis};

fn make(act: OpenFile) -> Permit<OpenFile> {
    Permit { act, basis: PermitBasis::Allowed }
}

fn main() {}
