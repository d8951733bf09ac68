//! One access that a pattern matches, to tell cheaply that another does not include it.
//!
//! Wildcards are filled with a character that stands in no pattern by accident. That the other
//! matches the witness proves nothing; that it does not proves that it is not the wider one.

use ringfence_core::Pattern;
use ringfence_core::pattern::{
    Base, CommandAlternative, Component, Ending, Glob, GlobPart, NamePattern, PathAlternative,
    PathPattern, SocketPattern, Token,
};

/// Fills wildcards; a private character that people do not write.
const FRESH: char = '\u{e000}';

/// Whether `two` may match all that `one` matches, as far as one witness shows.
pub(super) fn may_include(two: &Pattern, one: &Pattern) -> bool {
    match (two, one) {
        (Pattern::Command(two), Pattern::Command(one)) => {
            let words = one.alternatives().first().and_then(words_of);
            words.is_none_or(|words| {
                let mut alternatives = two.alternatives().iter();
                alternatives.any(|two| is_match(&two.tokens, &words, two.ending == Ending::Open))
            })
        }
        (Pattern::File(_, two), Pattern::File(_, one))
        | (Pattern::Socket(SocketPattern::Path(two)), Pattern::Socket(SocketPattern::Path(one))) => {
            may_include_path(two, one)
        }
        (Pattern::Env(two), Pattern::Env(one))
        | (Pattern::Tool(two), Pattern::Tool(one))
        | (Pattern::Keychain(two), Pattern::Keychain(one)) => may_include_name(two, one),
        _ => true,
    }
}

fn may_include_path(two: &PathPattern, one: &PathPattern) -> bool {
    let Some(one) = one.alternatives().first() else {
        return true;
    };
    // Only what floats takes in another place.
    let floats = |two: &PathAlternative| two.components.first() == Some(&Component::Deep);
    let is_near =
        |two: &PathAlternative| two.base == one.base || (two.base == Base::Slash && floats(two));
    names_of(one).is_none_or(|names| {
        let mut near = two.alternatives().iter().filter(|two| is_near(two));
        near.any(|two| is_match(&two.components, &names, false))
    })
}

fn may_include_name(two: &NamePattern, one: &NamePattern) -> bool {
    one.alternatives().first().and_then(filled).is_none_or(|name| two.matches(&name))
}

/// One place of a pattern.
trait Step {
    /// Whether it takes any run of words.
    fn is_deep(&self) -> bool;
    /// Whether it takes this one word.
    fn takes(&self, word: &str) -> bool;
}

impl Step for Token {
    fn is_deep(&self) -> bool {
        *self == Token::Run
    }

    fn takes(&self, word: &str) -> bool {
        match self {
            Token::Literal(own) => **own == *word,
            Token::Glob(glob) => glob.matches(word),
            Token::Run => false,
        }
    }
}

impl Step for Component {
    fn is_deep(&self) -> bool {
        *self == Component::Deep
    }

    fn takes(&self, word: &str) -> bool {
        match self {
            Component::Literal(own) => **own == *word,
            Component::Glob(glob) => glob.matches(word),
            Component::Deep => false,
        }
    }
}

fn words_of(alternative: &CommandAlternative) -> Option<Vec<String>> {
    let words = alternative.tokens.iter().map(|token| match token {
        Token::Literal(word) => Some(word.to_string()),
        Token::Glob(glob) => filled(glob),
        Token::Run => Some(FRESH.to_string()),
    });
    let further = (alternative.ending == Ending::Open).then(|| Some(FRESH.to_string()));
    words.chain(further).collect()
}

fn names_of(alternative: &PathAlternative) -> Option<Vec<String>> {
    let names = alternative.components.iter().map(|component| match component {
        Component::Literal(name) => Some(name.to_string()),
        Component::Glob(glob) => filled(glob),
        Component::Deep => Some(FRESH.to_string()),
    });
    names.collect()
}

/// A text that the glob matches, where one is easily found.
fn filled(glob: &Glob) -> Option<String> {
    let chars = glob.parts().iter().map(|part| match part {
        GlobPart::Char(c) => Some(*c),
        GlobPart::Any | GlobPart::Star => Some(FRESH),
        GlobPart::Class(class) if class.has(FRESH) => Some(FRESH),
        GlobPart::Class(class) => class.edges().find(|c| class.has(*c)),
    });
    chars.collect()
}

/// Whether the steps take the whole sequence, or its beginning if they are open.
fn is_match<S: Step>(steps: &[S], words: &[String], open: bool) -> bool {
    let (mut steps, mut words) = (steps, words);
    // Only the last deep step can ever need to take more: what stood before it has matched.
    let mut retry: Option<(&[S], &[String])> = None;
    loop {
        match (steps, words) {
            ([], []) => return true,
            ([], _) if open => return true,
            ([step, after @ ..], _) if step.is_deep() => {
                retry = Some((after, words));
                steps = after;
                continue;
            }
            ([step, after @ ..], [word, rest @ ..]) if step.takes(word) => {
                (steps, words) = (after, rest);
                continue;
            }
            _ => {}
        }
        let Some((after, [_, rest @ ..])) = retry else {
            return false;
        };
        retry = Some((after, rest));
        (steps, words) = (after, rest);
    }
}

#[cfg(test)]
#[path = "witness_tests.rs"]
mod tests;
