//! The engines under test, behind one seam, and how one of them is checked and timed.

use std::time::{Duration, Instant};

use bench_measure::{Bounds, percentile, sample_nanos};

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

/// What one engine took on one workload: median nanoseconds per decision.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// For queries that one rule grants.
    pub granted: f64,
    /// For queries that no rule grants.
    pub refused: f64,
}

const BOUNDS: Bounds = Bounds { budget: Duration::from_secs(2), at_least: 5, at_most: 20_000 };

/// Of the queries, so many are checked on every engine, however slow; the rest while time allows.
const CHECKED_ALWAYS: usize = 6;
const CHECKING_TIME: Duration = Duration::from_secs(1);

/// Builds the engine, checks its answers, then times them.
///
/// # Panics
/// If the engine gives a wrong answer: a figure for another question would mean nothing.
pub fn measure<P: Peer>(workload: &Workload) -> Result<Figures, String> {
    let start = Instant::now();
    let peer = P::build(&workload.rules)?;
    eprintln!("{}: {} rules built in {:.1?}", P::NAME, workload.rules.len(), start.elapsed());
    Ok(Figures {
        granted: median(&peer, &workload.granted, true),
        refused: median(&peer, &workload.refused, false),
    })
}

fn median<P: Peer>(peer: &P, queries: &[Query], expected: bool) -> f64 {
    let requests: Vec<_> = queries.iter().map(|query| peer.prepare(query)).collect();
    check(peer, queries, &requests, expected);
    let mut samples =
        sample_nanos(BOUNDS, |number| peer.decide(&requests[number % requests.len()]));
    percentile(&mut samples, 0.5)
}

fn check<P: Peer>(peer: &P, queries: &[Query], requests: &[P::Request], expected: bool) {
    let start = Instant::now();
    for (number, (query, request)) in queries.iter().zip(requests).enumerate() {
        if number >= CHECKED_ALWAYS && start.elapsed() > CHECKING_TIME {
            break;
        }
        assert_eq!(peer.decide(request), expected, "{}: {query}", P::NAME);
    }
}
