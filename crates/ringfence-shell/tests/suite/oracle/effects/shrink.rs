//! Lines made short enough to read.

use super::compare::compare;
use super::root::Root;

/// How many shorter lines are tried.
const TRIES: usize = 80;

/// A shorter line that still differs, and how; none where the line differs no more.
pub(super) fn shrink(root: &Root, line: &str) -> Option<(String, String)> {
    let mut best: Vec<char> = line.chars().collect();
    let mut difference = compare(root, line).1?;
    let mut tries = 0;
    let mut size = best.len().div_ceil(2).max(1);
    while tries < TRIES {
        let mut at = 0;
        let mut shorter = false;
        while at < best.len() && tries < TRIES {
            let end = (at + size).min(best.len());
            let text: String = best[..at].iter().chain(&best[end..]).collect();
            tries += 1;
            match compare(root, &text).1 {
                Some(found) => {
                    best = text.chars().collect();
                    difference = found;
                    shorter = true;
                }
                None => at = end,
            }
        }
        match (size, shorter) {
            (1, false) => break,
            (1, true) => {}
            _ => size = size.div_ceil(2),
        }
    }
    Some((best.into_iter().collect(), difference))
}
