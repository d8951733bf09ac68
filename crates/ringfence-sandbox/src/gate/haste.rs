//! Waits for the next call without going to sleep, where that pays.
//!
//! A program that opens one file after another is back within microseconds. Where a processor is
//! idle the kernel has woken it there, and to wake the supervisor each time would take longer than
//! what it does. Where none is idle, waiting only keeps the program from running: then it is seldom
//! tried.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::notify::Listener;

/// For so long the next call is waited for.
const PATIENCE: Duration = Duration::from_micros(25);
/// So many calls are answered in a row before others are listened to.
const MOST_IN_A_ROW: u32 = 128;
/// After so many vain tries, each doubling the pause, it does not become longer.
const LONGEST_PAUSE: u32 = 10;

/// How well waiting has paid.
#[derive(Debug, Default)]
pub(super) struct Haste {
    /// How often it was waited in vain, one after the other.
    vain: Cell<u32>,
    /// How many calls go by before it is tried again.
    pause: Cell<u32>,
    in_a_row: Cell<u32>,
}

impl Haste {
    /// Waits for the next call for a moment; whether it is there.
    pub(super) fn is_next_there(&self, listener: &Listener) -> bool {
        let pause = self.pause.get();
        if pause > 0 || self.in_a_row.get() >= MOST_IN_A_ROW {
            self.pause.set(pause.saturating_sub(1));
            self.in_a_row.set(0);
            return false;
        }
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if listener.is_ready() {
                self.vain.set(0);
                self.in_a_row.set(self.in_a_row.get().saturating_add(1));
                return true;
            }
        }
        let vain = self.vain.get().saturating_add(1).min(LONGEST_PAUSE);
        self.vain.set(vain);
        self.pause.set(1 << vain);
        self.in_a_row.set(0);
        false
    }
}
