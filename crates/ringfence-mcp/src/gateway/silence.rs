//! Servers that say nothing while calls wait.
//!
//! Time comes from outside, in moments: nothing here looks at a clock, and a call that is answered
//! soon costs nothing more.

use std::sync::atomic::Ordering;

use super::{Gateway, Step};
use crate::answer;
use crate::method::Answer;
use crate::outgoing::Outgoing;

/// After so many moments without a word, the calls that waited all the time are given up.
pub(crate) const MOMENTS: u32 = 8;

/// What comes of a moment.
pub(crate) struct Moment {
    /// What is to be done.
    pub(crate) steps: Vec<Step>,
    /// Whether the server has said nothing, and waits for nobody.
    pub(crate) is_silent: bool,
}

impl Gateway {
    /// A moment has passed. Calls about which the server says nothing are answered in its place.
    pub(crate) fn moment(&self) -> Moment {
        let mut state = self.state();
        // A server that waits for the client's answer has nothing to say.
        let spoke = self.spoke.swap(false, Ordering::Relaxed) || !state.of_server.is_empty();
        let given_up = state.of_client.moment(spoke, MOMENTS);
        drop(state);
        let steps = given_up.into_iter().flat_map(|(id, request)| {
            let told = Step::own(answer::gone(&id, "the server does not answer in time"));
            // The protocol has no way to take a greeting back.
            let cancels = request.answer != Answer::Greeting;
            let cancelled = cancels.then(|| Step::ToServer(Outgoing::own(answer::cancelled(&id))));
            std::iter::once(told).chain(cancelled)
        });
        Moment { steps: steps.collect(), is_silent: !spoke }
    }
}
