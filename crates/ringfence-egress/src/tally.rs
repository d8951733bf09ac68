//! An observer that keeps each refusal once, with how often it happened: the list at a run's end.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::observe::{Observer, Refused};

/// The different refusals that are kept; further ones are only counted.
const KEPT: usize = 1000;

/// Keeps each refusal once, in the order in which they first happened.
#[derive(Debug, Default)]
pub struct Tally {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    by_target: HashMap<(String, Option<u16>), usize>,
    refusals: Vec<(Refused, u64)>,
    beyond: u64,
}

impl Tally {
    /// Each refusal with how often it happened.
    pub fn refusals(&self) -> Vec<(Refused, u64)> {
        self.with(|state| state.refusals.clone())
    }

    /// How many more there were than are kept.
    pub fn beyond(&self) -> u64 {
        self.with(|state| state.beyond)
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut State) -> T) -> T {
        // Nothing in here can be left half done.
        use_it(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for Tally {
    fn refused(&self, refused: &Refused) {
        self.with(|state| {
            let key = (refused.host.clone(), refused.port);
            let known = state.by_target.get(&key).and_then(|at| state.refusals.get_mut(*at));
            if let Some((_, times)) = known {
                *times = times.saturating_add(1);
            } else if state.refusals.len() < KEPT {
                state.by_target.insert(key, state.refusals.len());
                state.refusals.push((refused.clone(), 1));
            } else {
                state.beyond = state.beyond.saturating_add(1);
            }
        });
    }
}
