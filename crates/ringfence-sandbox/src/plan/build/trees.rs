//! From the places of rules to trees with rights.
//!
//! Landlock can only add rights at and below a path. A tree is read as a whole where the judge
//! allows whatever lies in it and no rule singles out; what rules do single out is masked. What
//! is written is judged one by one, so trees need only be wide enough for it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ringfence_core::access::FileOp;
use ringfence_core::judge::{RuleKind, RulePlace};
use ringfence_core::path::AbsPath;
use ringfence_core::pattern::Component;
use ringfence_core::{Effect, Role};

use super::always::{ALWAYS, When};
use super::kernels;
use super::oracle::Oracle;
use super::site::Site;
use crate::plan::{Rights, Tree};

/// Trees on their way.
pub(super) struct Trees<'a> {
    pub(super) oracle: &'a Oracle<'a>,
    pub(super) site: &'a Site<'a>,
    /// The places of every rule in force.
    pub(super) places: Vec<RulePlace<'a>>,
    rights: BTreeMap<AbsPath, Rights>,
    /// Directories that can be read as a whole, but for what is masked.
    pub(super) whole: BTreeSet<AbsPath>,
    /// Granted directories that are made where they are missing.
    pub(super) made: BTreeSet<AbsPath>,
    /// Masks in directories of which not everything may be read.
    pub(super) masks: Vec<PathBuf>,
    /// Files that the tree finds empty.
    pub(super) blank: Vec<PathBuf>,
    /// Whether what may be read cannot be said by trees.
    pub(super) openings: bool,
}

impl<'a> Trees<'a> {
    /// No trees yet. Rules say nothing of directories that the run has for itself.
    pub(super) fn new(
        oracle: &'a Oracle<'a>,
        site: &'a Site<'a>,
        private: &[AbsPath],
    ) -> Trees<'a> {
        let is_public =
            |own: &RulePlace<'_>| !private.iter().any(|path| own.literal.starts_with(path));
        Trees {
            oracle,
            site,
            places: oracle.policy.file_places(&oracle.anything).filter(is_public).collect(),
            rights: BTreeMap::new(),
            whole: BTreeSet::new(),
            made: BTreeSet::new(),
            masks: Vec::new(),
            blank: Vec::new(),
            openings: false,
        }
    }

    /// Adds what every run can reach.
    pub(super) fn add_always(&mut self, network: bool) {
        for own in ALWAYS.iter().filter(|own| network || own.when == When::Ever) {
            if let Ok(path) = AbsPath::new(own.path)
                && self.site.kind(&path).is_some()
            {
                let rights = kernels::unopposed(self.oracle, self.site, &path, own.rights);
                self.add(&path, rights);
            }
        }
    }

    /// Adds the directories below which rules say the same of whatever they do not single out.
    pub(super) fn add_whole(&mut self) {
        let says = |own: &&RulePlace<'_>| own.kind.is_mild() || own.kind == RuleKind::Ask;
        let places = self.places.iter().filter(says).filter(|own| is_whole(own.rest));
        let starts: BTreeSet<AbsPath> = places.map(|own| AbsPath::clone(&own.literal)).collect();
        for start in &starts {
            if self.is_made(start) {
                self.made.insert(start.clone());
            } else if !self.site.is_dir(start) {
                continue;
            }
            let mut rights = Rights::NONE;
            if self.oracle.reads_below(start) {
                rights = Rights::READ | Rights::EXECUTE;
                self.whole.insert(start.clone());
            }
            self.add(start, rights | self.changes_below(start));
        }
    }

    /// Adds the directories in which rules let single names or names of a shape be changed.
    pub(super) fn add_changed(&mut self) {
        let mut found: Vec<(AbsPath, Rights)> = Vec::new();
        let changes = |own: &&RulePlace<'_>| is_grant(own) && may_change(own);
        for grant in self.places.iter().filter(changes) {
            if !is_whole(grant.rest) {
                found.extend(self.changes_at(grant));
                continue;
            }
            for other in self.places.iter().filter(|own| is_narrow(own) && may_change(own)) {
                let start = directory(other).and_then(|own| deeper(&grant.literal, &own).cloned());
                found.extend(start.map(|start| (start, granted(grant))));
            }
        }
        for (path, rights) in found {
            if self.site.is_dir(&path) && !self.has(&path, rights) {
                self.add(&path, rights);
            }
        }
    }

    /// A name is made and removed in its directory, so that is what the rights are needed on.
    fn changes_at(&self, grant: &RulePlace<'_>) -> Option<(AbsPath, Rights)> {
        if !grant.rest.is_empty() {
            return Some((AbsPath::clone(&grant.literal), granted(grant)));
        }
        let mut rights = Rights::NONE;
        if self.oracle.at(FileOp::Write, &grant.literal) != Effect::Deny {
            rights = rights | Rights::WRITE;
        }
        if self.oracle.at(FileOp::Delete, &grant.literal) != Effect::Deny {
            rights = rights | Rights::DELETE;
        }
        Some((grant.literal.parent()?, rights))
    }

    pub(super) fn changes_below(&self, directory: &AbsPath) -> Rights {
        let mut rights = Rights::NONE;
        let grants = |own: &RulePlace<'_>| is_grant(own) && may_change(own);
        let is_near = |own: &RulePlace<'_>| deeper(&own.literal, directory).is_some();
        if !self.places.iter().any(|own| grants(own) && is_near(own)) {
            // Nothing is changed where nobody grants it.
            return rights;
        }
        if self.oracle.somewhere_below(FileOp::Write, directory) != Effect::Deny {
            rights = rights | Rights::WRITE;
        }
        if self.oracle.somewhere_below(FileOp::Delete, directory) != Effect::Deny {
            rights = rights | Rights::DELETE;
        }
        rights
    }

    /// Adds rights at a path.
    pub(super) fn add(&mut self, path: &AbsPath, rights: Rights) {
        if rights.is_empty() {
            return;
        }
        let known = self.rights.entry(path.clone()).or_default();
        *known = *known | rights;
    }

    /// Whether all these rights are there at a path already.
    pub(super) fn has(&self, path: &AbsPath, rights: Rights) -> bool {
        self.rights_at(path).has(rights)
    }

    /// The rights at a path, by whatever tree.
    pub(super) fn rights_at(&self, path: &AbsPath) -> Rights {
        let above = std::iter::successors(Some(path.clone()), AbsPath::parent);
        let known = above.filter_map(|path| self.rights.get(&path).copied());
        known.fold(Rights::NONE, |sum, rights| sum | rights)
    }

    /// Every path with rights of its own.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&AbsPath, Rights)> {
        self.rights.iter().map(|(path, rights)| (path, *rights))
    }

    /// The trees, without those that say no more than one above them.
    pub(super) fn finish(&self) -> Vec<Tree> {
        let says_more = |(path, rights): &(&AbsPath, Rights)| {
            let above = path.parent().map_or(Rights::NONE, |above| self.rights_at(&above));
            !above.has(*rights)
        };
        let trees = self.paths().filter(says_more);
        let tree = |(path, rights): (&AbsPath, Rights)| Tree { path: path.as_str().into(), rights };
        trees.map(tree).collect()
    }
}

