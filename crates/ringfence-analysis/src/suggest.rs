//! Suggestions: the patterns that a person may choose from when a command is to be remembered.
//!
//! From the broadest, any arguments of the program, to the exact words. Every suggestion matches
//! the command it was made for and reads back as it is written. Nothing here looks at secrets: a
//! caller that would have to redact a word does not offer the exact level.

mod grain;
mod write;

use grain::{Grain, grain};
use ringfence_core::Pattern;
use ringfence_core::pattern::Ending;

/// One pattern on the scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The pattern, as it would stand in a document.
    pub pattern: Pattern,
    /// How much of the command it fixes.
    pub level: Level,
    /// Whether it is the one to start from; one of a scale is.
    pub recommended: bool,
}

/// How much of a command a pattern fixes, broadest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The program alone, with any arguments.
    Program,
    /// So many words after the program, with any further arguments.
    Words(usize),
    /// Every word.
    Exact,
}

/// The patterns for a command, from the broadest to the exact one.
///
/// What is recommended names what the command does: the subcommand, the module, the script. It is
/// never the bare program where that could run anything. Empty if no pattern can name the command.
///
/// ```
/// let scale = ringfence_analysis::scales(&["git", "push", "origin", "main"]);
/// let recommended = scale.iter().find(|suggestion| suggestion.recommended);
/// assert_eq!(recommended.map(|it| it.pattern.to_string()).as_deref(), Some("cmd:git:push:*"));
/// ```
pub fn scales(words: &[&str]) -> Vec<Suggestion> {
    let grain = grain(words);
    let named = grain.steps.iter().filter_map(|count| {
        let kept = words.get(..count.saturating_add(1))?;
        suggestion(kept, Ending::Open, Level::Words(*count))
    });
    let program = words.get(..1).and_then(|kept| suggestion(kept, Ending::Open, Level::Program));
    let exact = suggestion(words, Ending::Closed, Level::Exact);
    let mut scale: Vec<Suggestion> = program.into_iter().chain(named).chain(exact).collect();
    recommend(&mut scale, &grain);
    scale
}

fn suggestion(words: &[&str], ending: Ending, level: Level) -> Option<Suggestion> {
    let pattern = write::pattern(words, ending)?;
    Some(Suggestion { pattern, level, recommended: false })
}

/// Marks the wanted level, or the narrowest one where that could not be written.
fn recommend(scale: &mut [Suggestion], grain: &Grain) {
    let wanted = scale.iter().position(|suggestion| suggestion.level == grain.recommended);
    let chosen = wanted.unwrap_or(scale.len().saturating_sub(1));
    if let Some(suggestion) = scale.get_mut(chosen) {
        suggestion.recommended = true;
    }
}

#[cfg(test)]
#[path = "suggest/suggest_tests.rs"]
mod tests;
