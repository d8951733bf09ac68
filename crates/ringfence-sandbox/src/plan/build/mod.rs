//! From a policy to a plan.
//!
//! Nothing is decided here: every answer comes from the judge. What is added is only which trees,
//! masks and ports say the same as the judge does, and where nothing does.

mod always;
mod blank;
mod coverage;
mod directory;
mod kernels;
mod left_out;
mod lister;
mod looked;
mod made;
mod masks;
mod net;
mod oracle;
mod private;
mod shapes;
mod shelf;
mod site;
mod sockets;
mod trees;
mod variables;
mod walk;

pub use always::always;
pub use lister::{Identity, Listed, Lister, PinningLister, RealLister};
pub use looked::Looked;
pub use shelf::{DirShelf, Shelf};

pub(crate) use always::KERNEL_TREES;
pub(super) use masks::objects_to_reading;
pub(super) use oracle::Oracle;
pub(super) use variables::{again as variables_again, plan as variables_for};

use std::path::Path;

use ringfence_core::host::Host;
use ringfence_core::judge::{RuleKind, RulePlace};
use ringfence_core::path::AbsPath;
use ringfence_core::pattern::Component;
use ringfence_core::{AccessScope, Context, Facet, Policy, Role};

use super::{ExecPlan, FilePlan, Gap, Judged, Limits, Plan, Rights};
use masks::{Masker, Masks};
use site::Site;
use trees::Trees;

/// What a plan is made of.
pub struct Wanted<'a> {
    /// What may be done. No class should be without a stance: the guard's `fill_silence` sees
    /// to it.
    pub policy: &'a Policy,
    /// The surroundings that the policy was compiled in.
    pub context: &'a Context,
    /// The host.
    pub host: &'a dyn Host,
    /// Looks at directories: [`RealLister`] on the real host.
    pub lister: &'a dyn Lister,
    /// Where what was found in trees that are only read is kept; without one they are walked each
    /// time.
    pub shelf: Option<&'a dyn Shelf>,
    /// For whom the run is: the agent, where one is named. No tool, no command.
    pub scope: AccessScope,
    /// The files of the command that was asked for, and of its interpreter: whoever typed it
    /// granted it.
    pub programs: Vec<AbsPath>,
    /// What the tree may read besides: the policies, by which a hook inside judges.
    pub given: Vec<AbsPath>,
    /// The environment from which the command's is chosen.
    pub environment: Vec<(String, String)>,
}

impl Plan {
    /// Makes the plan for a run.
    ///
    /// It always succeeds; what cannot be held is in [`Plan::gaps`], and whoever starts the run
    /// stops there unless the facet may be held by best effort.
    pub fn make(wanted: &Wanted<'_>) -> Plan {
        let oracle = Oracle::new(wanted.policy, &wanted.scope);
        let site = Site::new(wanted.host, wanted.lister, wanted.shelf, wanted.context);
        let net = net::plan(&oracle);
        let free = wanted.policy.allows_every_command(&oracle.anything);
        let mut plan = Plan {
            cwd: wanted.context.cwd.as_str().into(),
            files: files(&oracle, &site, wanted, net.proxy.is_some()),
            exec: if free { ExecPlan::Free } else { ExecPlan::Gated },
            sockets: sockets::plan(&oracle, &site),
            variables: variables::plan(&oracle, &wanted.environment, &net),
            net,
            limits: wanted.policy.settings().limits.into(),
            pins: wanted.lister.pins(),
            ..Plan::default()
        };
        coverage::fill(&mut plan, &oracle);
        plan.gaps.extend(case_gap(wanted.host));
        plan.gaps.extend(processes_gap(&plan.limits, wanted.lister));
        plan.gaps.extend((!site.knows_mounts).then(mounts_gap));
        plan
    }
}

