//! Namespaces that are made before there is a plan.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;

use crate::child::{self, Blueprint, Ends, Frame, Request, Setup, Start};
use crate::relay::{Hold, Relay, Streams};
use crate::spawn::{above_standard, keep, line, pipe};
use crate::sys;

/// The namespaces of a tree, in the making: they are the same for every plan.
///
/// Making them takes about as long as making a plan, and is done by a process of its own. Whoever
/// begins with a room has both sooner; [`run`](crate::run) makes one where there is none. A
/// room that is dropped ends, and leaves nothing behind.
#[derive(Debug)]
pub struct Room {
    pub(crate) frame: Rc<Frame>,
    pub(crate) orders: Option<OwnedFd>,
    control: Option<OwnedFd>,
    /// While this is open the init lives.
    lifeline: Option<OwnedFd>,
    /// The others' ends, closed here once they have copies.
    theirs: Vec<OwnedFd>,
    /// The process that makes the init, until it has been waited for.
    maker: Option<i32>,
    init: Option<i32>,
    /// What was handed over; it goes when the init has gone.
    blueprint: Option<Box<Blueprint>>,
    /// The bytes of what was expected.
    expected: Option<Vec<u8>>,
    start: Option<Box<Start>>,
    /// Hands the streams on, where the command does not have them itself.
    pub(crate) relay: Option<Relay>,
}

impl Room {
    /// Begins to make the namespaces. The tree ends with the thread that does, and has the streams
    /// of this process.
    pub fn new() -> io::Result<Room> {
        Room::with(Streams::default(), None)
    }

    /// As `new`, for a tree that is given streams, and may say so much.
    pub(crate) fn with(mut streams: Streams, most: Option<u64>) -> io::Result<Room> {
        let (lifeline_there, lifeline) = pipe()?;
        let (control, control_there) = line()?;
        let (orders, orders_there) = line()?;
        let relay = Relay::new(&mut streams, most)?;
        let hold = relay.as_ref().map_or(Hold::Nothing, |relay| relay.hold);
        let terminal = hold.terminal();
        // A stream with the number of another would be lost when that is put in its place.
        let copy = |own: &Option<OwnedFd>| own.as_ref().map(|own| above_standard(own.try_clone()?));
        let [stdin, stdout, stderr] = streams.all().map(|own| copy(own).transpose());
        let copies = [stdin?, stdout?, stderr?];
        let streams = copies.each_ref().map(|own| own.as_ref().map(AsRawFd::as_raw_fd));
        let ends = Ends {
            streams,
            hold,
            lifeline: lifeline_there.as_raw_fd(),
            control: control_there.as_raw_fd(),
            orders: orders_there.as_raw_fd(),
        };
        let lines = [ends.lifeline, ends.control, ends.orders].map(Some);
        let kept = keep(&[lines.as_slice(), &streams, &[terminal]].concat());
        let frame = Rc::new(Frame::new(&ends, kept)?);
        let maker = Some(child::begin(&frame)?);
        let lines = [lifeline_there, control_there, orders_there];
        Ok(Room {
            frame,
            orders: Some(orders),
            control: Some(control),
            lifeline: Some(lifeline),
            theirs: lines.into_iter().chain(copies.into_iter().flatten()).collect(),
            maker,
            init: None,
            blueprint: None,
            expected: None,
            start: None,
            relay,
        })
    }

    /// The number of the init, once it has been made.
    pub(crate) fn init(&mut self) -> io::Result<i32> {
        if let Some(init) = self.init {
            return Ok(init);
        }
        let maker = self.maker.take().ok_or(io::ErrorKind::NotFound)?;
        let init = child::begun(&self.frame, maker)?;
        self.theirs.clear();
        self.init = Some(init);
        Ok(init)
    }

    /// Begins to make of the namespaces what an earlier run wanted, as it was kept, while there is no
    /// plan for this one. If the plan wants anything else, the room is not used. What cannot be read
    /// is not expected.
    pub fn expect(&mut self, kept: &[u8]) {
        if let Some(setup) = Setup::unpack(kept).filter(|_| self.blueprint.is_none()) {
            self.expected = Some(kept.to_vec());
            self.make(setup);
        }
    }

    /// Whether what is being made is what a plan wants, if anything is.
    pub(crate) fn suits(&self, setup: &Setup) -> bool {
        self.expected.as_ref().is_none_or(|expected| *expected == setup.pack())
    }

    /// Whether anything is being made.
    pub(crate) fn is_begun(&self) -> bool {
        self.expected.is_some()
    }

    fn make(&mut self, setup: Setup) {
        let blueprint = Box::new(Blueprint { frame: Rc::clone(&self.frame), setup });
        self.frame.hand_over(self.blueprint.insert(blueprint));
        self.say(Request::Begin);
    }

    /// Lets the init make what it has not begun to, and the payload become the command; the line to
    /// the init.
    pub(crate) fn begin(&mut self, setup: Setup, start: Start) -> io::Result<OwnedFd> {
        self.frame.hand_over_start(self.start.insert(Box::new(start)));
        if self.blueprint.is_none() {
            self.make(setup);
        }
        self.say(Request::Start);
        self.control.take().ok_or(io::ErrorKind::NotFound.into())
    }

    /// Returns what the namespaces are made by, once that was handed over.
    pub(crate) fn setup(&self) -> Option<&Setup> {
        self.blueprint.as_ref().map(|own| &own.setup)
    }

    fn say(&self, request: Request) {
        if let Some(control) = &self.control {
            // Where the init has ended, it has said why.
            let _ = sys::send(control.as_raw_fd(), &[request as u8], &[]);
        }
    }

    /// Leaves the init alone while it ends: nobody is left whom it could have started. Its memory
    /// stays, so this is for a process that ends too.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }

    /// Ends the init, and waits for its end and that of all it had started.
    pub(crate) fn end(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        let init = self.init();
        self.control = None;
        self.lifeline = None;
        self.init = None;
        if let Ok(init) = init {
            wait(init);
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.maker.is_some() || self.init.is_some() {
            self.finish();
        }
    }
}

/// Waits for the end of a process.
fn wait(pid: i32) {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes the status.
        let waited = unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
        if waited == pid || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}
