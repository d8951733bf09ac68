//! What the supervisor tells the broker, and what it answers.

use std::ptr;

/// What can be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Operation {
    /// Open the name in the directory.
    Open = 1,
    /// Make a directory.
    MakeDirectory,
    /// Make a file, pipe or socket.
    MakeNode,
    /// Make a link to the second text.
    Symlink,
    /// Give the name a second one, in the second directory.
    Link,
    /// Give what the first descriptor means a name in the second directory.
    LinkOpen,
    /// Move the name to the second one, in the second directory.
    Rename,
    /// Remove the name.
    Remove,
    /// Set the permissions of the descriptor.
    Mode,
    /// Set the owners of the descriptor.
    Owner,
    /// Set the times of the descriptor.
    Times,
    /// Set an extended attribute of the descriptor.
    SetAttribute,
    /// Remove an extended attribute of the descriptor.
    RemoveAttribute,
    /// Connect the first socket to the second, which has a name.
    Connect,
    /// Connect the socket, to the address in the first text.
    ConnectTo,
    /// Bind the socket to the name in the second directory; where there is a second text, by that
    /// name, which leads there from the third.
    Bind,
    /// Bind the socket to the address in the first text.
    BindTo,
    /// Open once more what the descriptor means.
    Reopen,
    /// Cut what the descriptor means to the length in the numbers.
    Cut,
    /// Watch, with the first descriptor, what the second means.
    Watch,
}

/// An order: its head, then two texts, each with a NUL at its end.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Order {
    pub(crate) operation: u32,
    pub(crate) flags: i32,
    pub(crate) mode: u32,
    pub(crate) umask: u32,
    pub(crate) numbers: [u64; 4],
    pub(crate) lengths: [u32; 2],
}

impl Order {
    pub(crate) const SIZE: usize = size_of::<Order>();

    /// The bytes of the head.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: plain numbers without gaps.
        unsafe { std::slice::from_raw_parts(ptr::from_ref(self).cast(), Order::SIZE) }
    }
}

/// How long an answer is.
pub(crate) const ANSWER: usize = 8;

/// The number of an error, then what the call gave.
pub(super) fn answer(errno: i32, number: i32) -> [u8; ANSWER] {
    let [a, b, c, d] = errno.to_ne_bytes();
    let [e, f, g, h] = number.to_ne_bytes();
    [a, b, c, d, e, f, g, h]
}
