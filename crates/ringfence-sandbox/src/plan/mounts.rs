//! Which directories and files are seen under more than one path.
//!
//! A file system, or a part of it, can be mounted at several places (`mount --bind`). Landlock goes
//! by the file, covers and rules go by paths: so for each path the others are to be known. Nothing
//! here looks at files; all comes from the kernel's list of mounts.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ringfence_core::bytes::{ByteReader, ByteWriter};
use serde::{Serialize, Serializer};

/// File systems in which nothing of anyone is kept: the kernel makes them up.
const MADE_UP: [&[u8]; 17] = [
    b"autofs",
    b"binfmt_misc",
    b"bpf",
    b"cgroup",
    b"cgroup2",
    b"configfs",
    b"debugfs",
    b"devpts",
    b"efivarfs",
    b"fusectl",
    b"mqueue",
    b"nsfs",
    b"proc",
    b"pstore",
    b"securityfs",
    b"sysfs",
    b"tracefs",
];
/// As long as the list mostly is: it is read at every start.
const USUAL_LIST: usize = 16 << 10;
/// What the kernel adds to the path of a directory that is gone.
const GONE: &[u8] = b"//deleted";

/// The mounts of a host on which something is seen under more than one path; none where nothing is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mounts {
    list: Vec<Mount>,
    /// Which of them begins at the root.
    first: Option<usize>,
    /// For each mount those that are mounted on it, by their places.
    on: HashMap<u64, HashMap<PathBuf, usize>>,
}

/// A mount.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    id: u64,
    /// The mount in which its place lies.
    parent: u64,
    /// The file system.
    device: u64,
    /// Which directory or file of the file system it shows; none where that is gone, or made up.
    root: Option<PathBuf>,
    /// Where it is mounted.
    at: PathBuf,
}

impl Mounts {
    /// Those that this process sees.
    pub(crate) fn here() -> io::Result<Mounts> {
        Mounts::read(Path::new("/proc/self/mountinfo"))
    }

    /// Those that another process sees.
    pub(crate) fn of(process: i32) -> io::Result<Mounts> {
        Mounts::read(Path::new(&format!("/proc/{process}/mountinfo")))
    }

