//! Path patterns.

use std::fmt;
use std::sync::Arc;

use super::MAX_WILDCARDS;
use super::brace;
use super::error::PatternError;
use super::glob::Glob;
use crate::access::Text;
use crate::text::{has_byte, split_at_byte, split_at_each_byte};

/// A pattern that matches paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    text: Text,
    alternatives: Arc<[PathAlternative]>,
}

/// One alternative of a path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathAlternative {
    /// The directory that the components are relative to.
    pub base: Base,
    /// The components below the base.
    pub components: Vec<Component>,
}

/// The base directory of a path pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Base {
    /// The root directory `/`; also the base of floating patterns (`**/x`).
    Slash,
    /// The home directory.
    Home,
    /// The project root, or the directory this many levels above it.
    Root(u8),
    /// The directory in which the door was started.
    Cwd,
    /// The directories for temporary files.
    Tmp,
    /// The system directories.
    System,
    /// The value of a variable in the door's own environment.
    Var(Arc<str>),
}

/// One component of a path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Component {
    /// A fixed name.
    Literal(Box<str>),
    /// A name that matches a glob.
    Glob(Glob),
    /// `**`: any number of components, also none.
    Deep,
}

impl PathPattern {
    /// Parses a pattern such as `@root/src/**`, `~/.config/*`, `**/.env` or `docs/*.md`.
    pub fn parse(text: &str) -> Result<PathPattern, PatternError> {
        let alternatives: Arc<[PathAlternative]> = match has_byte(text, b'{') {
            false => Arc::new([parse_alternative(text)?]),
            true => {
                let texts = brace::expand(text)?;
                texts.iter().map(|text| parse_alternative(text)).collect::<Result<_, _>>()?
            }
        };
        Ok(PathPattern { text: text.into(), alternatives })
    }

    /// Returns the text of a pattern that matches exactly this path, with special characters
    /// escaped.
    pub fn exact_text(path: &str) -> String {
        let mut text = String::with_capacity(path.len());
        for c in path.chars() {
            if matches!(c, '*' | '?' | '[' | '\\' | '{' | '$') {
                text.push('\\');
            }
            text.push(c);
        }
        text
    }

    /// Returns the alternatives of the pattern.
    pub fn alternatives(&self) -> &[PathAlternative] {
        &self.alternatives
    }

    /// Returns the pattern extended by everything below it: `src` becomes `src/**`.
    pub fn and_below(&self) -> PathPattern {
        let alternatives = self.alternatives().iter().map(|alternative| {
            let mut below = alternative.clone();
            if below.components.last() != Some(&Component::Deep) {
                below.components.push(Component::Deep);
            }
            below
        });
        let text = if self.text.ends_with("**") {
            self.text.clone()
        } else {
            format!("{}/**", self.text.trim_end_matches('/')).into()
        };
        PathPattern { text, alternatives: alternatives.collect() }
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_alternative(text: &str) -> Result<PathAlternative, PatternError> {
    let (base, rest) = split_base(text)?;
    let mut base = base;
    let mut components: Vec<Component> = Vec::with_capacity(8);
    // A final slash means the directory with everything below it.
    let whole = rest.ends_with('/') && rest.len() > 1;
    for name in split_at_each_byte(rest, b'/') {
        match name {
            "" | "." => {}
            ".." => step_up(text, &mut base, &mut components)?,
            "**" if components.last() == Some(&Component::Deep) => {}
            name => components.push(component(text, name)?),
        }
    }
    if whole && components.last() != Some(&Component::Deep) {
        components.push(Component::Deep);
    }
    let wildcards = components.iter().filter(|c| !matches!(c, Component::Literal(_))).count();
    if wildcards > MAX_WILDCARDS {
        let reason = format!("has {wildcards} wildcard components, more than {MAX_WILDCARDS}");
        return Err(PatternError::new(text, reason));
    }
    Ok(PathAlternative { base, components })
}

/// Splits a text into its base and the rest.
fn split_base(text: &str) -> Result<(Base, &str), PatternError> {
    if text.is_empty() {
        return Err(PatternError::new(text, "names no path"));
    }
    let head = split_at_byte(text, b'/').map_or(text, |(head, _)| head);
    let rest = text.get(head.len()..).unwrap_or_default();
    let base = match head {
        "" | "**" => return Ok((Base::Slash, text)),
        "~" => Base::Home,
        "@root" | "@base" => Base::Root(0),
        "@cwd" => Base::Cwd,
        "@tmp" => Base::Tmp,
        "@system" => Base::System,
        head if head.starts_with('@') => {
            return Err(PatternError::new(text, format!("`{head}` is not a known symbol"))
                .hint("one of `@root`, `@cwd`, `@tmp`, `@system`"));
        }
        head if head.starts_with('~') => {
            return Err(PatternError::new(text, "names another user's home")
                .hint("write the directory out"));
        }
        head if head.starts_with('$') => Base::Var(variable(text, head)?),
        _ => return Ok((Base::Root(0), text)),
    };
    Ok((base, rest))
}

fn variable(text: &str, head: &str) -> Result<Arc<str>, PatternError> {
    let name = head.strip_prefix('$').unwrap_or(head);
    let name = match name.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}'),
        None => Some(name),
    };
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.filter(|name| is_name(name)).map(Arc::from).ok_or_else(|| {
        PatternError::new(text, format!("`{head}` is not a variable")).hint("write `${NAME}/…`")
    })
}

fn step_up(
    text: &str,
    base: &mut Base,
    components: &mut Vec<Component>,
) -> Result<(), PatternError> {
    match (components.last(), base) {
        (Some(Component::Literal(_)), _) => {
            components.pop();
            Ok(())
        }
        (None, Base::Slash) => Ok(()),
        (None, Base::Root(up)) => {
            *up = up.saturating_add(1);
            Ok(())
        }
        _ => Err(PatternError::new(text, "has `..` where the parent directory is not known")),
    }
}

fn component(text: &str, name: &str) -> Result<Component, PatternError> {
    if name == "**" {
        return Ok(Component::Deep);
    }
    if split_at_byte(name, 0).is_some() {
        return Err(PatternError::new(text, "has a NUL byte"));
    }
    if split_at_byte(name, b'$').is_some()
        && (name.contains("${") || name.starts_with('$') && name.len() > 1)
    {
        return Err(PatternError::new(text, "has a variable that is not at its start")
            .hint("write `\\$` for a plain dollar sign"));
    }
    if Glob::is_plain(name) {
        return Ok(Component::Literal(name.into()));
    }
    let glob = Glob::parse(name)?;
    Ok(match glob.as_literal() {
        Some(literal) => Component::Literal(literal.into()),
        None => Component::Glob(glob),
    })
}
