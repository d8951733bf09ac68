//! A path that an access touches, in both spellings.

use std::fmt;

use super::AbsPath;

/// A path as it was asked for beside the path that the kernel would open.
///
/// A rule that grants must match both; a rule that denies needs to match one of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilePath {
    /// The path as named: expanded, absolute, in lexical normal form.
    pub asked: AbsPath,
    /// Where the kernel would arrive, links followed.
    pub real: AbsPath,
    /// The number of hard links of what is there; 0 where nothing is there or it is not known.
    pub links: u64,
    /// What is there; `None` where nothing is there yet or it is not known.
    pub kind: Option<EntryKind>,
}

impl FilePath {
    /// A path of which nothing is known but its name.
    pub fn named(path: AbsPath) -> FilePath {
        FilePath { asked: path.clone(), real: path, links: 0, kind: None }
    }

    /// The spellings that rules are matched against: one, or two where links lie between.
    pub fn spellings(&self) -> impl Iterator<Item = &AbsPath> {
        let real = (self.real != self.asked).then_some(&self.real);
        std::iter::once(&self.asked).chain(real)
    }

    /// Whether a link leads from the path asked for to another one.
    pub fn is_redirected(&self) -> bool {
        self.asked != self.real
    }

    /// Whether it is a device that needs no grant and meets no deny: nothing is kept in it.
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

    /// Returns whether the path names a file descriptor other than the standard streams: what was
    /// opened under it, and by whom, cannot be told.
    pub fn is_inherited_descriptor(&self) -> bool {
        let number = self.asked.as_str().strip_prefix("/dev/fd/");
        number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > 2)
    }

    /// Whether what is there has other names too.
    pub fn is_shared(&self) -> bool {
        self.links > 1
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.asked.fmt(f)
    }
}

/// What lies at a path.
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
