//! psql: SQL with commands that start with a backslash.

use super::super::Finding;
use super::super::cursor::Cursor;
use super::lexer::Dialect;
use super::statements;

/// Reads what `psql -c` and scripts of psql hold.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    let mut script = Script { cursor: Cursor::new(code), sql: String::new(), found: Vec::new() };
    script.read();
    let mut found = script.found;
    statements::read(Dialect::Postgres, &script.sql, 0, &mut found);
    found
}

pub(super) struct Script<'t> {
    cursor: Cursor<'t>,
    /// The text without the commands.
    sql: String,
    pub(super) found: Vec<Finding>,
}

/// A word of a command.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether a variable or a command stands in it.
    pub(super) computed: bool,
}

impl Script<'_> {
    fn read(&mut self) {
        while let Some(c) = self.cursor.peek() {
            let start = self.cursor.at();
            match c {
                '\\' => {
                    self.cursor.bump();
                    self.sql.push(' ');
                    self.command();
                    continue;
                }
                '\'' | '"' => self.quoted(c),
                '$' => self.dollar(),
                '-' if self.cursor.rest().starts_with("--") => {
                    self.cursor.take_line();
                }
                '/' if self.cursor.rest().starts_with("/*") => self.comment(),
                _ => {
                    self.cursor.bump();
                }
            }
            self.sql.push_str(self.cursor.since(start));
        }
    }

    /// A string or name; a backslash counts after `E'`.
    fn quoted(&mut self, quote: char) {
        let before: Vec<char> = self.sql.chars().rev().take(2).collect();
        let escapes = quote == '\''
            && matches!(before.first(), Some('e' | 'E'))
            && !before.get(1).is_some_and(|c| c.is_alphanumeric() || *c == '_');
        self.cursor.bump();
        while let Some(c) = self.cursor.bump() {
            match c {
                '\\' if escapes => {
                    self.cursor.bump();
                }
                c if c == quote => return,
                _ => {}
            }
        }
    }

    fn dollar(&mut self) {
        let start = self.cursor.at();
        self.cursor.bump();
        self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        if self.cursor.eat('$') {
            let tag = self.cursor.since(start);
            let rest = self.cursor.rest();
            let length = rest.find(tag).map_or(rest.len(), |at| at.saturating_add(tag.len()));
            self.cursor.eat_str(rest.get(..length).unwrap_or(rest));
        }
    }

    fn comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            if self.cursor.eat_str("/*") {
                depth = depth.saturating_add(1);
            } else if self.cursor.eat_str("*/") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            } else if self.cursor.bump().is_none() {
                return;
            }
        }
    }

    fn command(&mut self) {
        // Two backslashes end a command, and SQL goes on.
        if self.cursor.eat('\\') {
            return;
        }
        if self.cursor.eat('!') {
            let line = self.cursor.take_line().trim().to_owned();
            self.found.push(match line.is_empty() {
                true => Finding::RunUnknown("psql starts a shell".to_owned()),
                false => Finding::Shell(line),
            });
            return;
        }
        let name = self.cursor.take_while(|c| !c.is_whitespace() && c != '\\').to_owned();
        if name == "copy" {
            let line = self.cursor.take_line().to_owned();
            return self.copy(&line);
        }
        let words = self.words();
        self.act(&name, &words);
    }

    /// The client's copy: as that of SQL, but here. Its line is read as SQL.
    fn copy(&mut self, line: &str) {
        if line.contains('`') || line.contains('\\') {
            self.found.push(super::super::unreadable("the words of `\\copy` are not plain"));
        }
        let sql = format!("COPY {line};");
        // A file may stand without quotes there.
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            if let [direction, file] = pair
                && !file.starts_with(['\'', '"', '('])
            {
                let std = ["stdin", "stdout", "pstdin", "pstdout", "program"];
                let plain =
                    !std.iter().any(|word| file.trim_end_matches(';').eq_ignore_ascii_case(word));
                if plain && direction.eq_ignore_ascii_case("to") {
                    self.found.push(Finding::Write((*file).to_owned()));
                } else if plain && direction.eq_ignore_ascii_case("from") && !line.contains('(') {
                    self.found.push(Finding::Read((*file).to_owned()));
                }
            }
        }
        statements::read(Dialect::Postgres, &sql, 0, &mut self.found);
    }

    /// The words of a command, up to the end of the line or the next backslash.
    fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        let mut word: Option<Word> = None;
        while let Some(c) = self.cursor.peek() {
            match c {
                '\n' | '\\' => break,
                c if c.is_whitespace() => {
                    self.cursor.bump();
                    words.extend(word.take());
                }
                '`' => {
                    self.cursor.bump();
                    let command = self.cursor.take_while(|c| c != '`').to_owned();
                    self.cursor.bump();
                    self.found.push(Finding::Shell(command));
                    word.get_or_insert_default().computed = true;
                }
                '\'' | '"' => {
                    let inner = self.inner(c);
                    let word = word.get_or_insert_default();
                    word.computed |= inner.contains('\\');
                    word.text.push_str(&inner);
                }
                c => {
                    self.cursor.bump();
                    let word = word.get_or_insert_default();
                    word.computed |= c == ':'
                        && self
                            .cursor
                            .peek()
                            .is_some_and(|c| c.is_alphabetic() || "'\"{_".contains(c));
                    word.text.push(c);
                }
            }
        }
        words.extend(word);
        words
    }

    fn inner(&mut self, quote: char) -> String {
        let start = self.cursor.at().saturating_add(1);
        self.cursor.bump();
        while let Some(c) = self.cursor.bump() {
            match c {
                '\\' if quote == '\'' => {
                    self.cursor.bump();
                }
                c if c == quote => break,
                _ => {}
            }
        }
        let text = self.cursor.since(start);
        text.strip_suffix(quote).unwrap_or(text).to_owned()
    }
}
