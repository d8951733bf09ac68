//! Carries messages between one client and the servers behind their gateways.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::batch::More;
use crate::desk::{Desk, Said};
use crate::gateway::{Gateway, Moment, Next, Step, Waiting};
use crate::hub::{Hub, Route};
use crate::lines;
use crate::outgoing::Outgoing;

/// The most questions that are open at one time; a further one is not put.
const MOST_QUESTIONS: usize = 64;

/// A server that reads is told something within this time.
const TOLD_SOON: Duration = Duration::from_millis(100);

/// Says something to the person who reads the log.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// A way to a server.
pub trait Upstream: Send + Sync {
    /// Sends a line that may leave, at the next [`flush`](Upstream::flush) at the latest. A server that is gone is
    /// noticed elsewhere.
    fn send(&self, line: Outgoing<'_>);

    /// Sends what has not left yet.
    fn flush(&self) {}

    /// There is no more to say.
    fn hang_up(&self);

    /// Whether a line waits for the server to read, which it has not done since this was last asked.
    fn is_stuck(&self) -> bool {
        false
    }

    /// Lets go of whoever waits for the server to read.
    fn give_up(&self) {}
}

/// A server behind its gateway.
pub struct Member {
    /// Its gateway.
    pub gateway: Gateway,
    /// The way to it.
    pub upstream: Arc<dyn Upstream>,
}

/// A client that is told lines.
pub(crate) trait Hears: Send + Sync {
    /// Tells a line, at the next `flush` at the latest.
    fn tell(&self, line: Cow<'_, str>);

    /// Tells what has not left yet.
    fn flush(&self) {}
}

/// Carries messages of one client.
pub(crate) struct Carrier {
    /// Several servers have a hub in front of them, one has none.
    hub: Option<Hub>,
    members: Vec<Member>,
    desk: Arc<Desk>,
    notes: Notes,
    client: Box<dyn Hears>,
    open_questions: AtomicUsize,
}

impl Carrier {
    /// A carrier for one server, or for several with these names.
    pub(crate) fn new(
        names: Option<Vec<String>>,
        members: Vec<Member>,
        desk: Arc<Desk>,
        notes: Notes,
        client: Box<dyn Hears>,
    ) -> Arc<Carrier> {
        let open_questions = AtomicUsize::new(0);
        let hub = names.map(Hub::new);
        Arc::new(Carrier { hub, members, desk, notes, client, open_questions })
    }

    /// A line from the client.
    pub(crate) fn from_client(self: &Arc<Self>, line: &str, more: More) {
        let line = &*lines::single(line);
        match &self.hub {
            Some(hub) => self.follow(hub.from_client(line)),
            None => self.to_member(0, line),
        }
        self.flush(more);
    }

    /// The client sent what is not even a line.
    pub(crate) fn unreadable(&self, reason: &str) {
        self.tell(crate::answer::unfit(None, crate::envelope::PARSE_ERROR, reason));
        self.flush(More::No);
    }

    /// A line from a server.
    pub(crate) fn from_server(self: &Arc<Self>, member: usize, line: &str, more: More) {
        let line = &*lines::single(line);
        if let Some(own) = self.members.get(member) {
            match own.gateway.next_from_server(line) {
                Next::Onwards(line) => self.to_client(member, line),
                Next::Steps(steps) => self.carry_out(member, steps),
            }
        }
        self.flush(more);
    }

    /// Says something about a server to whoever reads the log.
    pub(crate) fn note(&self, member: usize, text: &str) {
        match self.hub.as_ref().map(|hub| hub.name(member)) {
            Some(name) => (self.notes)(&format!("{name}: {text}")),
            None => (self.notes)(text),
        }
    }

    /// A server is gone: whoever waits for it is told.
    pub(crate) fn server_gone(self: &Arc<Self>, member: usize, reason: &str) {
        if let Some(own) = self.members.get(member) {
            self.carry_out(member, own.gateway.server_gone(reason));
        }
        if let Some(hub) = &self.hub {
            hub.member_gone(member);
        }
        self.flush(More::No);
    }

