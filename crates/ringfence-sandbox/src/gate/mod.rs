//! The gate: answers the calls that the filter asks about.

mod broker;
mod exec;
mod files;
mod judge;
mod notify;
mod place;
mod sockets;
mod target;
mod trace;
mod wanted;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

pub use judge::{Answer, Change, Deed, Judge, Started};

use broker::{Broker, Job};
use exec::Start;
use files::{Gives, Prepared};
use notify::{Call, Listener};
use target::Target;
use trace::Stopped;
use wanted::Wanted;

use crate::child::Operation;

/// How long it is waited between two looks whether the other side of a pipe has come.
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_millis(2);

/// Answers what the filter asks.
pub(crate) struct Gate {
    shared: Arc<Shared>,
    /// Answers of people, which come later.
    later: (Sender<Waiting>, Receiver<Waiting>),
}

struct Shared {
    listener: Listener,
    broker: Option<Broker>,
    judge: Arc<dyn Judge>,
    /// Written when an answer has come.
    wake: OwnedFd,
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
    Change(Box<Prepared>),
}

impl Gate {
    pub(crate) fn new(
        listener: OwnedFd,
        broker: Option<OwnedFd>,
        judge: Arc<dyn Judge>,
    ) -> io::Result<Gate> {
        // SAFETY: takes numbers alone.
        let wake = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        let wake = target::owned(wake.into())?;
        let broker = broker.map(Broker::new);
        let listener = Listener::new(listener);
        let shared = Arc::new(Shared { listener, broker, judge, wake });
        Ok(Gate { shared, later: channel() })
    }

    /// What becomes readable when there is something to do.
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        [self.shared.listener.raw(), self.shared.wake.as_raw_fd()]
    }

    /// Answers the next call. An error: nobody can call any more.
    pub(crate) fn serve(&self) -> io::Result<()> {
        let Some(call) = self.shared.listener.receive()? else { return Ok(()) };
        let target = Target { pid: call.pid as i32 };
        let number = libc::c_long::from(call.data.nr);
        let answered = match number {
            libc::SYS_execve | libc::SYS_execveat => self.start(&call, target),
            _ => self.change(&call, target),
        };
        if let Err(error) = answered {
            self.shared.listener.fail(call.id, errno(&error));
        }
        Ok(())
    }

    /// Finishes what people have answered.
    pub(crate) fn finish(&self) {
        let mut count = [0_u8; 8];
        let _ = crate::sys::read(self.shared.wake.as_raw_fd(), &mut count);
        for waiting in self.later.1.try_iter() {
            let Waiting { id, target, about, allowed } = waiting;
            match (allowed, about) {
                (false, _) => self.shared.listener.fail(id, libc::EACCES),
                (true, About::Start(start)) => self.let_start(id, target, &start),
                (true, About::Change(prepared)) => Shared::carry_out(&self.shared, id, *prepared),
            }
        }
    }

    fn start(&self, call: &Call, target: Target) -> io::Result<()> {
        let start = exec::read(call, target)?;
        if !self.shared.listener.still_waits(call.id) {
            return Ok(());
        }
        match self.shared.judge.start(&start.started) {
            Answer::Allow => self.let_start(call.id, target, &start),
            Answer::Refuse | Answer::Replace(_) => {
                self.shared.listener.fail(call.id, libc::EACCES);
            }
            Answer::Later(ask) => self.ask(call.id, target, About::Start(Box::new(start)), ask),
        }
        Ok(())
    }

    fn let_start(&self, id: u64, target: Target, start: &Start) {
        if trace::seize(target).is_err() {
            return self.shared.listener.fail(id, libc::EACCES);
        }
        self.shared.listener.go_on(id);
        match trace::wait(target) {
            Stopped::Started(started) if start.is_what_runs(started) => trace::release(started),
            Stopped::Started(started) => trace::kill(started),
            Stopped::Failed => trace::release(target),
            Stopped::Gone => {}
        }
    }

    fn change(&self, call: &Call, target: Target) -> io::Result<()> {
        let Some(wanted) = Wanted::of(call, target)? else {
            return Err(io::Error::from_raw_os_error(libc::ENOSYS));
        };
        let prepared = files::prepare(target, wanted)?;
        if !self.shared.listener.still_waits(call.id) {
            return Ok(());
        }
        match self.shared.verdict(target, &prepared) {
            Answer::Allow => Shared::carry_out(&self.shared, call.id, prepared),
            Answer::Refuse => self.shared.listener.fail(call.id, libc::EACCES),
            Answer::Replace(content) => match self.shared.replace(prepared.job, &content) {
                Ok(()) => self.shared.listener.done(call.id, 0),
                Err(error) => return Err(error),
            },
            Answer::Later(ask) => {
                self.ask(call.id, target, About::Change(Box::new(prepared)), ask);
            }
        }
        Ok(())
    }

    /// Asks in a thread of its own, so that everyone else goes on.
    fn ask(&self, id: u64, target: Target, about: About, ask: Box<dyn FnOnce() -> bool + Send>) {
        let (sender, shared) = (self.later.0.clone(), Arc::clone(&self.shared));
        std::thread::spawn(move || {
            let allowed = ask();
            let _ = sender.send(Waiting { id, target, about, allowed });
            let _ = crate::sys::write(shared.wake.as_raw_fd(), &1_u64.to_ne_bytes());
        });
    }
}

