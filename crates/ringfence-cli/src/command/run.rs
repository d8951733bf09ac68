//! `ringfence run`: a command in the fence.

mod report;
mod session;
mod tell;

use std::ffi::OsString;
use std::io::{IsTerminal, stdin};
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::Arc;

use ringfence::{Beside, PlanInputs, PrepareError, PreparedCommand};
use ringfence_core::Context;
use ringfence_exec::queue::{QueueTimeouts, hook_channel};
use ringfence_exec::refusal_log::LogEntry;
use ringfence_exec::{Approver, Finished, Report, Way, mark_prompt};
use ringfence_guard::Guard;
use ringfence_guard::redact::visible;
use ringfence_guard::world::{PolicyLocations, RealHost, TrustRecords};
use ringfence_sandbox::{Command, Ended, Failed, Plan, Room};

use crate::args::RunArgs;
use crate::asking::{self, Manner};
use crate::command::doctor;
use crate::command::hook::outside::Listening;
use crate::diary;
use crate::door::{self, build_failure};
use crate::exit::{Exit, Failure};
use crate::kept::Kept;
use crate::show;
use crate::slow_notice::PatientLister;

use report::ReportFile;

/// Could not confine.
pub(crate) const UNCONFINED: u8 = 125;
/// Refused.
const REFUSED: u8 = 126;
/// Not found.
pub(crate) const NOT_FOUND: u8 = 127;
/// A limit of the whole run was over: its time, as `timeout` says it, or its output.
const OVER: u8 = 124;
/// Where ringfence keeps its own records, in the home directory.
pub(crate) const STATE: &str = ".local/state/ringfence";

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let agent = door::known_agent(&args.files.policies, args.agent.as_deref())?;
    if let Some(name) = &args.session.session {
        return session::enter(args, name, agent);
    }
    let mut report_file = None;
    for attempt in 1..MOST_ATTEMPTS {
        if let Some(exit) = start(args, agent, &mut report_file, attempt)? {
            return Ok(exit);
        }
    }
    let last = start(args, agent, &mut report_file, MOST_ATTEMPTS)?;
    Ok(last.unwrap_or(Exit::As(UNCONFINED)))
}

/// The most attempts to start a run, if others replace what its plan names meanwhile.
const MOST_ATTEMPTS: usize = 4;

/// Plans a run and runs it. Returns `None` if something that the plan names was replaced before the
/// command began, and another attempt is left: what lies there by then is judged by a new plan.
fn start(
    args: &RunArgs,
    agent: Option<&str>,
    report_file: &mut Option<ReportFile>,
    attempt: usize,
) -> Result<Option<Exit>, Failure> {
    let is_first = attempt == 1;
    // Namespaces are made while it is found out what holds in them. What keeps them from being made
    // is said when they are needed.
    let mut room = (!args.print_plan).then(Room::new).and_then(Result::ok);
    let host = Arc::new(RealHost::new());
    let kept = Kept::of(args, &host);
    if let (Some(room), Some(before)) = (&mut room, kept.as_ref().and_then(Kept::load)) {
        room.expect(&before);
    }
    let draft = door::draft(&host, &args.files.policies)?;
    let Some((mut words, command)) = find(&args.command)? else {
        return Ok(Some(Exit::As(NOT_FOUND)));
    };
    if let Some(agent) = agent {
        words = words.agent(agent);
    }
    if let Some(tool) = &args.tool {
        words = words.tool(tool);
    }
    let beside = hook(draft.context(), &args.files.policies);
    let lister = PatientLister::new();
    let wanted =
        PlanInputs { draft, host: Arc::clone(&host), beside, command: &words, lister: &lister };
    // Who wants to see a plan wants all that it says.
    let ready = if args.print_plan { wanted.prepare_uncached() } else { wanted.prepare() };
    let PreparedCommand { mut door, mut planned, notes, .. } = ready.map_err(unready)?;
    let say_first = |text: &str| {
        if is_first {
            show::say(text);
        }
    };
    notes.iter().for_each(|note| say_first(&format!("note: {note}")));
    if args.print_plan {
        print_plan(&planned.plan, args.json)?;
        return Ok(Some(Exit::Allow));
    }
    if has_gaps(&planned.plan, door.guard()) {
        return Ok(Some(Exit::As(UNCONFINED)));
    }
    if is_first {
        *report_file = args.report.as_deref().map(ReportFile::open).transpose()?;
    }
    let policies = &args.files.policies;
    let manner = Manner { policies, times: QueueTimeouts::default(), waits: args.ask };
    let queue = Arc::new(asking::queue(&host, &command.argv, &manner)?);
    let hooks = Listening::default();
    let soon = Some(hooks.soon(door.guard(), &queue, policies));
    door = door.asking(Arc::clone(&queue) as Arc<dyn Approver>);
    if stdin().is_terminal() {
        mark_prompt(&command, &mut planned.plan.variables);
    }
    // The process ends with the run: nobody has to take all that apart.
    let fence = ManuallyDrop::new(door.fence_of(planned));
    let ports = fence.ports();
    ports.unpublished().iter().for_each(|own| say_first(&format!("note: {own}")));
    let keep = kept.map(Kept::keep);
    let ports = Some(ports);
    let way =
        Way { forward: true, leaves: true, keep, delayed_task: soon, ports, ..Way::default() };
    let (program, argv) = (command.program.clone(), command.argv.clone());
    let permit = door.guard().permit_typed_command(program, argv);
    let Finished { ended, report } = fence.run_in(room, permit, way);
    queue.close();
    drop(hooks);
    if matches!(ended, Err(Failed::Replaced(_))) && attempt < MOST_ATTEMPTS {
        return Ok(None);
    }
    write_down(&report, &command);
    tell::refused(&report);
    tell::unanswered(queue.unanswered());
    tell::unasked(queue.unasked());
    if let Some(file) = report_file.take() {
        file.write(&report)?;
    }
    Ok(Some(Exit::As(status(&ended))))
}

