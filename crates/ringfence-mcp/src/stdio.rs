//! A client on standard input and output, and a server that is a process.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use ringfence_exec::{Answer, Approver};

use crate::gateway::{Gateway, Step, Waiting};
use crate::lines::{self, LONGEST, Line};
use crate::server::{Server, part};

/// How long a server may take to end once its client is gone. Clients wait two seconds before
/// they end the gateway itself.
const PARTING: Duration = Duration::from_millis(1500);

/// The most questions that are open at one time; a further one is answered with no.
const MOST_QUESTIONS: usize = 64;

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The client had no more to say.
    ByClient,
    /// The server ended first, in this way.
    ByServer(String),
}

/// Says something to the person who reads the log.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// Carries messages until one of both sides ends.
pub fn serve(
    gateway: Gateway,
    approver: Arc<dyn Approver>,
    server: Server,
    notes: Notes,
) -> io::Result<Ended> {
    let Server { input, output, mut process } = server;
    let line = Arc::new(Exchange {
        gateway,
        approver,
        notes,
        server: Mutex::new(Some(input)),
        server_is_gone: AtomicBool::new(false),
        open_questions: AtomicUsize::new(0),
    });
    let (tell, ended) = mpsc::channel();
    let reader = Arc::clone(&line);
    let told = tell.clone();
    thread::Builder::new().name("ringfence-mcp-server".to_owned()).spawn(move || {
        reader.read_server(BufReader::new(output));
        let _ = told.send(());
    })?;
    let reader = Arc::clone(&line);
    thread::Builder::new().name("ringfence-mcp-client".to_owned()).spawn(move || {
        reader.read_client(BufReader::new(io::stdin()));
        reader.hang_up();
        let _ = tell.send(());
    })?;
    let _ = ended.recv();
    // A client that hears that its server is gone may hang up before that is told here.
    let by_server = line.server_is_gone.load(Ordering::Acquire);
    line.hang_up();
    let how = part(&mut *process, PARTING);
    Ok(if by_server { Ended::ByServer(how) } else { Ended::ByClient })
}

/// What both directions share.
struct Exchange {
    gateway: Gateway,
    approver: Arc<dyn Approver>,
    notes: Notes,
    server: Mutex<Option<Box<dyn Write + Send>>>,
    server_is_gone: AtomicBool,
    open_questions: AtomicUsize,
}

impl Exchange {
    fn read_client(self: &Arc<Self>, mut from: impl BufRead) {
        loop {
            let steps = match lines::next(&mut from, LONGEST) {
                Ok(Line::Text(text)) => self.gateway.from_client(&text),
                Ok(Line::TooLong) => vec![self.gateway.unreadable("the message is too long")],
                Ok(Line::NoText) => vec![self.gateway.unreadable("the message is not UTF-8")],
                Ok(Line::End) | Err(_) => return,
            };
            self.carry_out(steps);
        }
    }

    fn read_server(self: &Arc<Self>, mut from: impl BufRead) {
        let reason = loop {
            match lines::next(&mut from, LONGEST) {
                Ok(Line::Text(text)) => self.carry_out(self.gateway.from_server(&text)),
                // Nobody can tell whose answer it was.
                Ok(Line::TooLong) => break "the server sent a message that is too long",
                Ok(Line::NoText) => break "the server sent what is not UTF-8",
                Ok(Line::End) | Err(_) => break "the server has ended",
            }
        };
        self.server_is_gone.store(true, Ordering::Release);
        self.carry_out(self.gateway.server_gone(reason));
    }

    fn carry_out(self: &Arc<Self>, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::ToServer(text) => self.to_server(text),
                Step::ToClient(text) => to_client(text),
                Step::Note(text) => (self.notes)(&text),
                Step::Ask(waiting) => self.ask(waiting),
            }
        }
    }

    /// Asks in a thread of its own, so that other messages go on.
    fn ask(self: &Arc<Self>, waiting: Waiting) {
        let line = Arc::clone(self);
        if self.open_questions.fetch_add(1, Ordering::Relaxed) >= MOST_QUESTIONS {
            self.open_questions.fetch_sub(1, Ordering::Relaxed);
            return self.carry_out(self.gateway.settle(waiting, Answer::No));
        }
        thread::spawn(move || {
            let answer = line.approver.ask(&waiting.question);
            line.open_questions.fetch_sub(1, Ordering::Relaxed);
            line.carry_out(line.gateway.settle(waiting, answer));
        });
    }

    fn to_server(&self, mut text: String) {
        text.push('\n');
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that is gone is noticed where its output ends.
        if let Some(input) = server.as_mut() {
            let _ = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        }
    }

    /// The client has no more to say.
    fn hang_up(&self) {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn to_client(mut text: String) {
    text.push('\n');
    let mut client = io::stdout().lock();
    // A client that is gone is noticed where its input ends.
    let _ = client.write_all(text.as_bytes()).and_then(|()| client.flush());
}
