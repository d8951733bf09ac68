//! The engines under test, behind one seam, and how one of them is checked and timed.

use std::time::{Duration, Instant};

use bench_measure::{Bounds, sample_nanos};

use crate::workload::{Query, Rule, Workload};

/// An engine that answers whether a set of grants covers a query.
///
/// `build` and `prepare` are not timed: rules are compiled once, and an access reaches the judge
/// resolved, in the engine's own form.
pub trait Peer: Sized {
    /// The name in the tables.
    const NAME: &'static str;

    /// A query in the engine's own form.
    type Request;

    /// The engine, holding these grants; the error says why it cannot hold them.
    fn build(rules: &[Rule]) -> Result<Self, String>;

    /// The query in the engine's own form.
    fn prepare(&self, query: &Query) -> Self::Request;

    /// Whether the grants cover the request.
    fn decide(&self, request: &Self::Request) -> bool;
}

/// The two kinds of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Exactly one rule grants it.
    Granted,
    /// No rule grants it.
    Refused,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Kind; 2] = [Kind::Granted, Kind::Refused];
}

/// An engine with its rules and requests, ready to be timed.
pub trait Contestant {
    /// Nanoseconds per decision, one figure per sample.
    fn sample(&self, kind: Kind, bounds: Bounds) -> Vec<f64>;
}

/// Builds the engine for the workload and checks its answers.
///
/// # Panics
/// If the engine gives a wrong answer: a figure for another question would mean nothing.
pub fn enter<P: Peer + 'static>(workload: &Workload) -> Result<Box<dyn Contestant>, String> {
    let start = Instant::now();
    let peer = P::build(&workload.rules)?;
    eprintln!("{}: {} rules built in {:.1?}", P::NAME, workload.rules.len(), start.elapsed());
    let requests = Kind::ALL.map(|kind| {
        let queries = workload.queries(kind);
        let requests: Vec<_> = queries.iter().map(|query| peer.prepare(query)).collect();
        check(&peer, queries, &requests, kind);
        requests
    });
    Ok(Box::new(Prepared { peer, requests }))
}

struct Prepared<P: Peer> {
    peer: P,
    /// By kind, in the order of [`Kind::ALL`].
    requests: [Vec<P::Request>; 2],
}

impl<P: Peer> Contestant for Prepared<P> {
    fn sample(&self, kind: Kind, bounds: Bounds) -> Vec<f64> {
        let requests = &self.requests[kind as usize];
        sample_nanos(bounds, |number| self.peer.decide(&requests[number % requests.len()]))
    }
}

/// Of the queries, so many are checked on every engine, however slow; the rest while time allows.
const CHECKED_ALWAYS: usize = 6;
const CHECKING_TIME: Duration = Duration::from_secs(1);

fn check<P: Peer>(peer: &P, queries: &[Query], requests: &[P::Request], kind: Kind) {
    let start = Instant::now();
    for (number, (query, request)) in queries.iter().zip(requests).enumerate() {
        if number >= CHECKED_ALWAYS && start.elapsed() > CHECKING_TIME {
            break;
        }
        assert_eq!(peer.decide(request), kind == Kind::Granted, "{}: {query}", P::NAME);
    }
}
