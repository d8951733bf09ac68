//! Rules of other programs.

use ringfence_manifest::import::{Foreign, Place, import as carry};

/// The names under which a file is read, by which some formats tell what it holds.
const NAMES: [&str; 4] = ["x.json", "x.toml", "x.rules", "x.yaml"];

/// Whatever it is: a policy that loads and differences with a place in the text, or errors about
/// the file. The first byte says which format it is.
pub fn import(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    let count = Foreign::ALL.len();
    let from = Foreign::ALL[usize::from(*first) % count];
    let name = NAMES[usize::from(*first) / count % NAMES.len()];
    let lines = data.split(|byte| *byte == b'\n').count();
    match carry(from, name, data, &Place::default()) {
        Ok(imported) => {
            for difference in &imported.differences {
                assert!(difference.line as usize <= lines, "{difference}");
            }
        }
        Err(errors) => {
            assert!(errors.iter().next().is_some(), "refused without a reason");
            for error in &errors {
                assert!(!error.file().ends_with("as a policy"), "what was written: {error}");
            }
        }
    }
}
