//! Command patterns: a program and its arguments.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::MAX_WILDCARDS;
use super::brace;
use super::error::PatternError;
use super::glob::Glob;
use crate::access::Text;
use crate::text::{has_byte, has_space, split_at_byte, split_at_each_byte};

/// A pattern that matches commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPattern {
    text: Text,
    alternatives: Arc<[CommandAlternative]>,
}

/// One alternative of a command pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandAlternative {
    /// The patterns of the words, the program first.
    pub tokens: Vec<Token>,
    /// The words that may follow `tokens`.
    pub ending: Ending,
}

/// One element of a command pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A fixed word.
    Literal(Box<str>),
    /// A word that matches a glob.
    Glob(Glob),
    /// `*` alone: any number of words, also none.
    Run,
}

/// The words that may follow those of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Any further words.
    Open,
    /// None in allow, ask and danger rules; any further words in deny rules.
    BySide,
    /// None.
    Closed,
}

impl CommandPattern {
    /// Parses the text after `cmd:`: words separated by `:`, or shell words if there is a space.
    pub fn parse(text: &str) -> Result<CommandPattern, PatternError> {
        let alternatives: Arc<[CommandAlternative]> = match has_byte(text, b'{') {
            false => Arc::new([parse_alternative(text)?]),
            true => {
                let texts = brace::expand(text)?;
                texts.iter().map(|text| parse_alternative(text)).collect::<Result<_, _>>()?
            }
        };
        Ok(CommandPattern { text: text.into(), alternatives })
    }

    fn of(alternative: CommandAlternative) -> CommandPattern {
        let text = canonical(&alternative).into();
        CommandPattern { text, alternatives: [alternative].into() }
    }

    /// Returns the text after `cmd:`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the notation of `commands.patterns` (from Seal): plain words, with `:*` at the end if
    /// further words may follow.
    pub fn parse_seal(text: &str) -> Result<CommandPattern, PatternError> {
        let (words, ending) = match text.strip_suffix(":*") {
            Some(words) => (words, Ending::Open),
            None => (text, Ending::BySide),
        };
        let tokens: Vec<Token> =
            words.split_whitespace().map(|word| Token::Literal(word.into())).collect();
        if tokens.is_empty() {
            return Err(PatternError::new(text, "names no program").hint("write `program:*`"));
        }
        Ok(CommandPattern::of(CommandAlternative { tokens, ending }))
    }

    /// Creates a pattern from fixed words.
    pub fn of_words<'a>(
        words: impl IntoIterator<Item = &'a str>,
        ending: Ending,
    ) -> CommandPattern {
        let tokens = words.into_iter().map(|word| Token::Literal(word.into())).collect();
        CommandPattern::of(CommandAlternative { tokens, ending })
    }

    /// Returns the alternatives of the pattern.
    pub fn alternatives(&self) -> &[CommandAlternative] {
        &self.alternatives
    }
}

impl fmt::Display for CommandPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_alternative(text: &str) -> Result<CommandAlternative, PatternError> {
    let (mut tokens, closed) = match has_space(text) {
        true => (shell_tokens(text)?, false),
        // A final colon closes the pattern: `cmd:make:` is `make` without arguments.
        false => match text.strip_suffix(':').filter(|words| !ends_in_escape(words)) {
            Some(words) => (colon_tokens(words)?, true),
            None => (colon_tokens(text)?, false),
        },
    };
    tokens.dedup_by(|next, last| *next == Token::Run && *last == Token::Run);
    let runs = tokens.iter().filter(|token| **token == Token::Run).count();
    if runs > MAX_WILDCARDS {
        return Err(PatternError::new(text, format!("has more than {MAX_WILDCARDS} stars")));
    }
    let ending = match (closed, runs, tokens.len()) {
        (true, _, _) => Ending::Closed,
        (false, 0, 1) => Ending::Open,
        (false, 0, _) => Ending::BySide,
        // A literal after a star matches anywhere, so further words may follow.
        (false, _, _) => Ending::Open,
    };
    if tokens.len() > 1 && tokens.last() == Some(&Token::Run) {
        tokens.pop();
    }
    Ok(CommandAlternative { tokens, ending })
}

fn colon_tokens(text: &str) -> Result<Vec<Token>, PatternError> {
    let mut tokens = Vec::new();
    for word in colon_words(text) {
        if word.is_empty() {
            return Err(empty_word(text));
        }
        tokens.push(token(&word)?);
    }
    Ok(tokens)
}

