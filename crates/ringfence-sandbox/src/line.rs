//! The line to the init: what can be done inside while the command runs.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::child::Request;
use crate::sys;

/// The init answers at once, or is gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The line to the init. It can be used from any thread, while another serves the run.
#[derive(Debug, Clone)]
pub struct Line(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    control: OwnedFd,
    /// Answers, which arrive where the run is served; held by whoever asks.
    answers: Mutex<Receiver<Answer>>,
    answer: Sender<Answer>,
    /// Whether answers arrive nowhere any more.
    is_over: AtomicBool,
}

/// A number of an error, or nothing; and a descriptor.
type Answer = (i32, Option<OwnedFd>);

impl Line {
    pub(crate) fn new(control: OwnedFd) -> Line {
        let (answer, answers) = channel();
        let is_over = AtomicBool::new(false);
        Line(Arc::new(Shared { control, answers: Mutex::new(answers), answer, is_over }))
    }

    pub(crate) fn raw(&self) -> i32 {
        self.0.control.as_raw_fd()
    }

    /// An answer has arrived.
    pub(crate) fn answered(&self, errno: i32, fd: Option<OwnedFd>) {
        let _ = self.0.answer.send((errno, fd));
    }

    /// The run is over: whoever waits for an answer gets none.
    pub(crate) fn close(&self) {
        self.0.is_over.store(true, Ordering::Release);
        let _ = self.0.answer.send((libc::EPIPE, None));
    }

    /// Sends a signal to the command's group.
    pub fn signal(&self, signal: u8) {
        let _ = sys::send(self.raw(), &[Request::Signal as u8, signal], &[]);
    }

    /// Puts the command's group in the foreground of its terminal.
    pub(crate) fn foreground(&self) {
        let _ = sys::send(self.raw(), &[Request::Foreground as u8], &[]);
    }

    /// Connects to a port of the loopback inside.
    pub fn dial(&self, port: u16) -> io::Result<TcpStream> {
        let [high, low] = port.to_be_bytes();
        self.ask(&[Request::Dial as u8, high, low])?.map(TcpStream::from).ok_or_else(gone)
    }

    /// Listens at an address inside.
    pub fn listen(&self, address: Ipv4Addr, port: u16) -> io::Result<TcpListener> {
        let [high, low] = port.to_be_bytes();
        let [a, b, c, d] = address.octets();
        let request = [Request::Listen as u8, high, low, a, b, c, d];
        self.ask(&request)?.map(TcpListener::from).ok_or_else(gone)
    }

    fn ask(&self, request: &[u8]) -> io::Result<Option<OwnedFd>> {
        let answers = self.0.answers.lock().unwrap_or_else(PoisonError::into_inner);
        // An answer that came too late for someone is not for this one.
        while answers.try_recv().is_ok() {}
        // In this order: what was taken for a late answer may have been the last word.
        if self.0.is_over.load(Ordering::Acquire) {
            return Err(gone());
        }
        sys::send(self.raw(), request, &[])?;
        match answers.recv_timeout(PATIENCE) {
            Ok((0, fd)) => Ok(fd),
            Ok((errno, _)) => Err(io::Error::from_raw_os_error(errno)),
            Err(_) => Err(gone()),
        }
    }
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}