impl Shared {
    fn verdict(&self, target: Target, prepared: &Prepared) -> Answer {
        if let Some(socket) = &prepared.socket {
            return self.judge.socket(socket);
        }
        if prepared.deeds.is_empty() {
            return Answer::Allow;
        }
        self.judge.change(&Change { pid: target.pid, deeds: prepared.deeds.clone() })
    }

    fn carry_out(self: &Arc<Self>, id: u64, prepared: Prepared) {
        let Some(broker) = &self.broker else { return self.listener.fail(id, libc::EACCES) };
        match (broker.order(&prepared.job), prepared.gives) {
            (Err(error), Gives::Pipe { .. }) if errno(&error) == libc::ENXIO => {
                self.wait_for_reader(id, prepared);
            }
            (Err(error), _) => self.listener.fail(id, errno(&error)),
            (Ok(made), gives) => self.give(id, made, gives),
        }
    }

    /// Puts a new file with this content where another was to be renamed to, and removes that one.
    fn replace(&self, rename: Job, content: &[u8]) -> io::Result<()> {
        let refused = || io::Error::from_raw_os_error(libc::EACCES);
        let broker = self.broker.as_ref().ok_or_else(refused)?;
        let (Operation::Rename, [from, to]) = (rename.operation, &*rename.fds) else {
            return Err(refused());
        };
        let [old, name] = &rename.texts;
        // The name in between is the old one's with a letter more: it is ours to make anew.
        let between = [old.as_slice(), b"~"].concat();
        let mut make = Job::named(Operation::Open, vec![from.try_clone()?], &between);
        make.flags = libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY;
        make.mode = 0o666;
        make.umask = 0o022;
        let made = broker.order(&make)?.ok_or_else(refused)?;
        let written = File::from(made).write_all(content);
        let mut put = Job::new(Operation::Rename, vec![from.try_clone()?, to.try_clone()?]);
        put.texts = [between.clone(), name.clone()];
        let put = written.and_then(|()| broker.order(&put));
        let left = if put.is_ok() { old } else { &between };
        let removed = broker.order(&Job::named(Operation::Remove, vec![from.try_clone()?], left));
        put.and(removed).map(drop)
    }

    fn give(&self, id: u64, made: Option<OwnedFd>, gives: Gives) {
        match (made, gives) {
            (Some(fd), Gives::Descriptor { cloexec }) => self.listener.give(id, &fd, cloexec),
            (Some(fd), Gives::Pipe { cloexec, nonblocking }) => {
                if !nonblocking {
                    // SAFETY: takes numbers alone.
                    unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, 0) };
                }
                self.listener.give(id, &fd, cloexec);
            }
            (Some(fd), Gives::Cut(length)) => {
                // SAFETY: takes numbers alone.
                match unsafe { libc::ftruncate(fd.as_raw_fd(), length as libc::off_t) } {
                    0 => self.listener.done(id, 0),
                    _ => self.listener.fail(id, errno(&io::Error::last_os_error())),
                }
            }
            _ => self.listener.done(id, 0),
        }
    }

    /// Opens the writing side of a pipe once there is a reader, as the kernel would have.
    fn wait_for_reader(self: &Arc<Self>, id: u64, prepared: Prepared) {
        if matches!(prepared.gives, Gives::Pipe { nonblocking: true, .. }) {
            return self.listener.fail(id, libc::ENXIO);
        }
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            while shared.listener.still_waits(id) {
                std::thread::sleep(LOOK_AGAIN);
                let Some(broker) = &shared.broker else { return };
                match broker.order(&prepared.job) {
                    Err(error) if errno(&error) == libc::ENXIO => {}
                    Err(error) => return shared.listener.fail(id, errno(&error)),
                    Ok(made) => return shared.give(id, made, prepared.gives),
                }
            }
        });
    }
}

fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EACCES)
}

/// A descriptor that came with a message.
pub(crate) fn received(fd: RawFd) -> OwnedFd {
    // SAFETY: the kernel just gave it to us, so nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