    fn read(path: &Path) -> io::Result<Mounts> {
        let mut list = Vec::with_capacity(USUAL_LIST);
        File::open(path)?.read_to_end(&mut list)?;
        Mounts::parse(&list).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Reads the kernel's list; none where it is no such list.
    pub(in crate::plan) fn parse(list: &[u8]) -> Option<Mounts> {
        let lines = list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mounts = lines.map(Mount::parse).collect::<Option<Vec<Mount>>>()?;
        Some(if has_second_names(&mounts) { Mounts::new(mounts) } else { Mounts::default() })
    }

    fn new(list: Vec<Mount>) -> Mounts {
        let ids: HashSet<u64> = list.iter().map(|own| own.id).collect();
        let is_first = |own: &Mount| own.parent == own.id || !ids.contains(&own.parent);
        let first = list.iter().position(|own| is_first(own) && own.at.parent().is_none());
        let mut on: HashMap<u64, HashMap<PathBuf, usize>> = HashMap::new();
        for (number, own) in list.iter().enumerate() {
            // What is mounted on the root itself nobody sees who starts there.
            if own.at.parent().is_some() {
                on.entry(own.parent).or_default().insert(own.at.clone(), number);
            }
        }
        Mounts { list, first, on }
    }

    /// Whether nothing is seen under more than one path.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The other paths under which what lies at a path is seen.
    pub(crate) fn names(&self, path: &Path) -> Vec<PathBuf> {
        let Some((own, inside)) = self.place(path) else { return Vec::new() };
        let shows = self.list.iter().filter(|mount| mount.device == own.device);
        let seen = shows.filter_map(|mount| {
            let rest = inside.strip_prefix(mount.root.as_ref()?).ok()?;
            let other = below(&mount.at, rest);
            let is_other = other != path && self.is_seen(mount, &other);
            is_other.then_some(other)
        });
        seen.collect()
    }

    /// What lies below a path and is mounted elsewhere too: where it lies, and where else it is.
    pub(crate) fn names_below(&self, path: &Path) -> Vec<(PathBuf, PathBuf)> {
        let Some((own, inside)) = self.place(path) else { return Vec::new() };
        let shows = self.list.iter().filter(|mount| mount.device == own.device);
        let seen = shows.filter_map(|mount| {
            let rest = mount.root.as_ref()?.strip_prefix(&inside).ok()?;
            let here = below(path, rest);
            let is_deeper = !rest.as_os_str().is_empty() && here != mount.at;
            let is_seen = is_deeper && self.is_seen(own, &here) && self.is_seen(mount, &mount.at);
            is_seen.then(|| (here, mount.at.clone()))
        });
        seen.collect()
    }

    /// Every other path at which something is seen that lies at or below a path.
    pub fn all_names(&self, path: &Path) -> Vec<PathBuf> {
        if self.is_empty() {
            return Vec::new();
        }
        let below = self.names_below(path).into_iter().map(|(_, other)| other);
        self.names(path).into_iter().chain(below).collect()
    }

    /// Where something is mounted below a path.
    pub(crate) fn points_below<'m>(&'m self, path: &Path) -> impl Iterator<Item = &'m Path> {
        let below = self.list.iter().filter(move |mount| mount.at != path && mount.root.is_some());
        let path = path.to_owned();
        below.map(|mount| &*mount.at).filter(move |at| at.starts_with(&path))
    }

    /// Each place at which something is mounted that is seen elsewhere too, and one other.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Path, PathBuf)> {
        self.list.iter().filter_map(|mount| {
            let seen = self.is_seen(mount, &mount.at);
            let other = seen.then(|| self.names(&mount.at)).and_then(|all| all.into_iter().next());
            Some((&*mount.at, other?))
        })
    }

    /// The mount in which a path lies, and where that is in the file system.
    fn place(&self, path: &Path) -> Option<(&Mount, PathBuf)> {
        let mount = self.mount_of(path)?;
        let inside = path.strip_prefix(&mount.at).ok()?;
        Some((mount, below(mount.root.as_ref()?, inside)))
    }

    fn is_seen(&self, mount: &Mount, path: &Path) -> bool {
        self.mount_of(path).is_some_and(|own| own.id == mount.id)
    }

    /// The mount in which a path lies: from the first one the way leads through those that are
    /// mounted on it, name by name. What is mounted below a directory on which something was mounted
    /// later is not seen any more.
    fn mount_of(&self, path: &Path) -> Option<&Mount> {
        let mut at = self.list.get(self.first?)?;
        let way: Vec<&Path> = path.ancestors().collect();
        for here in way.into_iter().rev() {
            // Several may be mounted on one another, none of them twice.
            for _ in &self.list {
                let next = self.on.get(&at.id).and_then(|on| on.get(here));
                let Some(next) = next.and_then(|next| self.list.get(*next)) else { break };
                at = next;
            }
        }
        Some(at)
    }

    pub(in crate::plan) fn pack(&self, to: &mut ByteWriter) {
        to.each(&self.list, |to, mount| {
            let Mount { id, parent, device, root, at } = mount;
            [id, parent, device].into_iter().for_each(|number| to.number(*number));
            to.maybe(root.as_ref(), |to, root| to.text(root.as_os_str().as_bytes()));
            to.text(at.as_os_str().as_bytes());
        });
    }

    pub(in crate::plan) fn unpack(from: &mut ByteReader<'_>) -> Option<Mounts> {
        let mount = |from: &mut ByteReader<'_>| {
            Some(Mount {
                id: from.number()?,
                parent: from.number()?,
                device: from.number()?,
                root: from.maybe(|from| from.bytes().map(path_of))?,
                at: from.bytes().map(path_of)?,
            })
        };
        from.each(mount).map(Mounts::new)
    }
}

impl Serialize for Mounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.pairs())
    }
}

impl Mount {
    /// A line of the list: numbers of the mount and of the one above it, the file system's, what it
    /// shows, where, and after a dash the kind.
    fn parse(line: &[u8]) -> Option<Mount> {
        let mut fields = line.split(|byte| *byte == b' ');
        let (id, parent) = (number(fields.next()?)?, number(fields.next()?)?);
        let device = fields.next()?;
        let colon = device.iter().position(|byte| *byte == b':')?;
        let (major, minor) = device.split_at_checked(colon)?;
        let device = number(major)? << 32 | number(minor.get(1..)?)?;
        let (root, at) = (unescaped(fields.next()?), path_of(&unescaped(fields.next()?)));
        let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
        let is_there = root.starts_with(b"/") && !root.ends_with(GONE) && !MADE_UP.contains(&kind);
        let root = is_there.then(|| path_of(&root));
        at.is_absolute().then_some(Mount { id, parent, device, root, at })
    }
}

/// Whether a mount shows what another one shows too, or a part of it.
fn has_second_names(mounts: &[Mount]) -> bool {
    let shown = mounts.iter().filter_map(|own| Some((own.device, own.root.as_deref()?)));
    let mut shown: Vec<(u64, &Path)> = shown.collect();
    // In order, what lies inside comes right behind what it lies in.
    shown.sort_unstable();
    let mut pairs = shown.iter().zip(shown.iter().skip(1));
    pairs.any(|(one, two)| one.0 == two.0 && two.1.starts_with(one.1))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Blanks, line ends and backslashes stand in the list as three octal digits.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.first_chunk::<3>().filter(|_| *first == b'\\');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(3..).unwrap_or_default() } else { after };
    }
    plain
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

/// A path inside another one, which may be that one itself.
fn below(path: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { path.to_owned() } else { path.join(rest) }
}

#[cfg(test)]
#[path = "mounts_tests.rs"]
mod tests;
