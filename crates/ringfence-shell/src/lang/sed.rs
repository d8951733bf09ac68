//! sed scripts, as GNU sed reads them.
//!
//! Each `-e` is read by itself: groups may stay open, since a later one may close them. What sed
//! itself would refuse is refused here too.

use super::Finding;
use super::cursor::Cursor;

/// Reads a sed script.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut script = Script { cursor: Cursor::new(code), found: Vec::new() };
    if let Err(reason) = script.commands() {
        script.found.push(super::unreadable(reason));
    }
    script.found
}

type Read<T> = Result<T, &'static str>;

struct Script<'t> {
    cursor: Cursor<'t>,
    found: Vec<Finding>,
}

impl<'t> Script<'t> {
    fn commands(&mut self) -> Read<()> {
        loop {
            self.cursor.take_while(|c| c.is_ascii_whitespace() || c == ';');
            if self.cursor.is_done() {
                return Ok(());
            }
            self.addresses()?;
            self.command()?;
        }
    }

    fn addresses(&mut self) -> Read<()> {
        if self.address()? {
            self.cursor.skip_blanks();
            if self.cursor.eat(',') {
                self.cursor.skip_blanks();
                let found = if self.cursor.eat('+') || self.cursor.eat('~') {
                    !self.cursor.take_while(|c| c.is_ascii_digit()).is_empty()
                } else {
                    self.address()?
                };
                if !found {
                    return Err("an address is missing after a comma");
                }
            }
        }
        self.cursor.take_while(|c| c == ' ' || c == '\t' || c == '!');
        Ok(())
    }