/// Whether components take everything below a directory.
pub(super) fn is_whole(rest: &[Component]) -> bool {
    rest.contains(&Component::Deep)
        && rest.iter().all(|own| match own {
            Component::Deep => true,
            Component::Glob(glob) => glob.is_any(),
            Component::Literal(_) => false,
        })
}

/// Whether it is a rule that grants, asking or not.
pub(super) fn is_grant(own: &RulePlace<'_>) -> bool {
    own.role.grants() && matches!(own.kind, RuleKind::Allow | RuleKind::Ask | RuleKind::Fallback)
}

pub(super) fn may_change(own: &RulePlace<'_>) -> bool {
    own.rights.write || own.rights.delete
}

/// Whether it makes a verdict milder for less than a directory: an exception, an opt-in, a
/// ceiling of some names.
pub(super) fn is_narrow(own: &RulePlace<'_>) -> bool {
    let ceiling = own.role == Role::Ceiling && matches!(own.kind, RuleKind::Allow | RuleKind::Ask);
    let lifts = matches!(own.kind, RuleKind::Except | RuleKind::OptIn);
    (ceiling || lifts) && !is_whole(own.rest)
}

fn granted(own: &RulePlace<'_>) -> Rights {
    match own.rights.write {
        true => Rights::WRITE | Rights::DELETE,
        false => Rights::DELETE,
    }
}

/// The directory in which the first names of a place lie.
fn directory(own: &RulePlace<'_>) -> Option<AbsPath> {
    if own.rest.is_empty() { own.literal.parent() } else { Some(AbsPath::clone(&own.literal)) }
}

/// The deeper of two paths of which one lies at or below the other.
pub(super) fn deeper<'p>(one: &'p AbsPath, two: &'p AbsPath) -> Option<&'p AbsPath> {
    if one.starts_with(two) { Some(one) } else { two.starts_with(one).then_some(two) }
}
