//! What a plan makes of the namespaces, as bytes: kept from one run to the next.
//!
//! Nobody has to believe what was kept. It is used only where the plan of a run wants exactly the
//! same, and until that is known nothing runs in what was made by it.

use std::ffi::CString;

use ringfence_core::bytes::{ByteReader, ByteWriter};

use super::{Confine, Cover, Hidden, LandlockRule, Object, Private, Setup};
use crate::net::NetSetup;

/// The form of the bytes.
const FORM: u64 = 3;

impl Setup {
    /// All of it; two are the same if their bytes are.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut to = ByteWriter::new();
        to.number(FORM);
        to.number(self.net.proxy.map_or(0, |port| u64::from(port).saturating_add(1)));
        to.each(&self.net.taken, |to, (address, port)| {
            to.number(u32::from_be_bytes(*address).into());
            to.number((*port).into());
        });
        to.flag(self.net.resolver);
        to.flag(self.writable.is_some());
        let writable = self.writable.as_deref().unwrap_or_default();
        to.each(writable, |to, own| own.pack(to));
        to.each(&self.private, |to, own| own.object.pack(to));
        to.each(&self.hidden, |to, hidden| {
            hidden.object.pack(to);
            to.number(hidden.cover as u64);
        });
        to.each(&self.hidden_in_proc, |to, own| own.pack(to));
        to.text(self.most_processes.as_deref().unwrap_or_default());
        to.each(&self.confine.landlock, |to, rule| {
            rule.object.pack(to);
            to.number(rule.access);
        });
        to.number(self.confine.private);
        to.number(self.confine.blank);
        to.each(&self.confine.filter, |to, own| {
            to.number(u64::from(own.code) << 16 | u64::from(own.jt) << 8 | u64::from(own.jf));
            to.number(own.k.into());
        });
        to.each(&self.confine.limits, |to, (resource, most)| {
            to.number(*resource as u64);
            to.number(*most);
        });
        self.cwd.pack(&mut to);
        to.finish()
    }

    /// What was packed; none where these are no such bytes.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Setup> {
        let mut from = ByteReader::new(bytes);
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
        let writable = from.each(Object::unpack)?;
        let private = from.each(|from| Object::unpack(from).map(Private::new))?;
        let hidden = from.each(|from| Some(Hidden::new(Object::unpack(from)?, cover(from)?)))?;
        let hidden_in_proc = from.each(Object::unpack)?;
        let most_processes = Some(from.bytes()?.to_vec()).filter(|digits| !digits.is_empty());
        let rule = |from: &mut ByteReader<'_>| {
            Some(LandlockRule { object: Object::unpack(from)?, access: from.number()? })
        };
        let landlock = from.each(rule)?;
        let (private_rights, blank) = (from.number()?, from.number()?);
        let filter = from.each(instruction)?;
        let limits = from.each(|from| Some((from.small()?, from.number()?)))?;
        let cwd = Object::unpack(&mut from)?;
        let confine = Confine { landlock, private: private_rights, blank, filter, limits };
        let writable = is_limited.then_some(writable);
        from.is_over().then_some(Setup {
            net,
            writable,
            private,
            hidden,
            hidden_in_proc,
            most_processes,
            confine,
            cwd,
        })
    }
}

impl Object {
    fn pack(&self, to: &mut ByteWriter) {
        to.text(self.path.as_bytes());
        to.maybe(self.inode, |to, (device, number)| {
            to.number(device);
            to.number(number);
        });
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<Object> {
        let path = CString::new(from.bytes()?).ok()?;
        let inode = from.maybe(|from| Some((from.number()?, from.number()?)))?;
        Some(Object { path, inode })
    }
}

fn cover(from: &mut ByteReader<'_>) -> Option<Cover> {
    let number = from.number()?;
    let all = [Cover::File, Cover::Directory, Cover::Blank];
    all.into_iter().find(|own| *own as u64 == number)
}

fn instruction(from: &mut ByteReader<'_>) -> Option<libc::sock_filter> {
    let [jf, jt, low, high, 0, 0, 0, 0] = from.number()?.to_le_bytes() else { return None };
    let code = u16::from_le_bytes([low, high]);
    Some(libc::sock_filter { code, jt, jf, k: from.small()? })
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
