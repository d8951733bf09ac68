//! Which processes of the tree stand under a program whose children are part of its grant.

use std::collections::HashMap;
use std::fs;
use std::sync::{Mutex, PoisonError};

use ringfence_core::program::Children;

/// The most generations that are looked through.
const MOST: usize = 64;

/// What holds for the children of processes that started a program.
#[derive(Debug, Default)]
pub(crate) struct Family(Mutex<HashMap<i32, Known>>);

/// A process is known by its number and by when it began: numbers are used again.
#[derive(Debug, Clone, Copy)]
struct Known {
    began: u64,
    children: Children,
}

impl Family {
    /// A process has become a program.
    pub(crate) fn became(&self, pid: i32, children: Children) {
        let Some((_, began)) = parent_and_begin(pid) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(pid, Known { began, children });
    }

    /// What holds for a program that this process is about to become: what holds for the children
    /// of the program that it is, or of the nearest one above it. A process whose family cannot be
    /// told is judged.
    pub(crate) fn of(&self, pid: i32) -> Children {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = pid;
        for _ in 0..MOST {
            let Some((parent, began)) = parent_and_begin(at) else { break };
            match known.get(&at) {
                Some(own) if own.began == began => return own.children,
                // Someone else had the number before.
                Some(_) => drop(known.remove(&at)),
                None => {}
            }
            if parent <= 1 {
                break;
            }
            at = parent;
        }
        Children::Judged
    }
}

/// The parent of a process, and when it began, in ticks since the machine did.
fn parent_and_begin(pid: i32) -> Option<(i32, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    Some((parent, began))
}
