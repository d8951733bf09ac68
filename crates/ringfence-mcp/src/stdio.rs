//! A client on standard input and output, and servers that are processes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::carry::{Carrier, Member, Notes, Upstream};
use crate::desk::Desk;
use crate::gateway::Gateway;
use crate::lines::{self, LONGEST, Line};
use crate::server::{Process, Server, part};

/// How long a server may take to end once its client is gone. Clients wait two seconds before
/// they end the gateway itself.
const PARTING: Duration = Duration::from_millis(1500);

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The client had no more to say.
    ByClient,
    /// The servers ended first, in this way.
    ByServer(String),
}

/// A server with its gateway.
pub struct Behind {
    /// The server, as rules name it.
    pub name: String,
    /// Its gateway.
    pub gateway: Gateway,
    /// The server.
    pub server: Server,
}

/// How many servers stand at the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// One, which the client sees as it is.
    One,
    /// Several, whose tools and prompts begin with the name of their server.
    Several,
}

/// Carries messages until the client, or all servers, have ended.
pub fn serve(
    endpoint: Endpoint,
    servers: Vec<Behind>,
    desk: Arc<Desk>,
    notes: Notes,
) -> io::Result<Ended> {
    let count = Arc::new(AtomicUsize::new(servers.len()));
    let Behinds { names, members, outputs, mut processes } = apart(servers);
    let names = (endpoint == Endpoint::Several).then_some(names);
    let carrier = Carrier::new(names, members, desk, notes, Box::new(to_client));
    let (tell, ended) = mpsc::channel();
    for (member, output) in outputs.into_iter().enumerate() {
        let (carrier, tell, count) = (Arc::clone(&carrier), tell.clone(), Arc::clone(&count));
        thread::Builder::new().name("ringfence-mcp-server".to_owned()).spawn(move || {
            let reason = read_server(&carrier, member, BufReader::new(output));
            let is_last = count.fetch_sub(1, Ordering::AcqRel) == 1;
            carrier.server_gone(member, reason);
            if is_last {
                let _ = tell.send(());
            }
        })?;
    }
    let reader = Arc::clone(&carrier);
    thread::Builder::new().name("ringfence-mcp-client".to_owned()).spawn(move || {
        read_client(&reader, BufReader::new(io::stdin()));
        reader.hang_up();
        let _ = tell.send(());
    })?;
    let _ = ended.recv();
    // A client that hears that its server is gone may hang up before that is told here.
    let by_server = count.load(Ordering::Acquire) == 0;
    carrier.hang_up();
    let how: Vec<String> = processes.iter_mut().map(|own| part(&mut **own, PARTING)).collect();
    Ok(if by_server { Ended::ByServer(how.join(", ")) } else { Ended::ByClient })
}

/// Servers, taken apart.
struct Behinds {
    names: Vec<String>,
    members: Vec<Member>,
    outputs: Vec<Box<dyn Read + Send>>,
    processes: Vec<Box<dyn Process>>,
}

fn apart(servers: Vec<Behind>) -> Behinds {
    let mut all = Behinds {
        names: Vec::new(),
        members: Vec::new(),
        outputs: Vec::new(),
        processes: Vec::new(),
    };
    for Behind { name, gateway, server } in servers {
        let Server { input, output, process } = server;
        all.names.push(name);
        all.members.push(Member { gateway, upstream: Arc::new(Pipe(Mutex::new(Some(input)))) });
        all.outputs.push(output);
        all.processes.push(process);
    }
    all
}

fn read_client(carrier: &Arc<Carrier>, mut from: impl BufRead) {
    loop {
        match lines::next(&mut from, LONGEST) {
            Ok(Line::Text(text)) => carrier.from_client(&text),
            Ok(Line::TooLong) => carrier.unreadable("the message is too long"),
            Ok(Line::NoText) => carrier.unreadable("the message is not UTF-8"),
            Ok(Line::End) | Err(_) => return,
        }
    }
}

/// Reads until the server ends, or is given up; why.
fn read_server(carrier: &Arc<Carrier>, member: usize, mut from: impl BufRead) -> &'static str {
    loop {
        match lines::next(&mut from, LONGEST) {
            Ok(Line::Text(text)) => carrier.from_server(member, &text),
            // Nobody can tell whose answer it was.
            Ok(Line::TooLong) => return "the server sent a message that is too long",
            Ok(Line::NoText) => return "the server sent what is not UTF-8",
            Ok(Line::End) | Err(_) => return "the server has ended",
        }
    }
}

/// What a server reads.
struct Pipe(Mutex<Option<Box<dyn Write + Send>>>);

impl Upstream for Pipe {
    fn send(&self, mut line: String) {
        line.push('\n');
        let mut pipe = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that is gone is noticed where its output ends.
        if let Some(input) = pipe.as_mut() {
            let _ = input.write_all(line.as_bytes()).and_then(|()| input.flush());
        }
    }

    fn hang_up(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn to_client(mut line: String) {
    line.push('\n');
    let mut client = io::stdout().lock();
    // A client that is gone is noticed where its input ends.
    let _ = client.write_all(line.as_bytes()).and_then(|()| client.flush());
}