fn files(oracle: &Oracle<'_>, site: &Site<'_>, wanted: &Wanted<'_>, network: bool) -> FilePlan {
    let private = private::directories(oracle, site);
    let mut trees = Trees::new(oracle, site, &private);
    trees.add_whole();
    trees.add_changed();
    trees.add_always(network);
    for program in wanted.programs.iter().filter(|program| site.kind(program).is_some()) {
        trees.add(program, Rights::READ | Rights::EXECUTE);
    }
    let given = wanted.given.iter().filter(|path| site.kind(path).is_some());
    let given: Vec<&AbsPath> = given.collect();
    given.iter().for_each(|path| trees.add(path, Rights::READ));
    trees.openings |= kernels::come_later(&trees, kernels::objects_to_reading);
    trees.add_shapes();
    blank::add(&mut trees);
    pin_trees(&trees, &private);
    let masks = match trees.openings {
        true => Some(Masks::default()),
        false => pinned_masks(&trees),
    };
    let judged = match (&masks, trees.openings) {
        (None, _) | (_, true) => Judged::Openings,
        (Some(masks), _) if masks.can_change => Judged::Hiding,
        _ if is_judged(&trees) => Judged::Changes,
        _ => Judged::Nothing,
    };
    let Masks { masks, remembered, mut watched, passed, .. } = masks.unwrap_or_default();
    if judged == Judged::Hiding {
        // A new name is judged like all others.
        watched.clear();
    }
    let private = private.iter().map(|path| path.as_str().into()).collect();
    let given = given.iter().copied().chain(&wanted.programs);
    let given = given.map(|path| path.as_str().into()).collect();
    let made = trees.made.iter().map(|path| path.as_str().into()).collect();
    let blank = trees.blank.clone();
    let trees = trees.finish();
    let mounts = site.mounts.clone();
    FilePlan {
        trees,
        given,
        masks,
        blank,
        remembered,
        watched,
        passed,
        made,
        private,
        mounts,
        judged,
    }
}

/// Pins what is mounted, granted and entered; the kernel's own file systems are left to the run.
fn pin_trees(trees: &Trees<'_>, private: &[AbsPath]) {
    let is_kernels = |path: &str| KERNEL_TREES.iter().any(|own| Path::new(path).starts_with(own));
    let paths = trees.paths().map(|(path, _)| path).chain(private).chain([&trees.site.context.cwd]);
    for path in paths.filter(|path| !is_kernels(path.as_str())) {
        trees.site.lister.pin(Path::new(path.as_str()));
    }
}

/// How often masks are looked for where names go away meanwhile.
const TRIES: usize = 3;

/// Looks for what must be masked below what was pinned, and pins that. A name that is gone by then may
/// only have been moved for a moment, so everything is looked through again.
fn pinned_masks(trees: &Trees<'_>) -> Option<Masks> {
    let mut found = Masker::new(trees).find().ok()?;
    for _ in 1..TRIES {
        let hidden = found.masks.iter().chain(&trees.blank);
        if hidden.filter(|path| !trees.site.lister.pin(path)).count() == 0 {
            break;
        }
        found = Masker::new(trees).find().ok()?;
    }
    Some(found)
}

/// Whether a change must be looked at: trees say less than the rules on what is written do.
fn is_judged(trees: &Trees<'_>) -> bool {
    // Trees say all of what every run can reach, but for what makes terminals.
    let is_device = |path: &AbsPath| always().any(|(own, ..)| path.as_str() == own);
    let changes = |rights: Rights| rights.has(Rights::WRITE) || rights.has(Rights::DELETE);
    let writable = trees.paths().any(|(path, rights)| changes(rights) && !is_device(path))
        || kernels::come_later(trees, kernels::objects_to_writing);
    let plain = |own: &RulePlace<'_>| {
        let changes = own.rights.write || own.rights.delete;
        let grants = own.role.grants() && own.kind == RuleKind::Allow;
        !changes || (grants && own.rest == [Component::Deep])
    };
    let ceiling = trees.places.iter().any(|own| own.role == Role::Ceiling);
    writable && (ceiling || !trees.places.iter().all(plain))
}

fn case_gap(host: &dyn Host) -> Option<Gap> {
    host.path_rules().case_insensitive.then(|| Gap {
        facet: Facet::Files,
        rule: "fs:*".to_owned(),
        origin: "this host".to_owned(),
        reason: "compares names without case, which the kernel does not".to_owned(),
    })
}

fn processes_gap(limits: &Limits, lister: &dyn Lister) -> Option<Gap> {
    let most = limits.processes.filter(|_| !lister.counts_processes())?;
    Some(Gap {
        facet: Facet::Exec,
        rule: format!("processes = {most}"),
        origin: "[limits]".to_owned(),
        reason:
            "is not held for root, whose processes the kernel does not count: start the run as \
                 another user"
                .to_owned(),
    })
}

fn mounts_gap() -> Gap {
    Gap {
        facet: Facet::Files,
        rule: "fs:*".to_owned(),
        origin: "this host".to_owned(),
        reason:
            "does not tell what is mounted where, so that something may be seen by a second name"
                .to_owned(),
    }
}

#[cfg(test)]
#[path = "build_tests.rs"]
mod tests;
