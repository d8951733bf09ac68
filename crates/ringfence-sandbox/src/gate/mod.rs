//! The gate: answers the calls that the filter asks about.

mod also;
mod attributes;
mod birth;
mod broker;
mod carry;
mod exec;
mod files;
mod haste;
mod judge;
mod lineage;
mod memory;
mod moves;
mod near;
mod notify;
mod openings;
mod place;
mod programs;
mod sockets;
mod target;
mod terminal;
mod trace;
mod wanted;
mod written;

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, Sender, channel};

pub use judge::{Also, Answer, Change, Deed, Judge, Later, NewLink, Process, Started, TakeContent};

use also::Names;
pub(crate) use birth::{hold, is_there};
pub(crate) use broker::Broker;
use exec::{Before, Start};
use files::Prepared;
use haste::Haste;
use near::{Home, Near};
use notify::{Call, Listener};
pub(crate) use openings::Openings;
use openings::Quick;
use target::Target;
use trace::Stopped;
use wanted::Wanted;
use written::Written;

/// Answers what the filter asks.
pub(crate) struct Gate {
    shared: Arc<Shared>,
    /// Answers of people, which come later.
    later: (Sender<Waiting>, Receiver<Waiting>),
    /// The root of the tree.
    root: OwnedFd,
    /// The mounts of the tree, where something has several names in it.
    names: Option<Names>,
    /// Judges openings, where rules hide something.
    openings: Option<Openings>,
    haste: Haste,
    before: Before,
    home: Home,
    /// Files whose content is judged when it has been written.
    written: Written,
}

struct Shared {
    listener: Listener,
    broker: Broker,
    judge: Arc<dyn Judge>,
    /// Written when an answer has come.
    wake: OwnedFd,
    /// How many openings of pipes wait for the other end.
    waiting: AtomicUsize,
}

/// A call that a person was asked about.
struct Waiting {
    id: u64,
    target: Target,
    about: About,
    allowed: bool,
}

enum About {
    Start(Box<Start>),
    /// The call, and what was judged of it.
    Change(Box<(Call, Prepared)>),
}

impl Gate {
    /// A gate for the tree with this root, which was begun with these variables. With the init it is
    /// told that something has several names.
    pub(crate) fn new(
        listener: OwnedFd,
        broker: Broker,
        judge: Arc<dyn Judge>,
        root: OwnedFd,
        given: &[(String, String)],
        aliased: Option<i32>,
        openings: Option<Openings>,
    ) -> io::Result<Gate> {
        // SAFETY: takes numbers alone.
        let wake = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        let wake = target::owned(wake.into())?;
        let listener = Listener::new(listener);
        let shared =
            Arc::new(Shared { listener, broker, judge, wake, waiting: AtomicUsize::new(0) });
        let given = given.iter().map(|(name, value)| format!("{name}={value}").into());
        let home = Home::default();
        let before = Before::with(given.collect());
        let names = aliased.map(Names::new);
        let written = Written::default();
        let later = channel();
        let haste = Haste::default();
        Ok(Gate { shared, later, root, names, openings, haste, before, home, written })
    }

