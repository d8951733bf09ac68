//! What was seen of directories while a plan was made.
//!
//! A plan holds for as long as whoever looks again sees the same. What was seen can be written
//! down, and compared with what is seen then: name by name, never by times alone.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ringfence_core::bytes::{ByteReader, ByteWriter};

use super::lister::{Identity, Listed, Lister};
use super::shelf::Shelf;
use crate::plan::{Mounts, Pins};

/// More names are not written down: a file of so many is not read sooner than they are seen.
const MAX_NAMES: usize = 50_000;

/// No plan looks at the times of more levels of directories.
const MAX_LEVELS: usize = 8;

/// Looks at directories, and writes down what it saw.
pub struct Looked<'a> {
    lister: &'a dyn Lister,
    shelf: &'a dyn Shelf,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    pinned: BTreeSet<PathBuf>,
    lists: BTreeMap<PathBuf, Vec<Listed>>,
    shared: BTreeMap<PathBuf, Option<Identity>>,
    stamps: BTreeMap<(PathBuf, usize), String>,
    loads: BTreeMap<String, Option<Vec<u8>>>,
    /// Once it was asked for.
    mounts: Option<Option<Mounts>>,
    names: usize,
    /// Whether something was put on the shelf: whoever looks next finds it there.
    saved: bool,
}

impl<'a> Looked<'a> {
    /// Looks with these.
    pub fn new(lister: &'a dyn Lister, shelf: &'a dyn Shelf) -> Looked<'a> {
        Looked { lister, shelf, seen: RefCell::default() }
    }

    /// What was seen, as bytes; none where it was too much, or will be seen differently next time.
    pub fn pack(self) -> Option<Vec<u8>> {
        let seen = self.seen.into_inner();
        let Seen { pinned, lists, shared, stamps, loads, mounts, names, saved } = seen;
        if names > MAX_NAMES || saved {
            return None;
        }
        let mut to = ByteWriter::new();
        // Before the lists: directories are listed below what is pinned.
        to.each(&pinned, |to, path| to.text(path.as_os_str().as_bytes()));
        to.each(&lists, |to, (directory, listed)| {
            to.text(directory.as_os_str().as_bytes());
            to.each(listed, |to, own| {
                to.text(own.name.as_bytes());
                to.number(own.kind as u64);
            });
        });
        to.each(&shared, |to, (path, identity)| {
            to.text(path.as_os_str().as_bytes());
            to.maybe(*identity, |to, (device, number)| {
                to.number(device);
                to.number(number);
            });
        });
        to.each(&stamps, |to, ((tree, levels), stamp)| {
            to.text(tree.as_os_str().as_bytes());
            to.number(*levels as u64);
            to.text(stamp);
        });
        to.each(&loads, |to, (key, content)| {
            to.text(key);
            to.maybe(content.as_ref(), ByteWriter::text);
        });
        to.maybe(mounts.as_ref(), |to, mounts| {
            to.maybe(mounts.as_ref(), |to, mounts| mounts.pack(to));
        });
        Some(to.finish())
    }

    /// Whether these see what was packed.
    pub fn still_holds(packed: &[u8], lister: &dyn Lister, shelf: &dyn Shelf) -> bool {
        let mut from = ByteReader::new(packed);
        compare(&mut from, lister, shelf).is_some() && from.is_over()
    }
}

/// Reads all that was seen; `None` as soon as something is another.
fn compare(from: &mut ByteReader<'_>, lister: &dyn Lister, shelf: &dyn Shelf) -> Option<()> {
    from.each(|from| lister.pin(path(from)?).then_some(()))?;
    from.each(|from| {
        let listed = lister.list(path(from)?);
        let mut now = listed.iter();
        from.each(|from| {
            let own = now.next()?;
            let same = from.bytes()? == own.name.as_bytes() && from.number()? == own.kind as u64;
            same.then_some(())
        })?;
        now.next().is_none().then_some(())
    })?;
    from.each(|from| {
        let now = lister.shared(path(from)?);
        let then = from.maybe(|from| Some((from.number()?, from.number()?)))?;
        (now == then).then_some(())
    })?;
    from.each(|from| {
        let (tree, levels) = (path(from)?, from.small()?);
        let now = (levels <= MAX_LEVELS).then(|| shelf.stamp(&lister.pinned(tree), levels))?;
        (from.text()? == now).then_some(())
    })?;
    from.each(|from| {
        let now = shelf.load(from.text()?);
        (from.maybe(ByteReader::bytes)? == now.as_deref()).then_some(())
    })?;
    let mounts = from.maybe(|from| from.maybe(Mounts::unpack))?;
    mounts.is_none_or(|then| then == lister.mounts()).then_some(())
}

fn path<'b>(from: &mut ByteReader<'b>) -> Option<&'b Path> {
    from.bytes().map(|bytes| Path::new(OsStr::from_bytes(bytes)))
}

impl Lister for Looked<'_> {
    fn list(&self, directory: &Path) -> Vec<Listed> {
        if let Some(known) = self.seen.borrow().lists.get(directory) {
            return known.clone();
        }
        let listed = self.lister.list(directory);
        let mut seen = self.seen.borrow_mut();
        seen.names = seen.names.saturating_add(listed.len());
        match seen.names > MAX_NAMES {
            true => seen.lists.clear(),
            false => drop(seen.lists.insert(directory.to_owned(), listed.clone())),
        }
        listed
    }

    fn shared(&self, path: &Path) -> Option<Identity> {
        let identity = self.lister.shared(path);
        let mut seen = self.seen.borrow_mut();
        *seen.shared.entry(path.to_owned()).or_insert(identity)
    }

    fn pin(&self, path: &Path) -> bool {
        let is_pinned = self.lister.pin(path);
        let mut seen = self.seen.borrow_mut();
        match is_pinned {
            true => drop(seen.pinned.insert(path.to_owned())),
            // What was listed does not hold any more.
            false => (seen.lists, seen.shared) = Default::default(),
        }
        is_pinned
    }

    fn counts_processes(&self) -> bool {
        self.lister.counts_processes()
    }

    fn pins(&self) -> Pins {
        self.lister.pins()
    }

    fn mounts(&self) -> Option<Mounts> {
        self.seen.borrow_mut().mounts.get_or_insert_with(|| self.lister.mounts()).clone()
    }
}

impl Shelf for Looked<'_> {
    fn stamp(&self, tree: &Path, levels: usize) -> String {
        let stamp = self.shelf.stamp(&self.lister.pinned(tree), levels);
        let mut seen = self.seen.borrow_mut();
        seen.stamps.entry((tree.to_owned(), levels)).or_insert(stamp).clone()
    }

    fn load(&self, key: &str) -> Option<Vec<u8>> {
        let content = self.shelf.load(key);
        let mut seen = self.seen.borrow_mut();
        seen.loads.entry(key.to_owned()).or_insert(content).clone()
    }

    fn save(&self, key: &str, content: &[u8]) {
        self.seen.borrow_mut().saved = true;
        self.shelf.save(key, content);
    }
}

#[cfg(test)]
#[path = "looked_tests.rs"]
mod tests;
