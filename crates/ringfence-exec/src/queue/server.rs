//! The run's side of the queue's socket.

use std::fs;
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::state::Shared;
use super::wire::{self, Reply, Request, RunInfo};
use super::{id, peer, socket_dirs};

/// The socket on which a run listens. Dropping it removes the socket.
pub(super) struct Server {
    path: PathBuf,
}

impl Server {
    /// Listens in the first usable directory.
    pub(super) fn start(
        places: &[PathBuf],
        run: &RunInfo,
        shared: &Arc<Shared>,
    ) -> io::Result<Server> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for place in places {
            match socket_dirs::prepare(place).and_then(|()| bind(place, run.pid)) {
                Ok((listener, path)) => {
                    let (run, shared) = (run.clone(), Arc::clone(shared));
                    std::thread::Builder::new()
                        .name("ringfence-queue".to_owned())
                        .spawn(move || serve(&listener, &run, &shared))?;
                    return Ok(Server { path });
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Connecting wakes the listening thread, which sees that the queue is closed and ends.
        let _ = UnixStream::connect(&self.path);
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates a socket named after the PID. A stale socket with this name is replaced. If another run
/// listens there (of this process, or with the same PID in another namespace), a suffix is added.
fn bind(place: &Path, pid: u32) -> io::Result<(UnixListener, PathBuf)> {
    let path = place.join(format!("{pid}.sock"));
    match UnixListener::bind(&path) {
        Ok(listener) => return Ok((listener, path)),
        Err(error) if error.kind() != io::ErrorKind::AddrInUse => return Err(error),
        Err(_) => {}
    }
    if UnixStream::connect(&path).is_err() {
        fs::remove_file(&path)?;
        return UnixListener::bind(&path).map(|listener| (listener, path));
    }
    let path = place.join(format!("{pid}-{}.sock", id::new()?));
    UnixListener::bind(&path).map(|listener| (listener, path))
}

fn serve(listener: &UnixListener, run: &RunInfo, shared: &Shared) {
    for stream in listener.incoming() {
        if shared.is_closed() {
            return;
        }
        match stream {
            // An error on one connection concerns only the other end.
            Ok(stream) => drop(hear(&stream, run, shared)),
            // `accept` failed, for example for lack of file descriptors.
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(50)),
        }
    }
}

fn hear(stream: &UnixStream, run: &RunInfo, shared: &Shared) -> io::Result<()> {
    wire::be_patient(stream)?;
    let reply = match peer::check(stream) {
        Err(reason) => Reply::Refused { reason: reason.to_owned() },
        Ok(()) => match wire::read(stream, wire::LONGEST) {
            Err(_) => Reply::Refused { reason: "the request cannot be parsed".to_owned() },
            Ok(request) => reply(request, run, shared),
        },
    };
    wire::write(stream, &reply)
}

fn reply(request: Request, run: &RunInfo, shared: &Shared) -> Reply {
    match request {
        Request::List => {
            let questions = shared.shown().into_iter().map(wire::QuestionSummary::cut).collect();
            Reply::List { run: run.clone(), questions }
        }
        Request::Answer { id, answer } => {
            Reply::Answered { waited: shared.settle(&id, answer.into()) }
        }
    }
}
