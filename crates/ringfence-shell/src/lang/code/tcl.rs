//! Tcl and expect scripts, which are lists of words.

use super::super::Finding;
use super::super::cursor::Cursor;

/// Reads a Tcl script: every command in it, with those in brackets and braces.
pub(in super::super) fn read(code: &str) -> Vec<Finding> {
    let mut script = Script { cursor: Cursor::new(code), found: Vec::new(), depth: 0 };
    script.commands();
    script.found
}

struct Script<'t> {
    cursor: Cursor<'t>,
    found: Vec<Finding>,
    /// How many brackets or braces this stands in.
    depth: usize,
}

/// A word; not constant if it has a variable or command in it.
#[derive(Debug, Default)]
struct Word {
    text: String,
    constant: bool,
}

impl Script<'_> {
    fn commands(&mut self) {
        let mut words: Vec<Word> = Vec::new();
        while let Some(c) = self.cursor.peek() {
            match c {
                '\n' | ';' => {
                    self.cursor.bump();
                    self.judge(&std::mem::take(&mut words));
                }
                '#' if words.is_empty() => {
                    self.cursor.take_line();
                }
                c if c.is_whitespace() => {
                    self.cursor.bump();
                }
                '{' => words.push(Word { text: self.bracketed('{', '}'), constant: true }),
                _ => words.push(self.word()),
            }
        }
        self.judge(&words);
    }

    /// The text between brackets that match.
    fn bracketed(&mut self, open: char, close: char) -> String {
        self.cursor.bump();
        let start = self.cursor.at();
        let mut depth = 1_usize;
        while depth > 0 {
            match self.cursor.bump() {
                None => break,
                Some('\\') => {
                    self.cursor.bump();
                }
                Some(c) if c == open => depth = depth.saturating_add(1),
                Some(c) if c == close => depth = depth.saturating_sub(1),
                Some(_) => {}
            }
        }
        let text = self.cursor.since(start);
        text.strip_suffix(close).unwrap_or(text).to_owned()
    }

    /// Reads a text as a script of its own.
    fn inner(&mut self, code: &str) -> Vec<Finding> {
        let depth = self.depth.saturating_add(1);
        if depth > 10 {
            return vec![Finding::RunUnknown("commands are nested too deeply".to_owned())];
        }
        let mut inner = Script { cursor: Cursor::new(code), found: Vec::new(), depth };
        inner.commands();
        inner.found
    }

    fn word(&mut self) -> Word {
        let quoted = self.cursor.eat('"');
        let mut word = Word { text: String::new(), constant: true };
        while let Some(c) = self.cursor.peek() {
            match c {
                '"' if quoted => {
                    self.cursor.bump();
                    break;
                }
                c if !quoted && (c.is_whitespace() || c == ';') => break,
                '[' => {
                    word.constant = false;
                    let code = self.bracketed('[', ']');
                    let found = self.inner(&code);
                    self.found.extend(found);
                }
                '$' => {
                    word.constant = false;
                    self.variable();
                }
                '\\' => {
                    self.cursor.bump();
                    word.constant = false;
                    self.cursor.bump();
                }
                c => {
                    self.cursor.bump();
                    word.text.push(c);
                }
            }
        }
        word
    }

    /// `$env(NAME)` reads a variable of the environment.
    fn variable(&mut self) {
        self.cursor.bump();
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_' || c == ':');
        if name.trim_start_matches(':') == "env" {
            let key = if self.cursor.eat('(') { self.cursor.take_while(|c| c != ')') } else { "" };
            self.found.push(match key.is_empty() || key.contains('$') {
                true => Finding::AllEnv,
                false => Finding::GetEnv(key.to_owned()),
            });
        }
    }

    fn judge(&mut self, words: &[Word]) {
        let Some(name) = words.first() else { return };
        let rest = words.get(1..).unwrap_or_default();
        let first = rest.first();
        match name.text.trim_start_matches(':') {
            "exec" | "spawn" => self.run(rest),
            "open" => self.open(rest),
            "source" => self.named(first, Finding::Read),
            "load" => self.found.push(Finding::RunUnknown("a native library is loaded".to_owned())),
            "eval" | "uplevel" | "subst" if rest.iter().any(|word| !word.constant) => {
                self.found.push(Finding::RunUnknown("code is computed and run".to_owned()));
            }
            "file" if first.is_some_and(|word| word.text == "delete") => {
                for word in
                    rest.get(1..).unwrap_or_default().iter().filter(|w| !w.text.starts_with('-'))
                {
                    self.named(Some(word), Finding::Delete);
                }
            }
            "socket" => {
                if let [host, port] = rest {
                    self.found.push(Finding::Host(format!("{}:{}", host.text, port.text)));
                }
            }
            _ if !name.constant => {
                self.found.push(Finding::RunUnknown("a command is computed and run".to_owned()));
            }
            _ => {}
        }
        // Braces hold the bodies of loops, conditions and procedures.
        for word in rest.iter().filter(|word| word.text.contains([' ', '\n'])) {
            let found = self.inner(&word.text);
            // Plain text in braces may look like a path.
            self.found.extend(found.into_iter().filter(|f| !matches!(f, Finding::Read(_))));
        }
        for word in rest.iter().filter(|word| word.constant) {
            if word.text.starts_with('/') && word.text.len() > 1 || word.text.starts_with("~/") {
                self.found.push(Finding::Read(word.text.clone()));
            }
        }
    }

    fn run(&mut self, words: &[Word]) {
        let words: Vec<&Word> =
            words.iter().skip_while(|word| word.text.starts_with('-')).collect();
        let plain =
            words.iter().all(|word| word.constant && !word.text.starts_with(['|', '<', '>', '&']));
        self.found.push(match plain && !words.is_empty() {
            true => Finding::Run(words.iter().map(|word| word.text.clone()).collect()),
            false => Finding::RunUnknown("a command is computed and run".to_owned()),
        });
    }

    /// `open PATH MODE`, where a bar before the path runs it.
    fn open(&mut self, words: &[Word]) {
        let Some(path) = words.first() else { return };
        let mode = words.get(1).map_or("r", |mode| mode.text.as_str());
        if path.text.starts_with('|') || !path.constant {
            self.found.push(match path.constant {
                true => Finding::Shell(path.text.trim_start_matches('|').trim().to_owned()),
                false => Finding::RunUnknown("a computed name is opened".to_owned()),
            });
        } else if mode.contains(['w', 'a', '+']) {
            self.found.push(Finding::Write(path.text.clone()));
        } else {
            self.found.push(Finding::Read(path.text.clone()));
        }
    }

    fn named(&mut self, word: Option<&Word>, finding: fn(String) -> Finding) {
        if let Some(word) = word.filter(|word| word.constant) {
            self.found.push(finding(word.text.clone()));
        }
    }
}
