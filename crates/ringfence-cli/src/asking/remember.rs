//! An answer that lasts: one more rule in the policy.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ringfence::core::Role;
use ringfence::exec::queue::{Run, Shown};
use ringfence::guard::redact::visible;
use ringfence::guard::world::read_policy;
use ringfence::manifest::{Format, Source, amend};

use crate::door::{absolute, document_failure};
use crate::exit::Failure;

/// What stands in for a policy where there is none, and would not any more once there is one.
const FIRST: &str = "schema = 1\nextends = [\"@workspace\"]\ndefault = \"ask\"\n";

/// Adds the pattern of a question to the policy of its run; what was done, in words.
pub(crate) fn remember(run: &Run, question: &Shown) -> Result<String, Failure> {
    let Some(pattern) = &question.pattern else {
        return Err(Failure::new("no pattern would spare this question")
            .hint("answer it with `--session`, or write a rule yourself"));
    };
    let path = Path::new(&run.policy);
    let shown = visible(pattern).into_owned();
    let failed = |reason: String| {
        Failure::new(format!("{} was not changed: {reason}", path.display()))
            .hint(format!("add `{shown}` to the `allow` list yourself"))
    };
    // Where it is a link, the file behind it is the policy.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let before = match fs::read_to_string(&real) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => FIRST.to_owned(),
        read => read.map_err(|error| failed(error.to_string()))?,
    };
    let format =
        Format::of_path(&run.policy).ok_or_else(|| failed("its format is unknown".into()))?;
    let source = Source::new(run.policy.as_str(), format, &before);
    let source = source.map_err(|_| failed("it cannot be read".to_owned()))?;
    match amend::allow(&source, pattern).map_err(|error| failed(error.to_string()))? {
        None => Ok(format!("{} has `{shown}` already", path.display())),
        Some(after) => {
            write(&real, &after).map_err(|failure| failed(failure.message))?;
            Ok(format!("added `{shown}` to {}", path.display()))
        }
    }
}

/// Replaces a policy, if what would be there can be read.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let broken = |error: std::io::Error| Failure::new(error.to_string());
    let directory = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(broken)?;
    let mode = fs::metadata(path).map_or(0o600, |about| about.permissions().mode() & 0o777);
    let new = beside(path);
    let options = OpenOptions::new().write(true).create_new(true).mode(mode).open(&new);
    let written =
        options.and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
    let checked = written.map_err(broken).and_then(|()| {
        let read = read_policy(&absolute(&new)?, "policy", Role::User);
        read.map(drop).map_err(|error| document_failure(&error))
    });
    let done = checked.and_then(|()| fs::rename(&new, path).map_err(broken));
    if done.is_err() {
        let _ = fs::remove_file(&new);
    }
    done
}

/// A name beside a file, with the same ending.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{}.{name}", std::process::id()))
}

#[cfg(test)]
#[path = "remember_tests.rs"]
mod tests;
