//! The mysql client: SQL with commands at the start of a line or behind a backslash.

use super::super::Finding;
use super::super::cursor::Cursor;
use super::lexer::Dialect;
use super::statements;

/// Reads what `mysql -e` and scripts of the client hold.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    let mut script =
        Script { cursor: Cursor::new(code), sql: String::new(), found: Vec::new(), start: true };
    script.read();
    let mut found = script.found;
    statements::read(Dialect::Mysql, &script.sql, 0, &mut found);
    found
}

struct Script<'t> {
    cursor: Cursor<'t>,
    sql: String,
    found: Vec<Finding>,
    /// Whether a line or a statement starts here.
    start: bool,
}

impl Script<'_> {
    fn read(&mut self) {
        while let Some(c) = self.cursor.peek() {
            let begin = self.cursor.at();
            match c {
                '\n' | ';' => {
                    self.cursor.bump();
                    self.start = true;
                }
                c if c.is_whitespace() => {
                    self.cursor.bump();
                }
                '\\' => {
                    self.cursor.bump();
                    self.short();
                    self.sql.push(' ');
                    continue;
                }
                '\'' | '"' | '`' => self.quoted(c),
                '#' => {
                    self.cursor.take_line();
                }
                '/' if self.cursor.rest().starts_with("/*") => {
                    let rest = self.cursor.rest();
                    let length = rest.find("*/").map_or(rest.len(), |at| at.saturating_add(2));
                    self.cursor.eat_str(rest.get(..length).unwrap_or(rest));
                }
                '-' if self.is_comment() => {
                    self.cursor.take_line();
                }
                c if c.is_alphanumeric() || c == '_' => {
                    let word = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
                    if std::mem::take(&mut self.start) && self.long(&word.to_ascii_lowercase()) {
                        self.sql.push(';');
                        continue;
                    }
                }
                _ => {
                    self.cursor.bump();
                    self.start = false;
                }
            }
            self.sql.push_str(self.cursor.since(begin));
        }
    }

    fn is_comment(&self) -> bool {
        let rest = self.cursor.rest();
        rest.starts_with("--")
            && rest.chars().nth(2).is_none_or(|c| c.is_whitespace() || c.is_control())
    }

    fn quoted(&mut self, quote: char) {
        self.start = false;
        self.cursor.bump();
        while let Some(c) = self.cursor.bump() {
            match c {
                '\\' if quote != '`' => {
                    self.cursor.bump();
                }
                c if c == quote => return,
                _ => {}
            }
        }
    }

    /// A command of one letter behind a backslash.
    fn short(&mut self) {
        match self.cursor.bump() {
            Some('!') => self.shell(),
            Some('.') => self.file(|path| Finding::CodeFile("mysql", path)),
            Some('T') => self.file(Finding::Write),
            Some('P') => self.shell(),
            Some('e') => self.edit(),
            Some('r') => self.connect(),
            Some(
                'g' | 'G' | 'c' | 'd' | 'h' | '?' | 'n' | 'N' | 'p' | 'q' | 'R' | 's' | 't' | 'u'
                | 'w' | 'W' | 'x' | 'C' | '#',
            ) => {
                self.start = true;
            }
            _ => self.found.push(super::super::unreadable("a command of mysql is not known")),
        }
    }

    /// A command in full at the start of a line; whether the word is one.
    fn long(&mut self, word: &str) -> bool {
        match word {
            "system" | "pager" => self.shell(),
            "source" => self.file(|path| Finding::CodeFile("mysql", path)),
            "tee" => self.file(Finding::Write),
            "edit" => self.edit(),
            "connect" => self.connect(),
            // Another delimiter changes where statements end; every line start counts anyway.
            "delimiter" => {
                self.cursor.take_line();
            }
            _ => return false,
        }
        true
    }

    fn shell(&mut self) {
        let line = self.cursor.take_line().trim().trim_end_matches(';').trim().to_owned();
        if !line.is_empty() {
            self.found.push(Finding::Shell(line));
        }
    }

    fn edit(&mut self) {
        self.found.push(Finding::RunUnknown("mysql starts an editor".to_owned()));
    }

    fn file(&mut self, finding: impl Fn(String) -> Finding) {
        let line = self.cursor.take_line().trim().trim_end_matches(';').trim();
        let path = line.trim_matches(['\'', '"']).to_owned();
        if !path.is_empty() {
            self.found.push(finding(path));
        }
    }

    fn connect(&mut self) {
        let line = self.cursor.take_line().trim().trim_end_matches(';');
        if let Some(host) = line.split_whitespace().nth(1) {
            self.found.push(Finding::Host(host.to_owned()));
        }
    }
}
