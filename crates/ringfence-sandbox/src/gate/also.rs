//! The other names of what something is done to.
//!
//! Asked only where the plan knows of directories that are mounted at several places. Whoever renames
//! a directory that is mounted elsewhere too has other names from then on: after each rename in the
//! tree the mounts are looked up again, and what others rename is seen a second later.

use std::cell::RefCell;
use std::io;
use std::time::{Duration, Instant};

use super::files::Prepared;
use super::judge::{Also, NewLink};
use crate::child::Operation;
use crate::plan::Mounts;

/// For so long the mounts are known.
const MOMENT: Duration = Duration::from_secs(1);

/// The mounts that a tree sees.
pub(super) struct Names {
    init: i32,
    known: RefCell<Option<(Instant, Mounts)>>,
}

impl Names {
    /// Those of the tree with this init.
    pub(super) fn new(init: i32) -> Names {
        Names { init, known: RefCell::default() }
    }

    /// Adds the other names to what is about to be judged.
    pub(super) fn add_to(&self, prepared: &mut Prepared) -> io::Result<()> {
        let mut known = self.known.borrow_mut();
        let mounts = match known.take().filter(|(since, _)| since.elapsed() < MOMENT) {
            Some((since, mounts)) if prepared.job.operation != Operation::Rename => {
                &known.insert((since, mounts)).1
            }
            _ => &known.insert((Instant::now(), Mounts::of(self.init)?)).1,
        };
        add(prepared, mounts);
        // Nothing else is prepared before it is carried out.
        if prepared.job.operation == Operation::Rename {
            *known = None;
        }
        Ok(())
    }
}

fn add(prepared: &mut Prepared, mounts: &Mounts) {
    for (deed, path) in &prepared.deeds {
        let others = mounts.names(path).into_iter();
        prepared.also.extend(others.map(|other| Also { deed: *deed, path: path.clone(), other }));
    }
    let others = prepared.links.iter().flat_map(|link| {
        let names = mounts.names(&link.at).into_iter();
        names.map(|at| NewLink { at, leads: link.leads.clone() })
    });
    let others: Vec<NewLink> = others.collect();
    prepared.links.extend(others);
    let socket = prepared.socket.as_deref();
    prepared.socket_names = socket.map(|own| mounts.names(own)).unwrap_or_default();
}
