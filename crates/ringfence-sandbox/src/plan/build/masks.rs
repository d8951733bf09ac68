//! What exists inside readable trees and may not be read.
//!
//! Only where a rule can object is anything looked for. Where every start of a program and every
//! opening is judged during the run, nothing is looked for but in the system's directories, in which
//! openings pass: a start costs the same whatever the project holds.

mod links;
mod names;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ringfence_core::host::FileEntry;
use ringfence_core::judge::{PathSet, RuleKind, RulePlace};
use ringfence_core::path::{AbsPath, EntryKind};

use super::always::{ALWAYS, KERNEL_TREES};
use super::left_out::LeftOut;
use super::shelf::{key, pack, unpack};
use super::trees::{Trees, is_whole};
use super::walk::{Budget, Found, as_known, below, collect, is_too_deep, list};
use crate::plan::{ExecPlan, Rights};

/// More names are not looked at: every opening is judged instead.
const MAX_SEEN: usize = 100_000;
/// More names are not looked at in trees of which what was found is kept.
const MAX_SEEN_ONCE: usize = 4_000_000;
/// More mounts than this are not made.
const MAX_MASKS: usize = 1_024;

/// Where people install programs by hand.
const OF_PEOPLE: &str = "/usr/local";

/// There is too much to look through, or to mask.
pub(super) struct TooLarge;

/// Looks for what must be masked.
pub(super) struct Masker<'a> {
    trees: &'a Trees<'a>,
    /// The places of rules that can stand against reading.
    objecting: Vec<RulePlace<'a>>,
    /// Those that nothing lifts, once it was asked about them.
    absolute: OnceCell<PathSet>,
    /// What holds everywhere in trees that were looked through; mostly the same in others.
    floating: Vec<Rc<Floating>>,
    /// What each of the objecting rules says, once that was asked for.
    texts: Vec<OnceCell<String>>,
    budget: Budget,
    masks: BTreeSet<PathBuf>,
    remembered: Vec<PathBuf>,
    /// Whether each start of a program is judged, and so whether it hides what it starts.
    exec: ExecPlan,
    /// Whether the run judges what is hidden, in trees that are not the system's.
    is_judged_later: bool,
    /// Trees in which openings are not looked at.
    passed: Vec<AbsPath>,
}

/// Rules that hold everywhere in a tree.
struct Floating {
    /// Which of those that object.
    which: Vec<usize>,
    set: PathSet,
    /// Their patterns and where their exceptions hold, one on each line.
    patterns: String,
}

/// What was found.
#[derive(Default)]
pub(super) struct Masks {
    /// What must be masked.
    pub(super) masks: Vec<PathBuf>,
    /// Trees that were not looked through again.
    pub(super) remembered: Vec<PathBuf>,
    /// Whether others can put something that must be masked where the run may read, or take a mask
    /// away.
    pub(super) can_change: bool,
    /// Trees in which openings are not looked at then.
    pub(super) passed: Vec<PathBuf>,
}

fn is_kernels(path: &AbsPath) -> bool {
    KERNEL_TREES.iter().any(|own| Path::new(path.as_str()).starts_with(own))
}

/// Whether a rule can stand against reading.
pub(in crate::plan) fn objects_to_reading(own: &RulePlace<'_>) -> bool {
    match own.kind {
        RuleKind::Deny | RuleKind::Danger => own.rights.read,
        RuleKind::Ask => own.rights.read || own.rights.write,
        _ => false,
    }
}

