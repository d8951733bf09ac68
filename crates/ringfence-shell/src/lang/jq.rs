//! jq filters.
//!
//! A filter cannot run programs or write. It can see the environment and load modules.

use super::Finding;
use super::cursor::Cursor;

/// Reads a jq filter.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut filter = Filter { cursor: Cursor::new(code), found: Vec::new() };
    if let Err(reason) = filter.until(None, 0) {
        filter.found.push(super::unreadable(reason));
    }
    filter.found
}

struct Filter<'t> {
    cursor: Cursor<'t>,
    found: Vec<Finding>,
}

impl Filter<'_> {
    /// Reads up to the end of the text, or to the bracket that ends an interpolation.
    fn until(&mut self, end: Option<char>, depth: usize) -> Result<(), &'static str> {
        if depth > super::MAX_DEPTH {
            return Err("its strings are nested too deeply");
        }
        let mut open = 0_usize;
        while let Some(c) = self.cursor.peek() {
            match c {
                '"' => self.string(depth)?,
                '#' => self.comment()?,
                '$' => {
                    self.cursor.bump();
                    self.cursor.skip_space();
                    self.name(true, depth)?;
                }
                '.' | '@' => self.field(),
                '(' => {
                    self.cursor.bump();
                    open = open.saturating_add(1);
                }
                ')' if open == 0 && end == Some(')') => return Ok(()),
                ')' => {
                    self.cursor.bump();
                    open = open.saturating_sub(1);
                }
                c if c.is_ascii_alphabetic() || c == '_' => self.name(false, depth)?,
                c if c.is_ascii_digit() => {
                    self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
                }
                _ => {
                    self.cursor.bump();
                }
            }
        }
        if end.is_some() { Err("a string does not end") } else { Ok(()) }
    }

    /// Newer versions let a backslash continue a comment on the next line, older ones do not.
    fn comment(&mut self) -> Result<(), &'static str> {
        let text = self.cursor.take_line();
        if text.ends_with('\\') || text.contains('\r') {
            return Err("versions of jq differ on where a comment ends");
        }
        Ok(())
    }

    /// `.name`, `..` and `@format`: names that are no functions.
    fn field(&mut self) {
        self.cursor.bump();
        self.cursor.take_while(is_name);
    }

    fn string(&mut self, depth: usize) -> Result<(), &'static str> {
        self.cursor.bump();
        while let Some(c) = self.cursor.bump() {
            match c {
                '"' => return Ok(()),
                '\\' if self.cursor.eat('(') => {
                    self.until(Some(')'), depth.saturating_add(1))?;
                    self.cursor.bump();
                }
                '\\' => {
                    self.cursor.bump();
                }
                _ => {}
            }
        }
        Err("a string does not end")
    }

    /// A function, keyword or, after a dollar, a variable.
    fn name(&mut self, variable: bool, depth: usize) -> Result<(), &'static str> {
        let start = self.cursor.at();
        self.cursor.take_while(is_name);
        while self.cursor.eat_str("::") {
            self.cursor.take_while(is_name);
        }
        let name = self.cursor.since(start);
        if !variable && self.is_key() {
            return Ok(());
        }
        match name {
            "ENV" if variable => self.environment(),
            "env" if !variable => self.environment(),
            "import" | "include" if !variable => return self.module(depth),
            "modulemeta" if !variable => {
                let reason = "jq loads a module whose name is its input";
                self.found.push(Finding::ReadUnknown(reason.to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the name was a key of an object, `{env: 1}`.
    fn is_key(&self) -> bool {
        let mut ahead = self.cursor;
        ahead.skip_space();
        ahead.peek() == Some(':')
    }

    /// `.NAME` or `["NAME"]` after the environment takes one variable, anything else all of it.
    fn environment(&mut self) {
        let mut ahead = self.cursor;
        ahead.skip_space();
        ahead.eat('.');
        ahead.skip_space();
        let bracket = ahead.eat('[');
        ahead.skip_space();
        let quoted = ahead.eat('"');
        let name = ahead.take_while(is_name);
        let closed = (!quoted || ahead.eat('"')) && {
            ahead.skip_space();
            !bracket || ahead.eat(']')
        };
        if name.is_empty() || !closed || (bracket && !quoted) {
            self.found.push(Finding::AllEnv);
            return;
        }
        self.found.push(Finding::GetEnv(name.to_owned()));
        self.cursor = ahead;
    }

    /// `import "PATH" as NAME;`, `include "PATH";`: jq adds the ending, and may look elsewhere.
    fn module(&mut self, depth: usize) -> Result<(), &'static str> {
        self.cursor.skip_space();
        let start = self.cursor.at().saturating_add(1);
        if self.cursor.peek() != Some('"') {
            return Err("the name of a module is missing");
        }
        self.string(depth)?;
        let path = self.cursor.since(start).trim_end_matches('"');
        self.found.push(match path.contains('\\') {
            true => Finding::ReadUnknown("the name of a jq module has escapes".to_owned()),
            false => Finding::CodeFile("jq", path.to_owned()),
        });
        // Where it is looked for may be changed by what follows.
        let mut ahead = self.cursor;
        ahead.skip_space();
        ahead.take_while(|c| is_name(c) || c == '$' || c == ' ');
        ahead.skip_space();
        let told = ahead.take_while(|c| c != ';');
        match told.contains('\\') {
            true => {
                let reason = "can't tell where a jq module is looked for";
                self.found.push(Finding::RunUnknown(reason.to_owned()));
            }
            false => {
                let texts = told.split('"').skip(1).step_by(2);
                self.found.extend(texts.map(|text| Finding::Read(text.to_owned())));
            }
        }
        Ok(())
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
#[path = "jq_tests.rs"]
mod tests;