/// Writes down what was refused, for `ringfence log`.
fn write_down(report: &Report, command: &Command) {
    if report.refused.is_empty() {
        return;
    }
    let name = command.program.file_name().unwrap_or_default().to_string_lossy();
    let directory = std::env::current_dir().unwrap_or_default().display().to_string();
    let worth = report.refused.iter().filter(|refused| !refused.habit && !refused.observed);
    diary::note(worth.map(|refused| LogEntry::in_run(refused, &name, &directory)));
}

pub(crate) fn unready(unready: PrepareError) -> Failure {
    match unready {
        PrepareError::Policy(error) => build_failure(&error),
        PrepareError::Command(error) => error.to_string().into(),
    }
}

/// Says which rules nothing holds here; whether that is one too many.
pub(crate) fn has_gaps(plan: &Plan, guard: &Guard) -> bool {
    let mut stops = false;
    for gap in &plan.gaps {
        let missed = guard.policy().settings().is_best_effort(gap.facet);
        stops |= !missed;
        show::say(&format!("{}: {gap}", if missed { "note" } else { "error" }));
    }
    stops
}

/// What a run needs in which an agent's hook can be called: the user's policies, what is trusted, how
/// tools were described, and the way to the run outside. What else lies there is about other runs.
pub(crate) fn hook(context: &Context, policies: &[PathBuf]) -> Beside {
    let home = PathBuf::from(context.home.as_str());
    let state = home.join(STATE);
    // Where it cannot be made, hooks inside are told that nobody answers.
    let way = hook_channel::prepare(&state).ok();
    let pins = state.join("mcp-pins.json");
    let records = records(context).into_iter().chain([pins]);
    let own = [home.join(".config/ringfence")].into_iter().chain(way).chain(records);
    match std::env::current_exe() {
        Ok(program) => Beside::hook(&program, policies.iter().cloned().chain(own)),
        Err(_) => Beside::default(),
    }
}

/// The records of what is trusted here, what was trusted, and the answers for this project.
fn records(context: &Context) -> Vec<PathBuf> {
    let uid = RealHost::new().uid();
    let Ok(places) = PolicyLocations::of_user(uid, &context.home) else { return Vec::new() };
    let places = places.within(context.root.clone(), context.cwd.clone());
    let mut files = TrustRecords::new(&places).files_here(&places);
    files.extend(places.answer_files().here);
    files.iter().map(|path| PathBuf::from(path.as_str())).collect()
}

/// The command, in words and as it was found. That it was not found is said.
pub(crate) fn find(words: &[OsString]) -> Result<Option<(ringfence::Command, Command)>, Failure> {
    let Some((program, arguments)) = words.split_first() else { return Ok(None) };
    let command = ringfence::Command::new(program).args(arguments);
    let directory = std::env::current_dir().map_err(|error| error.to_string())?;
    match command.find(&directory) {
        Ok(found) => Ok(Some((command, found))),
        Err(error) => {
            show::failure(&Failure::new(visible(&error.to_string())));
            Ok(None)
        }
    }
}

fn print_plan(plan: &Plan, json: bool) -> Result<(), Failure> {
    let text = match json {
        true => serde_json::to_string_pretty(plan).map_err(|error| error.to_string())?,
        false => plan.to_string(),
    };
    show::print(text.trim_end());
    Ok(())
}

fn status(ended: &Result<Ended, Failed>) -> u8 {
    let above = |signal: i32| u8::try_from(signal).unwrap_or(0).saturating_add(128);
    match ended {
        Ok(Ended::Exited(status)) => u8::try_from(*status).unwrap_or(u8::MAX),
        Ok(Ended::Signalled(signal)) => above(*signal),
        Ok(Ended::Killed) => above(9),
        Ok(Ended::TimedOut) => {
            show::say("ringfence: the time for the run was over");
            OVER
        }
        Ok(Ended::SaidTooMuch) => {
            show::say("ringfence: the run said more than its limit of output");
            OVER
        }
        Err(failed) => {
            let failure = Failure::new(failed.to_string());
            show::failure(&match failed {
                Failed::Fence { .. } => failure.hint(doctor::hint()),
                Failed::Replaced(_) => failure.hint("start the run again"),
                Failed::Directory(_) | Failed::Socket(_) => {
                    failure.hint("give it a file, a pipe or /dev/null")
                }
                Failed::Descriptors(..) => failure.hint("type `ulimit -n 1024` and start it again"),
                Failed::Start(_) => failure,
            });
            match failed {
                Failed::Fence { .. }
                | Failed::Replaced(_)
                | Failed::Descriptors(..)
                | Failed::Directory(_)
                | Failed::Socket(_) => UNCONFINED,
                Failed::Start(error) if error.kind() == std::io::ErrorKind::NotFound => NOT_FOUND,
                Failed::Start(_) => REFUSED,
            }
        }
    }
}
