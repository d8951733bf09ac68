//! Serves a run until its init has ended.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bell::Stop;
use crate::child::{Purpose, Request, Told};
use crate::delayed_task::DelayedTask;
use crate::gate::{self, Broker, Gate, Judge, Openings, received};
use crate::line::Line;
use crate::missing::Missing;
use crate::plan::{ExecPlan, Hiding, Judged, Plan};
use crate::poll::poll;
use crate::run::{Begin, Sockets, Terms};
use crate::signals::Signals;
use crate::sys;
use crate::terminal::{Keyboard, stop};
use crate::watch::{self, Uncovered, Watcher};

/// How long a run lives before its judge gets ready. Many commands are over by then, having started
/// nothing that is judged.
const AT_FIRST: Duration = Duration::from_millis(5);

pub(crate) struct Supervisor<'a> {
    init: i32,
    plan: &'a Plan,
    missing: Missing<'a>,
    line: Line,
    orders: Option<OwnedFd>,
    /// The root of the tree; none where the init has ended already.
    root: Option<OwnedFd>,
    gate: Option<Gate>,
    sockets: Sockets,
    judge: Arc<dyn Judge>,
    begin: Option<Begin>,
    hiding: Option<Hiding>,
    watcher: Option<Watcher>,
    /// When the run began.
    begun: Instant,
    /// When the judge gets ready, unless it was asked before.
    ready_at: Option<Instant>,
    /// What is done once the run has lived for a while.
    delayed_task: Option<DelayedTask>,
    /// Ends the run from another thread.
    stop: Option<Stop>,
    /// Readable once the command has said too much.
    over: Option<RawFd>,
    /// Sockets inside that nobody has used yet.
    waiting: Vec<RawFd>,
    /// Whether the init has its end of the line.
    hears: bool,
    /// Whether the init has said that nobody is left but itself.
    alone: bool,
}

/// Why a run is served no longer.
#[derive(Debug)]
pub(crate) enum Served {
    /// The init has ended, or is about to with nobody left but itself.
    Ended,
    /// The time is over.
    TimeOver,
    /// Somebody wants it to end, or it has said too much.
    Stopped,
    /// Something appeared that must be hidden, and could not be.
    Uncovered(Uncovered),
    /// Something that must be hidden was moved away while covers were laid.
    Moved(PathBuf),
}

