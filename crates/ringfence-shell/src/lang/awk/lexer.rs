//! The words of an awk program.
//!
//! A slash starts a regular expression or divides, and awks decide that in different ways. Where
//! they could differ, the program is refused.

use super::super::cursor::Cursor;

/// A piece of an awk program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or keyword, without the namespace that gawk may put before it.
    Word(&'t str),
    /// A string; `None` if awks read its escapes in different ways.
    Str(Option<String>),
    Num(&'t str),
    Regex,
    Op(&'t str),
    Newline,
}

/// Operators, the longer ones before those they start with.
const OPERATORS: [&str; 26] = [
    "**=", "||", "|&", "&&", "==", "!=", "!~", "<=", ">=", ">>", "+=", "-=", "*=", "/=", "%=",
    "^=", "++", "--", "**", "|", ">", "<", "=", "!", "~", "/",
];

/// Splits a program into tokens, or says why it cannot.
pub(super) fn tokens(code: &str) -> Result<Vec<Token<'_>>, &'static str> {
    let mut lexer = Lexer { cursor: Cursor::new(code), tokens: Vec::new(), parens: Vec::new() };
    while let Some(c) = lexer.cursor.peek() {
        lexer.step(c)?;
    }
    Ok(lexer.tokens)
}

struct Lexer<'t> {
    cursor: Cursor<'t>,
    tokens: Vec<Token<'t>>,
    /// For each open parenthesis, whether it belongs to `if`, `while`, `for` or `switch`.
    parens: Vec<bool>,
}

impl<'t> Lexer<'t> {
    fn step(&mut self, c: char) -> Result<(), &'static str> {
        match c {
            ' ' | '\t' | '\r' => {
                self.cursor.bump();
            }
            '\n' => {
                self.cursor.bump();
                self.tokens.push(Token::Newline);
            }
            '#' => {
                self.cursor.take_line();
            }
            '\\' => return self.continuation(),
            '"' => return self.string(),
            '/' => return self.slash(),
            c if c.is_ascii_digit() => self.number(),
            '.' if self.cursor.peek_at(1).is_some_and(|d| d.is_ascii_digit()) => self.number(),
            c if c.is_ascii_alphabetic() || c == '_' => self.word(),
            '(' | ')' => self.paren(c),
            _ => return self.operator(c),
        }
        Ok(())
    }

    fn continuation(&mut self) -> Result<(), &'static str> {
        self.cursor.bump();
        self.cursor.eat('\r');
        if self.cursor.eat('\n') { Ok(()) } else { Err("a backslash stands outside of strings") }
    }

    fn word(&mut self) {
        let word = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
        // A colon may be that of `?:`; only a doubled one belongs to a name.
        let name = word.rsplit("::").next().unwrap_or(word);
        let mut parts = name.split(':');
        self.tokens.push(Token::Word(parts.next().unwrap_or(name)));
        for part in parts {
            self.tokens.push(Token::Op(":"));
            match part.chars().next() {
                None => {}
                Some(c) if c.is_ascii_digit() => self.tokens.push(Token::Num(part)),
                Some(_) => self.tokens.push(Token::Word(part)),
            }
        }
    }

    fn number(&mut self) {
        let start = self.cursor.at();
        self.cursor.take_while(|c| c.is_ascii_digit());
        if self.cursor.eat('.') {
            self.cursor.take_while(|c| c.is_ascii_digit());
        }
        self.tokens.push(Token::Num(self.cursor.since(start)));
    }

    fn paren(&mut self, c: char) {
        self.cursor.bump();
        if c == '(' {
            let control = matches!(
                self.tokens.last(),
                Some(Token::Word("if" | "while" | "for" | "switch" | "function" | "func"))
            );
            self.parens.push(control);
            self.tokens.push(Token::Op("("));
        } else {
            // Told apart so that the slash after it can be judged.
            let control = self.parens.pop().unwrap_or(true);
            self.tokens.push(Token::Op(if control { ") " } else { ")" }));
        }
    }

    fn operator(&mut self, c: char) -> Result<(), &'static str> {
        let start = self.cursor.at();
        if !OPERATORS.iter().any(|operator| self.cursor.eat_str(operator)) {
            if !"{}[];,+-*%^?:$@&".contains(c) {
                return Err("it has a character that awk does not know");
            }
            self.cursor.bump();
        }
        self.tokens.push(Token::Op(self.cursor.since(start)));
        Ok(())
    }

    fn slash(&mut self) -> Result<(), &'static str> {
        match self.tokens.last() {
            Some(Token::Op(") " | "$"))
            | Some(Token::Word("getline" | "length" | "in" | "next" | "nextfile")) => {
                Err("awks differ on whether a slash divides here")
            }
            Some(Token::Word("print" | "printf" | "return" | "exit" | "else" | "do" | "case")) => {
                self.regex()
            }
            Some(Token::Word(_) | Token::Num(_) | Token::Str(_) | Token::Regex)
            | Some(Token::Op(")" | "]" | "++" | "--")) => self.operator('/'),
            _ => self.regex(),
        }
    }

    /// A regular expression. A slash within brackets belongs to it: awks that end it there find an
    /// open bracket and stop before they run anything.
    fn regex(&mut self) -> Result<(), &'static str> {
        self.cursor.bump();
        while let Some(c) = self.cursor.bump() {
            match c {
                '/' => {
                    self.tokens.push(Token::Regex);
                    return Ok(());
                }
                '\\' => {
                    if matches!(self.cursor.bump(), None | Some('\n')) {
                        break;
                    }
                }
                '[' => self.bracket()?,
                '\n' => break,
                _ => {}
            }
        }
        Err("a regular expression does not end")
    }

    fn bracket(&mut self) -> Result<(), &'static str> {
        self.cursor.eat('^');
        let mut odd = self.cursor.eat(']');
        let mut slash = false;
        while let Some(c) = self.cursor.bump() {
            match c {
                ']' if slash && odd => {
                    return Err("awks differ on where a bracket with a slash ends");
                }
                ']' => return Ok(()),
                '\n' => break,
                '/' => slash = true,
                '\\' => {
                    odd |= matches!(self.cursor.bump(), Some(']' | '\\' | '['));
                }
                '[' if self.cursor.eat(':') => {
                    odd = true;
                    self.cursor.take_while(|c| c.is_ascii_alphabetic());
                    if !self.cursor.eat_str(":]") {
                        return Err("a character class does not end");
                    }
                }
                '[' => odd = true,
                _ => {}
            }
        }
        Err("a regular expression does not end")
    }

    fn string(&mut self) -> Result<(), &'static str> {
        self.cursor.bump();
        let mut text = String::new();
        let mut sure = true;
        while let Some(c) = self.cursor.bump() {
            match c {
                '"' => {
                    self.tokens.push(Token::Str(sure.then_some(text)));
                    return Ok(());
                }
                '\\' => sure &= self.escape(&mut text),
                '\n' => break,
                c => text.push(c),
            }
        }
        Err("a string does not end")
    }

    /// One escape; whether its meaning is the same in every awk.
    fn escape(&mut self, text: &mut String) -> bool {
        let c = match self.cursor.bump() {
            Some(c @ ('"' | '\\')) => c,
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ '0'..='7') => return self.octal(c, text),
            _ => return false,
        };
        text.push(c);
        true
    }

    fn octal(&mut self, first: char, text: &mut String) -> bool {
        let mut value = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(8)) else { break };
            self.cursor.bump();
            value = value.saturating_mul(8).saturating_add(digit);
        }
        match char::from_u32(value) {
            Some(c) if c.is_ascii() && c != '\0' => {
                text.push(c);
                true
            }
            _ => false,
        }
    }
}
