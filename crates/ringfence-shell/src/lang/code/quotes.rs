//! Where strings start in each of the general languages.

use super::Language;
use super::lexer::{Lexer, Token};
use super::strings::{Kind, closing};

impl Lexer<'_> {
    /// Reads a string if one starts here.
    pub(super) fn quoted(&mut self, c: char) -> bool {
        match self.language {
            Language::Python => self.python(c),
            Language::Node => self.node(c),
            Language::Perl => self.perl(c),
            Language::Ruby => self.ruby(c),
            Language::Php => self.php(c),
            Language::Lua => self.lua(c),
            Language::R => self.r(c),
            Language::Julia => self.julia(c),
        }
    }

    fn python(&mut self, _: char) -> bool {
        let rest = self.cursor.rest();
        let prefix: String =
            rest.chars().take(2).take_while(|c| "rbfuRBFUtT".contains(*c)).collect();
        let Some(quote @ ('"' | '\'')) = rest.chars().nth(prefix.len()) else { return false };
        self.cursor.eat_str(&prefix);
        let lower = prefix.to_ascii_lowercase();
        let kind = match (lower.contains(['f', 't']), lower.contains('r')) {
            (true, _) => Kind::Computed,
            (false, true) => Kind::Raw,
            (false, false) => Kind::Plain,
        };
        self.string_or_long(quote, kind);
        true
    }

    /// A string in one quote or in three of them.
    fn string_or_long(&mut self, quote: char, kind: Kind) {
        let long: String = [quote; 3].iter().collect();
        let end = if self.cursor.eat_str(&long) { long } else { quote.to_string() };
        if end.len() == 1 {
            self.cursor.bump();
        }
        self.string(&end, kind);
    }

    fn node(&mut self, c: char) -> bool {
        match c {
            '"' | '\'' => {
                self.cursor.bump();
                self.string(c.encode_utf8(&mut [0; 4]), Kind::Plain);
            }
            '`' => {
                // A template after `$` is a command of zx or Bun.
                let command = matches!(self.tokens.last(), Some(Token::Op('$')));
                self.cursor.bump();
                let (text, whole) = self.text("`", Kind::Computed);
                self.tokens.push(match command {
                    true => Token::Command { text, whole },
                    false => Token::Str { text, whole },
                });
            }
            '/' if self.expects_value() => return self.regex(),
            _ => return false,
        }
        true
    }

    fn perl(&mut self, c: char) -> bool {
        match c {
            '"' => self.simple(c, Kind::Computed),
            '\'' => self.simple(c, Kind::Plain),
            '`' => self.command(),
            '/' if self.expects_value() => return self.regex(),
            '<' => return self.heredoc("<<"),
            _ => return self.perl_operator(),
        }
        true
    }

    /// `q{}`, `qq{}`, `qw{}`, `qx{}`, `qr{}`, `m{}`, `s{}{}`, `tr{}{}`, `y{}{}`.
    fn perl_operator(&mut self) -> bool {
        if self.is_perl_name() {
            return false;
        }
        let mut ahead = self.cursor;
        let name = ahead.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if !matches!(name, "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y") {
            return false;
        }
        let start = ahead.at();
        ahead.skip_space();
        // Behind a blank a hash is a comment; before it, it is a delimiter like any other.
        while ahead.at() > start && ahead.peek() == Some('#') {
            ahead.take_line();
            ahead.skip_space();
        }
        let Some(open) = ahead.peek() else { return false };
        // A word before `=>`, or alone in the braces of a key, is a word.
        let is_key = open == '}' && matches!(self.tokens.last(), Some(Token::Op('{')));
        if is_key || ahead.rest().starts_with("=>") {
            return false;
        }
        ahead.bump();
        self.cursor = ahead;
        let kind = if name == "q" || open == '\'' { Kind::Plain } else { Kind::Computed };
        match name {
            "qw" => self.words(open),
            "qx" => {
                let (text, whole) = self.delimited(open, kind);
                self.tokens.push(Token::Command { text, whole });
            }
            "q" | "qq" => {
                let (text, whole) = self.delimited(open, kind);
                self.tokens.push(Token::Str { text, whole });
            }
            _ => self.pattern(name, open),
        }
        true
    }

    /// Whether what stands here is a name because of what stands before it: a sigil, an arrow, or
    /// the word that declares a function.
    fn is_perl_name(&self) -> bool {
        let mut before = self.tokens.iter().rev();
        match (before.next(), before.next()) {
            (Some(Token::Op('>')), second) => second == Some(&Token::Op('-')),
            // `&&` and `%` behind a value are operators.
            (Some(Token::Op('&')), second) => second != Some(&Token::Op('&')),
            (Some(Token::Op('%')), second) => {
                !matches!(second, Some(Token::Num(_) | Token::Op(')' | ']' | '}')))
            }
            (Some(Token::Op('$' | '@')), _) => true,
            (Some(Token::Word(word)), _) => word == "sub",
            _ => false,
        }
    }

    /// A regular expression, with its replacement. With the flag `e` the replacement is code.
    fn pattern(&mut self, name: &str, open: char) {
        let wanted = self.between(open);
        self.code_in_pattern(&wanted);
        if matches!(name, "s" | "tr" | "y") {
            let mut next = open;
            if closing(open) != open {
                self.cursor.skip_space();
                next = self.cursor.bump().unwrap_or(open);
            }
            let replacement = self.between(next);
            let flags = self.cursor.take_while(|c| c.is_ascii_lowercase());
            if name == "s" && flags.contains('e') {
                self.inner(&replacement);
            } else {
                self.code_in_pattern(&replacement);
            }
        }
        self.tokens.push(Token::Num(String::new()));
    }

    fn ruby(&mut self, c: char) -> bool {
        match c {
            '"' => self.simple(c, Kind::Computed),
            '\'' => self.simple(c, Kind::Plain),
            '`' => self.command(),
            '/' if self.expects_value() => return self.regex(),
            '<' => return self.heredoc("<<"),
            '%' => return self.ruby_percent(),
            _ => return false,
        }
        true
    }

    /// `%w[]`, `%i[]`, `%q()`, `%Q()`, `%x()`, `%r()`, `%()`.
    fn ruby_percent(&mut self) -> bool {
        let letter = self.cursor.peek_at(1).filter(|c| "wWiIqQxrs".contains(*c));
        let open = self.cursor.peek_at(if letter.is_some() { 2 } else { 1 });
        let Some(open @ ('(' | '[' | '{' | '<' | '|' | '!' | '/')) = open else { return false };
        if letter.is_none() && !(self.expects_value() && "([{".contains(open)) {
            return false;
        }
        for _ in 0..(if letter.is_some() { 3 } else { 2 }) {
            self.cursor.bump();
        }
        match letter {
            Some('w' | 'W' | 'i' | 'I') => self.words(open),
            Some('x') => {
                let (text, whole) = self.delimited(open, Kind::Computed);
                self.tokens.push(Token::Command { text, whole });
            }
            Some('q' | 's') => {
                let (text, whole) = self.delimited(open, Kind::Plain);
                self.tokens.push(Token::Str { text, whole });
            }
            Some('r') => self.pattern("m", open),
            _ => {
                let (text, whole) = self.delimited(open, Kind::Computed);
                self.tokens.push(Token::Str { text, whole });
            }
        }
        true
    }

    fn php(&mut self, c: char) -> bool {
        match c {
            '"' => self.simple(c, Kind::Computed),
            '\'' => self.simple(c, Kind::Plain),
            '`' => self.command(),
            '<' => return self.heredoc("<<<"),
            _ => return false,
        }
        true
    }

    fn lua(&mut self, c: char) -> bool {
        match c {
            '"' | '\'' => self.simple(c, Kind::Plain),
            '[' => {
                let level = self.cursor.rest().chars().skip(1).take_while(|c| *c == '=').count();
                let open = format!("[{}[", "=".repeat(level));
                if !self.cursor.eat_str(&open) {
                    return false;
                }
                self.string(&open.replace('[', "]"), Kind::Raw);
            }
            _ => return false,
        }
        true
    }

    fn r(&mut self, c: char) -> bool {
        match c {
            '"' | '\'' => self.simple(c, Kind::Plain),
            '`' => {
                self.cursor.bump();
                let (name, _) = self.text("`", Kind::Raw);
                self.tokens.push(Token::Word(name.into()));
            }
            'r' | 'R' => {
                let mut ahead = self.cursor;
                ahead.bump();
                let Some(quote @ ('"' | '\'')) = ahead.bump() else { return false };
                let dashes = ahead.take_while(|c| c == '-');
                let Some(open @ ('(' | '[' | '{')) = ahead.bump() else { return false };
                self.cursor = ahead;
                self.string(&format!("{}{dashes}{quote}", closing(open)), Kind::Raw);
            }
            _ => return false,
        }
        true
    }

    fn julia(&mut self, c: char) -> bool {
        match c {
            '"' => self.string_or_long('"', Kind::Computed),
            '`' => self.command(),
            // A character, unless it is the mark of a transposed value.
            '\'' if self.expects_value() => self.simple(c, Kind::Plain),
            _ => return false,
        }
        true
    }
}
