//! What may be read by name or shape, outside of trees that may be read as a whole.
//!
//! Where nothing can be made inside, the files that exist are granted one by one. Otherwise trees
//! cannot say it, and every opening is judged.

use std::path::{Path, PathBuf};

use ringfence_core::Effect;
use ringfence_core::access::FileOp;
use ringfence_core::judge::{PathSet, RuleKind, RulePlace};
use ringfence_core::path::{AbsPath, EntryKind};

use super::trees::{Trees, deeper, is_narrow, is_whole};
use super::walk::{Budget, below, collect};
use crate::plan::Rights;

/// More files are not granted one by one.
const MAX_FILES: usize = 256;
/// More names are not looked at to find them.
const MAX_SEEN: usize = 20_000;
/// A directory with more names is not read without what it holds.
const MAX_MASKED: usize = 64;

const READ: Rights = Rights::READ.and(Rights::EXECUTE);

/// Something that may be read.
struct Shape<'a> {
    /// Where to look for it.
    start: AbsPath,
    /// Its shape: a place of a rule, at or above the start or just there.
    place: RulePlace<'a>,
}

impl<'a> Trees<'a> {
    /// Adds what may be read by name or shape.
    pub(super) fn add_shapes(&mut self) {
        for shape in self.shapes() {
            if self.has(&shape.start, Rights::READ) {
                continue;
            }
            // `dir/**` is the shape of `dir` as well.
            if is_whole(shape.place.rest) || shape.place.rest.is_empty() {
                self.add_exact(&shape.start);
            } else {
                self.add_shape(&shape);
            }
        }
        if self.openings {
            self.add_floors();
        }
    }

    fn shapes(&self) -> Vec<Shape<'a>> {
        let mut shapes = Vec::new();
        for grant in self.places.iter().filter(|own| is_read_grant(own)) {
            if self.whole.contains(&*grant.literal) {
                continue;
            }
            shapes.push(Shape { start: AbsPath::clone(&grant.literal), place: grant.clone() });
            // Where not all of it may be read, what may is said by something narrower.
            for other in self.places.iter().filter(|own| is_narrow(own)) {
                let start = deeper(&grant.literal, &other.literal);
                let start =
                    start.filter(|start| !other.rest.is_empty() || **start == *other.literal);
                shapes.extend(
                    start.map(|start| Shape { start: start.clone(), place: other.clone() }),
                );
            }
        }
        shapes
    }

    fn add_exact(&mut self, path: &AbsPath) {
        if self.oracle.at(FileOp::Read, path) != Effect::Allow {
            return;
        }
        let kind = self.site.kind(path);
        if kind == Some(EntryKind::Dir) {
            return self.add_listing(path);
        }
        // What is written may be replaced by a new file of that name, which no tree knows.
        if self.oracle.at(FileOp::Write, path) != Effect::Deny {
            self.openings = true;
        } else if kind.is_some() {
            self.add(path, READ);
        }
    }

    fn add_shape(&mut self, Shape { start, place }: &Shape<'_>) {
        if !self.site.is_dir(start) {
            return;
        }
        let mut set = PathSet::new(self.site.host.path_rules());
        set.add(&place.literal, place.rest);
        let mut budget = Budget(MAX_SEEN);
        let found = collect(self.site.lister, &set, start, &mut budget);
        if self.is_changed(start) || budget.is_spent() || found.len() > MAX_FILES {
            self.openings = true;
            return;
        }
        for found in found.into_iter().filter(|found| !found.too_deep) {
            let readable = self.oracle.at(FileOp::Read, &found.path) == Effect::Allow;
            if self.has(&found.path, Rights::READ) {
                continue;
            }
            match found.kind {
                EntryKind::Dir if self.oracle.reads_below(&found.path) => {
                    self.whole.insert(found.path.clone());
                    self.add(&found.path, READ);
                }
                EntryKind::Dir if readable => self.add_listing(&found.path),
                EntryKind::Dir | EntryKind::Link => {}
                EntryKind::File | EntryKind::Other if readable => self.add(&found.path, READ),
                EntryKind::File | EntryKind::Other => {}
            }
        }
    }

    /// Adds a directory that may be read, but not as a whole: what lies in it is masked.
    fn add_listing(&mut self, directory: &AbsPath) {
        if self.oracle.reads_below(directory) {
            self.whole.insert(directory.clone());
            return self.add(directory, READ);
        }
        let host_path = PathBuf::from(directory.as_str());
        let listed = self.site.lister.list(&host_path);
        let mut masks: Vec<PathBuf> = Vec::new();
        for entry in listed.iter().take(MAX_MASKED.saturating_add(1)) {
            let Some(path) = below(directory, &entry.name) else { continue };
            let readable = self.oracle.at(FileOp::Read, &path) == Effect::Allow;
            match entry.kind {
                EntryKind::Link => {}
                EntryKind::File | EntryKind::Other if readable => {}
                EntryKind::Dir if readable || self.is_spoken_of(&path) => self.openings = true,
                _ => masks.push(host_path.join(Path::new(&entry.name))),
            }
        }
        if listed.len() > MAX_MASKED || self.is_changed(directory) {
            self.openings = true;
        }
        self.masks.extend(masks);
        self.add(directory, READ);
    }

    /// Whether a rule can let something at or below a path be read.
    fn is_spoken_of(&self, path: &AbsPath) -> bool {
        let mut mild = PathSet::new(self.site.host.path_rules());
        let grants = self.places.iter().filter(|own| is_read_grant(own));
        grants.for_each(|own| mild.add(&own.literal, own.rest));
        !mild.at(path).is_over()
    }

    /// Whether names may be made at, above or below a path.
    fn is_changed(&self, path: &AbsPath) -> bool {
        let mut trees = self.paths().filter(|(_, rights)| rights.has(Rights::WRITE));
        trees.any(|(tree, _)| deeper(tree, path).is_some())
    }

    /// Where every opening is judged, trees need only be wide enough.
    fn add_floors(&mut self) {
        let grants = self.places.iter().filter(|own| is_read_grant(own));
        let floor = |own: &RulePlace<'_>| match own.rest.is_empty() {
            true if !self.site.is_dir(&own.literal) => own.literal.parent(),
            _ => Some(AbsPath::clone(&own.literal)),
        };
        let floors: Vec<AbsPath> = grants.filter_map(floor).collect();
        for floor in floors {
            if self.site.is_dir(&floor) && !self.has(&floor, Rights::READ) {
                self.add(&floor, READ);
            }
        }
    }
}

fn is_read_grant(own: &RulePlace<'_>) -> bool {
    let allows = matches!(own.kind, RuleKind::Allow | RuleKind::Fallback);
    own.role.grants() && allows && (own.rights.read || own.rights.write)
}