impl<'a> Masker<'a> {
    pub(super) fn new(trees: &'a Trees<'a>, exec: ExecPlan) -> Masker<'a> {
        let objecting: Vec<RulePlace<'a>> =
            trees.places.iter().filter(|own| objects_to_reading(own)).cloned().collect();
        let texts = vec![OnceCell::new(); objecting.len()];
        let masks = trees.masks.iter().cloned().collect();
        Masker {
            trees,
            objecting,
            absolute: OnceCell::new(),
            floating: Vec::new(),
            texts,
            budget: Budget(MAX_SEEN),
            masks,
            remembered: Vec::new(),
            exec,
            is_judged_later: false,
            passed: Vec::new(),
        }
    }

    /// All that must be masked.
    pub(super) fn find(mut self) -> Result<Masks, TooLarge> {
        let all = self.roots();
        // The run has a `/proc` of its own, which is mounted nowhere else.
        let is_of_proc = |path: &Path| path.starts_with("/proc");
        let roots = all.iter().filter(|root| !is_of_proc(Path::new(root.as_str())));
        let roots: Vec<AbsPath> = roots.cloned().collect();
        let read = self.with_single_files(&roots);
        let elsewhere = self.elsewhere(&read)?;
        let mut elsewhere_too = roots.iter().chain(elsewhere.iter().map(|own| &own.path));
        let can_change = elsewhere_too.any(|root| self.can_change(root));
        self.passed = if can_change { self.passed() } else { Vec::new() };
        self.is_judged_later = can_change && self.exec == ExecPlan::Gated;
        for root in self.looked_through(all) {
            for found in self.candidates(&root, None)? {
                self.judge(&found)?;
            }
        }
        let (in_proc, others) = self.masks.into_iter().partition(|own| is_of_proc(own));
        self.masks = others;
        self.judge_elsewhere(&elsewhere, &read)?;
        if !self.is_judged_later {
            self.add_links(&roots)?;
        }
        self.add_names(&read);
        self.masks.extend::<BTreeSet<PathBuf>>(in_proc);
        let passed = self.passed.iter().map(|path| path.as_str().into()).collect();
        let mut masks: Vec<PathBuf> = Vec::new();
        let covered: BTreeSet<PathBuf> = self.masks.iter().map(|own| self.enterable(own)).collect();
        for mask in covered {
            // In order, what lies inside comes behind what it lies in.
            if !masks.last().is_some_and(|last| mask.starts_with(last)) {
                masks.push(mask);
            }
        }
        if masks.len() > MAX_MASKS {
            return Err(TooLarge);
        }
        Ok(Masks { masks, remembered: self.remembered, can_change, passed })
    }

    /// What can be covered in the place of something: in a directory that can be listed and not entered
    /// nothing can, so that it is covered as a whole.
    fn enterable(&self, mask: &Path) -> PathBuf {
        let host = self.trees.site.host;
        // What is no text was listed, and its directory can be entered or nothing below it was found.
        let is_closed = |path: &Path| {
            let path = path.to_str().and_then(|path| AbsPath::new(path).ok());
            path.is_some_and(|path| matches!(host.entry(&path), FileEntry::Unreadable(_)))
        };
        let first = mask.ancestors().find(|path| !is_closed(path));
        first.unwrap_or(mask).to_owned()
    }

    /// Whether something that must be masked can come or go in a tree. What every run can reach is
    /// the system's, and what lies there comes with packages.
    fn can_change(&self, root: &AbsPath) -> bool {
        let mut objecting = PathSet::new(self.trees.site.host.path_rules());
        self.objecting.iter().for_each(|own| objecting.add(&own.literal, own.rest));
        let is_always = ALWAYS.iter().any(|own| Path::new(root.as_str()).starts_with(own.path));
        !is_always && !objecting.at(root).is_over()
    }

    /// The directories that every run can reach of which no rule speaks by their own path: what lies
    /// there came with packages.
    fn passed(&self) -> Vec<AbsPath> {
        let always = ALWAYS.iter().filter_map(|own| AbsPath::new(own.path).ok());
        let is_spoken_of =
            |path: &AbsPath| self.objecting.iter().any(|own| own.literal.starts_with(path));
        let passes = |path: &AbsPath| {
            let is_there =
                self.trees.has(path, Rights::READ) && self.trees.site.kind(path).is_some();
            is_there && !path.as_str().starts_with(OF_PEOPLE) && !is_spoken_of(path)
        };
        always.filter(passes).filter(|path| !self.is_written(path)).collect()
    }

    /// The topmost directories that can be read.
    fn roots(&self) -> Vec<AbsPath> {
        let readable = self.trees.paths().filter(|(_, rights)| rights.has(Rights::READ));
        let mut roots: Vec<AbsPath> = Vec::new();
        for (path, _) in readable {
            let known = roots.iter().any(|root| path.starts_with(root));
            // The run has terminals of its own, which come and go.
            let is_terminals = path.as_str() == "/dev/pts";
            if !known && !is_terminals && self.trees.is_there(path) {
                roots.push(path.clone());
            }
        }
        roots
    }

    /// These trees, and those in which openings pass that lie in one that is not looked through.
    fn looked_through(&self, mut roots: Vec<AbsPath>) -> Vec<AbsPath> {
        let passed = self.passed.iter().filter(|path| !roots.contains(path));
        let inside = passed.filter(|path| {
            roots.iter().any(|root| path.starts_with(root) && self.is_judged_when_opened(root))
        });
        let inside: Vec<AbsPath> = inside.cloned().collect();
        roots.extend(inside);
        roots
    }

    /// Whether the run judges each opening in a tree, so that what is hidden there need not be covered.
    fn is_judged_when_opened(&self, root: &AbsPath) -> bool {
        let is_systems = self.trees.site.is_system(root) && self.is_still(root);
        let passes = self.passed.iter().any(|own| root.starts_with(own));
        self.is_judged_later && !is_kernels(root) && !is_systems && !passes
    }

    /// What rules take in a tree, whatever the verdict. Where the same lies in a tree that was looked
    /// through, and rules that float say the same there, names are not looked at again.
    fn candidates(
        &mut self,
        root: &AbsPath,
        same: Option<&AbsPath>,
    ) -> Result<Vec<Found>, TooLarge> {
        let mut found = Vec::new();
        let site = self.trees.site;
        let is_judged = self.is_judged_when_opened(root);
        let inside = self.objecting.iter().filter(|own| own.literal.starts_with(root));
        for own in inside.filter(|own| *own.literal != *root) {
            let Some(kind) = site.kind(&own.literal) else { continue };
            let mut set = PathSet::new(site.host.path_rules());
            set.add(&own.literal, own.rest);
            let path = AbsPath::clone(&own.literal);
            let states = set.at(&path);
            let whole = set.takes_all(&states);
            if kind == EntryKind::Dir && !whole && !is_judged {
                found.extend(collect(site.lister, &set, &path, &mut self.budget));
            }
            if set.matches(&states) {
                let host_path = path.as_str().into();
                found.push(Found { path, host_path, kind, whole, too_deep: false });
            }
        }
        let floating = self.floating_in(root);
        let states = floating.set.at(root);
        let is_same = same.is_some_and(|own| {
            floating.set.at(own) == states && self.floating_in(own).which == floating.which
        });
        if !states.is_over() && !is_same && !is_judged {
            found.extend(self.find_floating(root, &floating)?);
        }
        if self.budget.is_spent() { Err(TooLarge) } else { Ok(found) }
    }

    /// The rules that hold everywhere in a tree, but for those that leave out all of it.
    fn floating_in(&mut self, root: &AbsPath) -> Rc<Floating> {
        let excepts = |own: &&RulePlace<'_>| is_whole(own.rest) && root.starts_with(&own.literal);
        let left_out: BTreeSet<u32> =
            self.trees.places.iter().filter(excepts).filter_map(|own| own.narrows).collect();
        let holds = |(_, own): &(usize, &RulePlace<'_>)| {
            root.starts_with(&own.literal) && !left_out.contains(&own.number)
        };
        let which = self.objecting.iter().enumerate().filter(holds);
        let which: Vec<usize> = which.map(|(number, _)| number).collect();
        if let Some(known) = self.floating.iter().find(|known| known.which == which) {
            return Rc::clone(known);
        }
        let mut set = PathSet::new(self.trees.site.host.path_rules());
        let mut patterns = String::new();
        for number in &which {
            if let Some(own) = self.objecting.get(*number) {
                set.add(&own.literal, own.rest);
            }
            patterns.push_str(self.text(*number));
        }
        let made = Rc::new(Floating { which, set, patterns });
        self.floating.push(Rc::clone(&made));
        made
    }

    /// The pattern of a rule that objects, and where its exceptions hold, one on each line.
    fn text(&self, number: usize) -> &str {
        let both = self.objecting.get(number).zip(self.texts.get(number));
        let Some((own, text)) = both else { return "" };
        text.get_or_init(|| {
            let mut text = format!("{}\n", own.rule.pattern);
            let exceptions = self.trees.places.iter();
            for other in exceptions.filter(|other| other.narrows == Some(own.number)) {
                let _ = writeln!(text, "but {} {:?}", &other.literal, other.rest);
            }
            text
        })
    }

    /// The rules that nothing lifts.
    fn absolute(&self) -> &PathSet {
        self.absolute.get_or_init(|| {
            let places = &self.trees.places;
            let lifted = places.iter().any(|own| own.kind == RuleKind::OptIn);
            let holds = |own: &&RulePlace<'_>| match own.kind {
                RuleKind::Deny => own.rights.read,
                RuleKind::Danger => own.rights.read && !lifted,
                _ => false,
            };
            let mut set = PathSet::new(self.trees.site.host.path_rules());
            for own in places.iter().filter(holds).filter(|own| own.rule.except.is_empty()) {
                set.add(&own.literal, own.rest);
            }
            set
        })
    }

    /// What rules that hold everywhere take in a tree; kept, if the run only reads the tree.
    fn find_floating(
        &mut self,
        root: &AbsPath,
        Floating { which, set, patterns }: &Floating,
    ) -> Result<Vec<Found>, TooLarge> {
        let site = self.trees.site;
        let Some(shelf) = site.shelf.filter(|_| self.is_still(root)) else {
            return Ok(collect(site.lister, set, root, &mut self.budget));
        };
        let levels = if site.is_system(root) { 2 } else { 3 };
        let stamp = match is_kernels(root) {
            true => shelf.stamp(Path::new(root.as_str()), levels),
            false => shelf.stamp(&site.lister.pinned(Path::new(root.as_str())), levels),
        };
        let depends = format!("2\n{root}\n{patterns}{stamp}");
        let key = key(&format!("{root}\n{patterns}"));
        if let Some(paths) = shelf.load(&key).and_then(|kept| unpack(&depends, &kept)) {
            self.remembered.push(root.as_str().into());
            return Ok(paths.into_iter().filter_map(|path| self.again(set, path)).collect());
        }
        let mut budget = Budget(MAX_SEEN_ONCE);
        let found = collect(site.lister, set, root, &mut budget);
        if budget.is_spent() {
            return Err(TooLarge);
        }
        let rules = which.iter().filter_map(|number| self.objecting.get(*number));
        let left_out = LeftOut::new(rules, &self.trees.places, site.host.path_rules());
        let is_file = |found: &Found| matches!(found.kind, EntryKind::File | EntryKind::Other);
        let found = found.into_iter().filter(|own| !is_file(own) || !left_out.has(&own.path));
        let found: Vec<Found> = found.collect();
        let paths: Vec<PathBuf> = found.iter().map(|found| found.host_path.clone()).collect();
        shelf.save(&key, &pack(&depends, &paths));
        Ok(found)
    }

    /// Whether a tree is one that hardly changes: the run writes nothing there, and the project
    /// lies elsewhere.
    fn is_still(&self, root: &AbsPath) -> bool {
        !self.is_written(root)
    }

    /// What was found once, if it is still there.
    fn again(&self, set: &PathSet, host_path: PathBuf) -> Option<Found> {
        let path = as_known(&host_path)?;
        let site = self.trees.site;
        let kind = match host_path.to_str() {
            Some(_) => site.host.entry(&path).kind()?,
            // The host is asked by text.
            None => {
                let beside = site.lister.list(host_path.parent()?);
                beside.iter().find(|own| Some(&*own.name) == host_path.file_name())?.kind
            }
        };
        let is_dir = kind == EntryKind::Dir;
        let whole = is_dir && set.takes_all(&set.at(&path));
        let too_deep = is_dir && is_too_deep(&host_path);
        Some(Found { path, host_path, kind, whole, too_deep })
    }

    fn judge(&mut self, found: &Found) -> Result<(), TooLarge> {
        match found.kind {
            // Where a link leads is judged there. The names in a directory are no secret if what
            // they name may be read.
            EntryKind::Link => {}
            EntryKind::Dir if found.too_deep => {
                self.masks.insert(found.host_path.clone());
            }
            EntryKind::Dir if !found.whole => {}
            EntryKind::Dir if self.absolute().takes_all(&self.absolute().at(&found.path)) => {
                self.masks.insert(found.host_path.clone());
            }
            EntryKind::Dir if self.is_judged_when_opened(&found.path) => {}
            EntryKind::Dir => {
                self.look_inside(&found.path, &found.host_path)?;
            }
            EntryKind::File | EntryKind::Other => {
                if self.trees.oracle.objects(&found.path) {
                    self.masks.insert(found.host_path.clone());
                }
            }
        }
        Ok(())
    }

    /// Masks what may not be read inside a directory, or all of it if nothing may; says whether
    /// something may.
    fn look_inside(&mut self, path: &AbsPath, host_path: &Path) -> Result<bool, TooLarge> {
        let mut masks = Vec::new();
        let mut readable = !self.trees.oracle.objects(path);
        for entry in list(self.trees.site.lister, host_path) {
            if !self.budget.take() {
                return Err(TooLarge);
            }
            let Some(path) = below(path, &entry.name) else { continue };
            let host_path = host_path.join(&entry.name);
            match entry.kind {
                EntryKind::Link => {}
                EntryKind::Dir if is_too_deep(&host_path) => masks.push(host_path),
                EntryKind::Dir => readable |= self.look_inside(&path, &host_path)?,
                _ if self.trees.oracle.objects(&path) => masks.push(host_path),
                _ => readable = true,
            }
        }
        // By another name of the directory each of them may be read.
        if readable || !self.trees.site.mounts.is_empty() {
            self.masks.extend(masks);
        }
        if !readable {
            self.masks.insert(host_path.to_owned());
        }
        Ok(readable)
    }
}
