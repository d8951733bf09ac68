//! Prepares a command's plan: reuses the plan of an earlier run if none of its inputs changed, or
//! makes a new one.
//!
//! All inputs of a plan are known: the policy texts, the user, the command and its directory, the
//! ringfence program, and every answer of the host. A cached plan is used only if all of them are
//! equal. The policy is then compiled only if the run needs a decision. It is compiled from the
//! texts and host answers of the start, so the time of compilation makes no difference.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use ringfence_core::Policy;
use ringfence_core::bytes::{ByteReader, ByteWriter};
use ringfence_core::host::{Host, HostAnswers, RecordingHost};
use ringfence_guard::world::{PolicyDraft, RealHost};
use ringfence_guard::{BuildError, BuiltPolicy, Guard};
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{DirShelf, Lister, Looked};

use crate::command::Command;
use crate::door::{self, Beside, Door, Given, Planned, Sight};
use crate::error::Error;
use crate::plan_file::PlanFile;

/// The inputs of a command's plan.
pub struct PlanInputs<'a> {
    /// The documents, parsed but not compiled.
    pub draft: PolicyDraft,
    /// This host.
    pub host: Arc<RealHost>,
    /// Additional files that the command may start and read.
    pub beside: Beside,
    /// The command.
    pub command: &'a Command,
    /// Lists directories of this machine; caches what it listed.
    pub lister: &'a dyn Lister,
}

/// A door and the plan of a command.
pub struct PreparedCommand {
    /// The door.
    pub door: Door,
    /// The plan.
    pub planned: Planned,
    /// Notes about the policy, for people.
    pub notes: Vec<String>,
    /// Whether the plan comes from the cache.
    pub is_cached: bool,
}

/// Why there is no plan.
#[derive(Debug)]
pub enum PrepareError {
    /// The policy cannot be compiled.
    Policy(BuildError),
    /// The command cannot be run.
    Command(Error),
}

/// The version of the cache format.
const FORM: u64 = 2;
/// The number of cached plans per directory.
const SLOTS: u64 = 64;

/// A cached plan that is still valid.
struct CachedPlan {
    plan: Plan,
    notes: Vec<String>,
    strict: bool,
    /// The host's answers, serialized.
    answers: Vec<u8>,
}

