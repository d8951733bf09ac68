//! What the small processes need from the first: it is known before there is a plan.

use std::os::fd::RawFd;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use crate::relay::Hold;

use super::{Blueprint, Place, Report, Stack, Start};

/// What the small processes need from the first. It must outlive all of them.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) report: Report,
    /// For the init, the payload, the broker, and whoever makes the init.
    pub(crate) stacks: [Stack; 4],
    /// Where the init is made, where there is a choice.
    pub(super) place: Option<Place>,
    /// The user's numbers, mapped to themselves.
    pub(crate) uid_map: Vec<u8>,
    pub(crate) gid_map: Vec<u8>,
    /// The descriptors that the init keeps, in order; all others are closed in it.
    pub(crate) keep: Vec<RawFd>,
    /// What takes the place of the standard streams, where something does.
    pub(crate) streams: [Option<RawFd>; 3],
    /// How the command has the terminal that is made for it.
    pub(crate) hold: Hold,
    /// Closed when the supervisor ends, however it ends.
    pub(crate) lifeline: RawFd,
    /// Requests to the init, and what it tells.
    pub(crate) control: RawFd,
    /// Orders to the broker.
    pub(crate) orders: RawFd,
    /// The number of the init, once it has been made by the process that makes it.
    pub(super) init: AtomicI32,
    blueprint: AtomicPtr<Blueprint>,
    start: AtomicPtr<Start>,
}

/// The descriptors in it.
pub(crate) struct Ends {
    pub(crate) streams: [Option<RawFd>; 3],
    pub(crate) hold: Hold,
    pub(crate) lifeline: RawFd,
    pub(crate) control: RawFd,
    pub(crate) orders: RawFd,
}

impl Frame {
    pub(crate) fn new(ends: &Ends, keep: Vec<RawFd>) -> std::io::Result<Frame> {
        // SAFETY: take nothing and always succeed.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Ok(Frame {
            report: Report::default(),
            stacks: [Stack::new()?, Stack::new()?, Stack::new()?, Stack::new()?],
            place: Place::here(),
            uid_map: format!("{user} {user} 1").into_bytes(),
            gid_map: format!("{group} {group} 1").into_bytes(),
            keep,
            streams: ends.streams,
            hold: ends.hold,
            lifeline: ends.lifeline,
            control: ends.control,
            orders: ends.orders,
            init: AtomicI32::new(0),
            blueprint: AtomicPtr::new(ptr::null_mut()),
            start: AtomicPtr::new(ptr::null_mut()),
        })
    }

    /// Hands over what the namespaces are made by; it must outlive the small processes.
    pub(crate) fn hand_over(&self, blueprint: &Blueprint) {
        self.blueprint.store(ptr::from_ref(blueprint).cast_mut(), Ordering::Release);
    }

    /// Hands over the command; it must outlive the small processes.
    pub(crate) fn hand_over_start(&self, start: &Start) {
        self.start.store(ptr::from_ref(start).cast_mut(), Ordering::Release);
    }

    /// What was handed over.
    pub(super) fn blueprint(&self) -> Option<&Blueprint> {
        // SAFETY: null, or what `hand_over` was given, which nobody changes but through atomics
        // and which outlives the small processes.
        unsafe { self.blueprint.load(Ordering::Acquire).as_ref() }
    }

    /// The command, once it was handed over.
    pub(super) fn start(&self) -> Option<&Start> {
        // SAFETY: null, or what `hand_over_start` was given, which nobody changes and which
        // outlives the small processes.
        unsafe { self.start.load(Ordering::Acquire).as_ref() }
    }
}
