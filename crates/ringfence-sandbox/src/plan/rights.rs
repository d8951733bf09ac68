//! What may be done at and below a path.

use std::fmt;
use std::ops::BitOr;

use serde::{Serialize, Serializer};

/// A set of rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Rights(u8);

impl Rights {
    /// Nothing.
    pub const NONE: Rights = Rights(0);
    /// Opening for reading, listing.
    pub const READ: Rights = Rights(1);
    /// Writing, making, changing.
    pub const WRITE: Rights = Rights(2);
    /// Removing and renaming away.
    pub const DELETE: Rights = Rights(4);
    /// Running.
    pub const EXECUTE: Rights = Rights(8);
    /// Commands to devices.
    pub const IOCTL: Rights = Rights(16);

    const LETTERS: [(Rights, char); 5] = [
        (Rights::READ, 'r'),
        (Rights::WRITE, 'w'),
        (Rights::DELETE, 'd'),
        (Rights::EXECUTE, 'x'),
        (Rights::IOCTL, 'c'),
    ];

    /// Whether all of these are among them.
    pub fn has(self, other: Rights) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and others.
    #[must_use]
    pub const fn and(self, other: Rights) -> Rights {
        Rights(self.0 | other.0)
    }

    /// Them as a number.
    pub(super) fn bits(self) -> u8 {
        self.0
    }

    /// The rights of a number; none where there are no such rights.
    pub(super) fn of_bits(bits: u8) -> Option<Rights> {
        let all = Rights::LETTERS.iter().fold(Rights::NONE, |all, (right, _)| all | *right);
        all.has(Rights(bits)).then_some(Rights(bits))
    }

    /// Those without some.
    #[must_use]
    pub fn without(self, other: Rights) -> Rights {
        Rights(self.0 & !other.0)
    }
}

impl BitOr for Rights {
    type Output = Rights;

    fn bitor(self, other: Rights) -> Rights {
        self.and(other)
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (right, letter) in Rights::LETTERS {
            write!(f, "{}", if self.has(right) { letter } else { '-' })?;
        }
        Ok(())
    }
}

impl Serialize for Rights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
