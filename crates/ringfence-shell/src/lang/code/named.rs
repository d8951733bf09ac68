//! Functions that are called by their names: `os.__dict__['system'](…)`, `cp['exec'](…)`.

use super::super::Finding;
use super::Language;
use super::calls::Program;
use super::lexer::Token;

/// Modules of Python whose functions run programs or code.
const RUNNING: &[&str] = &["os", "posix", "subprocess", "pty", "builtins", "__builtins__"];

impl Program {
    /// A name in brackets that is called, or is taken from a table of functions.
    pub(super) fn subscript(&mut self, at: usize) {
        let Some(Token::Str { text, whole: true }) = self.tokens.get(at.saturating_add(1)) else {
            return;
        };
        let close = at.saturating_add(2);
        if self.op(close) == Some(']')
            && self.op(close.saturating_add(1)) == Some('(')
            && let Some(function) = self.function(text)
        {
            self.call(close, function);
        }
    }

    /// The name of a function that runs something, in a language where a text can be called:
    /// `$f = "system"; $f(…)`, `do.call("system", …)`.
    pub(super) fn callable(&self, text: &str) -> Option<Finding> {
        let calls = matches!(self.knowledge.language, Language::Php | Language::R);
        let function = self.function(text).filter(|own| calls && own.action.runs())?;
        Some(Finding::RunUnknown(format!("`{}` may be called by its name", function.name)))
    }

    /// A table of all that a module of Python has: which of its functions is taken cannot be told
    /// where the name is computed, and where it goes cannot be told where it is not called at once.
    pub(super) fn table(&mut self, at: usize, word: &str) {
        let is_table = matches!(word, "__dict__" | "vars" | "globals" | "locals");
        let by_name = matches!(word, "attrgetter" | "methodcaller" | "__getattribute__");
        if self.knowledge.language != Language::Python
            || !(is_table || by_name)
            || !self.has_any(RUNNING)
        {
            return;
        }
        let open = at.saturating_add(1);
        let after = match self.op(open) {
            Some('(') => self.behind_bracket(open),
            _ => open,
        };
        if by_name || self.taken_from(after) {
            let reason = format!("a function may be taken by its name from `{word}`");
            self.found.push(Finding::RunUnknown(reason));
        }
    }

    /// Whether something is taken from a table that ends before this place, other than a plain name
    /// of something that runs nothing, or of what is called at once.
    fn taken_from(&self, at: usize) -> bool {
        let key = at.saturating_add(1);
        let close = at.saturating_add(2);
        match (self.op(at), self.tokens.get(key), self.op(close)) {
            (Some('['), Some(Token::Str { text, whole: true }), Some(']')) => {
                let runs = self.function(text).is_some_and(|own| own.action.runs());
                runs && self.op(close.saturating_add(1)) != Some('(')
            }
            (Some('['), ..) => true,
            (Some('.'), Some(Token::Word(method)), _) => {
                matches!(method.as_str(), "get" | "pop" | "values" | "items" | "setdefault")
            }
            _ => false,
        }
    }

    /// The place behind the bracket that closes the one at `open`.
    fn behind_bracket(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let rest = self.tokens.iter().skip(open);
        let inside = rest.take_while(|token| {
            match token {
                Token::Op('(') => depth = depth.saturating_add(1),
                Token::Op(')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > 0
        });
        open.saturating_add(inside.count()).saturating_add(1)
    }
}
