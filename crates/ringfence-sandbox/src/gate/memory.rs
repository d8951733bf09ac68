//! The memory of a process whose call waits, page by page.
//!
//! The words and variables of a start are dozens of small texts that lie close together; each page
//! is fetched once.

use std::cell::RefCell;
use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

use super::lineage::Variables;
use super::target::{LONGEST_PATH, PAGE, Target, too_much};

/// The longest word of a command.
const LONGEST_WORD: usize = 128 << 10;
/// All words and variables together.
const LONGEST_LIST: usize = 2 << 20;
/// The size of an address.
const POINTER: usize = size_of::<u64>();

/// So many pages are fetched at once.
const MOST_AT_ONCE: usize = 64;
/// So much room is kept.
const MOST_ROOM: usize = MOST_AT_ONCE * PAGE;

/// What was seen of the memory of a process.
pub(super) struct Memory<'p> {
    target: Target,
    seen: RefCell<Seen>,
    pages: &'p Pages,
}

/// Room for pages, used again and again, and where the last process had what was read of it.
#[derive(Default)]
pub(super) struct Pages {
    room: RefCell<Seen>,
    last: RefCell<Vec<u64>>,
}

/// The room is given back, with nothing in it.
impl Drop for Memory<'_> {
    fn drop(&mut self) {
        let mut seen = self.seen.take();
        seen.bytes.clear();
        seen.starts.clear();
        seen.bytes.shrink_to(MOST_ROOM);
        self.pages.room.replace(seen);
    }
}

/// Pages that were fetched, one after another.
#[derive(Default)]
struct Seen {
    bytes: Vec<u8>,
    /// In the order of the process.
    starts: Vec<Start>,
}

/// Where a page begins in the process and among the bytes, and whether it was looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    there: u64,
    here: usize,
    is_used: bool,
}

impl Seen {
    fn has(&self, start: u64) -> bool {
        self.starts.binary_search_by_key(&start, |own| own.there).is_ok()
    }

    fn page(&mut self, start: u64) -> Option<&[u8]> {
        let at = self.starts.binary_search_by_key(&start, |own| own.there).ok()?;
        let own = self.starts.get_mut(at)?;
        own.is_used = true;
        self.bytes.get(own.here..own.here.checked_add(PAGE)?)
    }

    /// Fetches some pages in one call: those before the first that cannot be read.
    fn fetch(&mut self, target: Target, wanted: &[u64]) -> io::Result<()> {
        let begin = self.bytes.len();
        let fetched = target.pages(wanted, &mut self.bytes)?;
        let begins = (begin..).step_by(PAGE);
        let starts = wanted.iter().zip(begins).take(fetched);
        self.starts.extend(starts.map(|(there, here)| Start {
            there: *there,
            here,
            is_used: false,
        }));
        self.starts.sort_unstable();
        Ok(())
    }
}