    /// A moment has passed: calls about which a server says nothing are given up. Whether the server
    /// neither speaks nor reads.
    pub(crate) fn moment(self: &Arc<Self>, member: usize) -> bool {
        let Some(own) = self.members.get(member) else { return false };
        let Moment { steps, is_silent } = own.gateway.moment();
        let is_for_server = |step: &Step| matches!(step, Step::ToServer(_));
        let (to_server, to_client): (Vec<Step>, Vec<Step>) =
            steps.into_iter().partition(is_for_server);
        if !to_server.is_empty() {
            // The server is told first, so that it takes no later call with the same number for the one
            // that is given up. One that does not read keeps nobody but this thread.
            let carrier = Arc::clone(self);
            let (done, is_done) = channel::<()>();
            thread::spawn(move || {
                carrier.carry_out(member, to_server);
                carrier.flush(More::No);
                drop(done);
            });
            let _ = is_done.recv_timeout(TOLD_SOON);
        }
        self.carry_out(member, to_client);
        self.client.flush();
        // Asked in any case: it counts from the last time.
        own.upstream.is_stuck() && is_silent
    }

    /// Lets go of whoever waits for a server to read.
    pub(crate) fn give_up(&self, member: usize) {
        self.members.get(member).iter().for_each(|own| own.upstream.give_up());
    }

    /// The client is gone.
    pub(crate) fn hang_up(&self) {
        self.members.iter().for_each(|member| member.upstream.hang_up());
    }

    /// What was carried leaves, unless more of it is there already.
    fn flush(&self, more: More) {
        if more == More::No {
            self.client.flush();
            self.members.iter().for_each(|member| member.upstream.flush());
        }
    }

    fn to_member(self: &Arc<Self>, member: usize, line: &str) {
        if let Some(own) = self.members.get(member) {
            match own.gateway.next_from_client(line) {
                Next::Onwards(line) => own.upstream.send(line),
                Next::Steps(steps) => self.carry_out(member, steps),
            }
        }
    }

    /// A line that a server's gateway has for the client.
    fn to_client(self: &Arc<Self>, member: usize, line: Outgoing<'_>) {
        match &self.hub {
            None => self.client.tell(line.into_text()),
            Some(hub) => self.follow(hub.from_member(member, &line)),
        }
    }

    fn tell(&self, line: String) {
        self.client.tell(line.into());
    }

    fn follow(self: &Arc<Self>, routes: Vec<Route>) {
        for route in routes {
            match route {
                Route::ToMember(member, line) => self.to_member(member, &line),
                Route::ToClient(line) => self.tell(line),
                Route::Note(text) => (self.notes)(&text),
            }
        }
    }

    fn carry_out(self: &Arc<Self>, member: usize, steps: Vec<Step>) {
        let Some(own) = self.members.get(member) else { return };
        for step in steps {
            match step {
                Step::ToServer(line) => own.upstream.send(line),
                Step::ToClient(line) => self.to_client(member, line),
                Step::Note(text) => (self.notes)(&text),
                Step::Ask(waiting) => self.ask(member, waiting),
            }
        }
    }

    /// Asks in a thread of its own, so that other messages go on.
    fn ask(self: &Arc<Self>, member: usize, waiting: Waiting) {
        if self.open_questions.fetch_add(1, Ordering::Relaxed) >= MOST_QUESTIONS {
            self.open_questions.fetch_sub(1, Ordering::Relaxed);
            return self.settle(member, waiting, Said::Unasked(None));
        }
        let own = Arc::clone(self);
        thread::spawn(move || {
            let gateway = own.members.get(member).map(|own| &own.gateway);
            let waits = || gateway.is_none_or(|own| own.awaits(&waiting));
            let said = own.desk.ask(&waiting.question, waiting.keeps(), &waits);
            own.open_questions.fetch_sub(1, Ordering::Relaxed);
            own.settle(member, waiting, said);
            own.flush(More::No);
        });
    }

    fn settle(self: &Arc<Self>, member: usize, waiting: Waiting, said: Said) {
        if let Some(own) = self.members.get(member) {
            self.carry_out(member, own.gateway.settle(waiting, said));
        }
    }
}
