//! Whether a statement of SQL is still open at the end of a line.

use super::super::cursor::Cursor;
use super::lexer::Dialect;

/// What the text stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Within {
    Statement,
    /// A string or name, up to this character.
    Quote(char),
    /// A string between two tags, as DuckDB has it.
    Dollar(String),
    /// A comment, as deep as it is nested.
    Comment(usize),
}

/// Reads SQL line by line and knows whether more must follow.
#[derive(Debug)]
pub(super) struct Pending {
    dialect: Dialect,
    within: Within,
    /// Whether anything stands after the last semicolon.
    begun: bool,
}

impl Pending {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, within: Within::Statement, begun: false }
    }

    /// Whether a string, a comment or a statement is open.
    pub(super) fn is_pending(&self) -> bool {
        self.begun || self.within != Within::Statement
    }

    /// Whether a string or a comment is open.
    pub(super) fn is_quoted(&self) -> bool {
        self.within != Within::Statement
    }

    pub(super) fn feed(&mut self, line: &str) {
        let mut cursor = Cursor::new(line);
        while !cursor.is_done() {
            match self.within.clone() {
                Within::Statement => self.statement(&mut cursor),
                Within::Quote(close) => {
                    cursor.take_while(|c| c != close);
                    if cursor.eat(close) {
                        self.within = Within::Statement;
                    }
                }
                Within::Dollar(tag) => {
                    cursor.take_while(|c| c != '$');
                    if cursor.eat_str(&tag) {
                        self.within = Within::Statement;
                    } else {
                        cursor.bump();
                    }
                }
                Within::Comment(depth) => self.comment(depth, &mut cursor),
            }
        }
    }

    fn comment(&mut self, depth: usize, cursor: &mut Cursor<'_>) {
        if cursor.eat_str("*/") {
            self.within = match depth {
                0 | 1 => Within::Statement,
                deeper => Within::Comment(deeper.saturating_sub(1)),
            };
        } else if self.dialect == Dialect::Duckdb && cursor.eat_str("/*") {
            self.within = Within::Comment(depth.saturating_add(1));
        } else {
            cursor.bump();
        }
    }

    fn statement(&mut self, cursor: &mut Cursor<'_>) {
        if cursor.rest().starts_with("--") {
            cursor.take_line();
            return;
        }
        if cursor.eat_str("/*") {
            self.within = Within::Comment(1);
            return;
        }
        let Some(c) = cursor.bump() else { return };
        match c {
            ';' => self.begun = false,
            c if c.is_whitespace() => {}
            '$' if self.dialect == Dialect::Duckdb => self.dollar(cursor),
            c => {
                self.begun = true;
                match c {
                    '\'' | '"' | '`' => self.within = Within::Quote(c),
                    '[' if self.dialect == Dialect::Sqlite => self.within = Within::Quote(']'),
                    _ => {}
                }
            }
        }
    }

    fn dollar(&mut self, cursor: &mut Cursor<'_>) {
        self.begun = true;
        let name = cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        if cursor.eat('$') {
            self.within = Within::Dollar(format!("${name}$"));
        }
    }
}
