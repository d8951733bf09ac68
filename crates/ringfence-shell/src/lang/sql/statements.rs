//! Statements and functions of SQL that reach beyond the database.

use super::super::Finding;
use super::lexer::{Dialect, Token, tokens};
use super::tables::{FUNCTIONS, PHRASES, Role};

/// Reports what the SQL reaches beyond the database.
pub(super) fn read(dialect: Dialect, code: &str, depth: usize, found: &mut Vec<Finding>) {
    if depth > 5 {
        found.push(Finding::RunUnknown("queries are nested too deeply".to_owned()));
        return;
    }
    match tokens(dialect, code) {
        Ok(tokens) => Sql { dialect, tokens, depth }.read(found),
        Err(reason) => found.push(super::super::unreadable(reason)),
    }
}

struct Sql {
    dialect: Dialect,
    tokens: Vec<Token>,
    depth: usize,
}

impl Sql {
    fn read(&self, found: &mut Vec<Finding>) {
        for at in 0..self.tokens.len() {
            self.function(at, found);
            self.phrase(at, found);
            match self.dialect {
                Dialect::Postgres => self.postgres(at, found),
                Dialect::Duckdb => self.duckdb(at, found),
                Dialect::Mysql => self.prepared(at, found),
                Dialect::Sqlite => self.vacuum(at, found),
            }
        }
    }

    /// The word at a place in upper case; names of functions may stand in quotes.
    fn word(&self, at: usize) -> Option<String> {
        match self.tokens.get(at)? {
            Token::Word(word) => Some(word.clone()),
            Token::Name(name) if name.len() < 40 => Some(name.to_ascii_uppercase()),
            _ => None,
        }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        match self.tokens.get(at) {
            Some(Token::Word(found)) => found == word,
            Some(Token::Op(c)) => word.chars().eq([*c]),
            _ => false,
        }
    }

    fn function(&self, at: usize, found: &mut Vec<Finding>) {
        if !self.is(at.saturating_add(1), "(") {
            return;
        }
        let Some(word) = self.word(at) else { return };
        let known =
            FUNCTIONS.iter().find(|(dialect, name, _)| *dialect == self.dialect && *name == word);
        let Some((_, _, role)) = known else { return };
        // The second argument of `lo_export` is the file.
        let mut place = at.saturating_add(2);
        if word == "LO_EXPORT" {
            place = place.saturating_add(2);
        }
        self.apply(*role, &word, place, found);
    }

    fn phrase(&self, at: usize, found: &mut Vec<Finding>) {
        if !matches!(self.tokens.get(at), Some(Token::Word(_))) {
            return;
        }
        let known = PHRASES.iter().find(|(dialect, words, _)| {
            *dialect == self.dialect
                && words.iter().enumerate().all(|(i, word)| self.is(at.saturating_add(i), word))
        });
        let Some((_, words, role)) = known else { return };
        let mut place = at.saturating_add(words.len());
        if self.is(place, "=") {
            place = place.saturating_add(1);
        }
        self.apply(*role, words.first().unwrap_or(&""), place, found);
    }

    /// The strings of an argument: one, or a list in brackets. Empty if it is not constant.
    fn strings(&self, at: usize) -> Vec<String> {
        let list = self.is(at, "[");
        let mut place = at.saturating_add(usize::from(list));
        let mut strings = Vec::new();
        loop {
            match self.tokens.get(place) {
                Some(Token::Str(Some(text))) => strings.push(text.clone()),
                // A name that looks like a file is taken for one, as SQLite does.
                Some(Token::Name(text)) => strings.push(text.clone()),
                _ => return Vec::new(),
            }
            let next = self.tokens.get(place.saturating_add(1));
            // A string that goes on is computed.
            if matches!(next, Some(Token::Op('|' | '+'))) {
                return Vec::new();
            }
            if !list || next == Some(&Token::Op(']')) {
                return strings;
            }
            if next != Some(&Token::Op(',')) || strings.len() > 1000 {
                return Vec::new();
            }
            place = place.saturating_add(2);
        }
    }

