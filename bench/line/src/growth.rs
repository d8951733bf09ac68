//! How the cost grows with the number of words.

use std::error::Error;
use std::time::Duration;

use bench_measure::Bounds;

use crate::corpus::{self, Line};
use crate::engine::Engine;
use crate::{Figures, turns};

/// The numbers of words that are compared.
pub const WORDS: [usize; 2] = [1_000, 10_000];

/// Short turns, and many: what befalls one length of line should befall the other.
const ROUNDS: usize = 60;
const TURN: Bounds = Bounds { budget: Duration::from_millis(15), at_least: 3, at_most: 50 };

/// What one kind of line takes with few words and with many.
pub struct Growth {
    /// What the words are.
    pub title: &'static str,
    /// The figures, in the order of [`WORDS`].
    pub figures: [Figures; 2],
}

/// The figures for words that mean nothing, and for words that are files.
pub fn measure() -> Result<Vec<Growth>, Box<dyn Error>> {
    let guard = corpus::guard()?;
    let mut all = Vec::new();
    for (title, program) in [("plain words", "echo"), ("files", "cat")] {
        let lines = WORDS.map(|count| {
            let words: String = (0..count).map(|number| format!(" word{number}")).collect();
            let line = Line::new(format!("{program}{words}"), &guard);
            assert!(Engine::ALL.iter().all(|engine| engine.run(&line)), "{program} is not taken");
            line
        });
        let figures = turns(&lines, ROUNDS, TURN);
        all.push(Growth { title, figures: [figures[0], figures[1]] });
    }
    Ok(all)
}
