//! A yes that nobody said answers no question, and a refusal is none.

use ringfence_guard::{Approval, Judgement, OpenFile, Permit, Unanswered};

fn by_bool(open: Unanswered<OpenFile>) -> Permit<OpenFile> {
    open.approved(true)
}

fn refused(refused: Box<Judgement>) -> Permit<OpenFile> {
    refused.approved(Approval::by_person())
}

fn main() {}
