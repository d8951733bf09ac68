//! The files and directories that a run mounts, covers, grants and enters.
//!
//! Every path of a plan becomes an [`Object`]: the path with the inode that is pinned there. A path at
//! which the init itself mounts something has no inode to compare.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::child::Object;
use crate::plan::{Pin, Pins, Plan};
use crate::run::Failed;

/// File systems that the init makes for each run.
const OF_INIT: [&str; 2] = ["/proc", "/dev/pts"];
/// The file that the init replaces where names are answered inside.
const RESOLV_CONF: &str = "/etc/resolv.conf";

/// The pinned objects of a plan.
pub(crate) struct Objects<'p> {
    plan: &'p Plan,
    pins: Pins,
    /// What the init replaces so that programs find the resolver.
    resolver: Vec<PathBuf>,
}

impl<'p> Objects<'p> {
    /// Begins with the pins of a plan. What is not pinned yet is pinned when it is asked for.
    pub(crate) fn new(plan: &'p Plan) -> Objects<'p> {
        let path = Some(PathBuf::from(RESOLV_CONF)).filter(|_| plan.net.resolver);
        // A link is followed to the file that is covered.
        let real = path.as_ref().and_then(|path| path.canonicalize().ok());
        let resolver = path.into_iter().chain(real).collect();
        Objects { plan, pins: plan.pins.for_run(), resolver }
    }

    /// Returns the pins, to be kept until the run has begun.
    pub(crate) fn into_pins(self) -> Pins {
        self.pins
    }

    /// Returns the object at a path; `None` where nothing lies there.
    pub(crate) fn at(&self, path: &Path) -> Result<Option<Object>, Failed> {
        if self.is_of_init(path) {
            return object(path, None).map(Some);
        }
        self.pin(path)?.map(|pin| object(path, Some(&pin))).transpose()
    }

    /// Returns the object at a path that is to be hidden, with its pin; `None` where nothing lies there.
    /// What was there when the plan was made, and could not be pinned then, must not be missed.
    pub(crate) fn hidden(&self, path: &Path) -> Result<Option<(Object, Arc<Pin>)>, Failed> {
        match self.pin(path)? {
            Some(pin) => Ok(Some((object(path, Some(&pin))?, pin))),
            None if self.pins.are_of_plan() => Err(Failed::Replaced(path.to_owned())),
            None => Ok(None),
        }
    }

    /// Returns the working directory. In a covered or private directory there is nothing to compare.
    pub(crate) fn cwd(&self) -> Result<Object, Failed> {
        let cwd = &self.plan.cwd;
        let object = match self.is_private(cwd) || self.is_covered(cwd) {
            true => None,
            false => self.at(cwd)?,
        };
        object.map_or_else(|| self::object(cwd, None), Ok)
    }

    fn pin(&self, path: &Path) -> Result<Option<Arc<Pin>>, Failed> {
        match self.pins.pin(path) {
            Ok(pin) => Ok(Some(pin)),
            Err(error) => match error.raw_os_error() {
                Some(libc::ENOENT | libc::ENOTDIR | libc::EACCES) => Ok(None),
                Some(libc::ELOOP) => Err(Failed::Replaced(path.to_owned())),
                _ => {
                    let about = Some(path.to_owned());
                    Err(Failed::Fence { part: "the run", about, error })
                }
            },
        }
    }

    /// Returns whether the init mounts something of its own at the path.
    fn is_of_init(&self, path: &Path) -> bool {
        OF_INIT.iter().any(|own| path.starts_with(own))
            || self.resolver.iter().any(|own| own == path)
    }

    /// Returns whether the run has a directory of its own at the path or above it.
    pub(crate) fn is_private(&self, path: &Path) -> bool {
        self.plan.files.private.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether the path or something above it is hidden.
    pub(crate) fn is_covered(&self, path: &Path) -> bool {
        self.plan.files.masks.iter().any(|own| path.starts_with(own))
    }

    /// Returns whether something above the path is hidden.
    pub(crate) fn is_below_cover(&self, path: &Path) -> bool {
        path.parent().is_some_and(|above| self.is_covered(above))
    }
}

fn object(path: &Path, pin: Option<&Pin>) -> Result<Object, Failed> {
    let text = CString::new(path.as_os_str().as_bytes()).map_err(io::Error::from);
    let path = text.map_err(|error| Failed::Fence { part: "the run", about: None, error })?;
    Ok(Object { path, inode: pin.map(|pin| pin.inode) })
}
