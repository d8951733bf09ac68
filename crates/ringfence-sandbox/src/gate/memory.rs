//! The memory of a process whose call waits, page by page.
//!
//! The words and variables of a start are dozens of small texts that lie close together; each page
//! is fetched once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt;

use super::target::{LONGEST_PATH, PAGE, Target, too_much};

/// The longest word of a command.
const LONGEST_WORD: usize = 128 << 10;
/// All words and variables together.
const LONGEST_LIST: usize = 2 << 20;
/// The size of an address.
const POINTER: usize = size_of::<u64>();

/// So many pages are fetched at once.
const MOST_AT_ONCE: usize = 64;

/// What was seen of the memory of a process.
pub(super) struct Memory {
    target: Target,
    pages: RefCell<BTreeMap<u64, Vec<u8>>>,
}

impl Memory {
    pub(super) fn of(target: Target) -> Memory {
        Memory { target, pages: RefCell::default() }
    }

    /// A path that lies there.
    pub(super) fn path(&self, address: u64) -> io::Result<CString> {
        self.text(address, LONGEST_PATH, libc::ENAMETOOLONG)
    }

    /// Fetches the pages of some addresses at once. What cannot be had so is fetched when it is
    /// needed, and what cannot be had at all is an error then.
    pub(super) fn fetch(&self, addresses: impl IntoIterator<Item = u64>) {
        let mut pages = self.pages.borrow_mut();
        let starts = addresses.into_iter().filter(|address| *address != 0).map(page_of);
        let wanted: BTreeSet<u64> =
            starts.filter(|start| !pages.contains_key(start)).take(MOST_AT_ONCE).collect();
        if !wanted.is_empty() {
            pages.extend(self.target.pages(wanted));
        }
    }

    /// A list of texts that ends with null, as `execve` takes it.
    pub(super) fn list(&self, address: u64) -> io::Result<Vec<OsString>> {
        let pointers = self.pointers(address)?;
        self.fetch(pointers.iter().copied());
        let mut left = LONGEST_LIST;
        let mut texts = Vec::with_capacity(pointers.len());
        for pointer in pointers {
            let text = self.text(pointer, LONGEST_WORD, libc::E2BIG)?.into_bytes();
            let taken = text.len().saturating_add(1).saturating_add(POINTER);
            left = left.checked_sub(taken).ok_or_else(too_much)?;
            texts.push(OsString::from_vec(text));
        }
        Ok(texts)
    }

    /// The addresses in such a list.
    fn pointers(&self, address: u64) -> io::Result<Vec<u64>> {
        let mut pointers = Vec::new();
        let mut at = address;
        while at != 0 {
            let pointer = self.pointer(at)?;
            if pointer == 0 {
                break;
            }
            pointers.push(pointer);
            if pointers.len() > LONGEST_LIST / POINTER {
                return Err(too_much());
            }
            at = at.checked_add(POINTER as u64).ok_or_else(too_much)?;
        }
        Ok(pointers)
    }

    fn pointer(&self, address: u64) -> io::Result<u64> {
        let mut bytes = [0; POINTER];
        let mut at = address;
        let mut filled = 0;
        // One that does not lie straight may reach into the next page.
        while filled < POINTER {
            let taken = self.with_page(at, |rest| {
                let taken = rest.len().min(POINTER.saturating_sub(filled));
                let own = bytes.iter_mut().skip(filled).zip(rest.iter().take(taken));
                own.for_each(|(byte, theirs)| *byte = *theirs);
                taken
            })?;
            filled = filled.saturating_add(taken);
            at = at.checked_add(taken as u64).ok_or_else(too_much)?;
        }
        Ok(u64::from_ne_bytes(bytes))
    }

    fn text(&self, address: u64, most: usize, too_long: i32) -> io::Result<CString> {
        let mut text = Vec::new();
        let mut at = address;
        while text.len() < most {
            let (taken, ended) = self.with_page(at, |rest| {
                let end = rest.iter().position(|byte| *byte == 0);
                let taken = end.unwrap_or(rest.len());
                text.extend_from_slice(rest.get(..taken).unwrap_or_default());
                (taken, end.is_some())
            })?;
            if ended {
                return CString::new(text).map_err(|_| io::ErrorKind::InvalidData.into());
            }
            at = at.checked_add(taken as u64).ok_or_else(too_much)?;
        }
        Err(io::Error::from_raw_os_error(too_long))
    }

    /// Does something with what lies from an address to the end of its page: at least one byte.
    fn with_page<T>(&self, address: u64, body: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let start = page_of(address);
        let offset = address.saturating_sub(start);
        let mut pages = self.pages.borrow_mut();
        let page = match pages.entry(start) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(self.target.bytes(start, PAGE)?)
            }
        };
        Ok(body(page.get(offset as usize..).unwrap_or_default()))
    }
}

/// Where the page of an address begins.
fn page_of(address: u64) -> u64 {
    address.saturating_sub(address.rem_euclid(PAGE as u64))
}
