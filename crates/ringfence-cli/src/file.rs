//! A person's files: read whole, replaced whole, and never outside of the place they belong in.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use ringfence_guard::world::{Links, open_file};

use crate::exit::Failure;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// A file as it was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// Where it was looked for.
    pub(crate) path: PathBuf,
    /// Where it really lies, or would.
    real: PathBuf,
    /// What it says; none where there is no such file.
    pub(crate) before: Option<Vec<u8>>,
}

impl Found {
    /// Looks for a file that belongs below `place`; a link out of it is refused.
    pub(crate) fn look(path: &Path, place: &Path) -> Result<Found, Failure> {
        let broken = |reason: String| Failure::new(format!("{}: {reason}", path.display()));
        let real = real(path).map_err(|error| broken(error.to_string()))?;
        let place = place.canonicalize().map_err(|error| broken(error.to_string()))?;
        if !real.starts_with(&place) {
            let reason = format!("it leads out of {} to {}", place.display(), real.display());
            return Err(broken(reason).hint("change the file behind the link yourself"));
        }
        let before = match fs::symlink_metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(broken(error.to_string())),
            Ok(about) if !about.is_file() => return Err(broken("it is no file".to_owned())),
            Ok(about) if about.len() > LONGEST => {
                return Err(broken("it is longer than 16 MiB".to_owned()));
            }
            Ok(_) => Some(bytes(&real).map_err(|error| broken(error.to_string()))?),
        };
        Ok(Found { path: path.to_owned(), real, before })
    }

    /// What it says, as text.
    pub(crate) fn text(&self) -> Result<Option<&str>, Failure> {
        let text = self.before.as_deref().map(std::str::from_utf8).transpose();
        text.map_err(|_| Failure::new(format!("{} is not UTF-8", self.path.display())))
    }

    /// The directories above it that are not there yet, the innermost first.
    pub(crate) fn missing_directories(&self) -> Vec<PathBuf> {
        let above = self.real.ancestors().skip(1);
        above.take_while(|own| !own.exists()).map(Path::to_path_buf).collect()
    }

    /// Replaces it in one step, if it is still as it was found and `check` passes what is to stand
    /// there. Mode and owner stay; a new file has this mode.
    pub(crate) fn replace(
        &self,
        after: &[u8],
        mode: u32,
        check: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let broken = |error: io::Error| {
            Failure::new(format!("{} was not changed: {error}", self.path.display()))
        };
        let directory = self.real.parent().unwrap_or(&self.real);
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(broken)?;
        let new = self.beside();
        let made = self.write(&new, after, mode).map_err(broken);
        let done = made.and_then(|()| check(&new)).and_then(|()| {
            self.still_the_same()?;
            fs::rename(&new, &self.real).map_err(broken)
        });
        if done.is_err() {
            let _ = fs::remove_file(&new);
        }
        done
    }

    /// Takes the file away, if it is still as it was found.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        self.still_the_same()?;
        fs::remove_file(&self.real)
            .map_err(|error| Failure::new(format!("{} stays: {error}", self.path.display())))
    }

    fn write(&self, new: &Path, after: &[u8], mode: u32) -> io::Result<()> {
        let about = fs::symlink_metadata(&self.real).ok();
        let mode = about.as_ref().map_or(mode, |own| own.permissions().mode() & 0o7777);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(new)?;
        if let Some(own) = about {
            let as_made = file.metadata()?;
            if (own.uid(), own.gid()) != (as_made.uid(), as_made.gid()) {
                fchown(&file, Some(own.uid()), Some(own.gid()))?;
            }
        }
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.write_all(after)?;
        file.sync_all()
    }

    fn still_the_same(&self) -> Result<(), Failure> {
        let now = match bytes(&self.real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::new(format!("{}: {error}", self.path.display()))),
            Ok(now) => Some(now),
        };
        if now == self.before {
            return Ok(());
        }
        let said = format!("{} was changed by somebody else just now", self.path.display());
        Err(Failure::new(said).hint("nothing was written; try again"))
    }

    /// A name beside the file, with the same ending.
    fn beside(&self) -> PathBuf {
        let name = self.real.file_name().unwrap_or_default().to_string_lossy();
        self.real.with_file_name(format!(".{}.{name}", std::process::id()))
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path, Links::Refused)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where a file really lies, or would if it were there.
fn real(path: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    let mut at = path;
    loop {
        match at.canonicalize() {
            Ok(real) => return Ok(missing.iter().rev().fold(real, |real, name| real.join(name))),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(error) if fs::symlink_metadata(at).is_ok() => {
                let reason = match at == path {
                    true => "it is a link that leads nowhere".to_owned(),
                    false => format!("{} is a link that leads nowhere", at.display()),
                };
                return Err(io::Error::new(error.kind(), reason));
            }
            Err(error) => {
                let above = at.parent().zip(at.file_name());
                let (parent, name) = above.ok_or(error)?;
                missing.push(name);
                at = parent;
            }
        }
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
