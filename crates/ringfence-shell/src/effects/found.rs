//! What is known of the names that `find` finds.

use ringfence_core::path::NameEnd;

use crate::field::Field;

/// What all names have in common that are handed to a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// What each begins with; an empty text where that is not known.
    pub(super) below: String,
    /// How each ends.
    pub(super) ends: NameEnd,
    /// Whether they were found through links.
    pub(super) follows: bool,
    /// Whether each lies below the directory, though nothing is known of how it begins.
    pub(super) here: bool,
    /// Whether each lies right in the directory.
    pub(super) flat: bool,
    /// Whether it is what a file says that is not there.
    pub(super) absent: bool,
    /// Whether the only name is what it begins with.
    pub(super) exact: bool,
}

/// What is found below each of these directories.
pub(super) fn all_of(below: Vec<String>, ends: NameEnd) -> Vec<Found> {
    below.into_iter().map(|below| Found { below, ends, ..Found::default() }).collect()
}

/// How the names end that reach what stands behind these words of `find`; `all` has the words behind
/// them, too.
pub(super) fn known_end(words: &[Field], all: &[Field]) -> NameEnd {
    let is_choice = |word: &Field| word.as_known().is_none_or(is_choice);
    match all.iter().any(is_choice) {
        true => NameEnd::default(),
        false => name_end(words.iter().filter_map(Field::as_known)),
    }
}

/// Without a choice each test has to hold: the first of those on names says how they end. Before it stand
/// starting points and tests that are known, so that no word of an action is taken for a test.
pub(super) fn name_end<'t>(words: impl Iterator<Item = &'t str>) -> NameEnd {
    const ALONE: [&str; 10] = [
        "-daystart",
        "-depth",
        "-empty",
        "-executable",
        "-follow",
        "-mount",
        "-readable",
        "-writable",
        "-xdev",
        "-noleaf",
    ];
    const WITH_VALUE: [&str; 16] = [
        "-amin",
        "-atime",
        "-cmin",
        "-ctime",
        "-group",
        "-links",
        "-maxdepth",
        "-mindepth",
        "-mmin",
        "-mtime",
        "-newer",
        "-perm",
        "-size",
        "-type",
        "-user",
        "-xtype",
    ];
    const NAMES: [&str; 6] = ["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];
    let words: Vec<&str> = words.collect();
    if words.iter().any(|word| is_choice(word)) {
        return NameEnd::default();
    }
    let is_start = |word: &&str| !word.starts_with(['-', '(', ')', '!', ',']);
    let mut words = words.into_iter().skip_while(|word| matches!(*word, "-H" | "-L" | "-P"));
    let mut word = words.find(|word| !is_start(word));
    let mut negated = false;
    while let Some(own) = word {
        match own {
            "!" | "-not" => {
                negated = !negated;
                word = words.next();
                continue;
            }
            _ if NAMES.contains(&own) => match words.next() {
                Some(pattern) if !negated => return NameEnd::of_pattern(pattern),
                Some(_) => {}
                None => break,
            },
            _ if WITH_VALUE.contains(&own) => drop(words.next()),
            "-a" | "-and" => {}
            _ if ALONE.contains(&own) => {}
            _ => break,
        }
        negated = false;
        word = words.next();
    }
    NameEnd::default()
}

/// Words by which something else may be found than what a test says.
fn is_choice(word: &str) -> bool {
    matches!(word, "-o" | "-or" | ",")
}

#[cfg(test)]
#[path = "found_tests.rs"]
mod tests;
