//! Which processes of the tree stand under a program whose children are part of its grant.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};

use ringfence_core::program::Children;

/// The most generations that are looked through.
const MOST: usize = 64;
/// What the kernel says of a process is shorter: some fifty numbers and a name of 15 bytes.
const LONGEST_STAT: usize = 2048;

/// Of so many processes the name is kept open.
const MOST_OPEN: usize = 16;

/// What holds for the children of processes that started a program.
#[derive(Debug, Default)]
pub(crate) struct Family(Mutex<HashMap<i32, Known>>);

/// A process is known by its number and by when it began: numbers are used again.
#[derive(Debug)]
struct Known {
    began: u64,
    program: Kin,
    /// Its name, open for as long as it starts others: whoever has its number later does not
    /// answer there.
    name: Option<File>,
}

/// What is known of a program for those that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kin {
    /// None: it is the command that was asked for, and nobody has looked yet.
    pub(crate) children: Option<Children>,
    /// Whether it is the command that a person asked for.
    pub(crate) asked_for: bool,
}

/// A process that was looked at; none where it could not be told when it began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process(Option<(i32, u64)>);

impl Family {
    /// A process has become a program.
    pub(crate) fn became(&self, process: Process, program: Kin) {
        let Some((pid, began)) = process.0 else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(pid, Known { began, program, name: None });
    }

    /// What holds for a program that this process is about to become: what holds for the children
    /// of the program that it is, or of the nearest one above it. A process whose family cannot be
    /// told is judged.
    pub(crate) fn of(&self, pid: i32) -> (Kin, Process) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut process = Process(None);
        let mut at = pid;
        for _ in 0..MOST {
            if at != pid
                && let Some(own) = known.get(&at).filter(|own| own.is_there())
            {
                return (own.program, process);
            }
            // Before it is known that it is the process with that number.
            let is_known = at != pid && known.contains_key(&at);
            let name = is_known.then(|| File::open(format!("/proc/{at}/comm")).ok()).flatten();
            let Some((parent, began)) = parent_and_begin(at) else { break };
            process.0.get_or_insert((pid, began));
            match known.get_mut(&at) {
                Some(own) if own.began == began => {
                    let kin = own.program;
                    own.name = name;
                    close_all_but(&mut known, at);
                    return (kin, process);
                }
                // Someone else had the number before.
                Some(_) => drop(known.remove(&at)),
                None => {}
            }
            if parent <= 1 {
                break;
            }
            at = parent;
        }
        (Kin { children: Some(Children::Judged), asked_for: false }, process)
    }
}

impl Known {
    /// Whether the process is still there, where that can be told at once.
    fn is_there(&self) -> bool {
        let name = self.name.as_ref();
        name.is_some_and(|name| name.read_at(&mut [0; 1], 0).is_ok_and(|read| read > 0))
    }
}

/// Closes the names of all but one, if too many are open.
fn close_all_but(known: &mut HashMap<i32, Known>, pid: i32) {
    if known.values().filter(|own| own.name.is_some()).count() > MOST_OPEN {
        known.iter_mut().filter(|(own, _)| **own != pid).for_each(|(_, own)| own.name = None);
    }
}

/// The parent of a process, and when it began, in ticks since the machine did.
fn parent_and_begin(pid: i32) -> Option<(i32, u64)> {
    // Read at once: the kernel says it anew for every piece.
    let mut bytes = [0; LONGEST_STAT];
    let length = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(bytes.get(..length)?);
    // The name stands in parentheses and may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    Some((parent, began))
}
