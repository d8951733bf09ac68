//! `ringfence deny`: no to a question of a run. It takes nothing but a run's hope, so that no
//! terminal is needed.

use ringfence::exec::Answer;

use super::approve::settle;
use crate::args::DenyArgs;
use crate::asking::places;
use crate::exit::{Exit, Failure};

pub(crate) fn run(args: &DenyArgs) -> Result<Exit, Failure> {
    settle(&places()?, &args.id, Answer::No)
}
