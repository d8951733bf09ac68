//! What a call that waits wants to do to files and sockets.

use std::ffi::CString;
use std::io;

use super::notify::Call;
use super::target::Target;

/// What a call wants.
#[derive(Debug)]
pub(super) enum Wanted {
    /// Open a file.
    Open { at: Named, flags: i32, mode: u32 },
    /// Make a directory.
    MakeDirectory { at: Named, mode: u32 },
    /// Make a file, a pipe or a socket.
    MakeNode { at: Named, mode: u32, device: u64 },
    /// Make a link that leads to the text.
    Symlink { text: CString, at: Named },
    /// Give a file a second name.
    Link { from: Named, to: Named, follow: bool },
    /// Rename.
    Rename { from: Named, to: Named, flags: i32 },
    /// Remove a file or a directory.
    Remove { at: Named, flags: i32 },
    /// Cut a file.
    Truncate { at: Named, length: u64 },
    /// Change what is known about a file.
    Attribute { of: Of, change: Attribute },
    /// Be told of what happens at a path.
    Watch { watcher: i32, at: Named, mask: u32 },
    /// Use an address with a socket.
    Socket { socket: i32, address: Vec<u8>, is_bind: bool },
}

/// A path, and the directory it starts from.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) from: i32,
    pub(super) path: CString,
}

/// A file: by its path, or open already.
#[derive(Debug)]
pub(super) enum Of {
    /// By its path; whether a link at its end is followed.
    Path(Named, bool),
    /// Open already.
    Descriptor(i32),
}

/// What is known about a file and can be changed.
#[derive(Debug)]
pub(super) enum Attribute {
    /// Permissions.
    Mode(u32),
    /// User and group.
    Owner(u32, u32),
    /// Last access and last change, in seconds and nanoseconds; none is now.
    Times(Option<[u64; 4]>),
    /// An extended attribute: name, value, flags.
    Set(CString, Vec<u8>, i32),
    /// An extended attribute that is removed.
    Remove(CString),
}

/// The longest value of an extended attribute.
const LONGEST_VALUE: u64 = 64 << 10;
/// The longest address of a socket.
const LONGEST_ADDRESS: u64 = 128;

impl Wanted {
    /// What the call wants; none if it is no such call.
    pub(super) fn of(call: &Call, target: Target) -> io::Result<Option<Wanted>> {
        let reader = Reader { target, args: call.data.args };
        let number = libc::c_long::from(call.data.nr);
        if let Some(wanted) = reader.modern(number)? {
            return Ok(Some(wanted));
        }
        match reader.attributes(number)? {
            Some(wanted) => Ok(Some(wanted)),
            None => older(&reader, number),
        }
    }
}

struct Reader {
    target: Target,
    args: [u64; 6],
}

impl Reader {
    fn arg(&self, number: usize) -> u64 {
        self.args.get(number).copied().unwrap_or_default()
    }

    fn int(&self, number: usize) -> i32 {
        self.arg(number) as i32
    }

    fn text(&self, number: usize) -> io::Result<CString> {
        self.target.path(self.arg(number))
    }

    /// A path that starts from a directory that is said before it.
    fn named(&self, number: usize) -> io::Result<Named> {
        Ok(Named { from: self.int(number), path: self.text(number.saturating_add(1))? })
    }

    /// A path that starts from the working directory.
    fn here(&self, number: usize) -> io::Result<Named> {
        Ok(Named { from: libc::AT_FDCWD, path: self.text(number)? })
    }

