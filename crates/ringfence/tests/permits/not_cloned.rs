//! A permit cannot be copied, nor can what a person said.

use ringfence_guard::{Approval, OpenFile, Permit};

fn copy(permit: &Permit<OpenFile>) -> Permit<OpenFile> {
    permit.clone()
}

fn again(approval: &Approval) -> Approval {
    *approval
}

fn main() {}
