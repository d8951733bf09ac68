//! Sockets with names.

use std::ffi::CString;
use std::io;

use super::broker::Job;
use super::files::{Gives, Prepared};
use super::judge::Deed;
use super::place::{Last, find};
use super::target::Target;
use crate::child::Operation;

/// The length of the family, before the path.
const FAMILY: usize = 2;

/// Prepares binding or connecting a socket of the process.
///
/// The socket is the process's own, so that what it was told before stays: that it must not wait,
/// or that someone waits for it.
pub(super) fn prepare(
    target: Target,
    socket: i32,
    address: &[u8],
    is_bind: bool,
) -> io::Result<Prepared> {
    let own = target.descriptor(socket)?;
    let path = address.get(FAMILY..).unwrap_or_default();
    let family = address.first_chunk().map_or(0, |family| u16::from_ne_bytes(*family));
    let is_named =
        i32::from(family) == libc::AF_UNIX && path.first().is_some_and(|first| *first != 0);
    if !is_named {
        let operation = if is_bind { Operation::BindTo } else { Operation::ConnectTo };
        let job = Job::named(operation, vec![own], address);
        return Ok(Prepared { deeds: Vec::new(), socket: None, job, gives: Gives::Nothing });
    }
    let name = path.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = CString::new(name)?;
    let last = if is_bind { Last::Itself } else { Last::Followed };
    let place = find(target, libc::AT_FDCWD, &name, last)?;
    let operation = if is_bind { Operation::Bind } else { Operation::Connect };
    let mut job = Job::named(operation, vec![own, place.directory], place.name.to_bytes());
    let (deeds, socket) = match is_bind {
        true => {
            job.umask = target.umask()?;
            (vec![(Deed::Write, place.path)], None)
        }
        false => (Vec::new(), Some(place.path)),
    };
    Ok(Prepared { deeds, socket, job, gives: Gives::Nothing })
}