impl PlanInputs<'_> {
    /// Makes a new plan.
    pub fn prepare_uncached(self) -> Result<PreparedCommand, PrepareError> {
        let given = self.given().map_err(PrepareError::Command)?;
        let shelf = self.shelf();
        self.anew(given, &shelf, None)
    }

    /// Returns the cached plan if it is still valid; otherwise makes a plan and caches it.
    pub fn prepare(self) -> Result<PreparedCommand, PrepareError> {
        let given = self.given().map_err(PrepareError::Command)?;
        let shelf = self.shelf();
        let Some(inputs) = self.inputs(&given) else { return self.anew(given, &shelf, None) };
        let file = PlanFile::new(&shelf, &self.slot(&given));
        match file.load().and_then(|kept| self.kept(&kept, &inputs, &given, &shelf)) {
            Some(kept) => Ok(self.by(kept)),
            None => self.anew(given, &shelf, Some((&file, inputs))),
        }
    }

    fn given(&self) -> Result<Given, Error> {
        Given::of(self.command, self.draft.context(), &self.beside)
    }

    fn shelf(&self) -> DirShelf {
        door::shelf(self.draft.context())
    }

    /// Returns the cache key of this command: a hash of the directory, and one of a few slots that
    /// commands share. The key must not depend on whether files exist.
    fn slot(&self, given: &Given) -> [u64; 2] {
        let place = (self.draft.context().cwd.as_str(), &self.beside.named);
        [number(place), number(&given.programs) % SLOTS]
    }

    /// Serializes every input of the plan except the host's answers. Returns `None` if this
    /// program's own file cannot be determined.
    fn inputs(&self, given: &Given) -> Option<Vec<u8>> {
        let program = std::fs::metadata("/proc/self/exe").ok()?;
        let mut to = ByteWriter::new();
        to.number(FORM);
        for own in [program.dev(), program.ino(), program.size(), self.host.uid().into()] {
            to.number(own);
        }
        for time in [program.mtime(), program.mtime_nsec(), program.ctime(), program.ctime_nsec()] {
            to.text(time.to_le_bytes());
        }
        self.draft.pack(&mut to);
        for paths in [&given.programs, &given.files] {
            to.each(paths, |to, path| to.text(path.as_str()));
        }
        for name in [&self.command.agent, &self.command.tool] {
            to.maybe(name.as_ref(), ByteWriter::text);
        }
        to.each(&given.environment, |to, (name, _)| to.text(name));
        Some(to.finish())
    }

    /// Returns the cached plan if its inputs are equal and the host still gives the same answers.
    fn kept(
        &self,
        kept: &[u8],
        inputs: &[u8],
        given: &Given,
        shelf: &DirShelf,
    ) -> Option<CachedPlan> {
        let mut from = ByteReader::new(kept);
        if from.bytes()? != inputs {
            return None;
        }
        let (answers, looked, plan) = (from.bytes()?, from.bytes()?, from.bytes()?);
        let notes = from.each(|from| from.text().map(str::to_owned))?;
        let strict = from.flag()?;
        let holds = from.is_over()
            && HostAnswers::still_hold(answers, &*self.host)
            && Looked::still_holds(looked, self.lister, shelf);
        let mut plan = Plan::unpack(plan, &given.environment).filter(|_| holds)?;
        plan.pins = self.lister.pins();
        Some(CachedPlan { plan, notes, strict, answers: answers.to_vec() })
    }

    /// Returns a door whose policy is compiled when it is first needed.
    fn by(self, kept: CachedPlan) -> PreparedCommand {
        let PlanInputs { draft, host, beside, command, .. } = self;
        let context = draft.context().clone();
        let scope = door::scope_of(command);
        let CachedPlan { plan, notes, strict, answers } = kept;
        let make = {
            let (host, context) = (Arc::clone(&host), context.clone());
            // The same policy compiled before. If compiling fails now, a policy that grants nothing
            // is used.
            move || match compile(draft, &answers, &*host) {
                Some(policy) => policy,
                None => Policy::empty(&context, &*host),
            }
        };
        let guard = Guard::later(make, host, context);
        let door = Door::of(Arc::new(guard)).beside(beside);
        PreparedCommand { door, planned: Planned { plan, scope, strict }, notes, is_cached: true }
    }

    /// Makes the plan, and caches it in `keep`.
    fn anew(
        self,
        given: Given,
        shelf: &DirShelf,
        keep: Option<(&PlanFile<'_>, Vec<u8>)>,
    ) -> Result<PreparedCommand, PrepareError> {
        let PlanInputs { draft, host, beside, command, lister } = self;
        let asked = RecordingHost::new(&*host, HostAnswers::default());
        let looked = Looked::new(lister, shelf);
        let context = draft.context().clone();
        let built = draft.build(&asked).map_err(PrepareError::Policy)?;
        let notes: Vec<String> = built.notes().collect();
        let BuiltPolicy { policy, .. } = built;
        let guard = Guard::new(policy, Arc::clone(&host) as Arc<dyn Host>, context);
        let door = Door::of(Arc::new(guard)).beside(beside);
        let sight = Sight { host: &asked, lister: &looked, shelf: &looked };
        let planned = door.plan_by(command, given, &sight);
        if let Some((file, inputs)) = keep
            && !door.is_scoped()
            && let (Some(answers), Some(looked), Some(plan)) =
                (asked.into_answers().pack(), looked.pack(), planned.plan.pack())
        {
            let mut to = ByteWriter::new();
            [inputs, answers, looked, plan].iter().for_each(|own| to.text(own));
            to.each(&notes, ByteWriter::text);
            to.flag(planned.strict);
            file.save(&to.finish());
        }
        Ok(PreparedCommand { door, planned, notes, is_cached: false })
    }
}

/// Compiles the policy on a host that gives the recorded answers.
fn compile(draft: PolicyDraft, answers: &[u8], host: &dyn Host) -> Option<Policy> {
    let known = HostAnswers::unpack(answers)?;
    draft.build(&RecordingHost::new(host, known)).ok().map(|built| built.policy)
}

/// Returns a hash. Two commands with the same hash share a slot, which only costs time.
fn number(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
