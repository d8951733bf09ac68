//! What a plan makes of the namespaces, as bytes: kept from one run to the next.
//!
//! Nobody has to believe what was kept. It is used only where the plan of a run wants exactly the
//! same, and until that is known nothing runs in what was made by it.

use std::ffi::CString;

use super::{Bound, Confine, Cover, Hidden, LandlockRule, Setup};
use crate::net::NetSetup;

/// The form of the bytes.
const FORM: u64 = 1;

impl Setup {
    /// All of it; two are the same if their bytes are.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut to = Writer(Vec::with_capacity(16 << 10));
        to.number(FORM);
        to.number(self.net.proxy.map_or(0, |port| u64::from(port).saturating_add(1)));
        to.each(&self.net.taken, |to, (address, port)| {
            to.number(u32::from_be_bytes(*address).into());
            to.number((*port).into());
        });
        to.number(self.net.resolver.into());
        to.number(self.writable.is_some().into());
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
        to.0
    }

    /// What was packed; none where these are no such bytes.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Setup> {
        let mut from = Reader(bytes);
        if from.number()? != FORM {
            return None;
        }
        let proxy = from.number()?.checked_sub(1);
        let proxy = proxy.map(u16::try_from).transpose().ok()?;
        let taken = from.each(|from| {
            let address = u32::try_from(from.number()?).ok()?;
            Some((address.to_be_bytes(), u16::try_from(from.number()?).ok()?))
        })?;
        let net = NetSetup { proxy, taken, resolver: from.flag()? };
        let is_limited = from.flag()?;
        let writable = from.each(|from| Some(Bound { path: from.path()? }))?;
        let private = from.each(Reader::path)?;
        let hidden = from.each(|from| Some(Hidden { path: from.path()?, cover: from.cover()? }))?;
        let most_processes = Some(from.text()?.to_vec()).filter(|digits| !digits.is_empty());
        let landlock =
            from.each(|from| Some(LandlockRule { path: from.path()?, access: from.number()? }))?;
        let filter = from.each(Reader::instruction)?;
        let limits =
            from.each(|from| Some((usize::try_from(from.number()?).ok()?, from.number()?)))?;
        let cwd = from.path()?;
        let confine = Confine { landlock, filter, limits };
        let writable = is_limited.then_some(writable);
        from.0.is_empty().then_some(Setup {
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

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text);
    }

    fn each<T>(&mut self, all: &[T], one: impl Fn(&mut Writer, &T)) {
        self.number(all.len() as u64);
        all.iter().for_each(|own| one(self, own));
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    fn path(&mut self) -> Option<CString> {
        CString::new(self.text()?).ok()
    }

    fn cover(&mut self) -> Option<Cover> {
        let number = self.number()?;
        let all = [Cover::File, Cover::Directory, Cover::Blank];
        all.into_iter().find(|own| *own as u64 == number)
    }

    fn instruction(&mut self) -> Option<libc::sock_filter> {
        let [jf, jt, low, high, 0, 0, 0, 0] = self.number()?.to_le_bytes() else { return None };
        let code = u16::from_le_bytes([low, high]);
        Some(libc::sock_filter { code, jt, jf, k: u32::try_from(self.number()?).ok()? })
    }

    fn each<T>(&mut self, one: impl Fn(&mut Reader<'a>) -> Option<T>) -> Option<Vec<T>> {
        let number = self.number()?;
        (0..number).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
