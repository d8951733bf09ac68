//! One client with its servers, however it speaks.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::batch::{Batch, More};
use crate::carry::{Carrier, Hears, Member, Notes, Upstream};
use crate::desk::Desk;
use crate::gateway::{Gateway, MOMENTS};
use crate::lines::{LONGEST, Line, Lines};
use crate::outgoing::Outgoing;
use crate::pipe::{Hold, Pipe};
use crate::remote::{Heard, Open, Remote};
use crate::server::{Process, Server, part};
use tokio::sync::mpsc;

/// A server with its gateway.
pub struct Behind {
    /// The server, as rules name it.
    pub name: String,
    /// Its gateway.
    pub gateway: Gateway,
    /// The server.
    pub server: Reach,
    /// How long it may say nothing while a call waits; then the call is answered in its place.
    pub silence: Duration,
}

/// The silence that is borne where nobody says another.
pub const SILENCE: Duration = Duration::from_secs(600);

/// How a server is reached.
pub enum Reach {
    /// It is a process.
    Process(Server),
    /// It is somewhere else.
    Remote(Remote),
}

/// How many servers stand at the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// One, which the client sees as it is.
    One,
    /// Several, whose tools and prompts begin with the name of their server.
    Several,
}

/// A client's servers, and the way to them.
pub(crate) struct Session {
    pub(crate) carrier: Arc<Carrier>,
    processes: Processes,
    left: Arc<AtomicUsize>,
    /// Clocks end when this does.
    _clocks: Vec<Sender<()>>,
}

type Processes = Arc<Mutex<Vec<Box<dyn Process>>>>;

/// What the client is told, and what happens when no server is left.
pub(crate) struct Client {
    pub(crate) tell: Box<dyn Hears>,
    pub(crate) forsaken: Arc<dyn Fn() + Send + Sync>,
}

impl Session {
    /// Begins to carry what servers say.
    pub(crate) fn start(
        endpoint: Endpoint,
        servers: Vec<Behind>,
        desk: Arc<Desk>,
        notes: Notes,
        client: Client,
    ) -> io::Result<Session> {
        let left = Arc::new(AtomicUsize::new(servers.len()));
        let mut apart = Apart::default();
        servers.into_iter().for_each(|own| apart.add(own));
        let names = (endpoint == Endpoint::Several).then_some(apart.names);
        let carrier = Carrier::new(names, apart.members, desk, notes, client.tell);
        let processes = Arc::new(Mutex::new(apart.processes));
        let mut clocks = Vec::new();
        for (member, (output, silence)) in apart.outputs.into_iter().enumerate() {
            let own = Arc::new(Seat {
                carrier: Arc::clone(&carrier),
                member,
                is_lost: AtomicBool::new(false),
                left: Arc::clone(&left),
                forsaken: Arc::clone(&client.forsaken),
            });
            // Whoever is reached over HTTP is heard call by call, and timed there.
            if let Output::Pipe(_) = output {
                clocks.push(clock(Arc::clone(&own), Arc::clone(&processes), silence)?);
            }
            thread::Builder::new().name("ringfence-mcp-server".to_owned()).spawn(move || {
                let reason = match output {
                    Output::Pipe(output) => read(&own.carrier, member, Lines::new(output, LONGEST)),
                    Output::Remote(heard) => hear(&own.carrier, member, heard),
                };
                own.lose(reason);
            })?;
        }
        Ok(Session { carrier, processes, left, _clocks: clocks })
    }

    /// Whether no server is left.
    pub(crate) fn is_forsaken(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }

    /// The client is gone: waits for the servers to end, and ends them where they do not.
    pub(crate) fn end(&self, patience: Duration) -> String {
        let carrier = Arc::clone(&self.carrier);
        // A server that does not read would keep whoever hangs up.
        thread::spawn(move || carrier.hang_up());
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        let how: Vec<String> = processes.iter_mut().map(|own| part(&mut **own, patience)).collect();
        (0..how.len()).for_each(|member| self.carrier.give_up(member));
        how.join(", ")
    }
}

/// A server's place in a session.
struct Seat {
    carrier: Arc<Carrier>,
    member: usize,
    is_lost: AtomicBool,
    left: Arc<AtomicUsize>,
    forsaken: Arc<dyn Fn() + Send + Sync>,
}

