//! Timing a function that may take nanoseconds or seconds, within a bounded time.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A sample shorter than this would measure the clock as much as the call.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(20);

/// The longest row of calls in one sample.
const LARGEST_BATCH: usize = 1024;

/// How long to go on sampling: until `budget` has passed and `at_least` samples were taken, or
/// `at_most` were.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The time after which no further sample is needed.
    pub budget: Duration,
    /// The smallest number of samples, whatever they cost.
    pub at_least: usize,
    /// The largest number of samples, however cheap they are.
    pub at_most: usize,
}

/// Nanoseconds per call, one figure per sample; `call` gets a running number.
///
/// A sample is a row of calls, long enough for the clock; a slow call is a sample of its own.
pub fn sample_nanos<T>(bounds: Bounds, mut call: impl FnMut(usize) -> T) -> Vec<f64> {
    let mut next = 0;
    let mut run = |batch: usize| {
        let start = Instant::now();
        for number in next..next + batch {
            black_box(call(number));
        }
        next += batch;
        start.elapsed()
    };

    let mut batch = 1;
    while run(batch) < SHORTEST_SAMPLE && batch < LARGEST_BATCH {
        batch *= 2;
    }

    let start = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < bounds.at_most
        && (samples.len() < bounds.at_least || start.elapsed() < bounds.budget)
    {
        samples.push(run(batch).as_nanos() as f64 / batch as f64);
    }
    samples
}

/// The value below which `share` (0 to 1) of the samples lie.
///
/// # Panics
/// If there are no samples.
pub fn percentile(samples: &mut [f64], share: f64) -> f64 {
    assert!(!samples.is_empty(), "no samples");
    samples.sort_by(f64::total_cmp);
    let last = samples.len() - 1;
    samples[(last as f64 * share).round() as usize]
}