    /// What becomes readable when there is something to do.
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        [self.shared.listener.raw(), self.shared.wake.as_raw_fd()]
    }

    /// Answers the next call, and those that follow at once. An error: nobody can call any more.
    pub(crate) fn serve(&self) -> io::Result<()> {
        while self.serve_one()? && self.haste.is_next_there(&self.shared.listener) {}
        Ok(())
    }

    /// Answers the next call; whether it was an opening like those that programs make one after the
    /// other.
    fn serve_one(&self) -> io::Result<bool> {
        let Some(call) = self.shared.listener.receive()? else { return Ok(false) };
        self.written.settle();
        let root = self.root.as_raw_fd();
        let target = Target { pid: call.pid as i32, broker: self.shared.broker.pid, root };
        let number = libc::c_long::from(call.data.nr);
        if self.open_quickly(&call, target) {
            return Ok(true);
        }
        let answered = match number {
            libc::SYS_execve | libc::SYS_execveat => self.start(&call, target),
            _ => self.change(&call, target),
        };
        if let Err(error) = answered {
            self.shared.listener.fail(call.id, errno(&error));
        }
        Ok(false)
    }

    /// Finishes what people have answered.
    pub(crate) fn finish(&self) {
        let mut count = [0_u8; 8];
        let _ = crate::sys::read(self.shared.wake.as_raw_fd(), &mut count);
        self.written.settle();
        for waiting in self.later.1.try_iter() {
            let Waiting { id, target, about, allowed } = waiting;
            match (allowed, about) {
                (false, _) => self.shared.listener.fail(id, libc::EACCES),
                (true, About::Start(start)) => self.let_start(id, target, &start),
                (true, About::Change(asked)) => {
                    let (call, judged) = *asked;
                    if let Err(error) = self.change_as_judged(&call, target, &judged) {
                        self.shared.listener.fail(id, errno(&error));
                    }
                }
            }
        }
    }

    fn start(&self, call: &Call, target: Target) -> io::Result<()> {
        let judge = &*self.shared.judge;
        let start = exec::read(call, target, &self.before, judge)?;
        // Of a process that was ended meanwhile nothing could be read, and nobody is to be told of it.
        if start.started.above.is_none() && !self.shared.listener.still_waits(call.id) {
            return Ok(());
        }
        if self.openings.as_ref().is_some_and(|own| own.refuses_start(&start)) {
            return Err(io::Error::from_raw_os_error(libc::EACCES));
        }
        // Whether it is still the process that called is told by the answer, which nobody else
        // takes.
        match judge.start(&start.started) {
            Answer::Allow => self.let_start(call.id, target, &start),
            Answer::Refuse | Answer::Renew(_) | Answer::WhenWritten(_) => {
                self.shared.listener.fail(call.id, libc::EACCES);
            }
            Answer::Later(ask) if self.shared.listener.still_waits(call.id) => {
                self.ask(call.id, target, About::Start(Box::new(start)), ask);
            }
            Answer::Later(_) => {}
        }
        Ok(())
    }

    fn let_start(&self, id: u64, target: Target, start: &Start) {
        let Ok(held) = trace::seize(target, start.leader) else {
            return self.shared.listener.fail(id, libc::EACCES);
        };
        let near = Near::keep(target, &self.home);
        let waited = self.shared.listener.go_on(id);
        let stopped = trace::wait(held);
        if let Some(near) = &near {
            near.let_go(stopped.whom(target));
        }
        match stopped {
            // It had ended, and someone else has its number.
            Stopped::Started(started) if !waited => trace::release(started),
            Stopped::Started(started)
                if start.is_what_runs(started, &self.before.pages)
                    && !self.has_mapped(started, start) =>
            {
                // Whatever it starts waits until this is written down.
                trace::release(started);
                if let Some(process) = start.started.process {
                    self.before.lineage.became(process, start.runs(), &start.variables);
                    self.shared.judge.became(process);
                }
            }
            Stopped::Started(started) => trace::kill(started),
            Stopped::Failed => trace::release(target),
            Stopped::Gone => {}
        }
    }

    /// Whether a program that has just started has something mapped that is hidden.
    fn has_mapped(&self, target: Target, start: &Start) -> bool {
        let (_, program) = start.runs();
        self.openings.as_ref().is_some_and(|own| own.has_mapped(target, program))
    }

    /// Whether the call was an opening that could be answered at once.
    fn open_quickly(&self, call: &Call, target: Target) -> bool {
        let opened = self.openings.as_ref().map(|own| own.open(call, target));
        match opened {
            Some(Quick::Opened { fd, cloexec }) => self.shared.listener.give(call.id, &fd, cloexec),
            Some(Quick::Failed(errno)) => self.shared.listener.fail(call.id, errno),
            Some(Quick::Slow) | None => return false,
        }
        true
    }

    fn change(&self, call: &Call, target: Target) -> io::Result<()> {
        let Some(wanted) = Wanted::of(call, target)? else {
            return Err(io::Error::from_raw_os_error(libc::ENOSYS));
        };
        let mut prepared = self.prepare(target, wanted)?;
        if !self.shared.listener.still_waits(call.id) {
            return Ok(());
        }
        let is_terminal = terminal::is_opened(&prepared);
        if let Some(openings) = &self.openings {
            if openings.refuses(&prepared) {
                return Err(io::Error::from_raw_os_error(libc::EACCES));
            }
            prepared.leave_reading();
        }
        if carry::is_in_vain(&self.shared, &prepared.job) {
            return Err(io::Error::from_raw_os_error(libc::ENOTEMPTY));
        }
        match self.shared.verdict(target, &prepared) {
            Answer::Allow => {
                let judge = &*self.shared.judge;
                let own = is_terminal.then(|| terminal::of_session(judge, target, &prepared));
                match own.flatten() {
                    Some((own, cloexec)) => self.shared.listener.give(call.id, &own, cloexec),
                    None => carry::carry_out(&self.shared, call.id, prepared),
                }
            }
            Answer::Refuse => self.shared.listener.fail(call.id, libc::EACCES),
            Answer::Renew(files) => {
                for (path, content) in &files {
                    carry::renew(&self.shared, target, path, content)?;
                }
                carry::carry_out(&self.shared, call.id, prepared);
            }
            Answer::WhenWritten(take) => {
                self.written.open(&self.shared, call.id, prepared, take)?
            }
            Answer::Later(ask) => {
                let about = About::Change(Box::new((*call, prepared)));
                self.ask(call.id, target, about, ask);
            }
        }
        Ok(())
    }

    fn prepare(&self, target: Target, wanted: Wanted) -> io::Result<Prepared> {
        let mut prepared = files::prepare(target, wanted)?;
        if let Some(names) = &self.names {
            names.add_to(&mut prepared)?;
        }
        Ok(prepared)
    }

    /// Carries out what a person allowed, if it is still the same: while that took its time others
    /// moved directories, and made files in them.
    fn change_as_judged(&self, call: &Call, target: Target, judged: &Prepared) -> io::Result<()> {
        let wanted = Wanted::of(call, target)?;
        let now = wanted.map(|wanted| self.prepare(target, wanted)).transpose()?;
        match now.filter(|now| now.is_judged_as(judged)) {
            Some(now) if self.shared.listener.still_waits(call.id) => {
                carry::carry_out(&self.shared, call.id, now);
            }
            _ => self.shared.listener.fail(call.id, libc::EACCES),
        }
        Ok(())
    }

    /// Asks in a thread of its own, so that everyone else goes on.
    fn ask(&self, id: u64, target: Target, about: About, ask: Box<Later>) {
        let (sender, shared) = (self.later.0.clone(), Arc::clone(&self.shared));
        carry::apart(&self.shared, id, move || {
            let allowed = ask(&|| shared.listener.still_waits(id));
            let _ = sender.send(Waiting { id, target, about, allowed });
            let _ = crate::sys::write(shared.wake.as_raw_fd(), &1_u64.to_ne_bytes());
        });
    }
}

impl Shared {
    fn verdict(&self, target: Target, prepared: &Prepared) -> Answer {
        if let Some(socket) = &prepared.socket {
            return self.judge.socket(socket, &prepared.socket_names);
        }
        if prepared.deeds.is_empty() {
            return Answer::Allow;
        }
        let Prepared { deeds, links, also, .. } = prepared;
        let (deeds, links, also) = (deeds.clone(), links.clone(), also.clone());
        self.judge.change(&Change { pid: target.pid, deeds, links, also })
    }
}

/// The root of the tree whose init this is.
pub(crate) fn root_of(init: i32) -> io::Result<OwnedFd> {
    target::open_path(Path::new(&format!("/proc/{init}/root")))
}

fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EACCES)
}

/// A descriptor that came with a message.
pub(crate) fn received(fd: RawFd) -> OwnedFd {
    // SAFETY: the kernel just gave it to us, so nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
