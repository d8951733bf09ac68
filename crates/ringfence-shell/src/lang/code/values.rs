//! The environment, and what strings say by themselves.

use super::super::Finding;
use super::Language;
use super::calls::Program;
use super::lexer::Token;

impl Program {
    /// One variable if its name can be told, else all of them.
    pub(super) fn environment(&mut self, at: usize) {
        let mut next = at.saturating_add(1);
        let method = self.op(next) == Some('.') || self.op(next) == Some('?');
        while matches!(self.op(next), Some('.' | '?')) {
            next = next.saturating_add(1);
        }
        let plain_field = method && self.knowledge.language == Language::Node;
        if method
            && matches!(
                self.word_at(next),
                Some("get" | "fetch" | "getOrDefault" | "setdefault" | "has")
            )
        {
            next = next.saturating_add(1);
        } else if plain_field && let Some(name) = self.word_at(next) {
            let name = name.to_owned();
            return self.variable(name, next.saturating_add(1));
        }
        let (name, close) = match (self.op(next), self.tokens.get(next.saturating_add(1))) {
            (Some('[' | '(' | '{'), Some(Token::Str { text, whole: true })) => (text.clone(), 2),
            (Some('{'), Some(Token::Word(name))) => (name.to_string(), 2),
            _ => return self.found.push(Finding::AllEnv),
        };
        let close = next.saturating_add(close);
        match self.op(close) {
            Some(']' | ')' | '}' | ',') => self.variable(name, close.saturating_add(1)),
            _ => self.found.push(Finding::AllEnv),
        }
    }

    fn variable(&mut self, name: String, after: usize) {
        let assigned = self.op(after) == Some('=')
            && !matches!(self.op(after.saturating_add(1)), Some('=' | '~'));
        self.found.push(if assigned { Finding::SetEnv(name) } else { Finding::GetEnv(name) });
    }
}

/// What a string says by itself: a path that is absolute or of the home, or a URL.
pub(super) fn literal(text: &str, whole: bool) -> Option<Finding> {
    let scheme = text.split("://").next().filter(|scheme| {
        text.len() > scheme.len() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+')
    });
    if let Some(scheme) = scheme.filter(|scheme| !scheme.is_empty()) {
        let host = text.get(scheme.len().saturating_add(3)..).unwrap_or("");
        // Without a slash after it, what is computed belongs to the host.
        return Some(match whole || host.contains('/') {
            true => Finding::Url(text.split_whitespace().next().unwrap_or(text).to_owned()),
            false => Finding::ReadUnknown("the host of a URL is computed".to_owned()),
        });
    }
    let rest = text.strip_prefix('/').or_else(|| text.strip_prefix("~/"))?;
    let path = rest.starts_with(|c: char| !c.is_whitespace() && c != '/' && c != '*');
    if !path || text.contains('\n') {
        return None;
    }
    Some(match whole {
        true => Finding::Read(text.to_owned()),
        false => Finding::ReadUnknown(format!("a path below `{text}` is computed")),
    })
}

/// What a string says where the home directory is asked for: a path that is not absolute may be
/// one below it.
pub(super) fn below_home(token: &Token) -> Option<Finding> {
    let Token::Str { text, .. } = token else { return None };
    let hidden = text.starts_with('.') && text.len() > 1 && !text.starts_with("..");
    let relative = hidden || text.contains('/');
    let plain = !text.starts_with(['/', '~']) && !text.contains(char::is_whitespace);
    (relative && plain && !text.contains("://")).then(|| Finding::Read(format!("~/{text}")))
}