impl Seat {
    /// The server is gone.
    fn lose(&self, reason: &str) {
        if self.is_lost.swap(true, Ordering::AcqRel) {
            return;
        }
        let is_last = self.left.fetch_sub(1, Ordering::AcqRel) == 1;
        self.carrier.server_gone(self.member, reason);
        if is_last {
            (self.forsaken)();
        }
    }
}

/// Servers, taken apart.
#[derive(Default)]
struct Apart {
    names: Vec<String>,
    members: Vec<Member>,
    outputs: Vec<(Output, Duration)>,
    processes: Vec<Box<dyn Process>>,
}

/// Where the lines of a server come from.
enum Output {
    Pipe(Box<dyn Read + Send>),
    Remote(mpsc::Receiver<Heard>),
}

impl Apart {
    fn add(&mut self, Behind { name, gateway, server, silence }: Behind) {
        let (upstream, output, process): (Arc<dyn Upstream>, _, _) = match server {
            Reach::Process(Server { input, output, process }) => {
                let hold = input.hold();
                let lines = Batch::new(input);
                (Arc::new(Input { lines, hold }), Output::Pipe(output), process)
            }
            Reach::Remote(remote) => {
                let Open { upstream, heard, process } = remote.open(silence);
                (upstream, Output::Remote(heard), process)
            }
        };
        self.names.push(name);
        self.members.push(Member { gateway, upstream });
        self.outputs.push((output, silence));
        self.processes.push(process);
    }
}

/// Tells the gateway of a server that time passes, until the sender is dropped. A server that neither
/// speaks nor reads what waits for it is ended: nothing more can reach it.
fn clock(own: Arc<Seat>, processes: Processes, silence: Duration) -> io::Result<Sender<()>> {
    let (stop, stopped) = channel();
    let moment = silence.checked_div(MOMENTS).unwrap_or(silence);
    thread::Builder::new().name("ringfence-mcp-clock".to_owned()).spawn(move || {
        let mut stuck = 0_u32;
        while stopped.recv_timeout(moment) == Err(RecvTimeoutError::Timeout) {
            let is_stuck = own.carrier.moment(own.member);
            stuck = if is_stuck { stuck.saturating_add(1) } else { 0 };
            if stuck > MOMENTS {
                own.carrier.note(own.member, "the server neither speaks nor reads: it is ended");
                own.lose("the server neither speaks nor reads");
                own.carrier.give_up(own.member);
                let mut processes = processes.lock().unwrap_or_else(PoisonError::into_inner);
                processes.get_mut(own.member).into_iter().for_each(|own| drop(own.kill()));
                return;
            }
        }
    })?;
    Ok(stop)
}

/// Hears a server that is somewhere else until it is let go; why.
fn hear(carrier: &Arc<Carrier>, member: usize, mut heard: mpsc::Receiver<Heard>) -> &'static str {
    loop {
        match heard.blocking_recv() {
            Some(Heard::Line(line)) => {
                let more = if heard.is_empty() { More::No } else { More::Follows };
                carrier.from_server(member, &line, more);
            }
            Some(Heard::Note(text)) => carrier.note(member, &text),
            Some(Heard::End) | None => return "the server was let go",
        }
    }
}

/// Reads until the server ends, or is given up; why.
fn read(carrier: &Arc<Carrier>, member: usize, mut lines: Lines<impl Read>) -> &'static str {
    loop {
        match lines.next() {
            Ok(Line::Text(text, more)) => carrier.from_server(member, text, more),
            // Nobody can tell whose answer it was.
            Ok(Line::TooLong) => return "the server sent a message that is too long",
            Ok(Line::NoText) => return "the server sent what is not UTF-8",
            Ok(Line::End) | Err(_) => return "the server has ended",
        }
    }
}

/// What a server reads.
struct Input {
    lines: Batch<Pipe>,
    hold: Hold,
}

impl Upstream for Input {
    fn send(&self, line: Outgoing<'_>) {
        self.lines.add(&line);
    }

    fn flush(&self) {
        self.lines.flush();
    }

    fn hang_up(&self) {
        self.lines.close();
    }

    fn is_stuck(&self) -> bool {
        self.hold.is_stuck()
    }

    fn give_up(&self) {
        self.hold.give_up();
    }
}
