//! `ringfence schema`: prints the JSON Schema of documents.

use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run() -> Result<Exit, Failure> {
    show::print(ringfence_manifest::schema().trim_end());
    Ok(Exit::Allow)
}
