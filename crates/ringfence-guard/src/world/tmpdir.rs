//! The directory that `TMPDIR` names.

use ringfence_core::Context;
use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use rustix::fs::FileType;

use super::real_host::RealHost;
use super::real_path::real_path;

/// System directories that never contain a user's temporary directory, except `/var/tmp`.
const NEVER: [&str; 5] = ["/boot", "/proc", "/srv", "/sys", "/var"];

/// Returns the directory that `TMPDIR` adds to `@tmp`, or `None` if it adds nothing.
///
/// A variable must not turn `@tmp` into a grant of the user's own files. The directory must
/// therefore exist, belong to the user, and be disjoint from the home directory, the project and
/// the system directories. Otherwise the error says why it is ignored.
pub(super) fn from_variable(host: &RealHost, context: &Context) -> Result<Option<AbsPath>, String> {
    let Some(value) = host.env("TMPDIR") else { return Ok(None) };
    let ignored = |why: &str| Err(format!("`TMPDIR` is not used for `@tmp`: {why}"));
    let Ok(named) = AbsPath::new(&value) else {
        return ignored("it is not an absolute path");
    };
    let directory = real_path(&named);
    if context.tmp.iter().any(|usual| directory.starts_with(usual)) {
        return Ok(None);
    }
    let is_apart =
        |other: &AbsPath| !directory.starts_with(other) && !other.starts_with(&directory);
    let home = real_path(&context.home);
    let never: Vec<AbsPath> = NEVER.iter().filter_map(|path| AbsPath::new(path).ok()).collect();
    let kept = context.system.iter().chain(&never).chain(&context.root);
    let mut kept = kept.chain([&context.home, &home, &context.cwd]);
    if let Some(other) = kept.find(|other| !is_apart(other)) {
        return ignored(&format!("`{directory}` overlaps with `{other}`"));
    }
    match rustix::fs::stat(directory.as_str()) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::Directory => {
            ignored(&format!("`{directory}` is not a directory"))
        }
        Ok(stat) if stat.st_uid != host.uid() => {
            ignored(&format!("`{directory}` belongs to another user"))
        }
        Ok(_) => Ok(Some(directory)),
        Err(_) => ignored(&format!("`{directory}` cannot be accessed")),
    }
}