    fn modern(&self, number: libc::c_long) -> io::Result<Option<Wanted>> {
        let mode = |at: usize| self.arg(at) as u32;
        Ok(Some(match number {
            libc::SYS_openat => {
                Wanted::Open { at: self.named(0)?, flags: self.int(2), mode: mode(3) }
            }
            libc::SYS_mkdirat => Wanted::MakeDirectory { at: self.named(0)?, mode: mode(2) },
            libc::SYS_mknodat => {
                Wanted::MakeNode { at: self.named(0)?, mode: mode(2), device: self.arg(3) }
            }
            libc::SYS_symlinkat => Wanted::Symlink { text: self.text(0)?, at: self.named(1)? },
            libc::SYS_linkat => {
                let (from, follow) = self.linked()?;
                Wanted::Link { from, to: self.named(2)?, follow }
            }
            libc::SYS_renameat2 => {
                Wanted::Rename { from: self.named(0)?, to: self.named(2)?, flags: self.int(4) }
            }
            libc::SYS_renameat => {
                Wanted::Rename { from: self.named(0)?, to: self.named(2)?, flags: 0 }
            }
            libc::SYS_unlinkat => Wanted::Remove { at: self.named(0)?, flags: self.int(2) },
            libc::SYS_truncate => Wanted::Truncate { at: self.here(0)?, length: self.arg(1) },
            libc::SYS_inotify_add_watch => {
                Wanted::Watch { watcher: self.int(0), at: self.here(1)?, mask: mode(2) }
            }
            libc::SYS_bind | libc::SYS_connect => Wanted::Socket {
                socket: self.int(0),
                address: self
                    .target
                    .bytes(self.arg(1), self.arg(2).min(LONGEST_ADDRESS) as usize)?,
                is_bind: number == libc::SYS_bind,
            },
            _ => return Ok(None),
        }))
    }

    /// What gets a second name; whether a link at its end is followed. What is open already is named
    /// by its number.
    fn linked(&self) -> io::Result<(Named, bool)> {
        let (from, flags) = (self.named(0)?, self.int(4));
        if from.path.is_empty() && flags & libc::AT_EMPTY_PATH != 0 {
            let path = CString::new(format!("/proc/self/fd/{}", from.from))?;
            return Ok((Named { from: libc::AT_FDCWD, path }, true));
        }
        Ok((from, flags & libc::AT_SYMLINK_FOLLOW != 0))
    }

    fn attributes(&self, number: libc::c_long) -> io::Result<Option<Wanted>> {
        let (of, change) = match number {
            libc::SYS_fchmodat => (self.path(0, 0)?, Attribute::Mode(self.arg(2) as u32)),
            libc::SYS_fchmodat2 => {
                (self.path(0, self.int(3))?, Attribute::Mode(self.arg(2) as u32))
            }
            libc::SYS_fchmod => (self.open(0), Attribute::Mode(self.arg(1) as u32)),
            libc::SYS_fchownat => (self.path(0, self.int(4))?, self.owner(2)),
            libc::SYS_fchown => (self.open(0), self.owner(1)),
            libc::SYS_utimensat if self.arg(1) == 0 => (self.open(0), self.times(2)?),
            libc::SYS_utimensat => (self.path(0, self.int(3))?, self.times(2)?),
            libc::SYS_setxattr => (self.path_here(true)?, self.set_attribute()?),
            libc::SYS_lsetxattr => (self.path_here(false)?, self.set_attribute()?),
            libc::SYS_fsetxattr => (self.open(0), self.set_attribute()?),
            libc::SYS_removexattr => (self.path_here(true)?, Attribute::Remove(self.text(1)?)),
            libc::SYS_lremovexattr => (self.path_here(false)?, Attribute::Remove(self.text(1)?)),
            libc::SYS_fremovexattr => (self.open(0), Attribute::Remove(self.text(1)?)),
            _ => return Ok(None),
        };
        Ok(Some(Wanted::Attribute { of, change }))
    }

    fn open(&self, number: usize) -> Of {
        Of::Descriptor(self.int(number))
    }

    fn path(&self, number: usize, flags: i32) -> io::Result<Of> {
        let named = self.named(number)?;
        if named.path.is_empty() && flags & libc::AT_EMPTY_PATH != 0 {
            return Ok(Of::Descriptor(named.from));
        }
        Ok(Of::Path(named, flags & libc::AT_SYMLINK_NOFOLLOW == 0))
    }

    fn path_here(&self, follow: bool) -> io::Result<Of> {
        Ok(Of::Path(self.here(0)?, follow))
    }

    fn owner(&self, number: usize) -> Attribute {
        Attribute::Owner(self.arg(number) as u32, self.arg(number.saturating_add(1)) as u32)
    }

