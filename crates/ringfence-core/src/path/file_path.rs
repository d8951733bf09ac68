//! File paths of accesses, as requested and as resolved.

use std::fmt;

use super::AbsPath;

/// A path as requested, together with the path that the kernel would open.
///
/// A granting rule must match both; a denying rule needs to match one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilePath {
    /// The requested path: expanded, absolute, in lexical normal form.
    pub asked: AbsPath,
    /// The path that the kernel reaches after following links.
    pub real: AbsPath,
    /// The number of hard links of the file; 0 if there is no file or it was not inspected.
    pub links: u64,
    /// The kind of the file; `None` if there is no file or it was not inspected.
    pub kind: Option<EntryKind>,
}

impl FilePath {
    /// Creates a path without information about the file.
    pub fn named(path: AbsPath) -> FilePath {
        FilePath { asked: path.clone(), real: path, links: 0, kind: None }
    }

    /// Returns the spellings that rules are matched against: one, or two if a link was followed.
    pub fn spellings(&self) -> impl Iterator<Item = &AbsPath> {
        let real = (self.real != self.asked).then_some(&self.real);
        std::iter::once(&self.asked).chain(real)
    }

    /// Returns whether a link leads from the requested path to another one.
    pub fn is_redirected(&self) -> bool {
        self.asked != self.real
    }

    /// Returns whether the path is a device that stores nothing. It needs no grant, and no deny
    /// rule applies.
    pub fn is_free_device(&self) -> bool {
        let free = |path: &AbsPath| match path.as_str() {
            "/dev/null" | "/dev/zero" | "/dev/full" => true,
            "/dev/stdin" | "/dev/stdout" | "/dev/stderr" => true,
            text => text
                .strip_prefix("/dev/fd/")
                .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())),
        };
        free(&self.asked) && free(&self.real)
    }

    /// Returns whether the path names a file descriptor other than the standard streams. It is not
    /// known which file was opened there.
    pub fn is_inherited_descriptor(&self) -> bool {
        let number = self.asked.as_str().strip_prefix("/dev/fd/");
        number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > 2)
    }

    /// Returns whether the file has other names too.
    pub fn is_shared(&self) -> bool {
        self.links > 1
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.asked.fmt(f)
    }
}

/// The kind of a file system entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link that was not followed.
    Link,
    /// A device, socket or pipe.
    Other,
}
