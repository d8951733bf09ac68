//! Lines made short enough to read.

use super::differential::number;

/// How many shorter lines are tried.
const TRIES: usize = 120;

/// The shortest of the lines that differ, made shorter, and how they differ.
pub(super) fn shortened(
    mut wrong: Vec<String>,
    differs: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    wrong.sort_by_key(String::len);
    let shown = number("RINGFENCE_ORACLE_SHOWN", 10);
    let shorter = |line: &String| {
        let (line, difference) = shrink(line, &differs)?;
        Some(format!("{line:?}\n  {difference}"))
    };
    wrong.iter().take(shown).filter_map(shorter).collect()
}

/// A shorter line that still differs, and how; none where the line differs no more.
fn shrink(line: &str, differs: impl Fn(&str) -> Option<String>) -> Option<(String, String)> {
    let mut best: Vec<char> = line.chars().collect();
    let mut difference = differs(line)?;
    let mut tries = 0;
    let mut size = best.len().div_ceil(2).max(1);
    while tries < TRIES {
        let mut at = 0;
        let mut shorter = false;
        while at < best.len() && tries < TRIES {
            let end = (at + size).min(best.len());
            let text: String = best[..at].iter().chain(&best[end..]).collect();
            tries += 1;
            match differs(&text) {
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
