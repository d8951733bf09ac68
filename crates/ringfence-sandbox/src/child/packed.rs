//! What a plan makes of the namespaces, as bytes: kept from one run to the next.
//!
//! Nobody has to believe what was kept. It is used only where the plan of a run wants exactly the
//! same, and until that is known nothing runs in what was made by it.

use std::ffi::CString;

use ringfence_core::bytes::{Reader, Writer};

use super::{Bound, Confine, Cover, Hidden, LandlockRule, Setup};
use crate::net::NetSetup;

/// The form of the bytes.
const FORM: u64 = 1;

impl Setup {
    /// All of it; two are the same if their bytes are.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut to = Writer::new();
        to.number(FORM);
        to.number(self.net.proxy.map_or(0, |port| u64::from(port).saturating_add(1)));
        to.each(&self.net.taken, |to, (address, port)| {
            to.number(u32::from_be_bytes(*address).into());
            to.number((*port).into());
        });
        to.flag(self.net.resolver);
        to.flag(self.writable.is_some());
        let writable = self.writable.as_deref().unwrap_or_default();
        to.each(writable, |to, bound| to.text(bound.path.as_bytes()));
        to.each(&self.private, |to, path| to.text(path.as_bytes()));
        to.each(&self.hidden, |to, hidden| {
            to.text(hidden.path.as_bytes());
            to.number(hidden.cover as u64);
        });
        to.text(self.most_processes.as_deref().unwrap_or_default());
        to.each(&self.confine.landlock, |to, rule| {
            to.text(rule.path.as_bytes());
            to.number(rule.access);
        });
        to.each(&self.confine.filter, |to, own| {
            to.number(u64::from(own.code) << 16 | u64::from(own.jt) << 8 | u64::from(own.jf));
            to.number(own.k.into());
        });
        to.each(&self.confine.limits, |to, (resource, most)| {
            to.number(*resource as u64);
            to.number(*most);
        });
        to.text(self.cwd.as_bytes());
        to.finish()
    }

    /// What was packed; none where these are no such bytes.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Setup> {
        let mut from = Reader::new(bytes);
        if from.number()? != FORM {
            return None;
        }
        let proxy = from.number()?.checked_sub(1);
        let proxy = proxy.map(u16::try_from).transpose().ok()?;
        let taken = from.each(|from| {
            let address: u32 = from.small()?;
            Some((address.to_be_bytes(), from.small()?))
        })?;
        let net = NetSetup { proxy, taken, resolver: from.flag()? };
        let is_limited = from.flag()?;
        let writable = from.each(|from| Some(Bound { path: path(from)? }))?;
        let private = from.each(path)?;
        let hidden = from.each(|from| Some(Hidden { path: path(from)?, cover: cover(from)? }))?;
        let most_processes = Some(from.bytes()?.to_vec()).filter(|digits| !digits.is_empty());
        let landlock =
            from.each(|from| Some(LandlockRule { path: path(from)?, access: from.number()? }))?;
        let filter = from.each(instruction)?;
        let limits = from.each(|from| Some((from.small()?, from.number()?)))?;
        let cwd = path(&mut from)?;
        let confine = Confine { landlock, filter, limits };
        let writable = is_limited.then_some(writable);
        from.is_over().then_some(Setup {
            net,
            writable,
            private,
            hidden,
            most_processes,
            confine,
            cwd,
        })
    }
}

fn path(from: &mut Reader<'_>) -> Option<CString> {
    CString::new(from.bytes()?).ok()
}

fn cover(from: &mut Reader<'_>) -> Option<Cover> {
    let number = from.number()?;
    let all = [Cover::File, Cover::Directory, Cover::Blank];
    all.into_iter().find(|own| *own as u64 == number)
}

fn instruction(from: &mut Reader<'_>) -> Option<libc::sock_filter> {
    let [jf, jt, low, high, 0, 0, 0, 0] = from.number()?.to_le_bytes() else { return None };
    let code = u16::from_le_bytes([low, high]);
    Some(libc::sock_filter { code, jt, jf, k: from.small()? })
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
