//! Patterns written out another way, so that they can be compared as the judge would read them.

use ringfence_core::pattern::{
    Base, CommandAlternative, CommandPattern, Component, Ending, Glob, PathAlternative,
    PathPattern, Pattern, Token,
};

/// The pattern as a deny rule reads it: several words without a star take further words.
pub(super) fn opened(pattern: &Pattern) -> Pattern {
    let Pattern::Command(command) = pattern else {
        return pattern.clone();
    };
    Pattern::Command(with_star(command).unwrap_or_else(|| command.clone()))
}

/// The command pattern with `:*` behind it, if it is exact by default.
pub(super) fn with_star(command: &CommandPattern) -> Option<CommandPattern> {
    if !command.alternatives().iter().any(is_exact_by_default) {
        return None;
    }
    let text = command.to_string();
    let text = match text.contains(char::is_whitespace) {
        true => format!("{text} *"),
        // A program alone, in Seal's notation, is written with a colon at its end.
        false => format!("{}:*", text.strip_suffix(':').unwrap_or(&text)),
    };
    CommandPattern::parse(&text)
        .ok()
        .filter(|open| open.alternatives().len() == command.alternatives().len())
}

/// Whether the words take nothing further in allow, ask and danger rules, for want of a star.
pub(super) fn is_exact_by_default(alternative: &CommandAlternative) -> bool {
    alternative.ending == Ending::BySide
}

/// A pattern that takes in every command which the judge might see through to this one: options
/// in any spelling and place, programs by their base name.
pub(super) fn loosened(pattern: &Pattern) -> Option<Pattern> {
    let Pattern::Command(command) = pattern else {
        return Some(pattern.clone());
    };
    let alternatives: Option<Vec<String>> = command.alternatives().iter().map(loosen).collect();
    let text = match alternatives?.as_slice() {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(",")),
    };
    CommandPattern::parse(&text).ok().map(Pattern::Command)
}

fn loosen(alternative: &CommandAlternative) -> Option<String> {
    let (program, words) = alternative.tokens.split_first()?;
    let program = match program {
        Token::Literal(word) => plain(word.rsplit('/').next().unwrap_or(word)),
        Token::Glob(glob) if glob.to_string().contains('/') => "*".to_owned(),
        Token::Glob(glob) => within_word(&glob.to_string()),
        Token::Run => "*".to_owned(),
    };
    let words = words.iter().map(|word| match word {
        Token::Literal(word) if word.starts_with('-') => "*".to_owned(),
        Token::Literal(word) => plain(word),
        // A glob may take options, whose spelling is not the pattern's.
        Token::Glob(_) | Token::Run => "*".to_owned(),
    });
    let end = (alternative.ending != Ending::Open).then(String::new);
    let star = (alternative.ending == Ending::Open).then(|| "*".to_owned());
    let all: Vec<String> = [program].into_iter().chain(words).chain(end).chain(star).collect();
    Some(all.join(":"))
}

/// A word that stands for itself in a pattern parted by colons and inside braces.
fn plain(word: &str) -> String {
    match word.contains(char::is_whitespace) || word.is_empty() {
        // Blanks would make it a pattern of shell words.
        true => "*".to_owned(),
        false => within_word(&Glob::literal(word).to_string()),
    }
}

fn within_word(glob: &str) -> String {
    let mut text = glob.replace(':', "\\:");
    for c in [',', '}'] {
        text = text.replace(c, &format!("\\{c}"));
    }
    text
}

/// The pattern without what `dir/**` names itself, which a grant to write does not take in.
///
/// `None` where the pattern cannot be written out.
pub(super) fn below(path: &PathPattern) -> Option<Vec<PathPattern>> {
    let below = |alternative: &PathAlternative| match alternative.components.split_last() {
        Some((Component::Deep, stem)) => written(alternative, stem, "/*/**"),
        _ => written(alternative, &alternative.components, ""),
    };
    path.alternatives().iter().map(below).collect()
}

/// What the alternatives of the form `dir/**` name themselves.
///
/// `None` where the pattern cannot be written out.
pub(super) fn stems(path: &PathPattern) -> Option<Vec<PathPattern>> {
    let stem = |alternative: &PathAlternative| match alternative.components.split_last() {
        Some((Component::Deep, stem)) => Some(written(alternative, stem, "")),
        _ => None,
    };
    path.alternatives().iter().filter_map(stem).collect()
}

/// A path pattern from the place of one alternative, these components, and what follows them.
fn written(
    alternative: &PathAlternative,
    components: &[Component],
    after: &str,
) -> Option<PathPattern> {
    let place = match &alternative.base {
        Base::Slash => String::new(),
        Base::Home => "~".to_owned(),
        Base::Root(up) => format!("@root{}", "/..".repeat(usize::from(*up))),
        Base::Cwd => "@cwd".to_owned(),
        Base::Tmp => "@tmp".to_owned(),
        Base::System => "@system".to_owned(),
        Base::Var(name) => format!("${{{name}}}"),
    };
    let names = components.iter().map(|component| match component {
        Component::Literal(name) => format!("/{}", Glob::literal(name)),
        Component::Glob(glob) => format!("/{glob}"),
        Component::Deep => "/**".to_owned(),
    });
    let text = [place].into_iter().chain(names).chain([after.to_owned()]).collect::<String>();
    PathPattern::parse(if text.is_empty() { "/" } else { &text }).ok()
}
