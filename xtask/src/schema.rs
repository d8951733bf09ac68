//! `cargo xtask schema`: the committed JSON Schema of policy documents, as the product prints it.

use std::fs;
use std::path::Path;

use crate::step::cargo_output;
use crate::{Failure, Outcome};

/// Where the schema is committed.
pub(crate) const FILE: &str = "schema/ringfence.schema.json";

/// Writes the committed schema anew.
pub(crate) fn write(root: &Path) -> Outcome {
    let text = generate(root)?;
    let path = root.join(FILE);
    let unwritable = |error| Failure(format!("`{FILE}`: {error}"));
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(unwritable)?;
    fs::write(&path, text).map_err(unwritable)?;
    println!("wrote {FILE}");
    Ok(())
}

/// The schema that the product prints now.
pub(crate) fn generate(root: &Path) -> Result<String, Failure> {
    let arguments = ["run", "--quiet", "--locked", "--package", "ringfence-cli", "--", "schema"];
    cargo_output(root, &arguments)
}
