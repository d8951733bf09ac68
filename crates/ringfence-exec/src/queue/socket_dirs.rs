//! The directories in which runs listen for answers.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use ringfence_guard::world::follow;

const NAME: &str = "ringfence";
/// The directory below the home directory that is used without a runtime directory.
const STATE: &str = ".local/state/ringfence/run";

/// Returns the directories in which a user's runs listen, best first: `XDG_RUNTIME_DIR`, its
/// default, and the user's state directory.
pub fn socket_dirs(user: u32, home: &Path, runtime: Option<&OsStr>) -> Vec<PathBuf> {
    let given = runtime.map(Path::new).filter(|path| path.is_absolute());
    let by_default = Path::new("/run/user").join(user.to_string());
    let mut places: Vec<PathBuf> = given.map(|path| path.join(NAME)).into_iter().collect();
    places.extend([by_default.join(NAME), home.join(STATE)]);
    let mut known = Vec::new();
    places.retain(|own| {
        !known.contains(own) && {
            known.push(own.clone());
            true
        }
    });
    places
}

/// Creates a directory and checks that it is safe to use.
pub(super) fn prepare(place: &Path) -> io::Result<()> {
    let parent = place.parent().unwrap_or(place);
    // The system creates runtime directories; only those of the state directory are created here
    // with their parents.
    let recursive = place.ends_with(STATE);
    if !recursive {
        check(parent, 0o022)?;
    }
    match DirBuilder::new().mode(0o700).recursive(recursive).create(place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check(place, 0o077)
}

/// Creates a directory below the user's state directory and checks that it is safe to use.
pub(super) fn prepare_in(place: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check(place, 0o077)
}

/// Checks that a directory belongs to the user and grants none of the permission bits in `others`.
pub(crate) fn check(place: &Path, others: u32) -> io::Result<()> {
    let about = fs::symlink_metadata(place)?;
    let user = rustix::process::geteuid().as_raw();
    if !about.is_dir() || about.uid() != user || about.mode() & others != 0 {
        let reason = format!("{} is not the user's own directory", place.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    Ok(())
}

/// Returns the real path of a directory that may not exist yet.
pub(super) fn real(place: &Path) -> Option<PathBuf> {
    let mut missing = Vec::new();
    let mut at = place;
    loop {
        if let Some(real) = at.to_str().and_then(|at| follow(at).ok()) {
            let real = PathBuf::from(real.as_str());
            return Some(missing.iter().rev().fold(real, |real, name| real.join(name)));
        }
        missing.push(at.file_name()?);
        at = at.parent()?;
    }
}