impl<'p> Memory<'p> {
    pub(super) fn of(target: Target, pages: &'p Pages) -> Memory<'p> {
        Memory { target, seen: RefCell::new(pages.room.take()), pages }
    }

    /// Fetches the pages of the first addresses that are looked at. Most processes that start a
    /// program are children of one parent and have their variables where the last one had them:
    /// then all that was read of that one is fetched with them.
    pub(super) fn fetch_first(&self, path: u64, argv: u64, envp: u64) {
        let last = self.pages.last.borrow();
        let is_alike = last.binary_search(&page_of(envp)).is_ok();
        let with = if is_alike { last.as_slice() } else { &[] };
        self.fetch([path, argv, envp].into_iter().chain(with.iter().copied()));
    }

    /// Keeps in mind where this one had what was read of it.
    pub(super) fn remember(&self) {
        let seen = self.seen.borrow();
        let used = seen.starts.iter().filter(|own| own.is_used).map(|own| own.there);
        let mut last = self.pages.last.borrow_mut();
        last.clear();
        last.extend(used.take(MOST_AT_ONCE / 2));
    }

    /// A path that lies there.
    pub(super) fn path(&self, address: u64) -> io::Result<CString> {
        let path = self.text(address, LONGEST_PATH, libc::ENAMETOOLONG)?;
        CString::new(path).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    /// Fetches the pages of some addresses at once. What cannot be had so is fetched when it is
    /// needed, and what cannot be had at all is an error then.
    pub(super) fn fetch(&self, addresses: impl IntoIterator<Item = u64>) {
        let mut seen = self.seen.borrow_mut();
        let starts = addresses.into_iter().filter(|address| *address != 0).map(page_of);
        let mut wanted: Vec<u64> = starts.filter(|start| !seen.has(*start)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.truncate(MOST_AT_ONCE);
        if !wanted.is_empty() {
            let _ = seen.fetch(self.target, &wanted);
        }
    }

    /// A list of texts that ends with null, as `execve` takes it.
    pub(super) fn list(&self, address: u64) -> io::Result<Vec<OsString>> {
        let pointers = self.pointers(address)?;
        self.fetch(pointers.iter().copied());
        self.texts(pointers)
    }

    /// A list of variables, which is mostly one that is known.
    pub(super) fn variables(&self, address: u64, known: &Variables) -> io::Result<Variables> {
        let pointers = self.pointers(address)?;
        self.fetch(pointers.iter().copied());
        let is_same = |(pointer, text): (&u64, &OsString)| {
            self.is_text(*pointer, text.as_bytes()).unwrap_or(false)
        };
        if pointers.len() == known.len() && pointers.iter().zip(known.iter()).all(is_same) {
            return Ok(Arc::clone(known));
        }
        self.texts(pointers).map(Variables::from)
    }

    fn texts(&self, pointers: Vec<u64>) -> io::Result<Vec<OsString>> {
        let mut left = LONGEST_LIST;
        let mut texts = Vec::with_capacity(pointers.len());
        for pointer in pointers {
            let text = self.text(pointer, LONGEST_WORD, libc::E2BIG)?;
            let taken = text.len().saturating_add(1).saturating_add(POINTER);
            left = left.checked_sub(taken).ok_or_else(too_much)?;
            texts.push(OsString::from_vec(text));
        }
        Ok(texts)
    }

    /// Whether the stack of a new program holds these words and variables and no others: their
    /// number, their addresses, and null after each list.
    pub(super) fn is_stack(
        &self,
        stack: u64,
        words: &[OsString],
        variables: &[OsString],
    ) -> io::Result<bool> {
        if self.pointer(stack)? != words.len() as u64 {
            return Ok(false);
        }
        let after = stack.checked_add(POINTER as u64).ok_or_else(too_much)?;
        let Some(after) = self.after_list(after, words)? else { return Ok(false) };
        Ok(self.after_list(after, variables)?.is_some())
    }

    /// What lies after a list, if it is this one.
    fn after_list(&self, address: u64, texts: &[OsString]) -> io::Result<Option<u64>> {
        let mut at = address;
        for text in texts {
            let pointer = self.pointer(at)?;
            if pointer == 0 || !self.is_text(pointer, text.as_bytes())? {
                return Ok(None);
            }
            at = at.checked_add(POINTER as u64).ok_or_else(too_much)?;
        }
        let after = at.checked_add(POINTER as u64).ok_or_else(too_much)?;
        Ok(Some(after).filter(|_| self.pointer(at).is_ok_and(|end| end == 0)))
    }

    /// Whether a text lies at an address, with its end.
    fn is_text(&self, address: u64, mut text: &[u8]) -> io::Result<bool> {
        let mut at = address;
        loop {
            let (same, taken, end) = self.with_page(at, |rest| {
                let taken = rest.len().min(text.len());
                (rest.get(..taken) == text.get(..taken), taken, rest.get(taken).copied())
            })?;
            match end {
                _ if !same => return Ok(false),
                Some(end) => return Ok(end == 0),
                // It goes on in the next page, or ends there.
                None => text = text.get(taken..).unwrap_or_default(),
            }
            at = at.checked_add(taken as u64).ok_or_else(too_much)?;
        }
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

    fn text(&self, address: u64, most: usize, too_long: i32) -> io::Result<Vec<u8>> {
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
                return Ok(text);
            }
            at = at.checked_add(taken as u64).ok_or_else(too_much)?;
        }
        Err(io::Error::from_raw_os_error(too_long))
    }

    /// Does something with what lies from an address to the end of its page: at least one byte.
    fn with_page<T>(&self, address: u64, body: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let start = page_of(address);
        let offset = address.saturating_sub(start);
        let mut seen = self.seen.borrow_mut();
        if !seen.has(start) {
            seen.fetch(self.target, &[start])?;
        }
        let page = seen.page(start).ok_or(io::Error::from_raw_os_error(libc::EFAULT))?;
        Ok(body(page.get(offset as usize..).unwrap_or_default()))
    }
}

/// Where the page of an address begins.
fn page_of(address: u64) -> u64 {
    address.saturating_sub(address.rem_euclid(PAGE as u64))
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
