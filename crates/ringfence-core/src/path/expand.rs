//! Expansion of a path text as tools expand it.
//!
//! Some tools expand `~`, variables, `file:` URLs and percent signs; others do not. An expansion is
//! made here if a tool without it stays harmless; otherwise the path is refused. A text that could
//! lead outside must never pass as a plain name.

use super::path_fault::PathFault;
use super::{AbsPath, PathRules};
use crate::host::Host;
use crate::net::{UrlTarget, parse_url, percent};

/// Expands a path text. The result is absolute, or relative to the working directory.
pub(super) fn expand(host: &dyn Host, text: &str, home: &AbsPath) -> Result<String, PathFault> {
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(PathFault::Space);
    }
    if is_file_url(text) {
        return expand_url(text);
    }
    check_percent(text)?;
    if text.contains("$(") || text.contains('`') {
        return Err(PathFault::Substitution);
    }
    let rules = host.path_rules();
    let expander = TextExpander { host, home, rules };
    let (start, rest) = match text.chars().next() {
        Some('~') => expander.home(text)?,
        Some('$') => expander.variable(text)?,
        _ => (String::new(), text),
    };
    expander.check_variables(rest)?;
    if rest.len() < text.len() && climbs(rest, rules) {
        return Err(PathFault::Climb);
    }
    Ok(start + rest)
}

struct TextExpander<'a> {
    host: &'a dyn Host,
    home: &'a AbsPath,
    rules: PathRules,
}

impl TextExpander<'_> {
    /// Expands `~` or `~user` at the start; returns the expansion and the rest.
    fn home<'t>(&self, text: &'t str) -> Result<(String, &'t str), PathFault> {
        let after = text.strip_prefix('~').unwrap_or(text);
        let end = after.find(|c| self.rules.is_separator(c)).unwrap_or(after.len());
        let (user, rest) = after.split_at_checked(end).unwrap_or((after, ""));
        let home = match user {
            "" => Some(self.home.clone()),
            user => self.host.home_of(user),
        };
        let home = home.ok_or_else(|| PathFault::UnknownUser(user.into()))?;
        Ok((home.as_str().to_owned(), rest))
    }

    /// Expands a variable at the start; returns its value and the rest.
    fn variable<'t>(&self, text: &'t str) -> Result<(String, &'t str), PathFault> {
        let Some(reference) = Reference::read(text) else {
            return Ok((String::new(), text));
        };
        let value = match (self.host.env(reference.name), reference.name) {
            (Some(value), _) if !value.is_empty() => value,
            (None, "HOME") => self.home.as_str().to_owned(),
            _ => return Err(reference.fault()),
        };
        Ok((value, reference.rest))
    }

    /// Refuses variables after the start, unless the dollar sign is surely part of a plain name.
    ///
    /// A name such as `routes/$id.tsx` is plain: the variable is unset and does not look like an
    /// environment variable. Whether a tool keeps or drops `$id`, the path stays in its directory,
    /// because it contains no `..`.
    fn check_variables(&self, text: &str) -> Result<(), PathFault> {
        if self.rules.windows && text.matches('%').nth(1).is_some() {
            return Err(PathFault::Variable("%".into()));
        }
        let has_parent = text.split(|c| self.rules.is_separator(c)).any(|name| name == "..");
        for (index, _) in text.match_indices('$') {
            let Some(reference) = text.get(index..).and_then(Reference::read) else {
                continue;
            };
            let looks_plain = !reference.braces && reference.name.contains(char::is_lowercase);
            if has_parent || !looks_plain || self.host.env(reference.name).is_some() {
                return Err(reference.fault());
            }
        }
        Ok(())
    }
}

/// A reference to a variable.
struct Reference<'t> {
    name: &'t str,
    braces: bool,
    rest: &'t str,
}

impl<'t> Reference<'t> {
    /// Parses `$NAME` or `${…}` at the start of a text; `None` if the dollar sign starts no
    /// reference.
    fn read(text: &'t str) -> Option<Reference<'t>> {
        let after = text.strip_prefix('$')?;
        if let Some(inner) = after.strip_prefix('{') {
            // Without the closing brace the reference is malformed. No variable has such a name, so
            // it is refused.
            let (name, rest) = inner.split_once('}').unwrap_or((after, ""));
            return Some(Reference { name, braces: true, rest });
        }
        let is_name_char = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = after.find(|c| !is_name_char(c)).unwrap_or(after.len());
        let (name, rest) = after.split_at_checked(end)?;
        let is_name = name.starts_with(|c: char| !c.is_ascii_digit());
        is_name.then_some(Reference { name, braces: false, rest })
    }

    fn fault(&self) -> PathFault {
        PathFault::Variable(self.name.into())
    }
}

/// Returns whether a text starts with the scheme `file:`.
fn is_file_url(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
}

fn expand_url(text: &str) -> Result<String, PathFault> {
    match parse_url(text) {
        Ok(UrlTarget::File(path)) => Ok(path.into()),
        Ok(UrlTarget::Net { scheme, .. }) => {
            Err(PathFault::Url(crate::net::UrlFault::Scheme(scheme)))
        }
        Err(error) => Err(PathFault::Url(error.fault().clone())),
    }
}

/// Returns whether `..` leads above the directory where the text starts.
fn climbs(text: &str, rules: PathRules) -> bool {
    let mut depth = 0usize;
    for name in text.split(|c| rules.is_separator(c)) {
        depth = match name {
            "" | "." => depth,
            ".." => match depth.checked_sub(1) {
                Some(depth) => depth,
                None => return true,
            },
            _ => depth.saturating_add(1),
        };
    }
    false
}

/// Refuses a path that contains `..` or NUL after percent-decoding, which some tools do.
fn check_percent(text: &str) -> Result<(), PathFault> {
    // Some tools decode more than once, but none more often than this.
    const ROUNDS: usize = 4;
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..ROUNDS {
        if !percent::is_encoded(&bytes) {
            return Ok(());
        }
        bytes = percent::decode_bytes(&bytes);
        // The bytes C0 and C1 start overlong encodings, which lax decoders read as ASCII.
        let is_hidden = bytes.iter().any(|byte| matches!(byte, 0 | 0xc0 | 0xc1));
        let mut names = bytes.split(|byte| matches!(byte, b'/' | b'\\'));
        if is_hidden || names.any(|name| name == b"..") {
            return Err(PathFault::Encoded);
        }
    }
    Err(PathFault::Encoded)
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
