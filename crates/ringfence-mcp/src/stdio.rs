//! A client on standard input and output.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::batch::Batch;
use crate::carry::{Carrier, Hears, Notes};
use crate::desk::Desk;
use crate::lines::{LONGEST, Line, Lines};
use crate::session::{Behind, Client, Endpoint, Session};

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

/// Carries messages until the client, or all servers, have ended.
pub fn serve(
    endpoint: Endpoint,
    servers: Vec<Behind>,
    desk: Arc<Desk>,
    notes: Notes,
) -> io::Result<Ended> {
    let (tell, ended) = mpsc::channel();
    let forsaken = {
        let tell = tell.clone();
        Arc::new(move || {
            let _ = tell.send(());
        })
    };
    let client = Client { tell: Box::new(Output(Batch::new(bare(io::stdout())?))), forsaken };
    let input = Lines::new(bare(io::stdin())?, LONGEST);
    let session = Session::start(endpoint, servers, desk, notes, client)?;
    let reader = Arc::clone(&session.carrier);
    thread::Builder::new().name("ringfence-mcp-client".to_owned()).spawn(move || {
        read(&reader, input);
        let _ = tell.send(());
    })?;
    let _ = ended.recv();
    // A client that hears that its server is gone may hang up before that is told here. Servers are
    // hung up on after this is known: some end at once.
    let by_server = session.is_forsaken();
    let how = session.end(PARTING);
    Ok(if by_server { Ended::ByServer(how) } else { Ended::ByClient })
}

/// A stream of this process without the buffers that the library puts before it: whoever reads and
/// writes here has their own.
fn bare(stream: impl AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

fn read(carrier: &Arc<Carrier>, mut lines: Lines<impl Read>) {
    loop {
        match lines.next() {
            Ok(Line::Text(text, more)) => carrier.from_client(text, more),
            Ok(Line::TooLong) => carrier.unreadable("the message is too long"),
            Ok(Line::NoText) => carrier.unreadable("the message is not UTF-8"),
            Ok(Line::End) | Err(_) => return,
        }
    }
}

/// Standard output, where the client hears.
struct Output(Batch<File>);

impl Hears for Output {
    fn tell(&self, line: Cow<'_, str>) {
        self.0.add(&line);
    }

    fn flush(&self) {
        self.0.flush();
    }
}