fn shell_tokens(text: &str) -> Result<Vec<Token>, PatternError> {
    let words = shell_words(text)?;
    // An empty word in quotes may be an argument, but not a program.
    if words.first().is_none_or(String::is_empty) {
        return Err(empty_word(text));
    }
    words.iter().map(|word| token(word)).collect()
}

fn empty_word(text: &str) -> PatternError {
    PatternError::new(text, "has an empty word").hint("write `cmd:program:*`")
}

fn token(word: &str) -> Result<Token, PatternError> {
    if !word.is_empty() && word.bytes().all(|byte| byte == b'*') {
        return Ok(Token::Run);
    }
    if Glob::is_plain(word) {
        return Ok(Token::Literal(word.into()));
    }
    let glob = if has_byte(word, b'/') { Glob::parse_path(word)? } else { Glob::parse(word)? };
    Ok(match glob.as_literal() {
        Some(literal) => Token::Literal(literal.into()),
        None => Token::Glob(glob),
    })
}

/// Returns whether a text ends with a backslash that escapes the next character.
fn ends_in_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Splits words at `:`; `\:` is a colon inside a word.
fn colon_words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let has_escapes = split_at_byte(text, b'\\').is_some();
    let escaped = if has_escapes { escaped_words(text) } else { Vec::new() };
    let plain = (!has_escapes).then(|| split_at_each_byte(text, b':')).into_iter().flatten();
    plain.map(Cow::Borrowed).chain(escaped.into_iter().map(Cow::Owned))
}

fn escaped_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, words.last_mut()) {
            (':', _) => words.push(String::new()),
            ('\\', Some(word)) => match chars.next() {
                Some(':') => word.push(':'),
                Some(next) => word.extend(['\\', next]),
                None => word.push('\\'),
            },
            (c, Some(word)) => word.push(c),
            (_, None) => {}
        }
    }
    words
}

/// Splits words at whitespace. Inside quotes, whitespace and wildcards are plain characters.
fn shell_words(text: &str) -> Result<Vec<String>, PatternError> {
    let mut words: Vec<String> = Vec::new();
    let mut current: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => {
                let word = current.get_or_insert_default();
                if matches!(c, '*' | '?' | '[' | '\\') {
                    word.push('\\');
                }
                word.push(c);
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                current.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(current.take()),
            (None, c) => current.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(PatternError::new(text, "has an unbalanced quote"));
    }
    words.extend(current);
    Ok(words)
}

/// Returns the canonical text of an alternative, without the prefix `cmd:`.
fn canonical(alternative: &CommandAlternative) -> String {
    let has_blank = |token: &Token| match token {
        Token::Literal(word) => word.is_empty() || word.contains(char::is_whitespace),
        Token::Glob(_) | Token::Run => false,
    };
    if alternative.tokens.iter().any(has_blank) {
        return in_shell_words(alternative);
    }
    let mut words: Vec<String> = alternative
        .tokens
        .iter()
        .map(|token| match token {
            Token::Literal(word) => Glob::literal(word).to_string().replace(':', "\\:"),
            Token::Glob(glob) => glob.to_string().replace(':', "\\:"),
            Token::Run => "*".to_owned(),
        })
        .collect();
    match alternative.ending {
        Ending::Open => words.push("*".to_owned()),
        Ending::BySide if words.len() == 1 => words.push(String::new()),
        Ending::BySide => {}
        Ending::Closed => words.push(String::new()),
    }
    words.join(":")
}

/// Returns an alternative as shell words, which can express words with whitespace.
fn in_shell_words(alternative: &CommandAlternative) -> String {
    let words = alternative.tokens.iter().map(|token| match token {
        Token::Literal(word) => in_quotes(word),
        Token::Glob(glob) => glob.to_string(),
        Token::Run => "*".to_owned(),
    });
    let open = (alternative.ending == Ending::Open).then(|| "*".to_owned());
    words.chain(open).collect::<Vec<_>>().join(" ")
}

/// Quotes a word so that parsing returns the same word.
///
/// Two characters need care. Quotes do not protect a brace, so it gets a backslash outside quotes.
/// A quotation mark is put into the other kind of quotes.
fn in_quotes(word: &str) -> String {
    let usual = if word.contains('\'') { '"' } else { '\'' };
    let mut text = String::from(usual);
    let mut open = Some(usual);
    for c in word.chars() {
        let wanted = match c {
            '{' => None,
            '\'' => Some('"'),
            '"' => Some('\''),
            _ => open.or(Some(usual)),
        };
        if wanted != open {
            text.extend(open);
            text.extend(wanted);
            open = wanted;
        }
        text.extend(open.is_none().then_some('\\'));
        text.push(c);
    }
    text.extend(open);
    text
}