    fn apply(&self, role: Role, what: &str, at: usize, found: &mut Vec<Finding>) {
        if role == Role::Run {
            found.push(Finding::RunUnknown(format!(
                "`{}` runs or loads code",
                what.to_ascii_lowercase()
            )));
            return;
        }
        let strings = self.strings(at);
        if strings.is_empty() {
            let reason = format!("the argument of `{}` is computed", what.to_ascii_lowercase());
            found.push(match role {
                Role::GetEnv => Finding::AllEnv,
                Role::Write | Role::ReadWrite => Finding::WriteUnknown(reason),
                Role::Query => Finding::RunUnknown(reason),
                // It reads files of this machine, whichever a table says.
                _ if self.dialect == Dialect::Sqlite => Finding::RunUnknown(reason),
                _ => Finding::ReadUnknown(reason),
            });
        }
        for text in strings {
            match role {
                Role::GetEnv => found.push(Finding::GetEnv(text)),
                Role::Query => read(self.dialect, &text, self.depth.saturating_add(1), found),
                _ => file(role, text, found),
            }
        }
    }

    fn vacuum(&self, at: usize, found: &mut Vec<Finding>) {
        if self.is(at, "VACUUM") {
            let into =
                (1..=2).map(|step| at.saturating_add(step)).find(|place| self.is(*place, "INTO"));
            if let Some(into) = into {
                self.apply(Role::Write, "VACUUM INTO", into.saturating_add(1), found);
            }
        }
    }

    /// `COPY … FROM|TO 'FILE' | PROGRAM 'COMMAND'`, languages that are not safe, bodies of code.
    fn postgres(&self, at: usize, found: &mut Vec<Finding>) {
        self.copy(at, found);
        self.interpolated(at, found);
        let before = at.saturating_sub(1);
        if self.is(at, "PROGRAM") && (self.is(before, "FROM") || self.is(before, "TO")) {
            found.push(match self.strings(at.saturating_add(1)).pop() {
                Some(command) => Finding::Shell(command),
                None => Finding::RunUnknown("the command of `copy` is computed".to_owned()),
            });
        }
        if self.is(at, "LANGUAGE")
            && let Some(language) =
                self.word(at.saturating_add(1)).or_else(|| self.text(at.saturating_add(1)))
            && !matches!(
                language.to_ascii_uppercase().as_str(),
                "SQL" | "PLPGSQL" | "PLPERL" | "PLTCL"
            )
        {
            found.push(Finding::RunUnknown(format!(
                "code in {} may do anything",
                language.to_ascii_lowercase()
            )));
        }
        if self.is(at, "LOAD")
            && matches!(self.tokens.get(at.saturating_add(1)), Some(Token::Str(_)))
        {
            found.push(Finding::RunUnknown("`load` loads a library".to_owned()));
        }
        self.body(at, found);
    }

    /// psql puts its variables into the query, `:name`; a cast has two colons.
    fn interpolated(&self, at: usize, found: &mut Vec<Finding>) {
        let next = self.tokens.get(at.saturating_add(1));
        let cast = at.checked_sub(1).is_some_and(|before| self.is(before, ":"));
        let named = matches!(next, Some(Token::Word(_) | Token::Str(_) | Token::Name(_)));
        if self.depth == 0 && self.is(at, ":") && !cast && named {
            found.push(Finding::RunUnknown("psql puts a variable into the query".to_owned()));
        }
    }

    fn text(&self, at: usize) -> Option<String> {
        match self.tokens.get(at) {
            Some(Token::Str(text)) => text.clone(),
            _ => None,
        }
    }

    /// Bodies of functions and of `DO` are SQL of their own; `EXECUTE` runs a text.
    fn body(&self, at: usize, found: &mut Vec<Finding>) {
        let next = at.saturating_add(1);
        if self.is(at, "DO") || self.is(at, "AS") {
            match self.tokens.get(next) {
                Some(Token::Str(Some(body))) => {
                    read(self.dialect, body, self.depth.saturating_add(1), found);
                }
                Some(Token::Str(None)) => {
                    found.push(Finding::RunUnknown("a body has escapes".to_owned()))
                }
                _ => {}
            }
        }
        if self.depth > 0 && self.is(at, "EXECUTE") {
            match self.strings(next).pop() {
                Some(query) if !matches!(self.tokens.get(next), Some(Token::Name(_))) => {
                    read(self.dialect, &query, self.depth.saturating_add(1), found);
                }
                _ if self.is(next, "FUNCTION") || self.is(next, "PROCEDURE") => {}
                _ => found.push(Finding::RunUnknown("a query is computed and run".to_owned())),
            }
        }
    }