    /// One address; whether there is one.
    fn address(&mut self) -> Read<bool> {
        match self.cursor.peek() {
            Some('$') => {
                self.cursor.bump();
            }
            Some(c) if c.is_ascii_digit() => {
                self.cursor.take_while(|c| c.is_ascii_digit());
                self.cursor.skip_blanks();
                if self.cursor.eat('~') {
                    self.cursor.skip_blanks();
                    self.cursor.take_while(|c| c.is_ascii_digit());
                }
            }
            Some('/') => {
                self.cursor.bump();
                self.pattern('/')?;
                self.cursor.take_while(|c| c == 'I' || c == 'M');
            }
            Some('\\') => {
                self.cursor.bump();
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.cursor.take_while(|c| c == 'I' || c == 'M');
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn command(&mut self) -> Read<()> {
        match self.cursor.bump().ok_or("a command is missing after an address")? {
            '#' => {
                self.cursor.take_line();
                Ok(())
            }
            '{' => Ok(()),
            '}' | '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x'
            | 'z' => self.end(),
            'l' | 'L' | 'q' | 'Q' => {
                self.cursor.skip_blanks();
                self.cursor.take_while(|c| c.is_ascii_digit());
                self.end()
            }
            'a' | 'i' | 'c' => self.text(),
            ':' | 'b' | 't' | 'T' | 'v' => self.label(),
            'r' | 'R' => self.file().map(|name| self.found.push(Finding::Read(name))),
            'w' | 'W' => self.file().map(|name| self.found.push(Finding::Write(name))),
            'e' => self.execute(),
            's' => self.substitute(),
            'y' => {
                let delimiter = self.delimiter()?;
                self.piece(delimiter)?;
                self.piece(delimiter)?;
                self.end()
            }
            _ => Err("it has a command that sed does not know"),
        }
    }

    /// What must follow a command that takes no more.
    fn end(&mut self) -> Read<()> {
        self.cursor.take_while(|c| c == ' ' || c == '\t' || c == '\r');
        match self.cursor.peek() {
            None | Some('\n' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err("more stands after a command than it takes"),
        }
    }

    /// Text of `a`, `i` and `c`: up to the end of a line that has no backslash before it.
    fn text(&mut self) -> Read<()> {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            None | Some('\n') => return Err("text is missing after a, c or i"),
            Some('\\') => {
                self.cursor.bump();
                let blanks = self.cursor.take_while(|c| c == ' ' || c == '\t');
                let ended = self.cursor.eat('\n') || self.cursor.is_done();
                // Versions differ on whether the text starts here or on the next line.
                if ended && !blanks.is_empty() {
                    return Err("blanks stand between a backslash and the end of the line");
                }
            }
            Some(_) => {}
        }
        self.rest_of_text();
        Ok(())
    }

    /// The rest of a text, with lines that a backslash joins to it; whether it has a backslash.
    fn rest_of_text(&mut self) -> (&'t str, bool) {
        let start = self.cursor.at();
        let mut escaped = false;
        while let Some(c) = self.cursor.peek() {
            if c == '\n' {
                break;
            }
            self.cursor.bump();
            if c == '\\' {
                escaped = true;
                self.cursor.bump();
            }
        }
        (self.cursor.since(start), escaped)
    }

    fn label(&mut self) -> Read<()> {
        self.cursor.skip_blanks();
        self.cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        self.end()
    }

    /// A file name takes the rest of the line, whatever stands there.
    fn file(&mut self) -> Read<String> {
        self.cursor.skip_blanks();
        match self.cursor.take_line() {
            "" => Err("a file name is missing"),
            name => Ok(name.to_owned()),
        }
    }

    fn execute(&mut self) -> Read<()> {
        self.cursor.skip_blanks();
        let finding = match self.rest_of_text() {
            ("", _) => Finding::RunUnknown("sed's `e` runs the lines that it reads".to_owned()),
            (_, true) => Finding::RunUnknown("sed's `e` runs a text with escapes".to_owned()),
            (command, false) => Finding::Shell(command.to_owned()),
        };
        self.found.push(finding);
        Ok(())
    }

    fn substitute(&mut self) -> Read<()> {
        let delimiter = self.delimiter()?;
        self.pattern(delimiter)?;
        self.piece(delimiter)?;
        loop {
            match self.cursor.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' | ' ' | '\t') => {
                    self.cursor.bump();
                }
                Some('e') => {
                    self.cursor.bump();
                    let reason = "sed's `s///e` runs the lines that it changes";
                    self.found.push(Finding::RunUnknown(reason.to_owned()));
                }
                Some('w') => {
                    self.cursor.bump();
                    let name = self.file()?;
                    self.found.push(Finding::Write(name));
                    return Ok(());
                }
                _ => return self.end(),
            }
        }
    }

    fn delimiter(&mut self) -> Read<char> {
        match self.cursor.bump() {
            Some(c) if c.is_ascii() && !matches!(c, '\n' | '\r' | '\\' | '[' | ']') => Ok(c),
            _ => Err("a delimiter is missing or is not plain"),
        }
    }

    /// A regular expression up to its delimiter. Newer versions let the delimiter stand in
    /// brackets; older ones then find an open bracket and stop, so the newer reading is enough.
    fn pattern(&mut self, delimiter: char) -> Read<()> {
        while let Some(c) = self.cursor.bump() {
            match c {
                c if c == delimiter => return Ok(()),
                '\\' => {
                    self.cursor.bump();
                }
                '[' => self.bracket(delimiter)?,
                '\n' => break,
                _ => {}
            }
        }
        Err("a regular expression does not end")
    }

    fn bracket(&mut self, delimiter: char) -> Read<()> {
        self.cursor.eat('^');
        let mut odd = self.cursor.eat(']');
        let mut delimited = false;
        while let Some(c) = self.cursor.bump() {
            match c {
                ']' if delimited && odd => break,
                ']' => return Ok(()),
                '\n' => break,
                '\\' => odd |= self.cursor.eat(']') || self.cursor.eat('['),
                '[' if self.cursor.eat(':') => {
                    self.cursor.take_while(|c| c.is_ascii_alphabetic());
                    odd = true;
                    if !self.cursor.eat_str(":]") {
                        break;
                    }
                }
                '[' => odd = true,
                c => delimited |= c == delimiter,
            }
        }
        Err("it is not certain where a bracket ends")
    }

    /// A replacement, or half of a `y`.
    fn piece(&mut self, delimiter: char) -> Read<()> {
        while let Some(c) = self.cursor.bump() {
            match c {
                c if c == delimiter => return Ok(()),
                '\\' => {
                    self.cursor.bump();
                }
                '\n' => break,
                _ => {}
            }
        }
        Err("a replacement does not end")
    }
}

#[cfg(test)]
#[path = "sed_tests.rs"]
mod tests;