impl<'a> Supervisor<'a> {
    pub(crate) fn new(
        init: i32,
        (plan, missing): (&'a Plan, Missing<'a>),
        control: OwnedFd,
        orders: OwnedFd,
        terms: Terms,
        over: Option<RawFd>,
    ) -> Supervisor<'a> {
        let line = Line::new(control);
        let Terms { judge, begin, hiding, stop, delayed_task, .. } = terms;
        let begun = Instant::now();
        let is_gated = plan.exec == ExecPlan::Gated;
        Supervisor {
            init,
            plan,
            missing,
            line,
            orders: Some(orders),
            root: gate::root_of(init).ok(),
            gate: None,
            sockets: Sockets::default(),
            judge,
            begin: Some(begin),
            hiding,
            watcher: None,
            begun,
            ready_at: is_gated.then(|| begun.checked_add(AT_FIRST)).flatten(),
            delayed_task,
            stop,
            over,
            waiting: Vec::new(),
            hears: true,
            alone: false,
        }
    }

    /// Serves until the init has ended, or must end.
    pub(crate) fn serve(
        mut self,
        signals: Option<Signals>,
        keyboard: Option<&Keyboard>,
    ) -> io::Result<Served> {
        let served = self.serve_until(signals, keyboard);
        // Whoever waits for an answer from inside is let go before it is waited for them.
        self.line.close();
        served
    }

    fn serve_until(
        &mut self,
        signals: Option<Signals>,
        keyboard: Option<&Keyboard>,
    ) -> io::Result<Served> {
        let init = pidfd(self.init)?;
        let end = self.plan.limits.seconds.map(Duration::from_secs);
        let end = end.and_then(|time| self.begun.checked_add(time));
        loop {
            let [listener, wake] = self.gate.as_ref().map_or([-1, -1], Gate::descriptors);
            let signal = signals.as_ref().map_or(-1, Signals::raw);
            let uncovered = self.watcher.as_ref().map_or(-1, Watcher::raw);
            let stop = self.stop.as_ref().map_or(-1, Stop::raw);
            let over = self.over.unwrap_or(-1);
            let init = init.as_raw_fd();
            let line = if self.hears { self.line.raw() } else { -1 };
            let fds = [line, listener, wake, signal, init, uncovered, stop, over];
            let Some((ready, is_dialled)) = poll(fds, &self.waiting, self.next(end))? else {
                if self.is_over(end) {
                    return Ok(Served::TimeOver);
                }
                self.go_on()?;
                continue;
            };
            // Others end by something else than words, as pipes do.
            let [_, _, _, _, _, uncovered, stopped, over] = ready.map(|own| own != 0);
            let [silent, gone, ..] = ready.map(|own| own & !libc::POLLIN != 0);
            let [said, called, woken, signalled, ended, ..] =
                ready.map(|own| own & libc::POLLIN != 0);
            if let Some(moved) =
                (said || silent).then(|| self.hear(keyboard)).transpose()?.flatten()
            {
                return Ok(Served::Moved(moved));
            }
            if let Some(signal) = signals.as_ref().filter(|_| signalled).and_then(Signals::next) {
                self.forward(signal, keyboard);
            }
            if is_dialled {
                self.begin();
            }
            self.serve_gate(called, woken);
            if gone && !called {
                // Nobody is left who could call, and asking again would only take time.
                self.gate = None;
            }
            if ended || self.alone {
                return Ok(Served::Ended);
            }
            if stopped || over {
                return Ok(Served::Stopped);
            }
            let watcher = self.watcher.as_ref().filter(|_| uncovered);
            if let Some(uncovered) = watcher.and_then(Watcher::uncovered) {
                return Ok(Served::Uncovered(uncovered));
            }
        }
    }

    /// The command is about to begin. What serves the sockets inside begins with the first who
    /// uses one, where nobody outside waits for it.
    fn be_ready(&mut self) {
        match self.plan.net.published.is_empty() {
            true => self.waiting = self.sockets.descriptors(),
            false => self.begin(),
        }
    }

    fn begin(&mut self) {
        self.waiting.clear();
        if let Some(begin) = self.begin.take() {
            begin(std::mem::take(&mut self.sockets), &self.line);
        }
    }

    /// When something is to be done even if nothing happens.
    fn next(&self, end: Option<Instant>) -> Option<Instant> {
        let watch = self.hiding.as_ref().and_then(|_| self.begun.checked_add(watch::FIRST));
        end.into_iter().chain(watch).chain(self.ready_at).chain(self.soon_at()).min()
    }

    fn soon_at(&self) -> Option<Instant> {
        self.delayed_task.as_ref().and_then(|task| self.begun.checked_add(task.after))
    }

    /// Does the first of what was to be done by now.
    fn go_on(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let is_over = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_over(self.ready_at) {
            self.ready_at = None;
            self.judge.get_ready();
        } else if is_over(self.soon_at()) {
            if let Some(DelayedTask { body, .. }) = self.delayed_task.take() {
                body();
            }
        } else {
            self.watch()?;
        }
        Ok(())
    }

    fn is_over(&self, end: Option<Instant>) -> bool {
        end.is_some_and(|end| end <= Instant::now())
    }

    /// Judges openings for what rules hide, where the plan wants that. Where nobody has said what is
    /// hidden, the judge is asked about every opening.
    fn openings(&mut self) -> Option<Openings> {
        if self.plan.files.judged != Judged::Hiding {
            return None;
        }
        let hiding = self.hiding.take()?;
        Some(Openings::new(hiding, &self.plan.files, self.missing.inodes()))
    }

    /// Begins to watch what appears.
    fn watch(&mut self) -> io::Result<()> {
        let Some(hiding) = self.hiding.take() else { return Ok(()) };
        let (judge, line) = (Arc::clone(&self.judge), self.line.clone());
        let watcher = Watcher::start(hiding, &self.plan.files, judge, line, self.init)?;
        self.watcher = Some(watcher);
        Ok(())
    }

    fn serve_gate(&mut self, called: bool, woken: bool) {
        let Some(gate) = &self.gate else { return };
        if woken {
            gate.finish();
        }
        let is_over = called && gate.serve().is_err();
        if let Some(watcher) = &self.watcher {
            gate.take_refused().into_iter().for_each(|path| watcher.look_at(path));
        }
        if is_over {
            // Nobody is left who could call.
            self.gate = None;
        }
    }

    /// Hears what the init says. Returns the path of something that must be hidden and was moved away,
    /// which ends the run.
    fn hear(&mut self, keyboard: Option<&Keyboard>) -> io::Result<Option<PathBuf>> {
        let mut bytes = [0; 64];
        let (length, fds) = match sys::receive(self.line.raw(), &mut bytes) {
            Ok((0, _)) | Err(sys::Errno(libc::ECONNRESET)) => {
                self.hears = false;
                return Ok(None);
            }
            Ok(heard) => heard,
            Err(errno) => return Err(errno.into()),
        };
        let fd = fds.into_iter().flatten().map(received).next();
        let said = bytes.get(..length).unwrap_or_default();
        match (said, fd) {
            ([told, a, b, c, d], Some(listener)) if *told == Told::Listener as u8 => {
                if let (Some(orders), Some(root)) = (self.orders.take(), self.root.take()) {
                    let broker = Broker::new(orders, i32::from_ne_bytes([*a, *b, *c, *d]));
                    let judge = Arc::clone(&self.judge);
                    let given = &self.plan.variables;
                    let aliased = (!self.plan.files.mounts.is_empty()).then_some(self.init);
                    let openings = self.openings();
                    let gate = Gate::new(listener, broker, judge, root, given, aliased, openings)?;
                    self.gate = Some(gate);
                }
                self.be_ready();
            }
            ([told, purpose], Some(socket)) if *told == Told::Sockets as u8 => {
                self.take_socket(*purpose, socket);
            }
            ([told], None) if *told == Told::Ended as u8 => self.alone = true,
            ([told], None) if *told == Told::Missing as u8 => {
                if let Some(moved) = self.missing.moved() {
                    return Ok(Some(moved));
                }
                sys::send(self.line.raw(), &[Request::Start as u8], &[])?;
            }
            ([told, signal], None) if *told == Told::Stopped as u8 => {
                if let Some(keyboard) = keyboard {
                    self.stopped(i32::from(*signal), keyboard);
                }
            }
            ([told, a, b, c, d], fd) if *told == Told::Answer as u8 => {
                self.line.answered(i32::from_ne_bytes([*a, *b, *c, *d]), fd);
            }
            _ => {}
        }
        Ok(None)
    }

    /// Hands a signal on to the command. With the command this process stops: where that has a
    /// terminal, once it is told that the command did.
    fn forward(&self, signal: u8, keyboard: Option<&Keyboard>) {
        self.line.signal(signal);
        if i32::from(signal) == libc::SIGTSTP && keyboard.is_none() {
            stop();
            self.line.signal(libc::SIGCONT as u8);
        }
    }

    /// The command has stopped. One that wanted to use its terminal from the background gets that if
    /// the run is in the foreground, or comes there.
    fn stopped(&self, signal: i32, keyboard: &Keyboard) {
        let wants_terminal = signal == libc::SIGTTIN || signal == libc::SIGTTOU;
        if !wants_terminal || !keyboard.is_in_front() {
            keyboard.stop();
        }
        if wants_terminal && keyboard.is_in_front() {
            keyboard.give();
            self.line.foreground();
        }
        self.line.signal(libc::SIGCONT as u8);
    }

    fn take_socket(&mut self, purpose: u8, socket: OwnedFd) {
        match purpose {
            own if own == Purpose::Proxy as u8 => self.sockets.proxy = Some(socket.into()),
            own if own == Purpose::Resolver as u8 => self.sockets.resolver = Some(socket.into()),
            _ => self.sockets.taken.push(socket.into()),
        }
    }
}

fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes numbers alone.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    match RawFd::try_from(fd) {
        Ok(fd) if fd >= 0 => Ok(received(fd)),
        _ => Err(io::Error::last_os_error()),
    }
}
