//! A client on standard input and output, and a server that is a process.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ringfence_exec::{Answer, Approver};
use ringfence_sandbox::tether;

use crate::gateway::{Gateway, Step, Waiting};
use crate::lines::{self, LONGEST, Line};

/// How long a server may take to end once its client is gone. Clients wait two seconds before
/// they end the gateway itself.
const PARTING: Duration = Duration::from_millis(1500);

/// The most questions that are open at one time; a further one is answered with no.
const MOST_QUESTIONS: usize = 64;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client had no more to say.
    ByClient,
    /// The server ended first.
    ByServer(ExitStatus),
}

/// Says something to the person who reads the log.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// Starts the server and carries messages until one of both sides ends.
pub fn serve(
    gateway: Gateway,
    approver: Arc<dyn Approver>,
    server: &mut Command,
    notes: Notes,
) -> io::Result<Ended> {
    let piped = server.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = tether(piped).spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("the server has no pipes"));
    };
    let line = Arc::new(Exchange {
        gateway,
        approver,
        notes,
        server: Mutex::new(Some(input)),
        open_questions: AtomicUsize::new(0),
    });
    let (tell, ended) = mpsc::channel();
    let reader = Arc::clone(&line);
    let told = tell.clone();
    thread::Builder::new().name("ringfence-mcp-server".to_owned()).spawn(move || {
        reader.read_server(BufReader::new(output));
        let _ = told.send(Side::Server);
    })?;
    let reader = Arc::clone(&line);
    thread::Builder::new().name("ringfence-mcp-client".to_owned()).spawn(move || {
        reader.read_client(BufReader::new(io::stdin()));
        reader.hang_up();
        let _ = tell.send(Side::Client);
    })?;
    let first = ended.recv().unwrap_or(Side::Client);
    line.hang_up();
    let status = part(&mut child, &ended, first)?;
    Ok(match first {
        Side::Client => Ended::ByClient,
        Side::Server => Ended::ByServer(status),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

/// Waits for the server to end, and ends it where it does not.
fn part(child: &mut Child, ended: &Receiver<Side>, first: Side) -> io::Result<ExitStatus> {
    if first == Side::Client {
        // Its output ends with it.
        if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(PARTING) {
            child.kill()?;
        }
        return child.wait();
    }
    const STEPS: u32 = 100;
    for _ in 0..STEPS {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(PARTING.checked_div(STEPS).unwrap_or(PARTING));
    }
    child.kill()?;
    child.wait()
}

/// What both directions share.
struct Exchange {
    gateway: Gateway,
    approver: Arc<dyn Approver>,
    notes: Notes,
    server: Mutex<Option<ChildStdin>>,
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
            let _ = input.write_all(text.as_bytes());
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