    fn copy(&self, at: usize, found: &mut Vec<Finding>) {
        if !self.is(at, "COPY") {
            return;
        }
        let mut depth = 0_usize;
        for place in at.saturating_add(1)..at.saturating_add(500) {
            match self.tokens.get(place) {
                None | Some(Token::Op(';')) => return,
                Some(Token::Op('(')) => depth = depth.saturating_add(1),
                Some(Token::Op(')')) => depth = depth.saturating_sub(1),
                Some(Token::Word(word)) if depth == 0 && (word == "FROM" || word == "TO") => {
                    let role = if word == "TO" { Role::Write } else { Role::Read };
                    let next = place.saturating_add(1);
                    // Standard input and output are words, not strings.
                    if matches!(self.tokens.get(next), Some(Token::Str(_) | Token::Name(_))) {
                        self.apply(role, "COPY", next, found);
                    }
                    return;
                }
                _ => {}
            }
        }
        found.push(Finding::WriteUnknown("a `copy` is too long to be read".to_owned()));
    }

    /// Files that stand where tables do, and extensions.
    fn duckdb(&self, at: usize, found: &mut Vec<Finding>) {
        self.copy(at, found);
        let next = at.saturating_add(1);
        if (self.is(at, "FROM")
            || self.is(at, "JOIN")
            || self.is(at, "DESCRIBE")
            || self.is(at, "SUMMARIZE")
            || self.is(at, ","))
            && !self.is_copy(at)
        {
            match self.tokens.get(next) {
                Some(Token::Str(_)) if !self.is(at, ",") => {
                    self.apply(Role::Read, "FROM", next, found)
                }
                Some(Token::Name(name)) if name.contains(['.', '/', ':']) => {
                    file(Role::Read, name.clone(), found);
                }
                _ => {}
            }
        }
        let own =
            ["JSON", "PARQUET", "ICU", "HTTPFS", "FTS", "TPCH", "TPCDS", "EXCEL", "AUTOCOMPLETE"];
        if self.is(at, "LOAD") && !self.word(next).is_some_and(|name| own.contains(&name.as_str()))
        {
            found.push(Finding::RunUnknown("`load` loads an extension".to_owned()));
        }
    }

    /// Whether the `FROM` at this place belongs to a `COPY`, which was reported already.
    fn is_copy(&self, at: usize) -> bool {
        self.is(at, "FROM") && at.checked_sub(2).is_some_and(|copy| self.is(copy, "COPY"))
    }

    /// `PREPARE name FROM text`.
    fn prepared(&self, at: usize, found: &mut Vec<Finding>) {
        if self.is(at, "PREPARE") && self.is(at.saturating_add(2), "FROM") {
            self.apply(Role::Query, "PREPARE", at.saturating_add(3), found);
        }
    }
}

fn file(role: Role, text: String, found: &mut Vec<Finding>) {
    // A database in memory, and one that is made and dropped.
    if text.is_empty() || text == ":memory:" {
        return;
    }
    if text.trim().starts_with('|') || text.trim().ends_with('|') {
        found.push(Finding::Shell(text.trim_matches(['|', ' ']).to_owned()));
        return;
    }
    if text.contains("://") && !text.starts_with("file:") {
        found.push(Finding::Url(text));
        return;
    }
    let text = match text.strip_prefix("file:") {
        Some(rest) => rest.trim_start_matches("//").split('?').next().unwrap_or(rest).to_owned(),
        None => text,
    };
    if role != Role::Write {
        found.push(Finding::Read(text.clone()));
    }
    if role != Role::Read {
        found.push(Finding::Write(text));
    }
}