    fn times(&self, number: usize) -> io::Result<Attribute> {
        let address = self.arg(number);
        if address == 0 {
            return Ok(Attribute::Times(None));
        }
        let bytes = self.target.bytes(address, 32)?;
        let mut times = [0; 4];
        for (time, bytes) in times.iter_mut().zip(bytes.chunks_exact(8)) {
            *time = u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
        }
        Ok(Attribute::Times(Some(times)))
    }

    fn set_attribute(&self) -> io::Result<Attribute> {
        if self.arg(3) > LONGEST_VALUE {
            return Err(io::Error::from_raw_os_error(libc::E2BIG));
        }
        let value = self.target.bytes(self.arg(2), self.arg(3) as usize)?;
        Ok(Attribute::Set(self.text(1)?, value, self.int(4)))
    }
}

/// The calls of older programs.
#[cfg(target_arch = "x86_64")]
fn older(reader: &Reader, number: libc::c_long) -> io::Result<Option<Wanted>> {
    let mode = |at: usize| reader.arg(at) as u32;
    let created = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
    let attribute = |of: Of, change: Attribute| Wanted::Attribute { of, change };
    Ok(Some(match number {
        libc::SYS_open => Wanted::Open { at: reader.here(0)?, flags: reader.int(1), mode: mode(2) },
        libc::SYS_creat => Wanted::Open { at: reader.here(0)?, flags: created, mode: mode(1) },
        libc::SYS_mkdir => Wanted::MakeDirectory { at: reader.here(0)?, mode: mode(1) },
        libc::SYS_mknod => {
            Wanted::MakeNode { at: reader.here(0)?, mode: mode(1), device: reader.arg(2) }
        }
        libc::SYS_symlink => Wanted::Symlink { text: reader.text(0)?, at: reader.here(1)? },
        libc::SYS_link => {
            Wanted::Link { from: reader.here(0)?, to: reader.here(1)?, follow: false }
        }
        libc::SYS_rename => Wanted::Rename { from: reader.here(0)?, to: reader.here(1)?, flags: 0 },
        libc::SYS_unlink => Wanted::Remove { at: reader.here(0)?, flags: 0 },
        libc::SYS_rmdir => Wanted::Remove { at: reader.here(0)?, flags: libc::AT_REMOVEDIR },
        libc::SYS_chmod => attribute(reader.path_here(true)?, Attribute::Mode(mode(1))),
        libc::SYS_chown => attribute(reader.path_here(true)?, reader.owner(1)),
        libc::SYS_lchown => attribute(reader.path_here(false)?, reader.owner(1)),
        libc::SYS_utime => attribute(reader.path_here(true)?, reader.seconds(1)?),
        libc::SYS_utimes => attribute(reader.path_here(true)?, reader.microseconds(1)?),
        libc::SYS_futimesat if reader.arg(1) == 0 => {
            attribute(reader.open(0), reader.microseconds(2)?)
        }
        libc::SYS_futimesat => attribute(reader.path(0, 0)?, reader.microseconds(2)?),
        _ => return Ok(None),
    }))
}

#[cfg(not(target_arch = "x86_64"))]
fn older(_: &Reader, _: libc::c_long) -> io::Result<Option<Wanted>> {
    Ok(None)
}

#[cfg(target_arch = "x86_64")]
impl Reader {
    /// Two times in whole seconds.
    fn seconds(&self, number: usize) -> io::Result<Attribute> {
        let address = self.arg(number);
        if address == 0 {
            return Ok(Attribute::Times(None));
        }
        let bytes = self.target.bytes(address, 16)?;
        let mut numbers = bytes
            .chunks_exact(8)
            .map(|bytes| u64::from_ne_bytes(bytes.try_into().unwrap_or_default()));
        let mut next = || numbers.next().unwrap_or_default();
        Ok(Attribute::Times(Some([next(), 0, next(), 0])))
    }

    /// Two times in seconds and microseconds.
    fn microseconds(&self, number: usize) -> io::Result<Attribute> {
        Ok(match self.times(number)? {
            Attribute::Times(Some([first, one, second, two])) => Attribute::Times(Some([
                first,
                one.saturating_mul(1000),
                second,
                two.saturating_mul(1000),
            ])),
            other => other,
        })
    }
}
