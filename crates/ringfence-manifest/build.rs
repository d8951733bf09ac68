//! Compiles `policies/` into the crate: what is read here is not read again when ringfence starts.
//!
//! A list or profile becomes text without markup, one record per rule, and a table of its rules in
//! the form in which the judge searches them.

#[path = "build/lists.rs"]
mod lists;
#[path = "build/programs.rs"]
mod programs;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let policies = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../policies");
    println!("cargo::rerun-if-changed={}", policies.display());
    let mut code = String::new();
    lists::compile(&mut code, &policies)?;
    programs::compile(&mut code, &policies.join("programs"))?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("policies.rs"), code)?;
    Ok(())
}

/// Returns the TOML files of a folder, by name.
fn toml_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
