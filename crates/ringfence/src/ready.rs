//! A command's plan: the one of an earlier run where nothing that it was made of has changed, else a
//! new one.
//!
//! What a plan is made of is known to the last question: what people wrote, who runs what and where,
//! which program this is, and every answer of the host. A kept plan is used only where all of that is
//! the same once more. Then nobody need compile the policy before somebody asks it something; it is
//! compiled from the texts that were read and the answers that were given at the start, so that it
//! is the same whenever that happens.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use ringfence_core::Policy;
use ringfence_core::bytes::{ByteReader, ByteWriter};
use ringfence_core::host::{Host, HostAnswers, RecordingHost};
use ringfence_guard::world::{Draft, RealHost};
use ringfence_guard::{BuildError, BuiltPolicy, Guard};
use ringfence_sandbox::Plan;
use ringfence_sandbox::plan::{DirShelf, Lister, Looked};

use crate::command::Command;
use crate::door::{self, Beside, Door, Given, Planned, Sight};
use crate::error::Error;
use crate::plan_file::PlanFile;

/// What a command's plan is made of.
pub struct Wanted<'a> {
    /// What people wrote.
    pub draft: Draft,
    /// This host.
    pub host: Arc<RealHost>,
    /// What the command may start and read besides.
    pub beside: Beside,
    /// The command.
    pub command: &'a Command,
    /// Looks at this machine's directories, of which there may be many.
    pub lister: &'a dyn Lister,
}

/// A door with the plan of a command.
pub struct Ready {
    /// The door.
    pub door: Door,
    /// The plan.
    pub planned: Planned,
    /// What people should know of the policy.
    pub notes: Vec<String>,
    /// Whether the plan is that of an earlier run.
    pub is_kept: bool,
}

/// Why there is no plan.
#[derive(Debug)]
pub enum Unready {
    /// The policy says what cannot be.
    Policy(BuildError),
    /// The command cannot be run.
    Command(Error),
}

/// The form of the bytes.
const FORM: u64 = 2;
/// How many plans are kept for one directory.
const SLOTS: u64 = 64;

/// A plan that holds.
struct Kept {
    plan: Plan,
    notes: Vec<String>,
    strict: bool,
    /// What the host answered.
    answers: Vec<u8>,
}

impl Wanted<'_> {
    /// Makes the plan.
    pub fn ready(self) -> Result<Ready, Unready> {
        let given = self.given().map_err(Unready::Command)?;
        let shelf = self.shelf();
        self.anew(given, &shelf, None)
    }

    /// The plan that an earlier run kept, where it holds; else makes it, and keeps it for the next.
    pub fn ready_or_kept(self) -> Result<Ready, Unready> {
        let given = self.given().map_err(Unready::Command)?;
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

    /// Where the plan of this command is kept. Few for each directory, which commands share; the
    /// same whether the files are there already or not.
    fn slot(&self, given: &Given) -> [u64; 2] {
        let place = (self.draft.context().cwd.as_str(), &self.beside.named);
        [number(place), number(&given.programs) % SLOTS]
    }

    /// Everything that goes into a plan but the answers of the host; none where it cannot be told
    /// which program this is.
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

    /// What was kept, if it was made of the same.
    fn kept(&self, kept: &[u8], inputs: &[u8], given: &Given, shelf: &DirShelf) -> Option<Kept> {
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
        Some(Kept { plan, notes, strict, answers: answers.to_vec() })
    }

    /// A door whose policy is compiled when it is first asked.
    fn by(self, kept: Kept) -> Ready {
        let Wanted { draft, host, beside, command, .. } = self;
        let context = draft.context().clone();
        let scope = door::scope_of(command);
        let Kept { plan, notes, strict, answers } = kept;
        let make = {
            let (host, context) = (Arc::clone(&host), context.clone());
            // It was compiled from the same before, so it can be compiled; if not, nothing is granted.
            move || match compile(draft, &answers, &*host) {
                Some(policy) => policy,
                None => Policy::empty(&context, &*host),
            }
        };
        let guard = Guard::later(make, host, context);
        let door = Door::of(Arc::new(guard)).beside(beside);
        Ready { door, planned: Planned { plan, scope, strict }, notes, is_kept: true }
    }

    /// Makes the plan, and keeps it where somebody wants that.
    fn anew(
        self,
        given: Given,
        shelf: &DirShelf,
        keep: Option<(&PlanFile<'_>, Vec<u8>)>,
    ) -> Result<Ready, Unready> {
        let Wanted { draft, host, beside, command, lister } = self;
        let asked = RecordingHost::new(&*host, HostAnswers::default());
        let looked = Looked::new(lister, shelf);
        let context = draft.context().clone();
        let BuiltPolicy { policy, notes } = draft.build(&asked).map_err(Unready::Policy)?;
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
        Ok(Ready { door, planned, notes, is_kept: false })
    }
}

/// The policy, on the host as it was when it answered so.
fn compile(draft: Draft, answers: &[u8], host: &dyn Host) -> Option<Policy> {
    let known = HostAnswers::unpack(answers)?;
    draft.build(&RecordingHost::new(host, known)).ok().map(|built| built.policy)
}

/// A number for something; what shares it shares a place, and costs time.
fn number(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
