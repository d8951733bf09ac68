//! The words of SQL, as far as the shells of SQLite, PostgreSQL, MySQL and DuckDB agree on them.

use super::super::cursor::Cursor;

/// A piece of SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A keyword or name without quotes, in upper case.
    Word(String),
    /// A name in double quotes, backquotes or brackets.
    Name(String),
    /// A string; `None` if it has escapes that are not read here.
    Str(Option<String>),
    Op(char),
}

/// How a dialect differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
    Mysql,
    Duckdb,
}

/// Splits SQL into tokens; an error says why it cannot.
pub(super) fn tokens(dialect: Dialect, code: &str) -> Result<Vec<Token>, &'static str> {
    let mut cursor = Cursor::new(code);
    let mut tokens = Vec::new();
    while let Some(c) = cursor.peek() {
        if c.is_whitespace() {
            cursor.bump();
        } else if !comment(dialect, &mut cursor)? {
            token(dialect, c, &mut cursor, &mut tokens)?;
        }
    }
    Ok(tokens)
}

fn token(
    dialect: Dialect,
    c: char,
    cursor: &mut Cursor<'_>,
    tokens: &mut Vec<Token>,
) -> Result<(), &'static str> {
    match c {
        '\'' => tokens.push(Token::Str(string(dialect, cursor)?)),
        '"' if dialect == Dialect::Mysql => tokens.push(Token::Str(quoted_string(cursor)?)),
        // SQLite takes a name that does not exist for a string, so it may be either.
        '"' => tokens.push(Token::Name(name(cursor, '"')?)),
        '`' => tokens.push(Token::Name(name(cursor, '`')?)),
        '[' if dialect == Dialect::Sqlite => tokens.push(Token::Name(name(cursor, ']')?)),
        '$' if matches!(dialect, Dialect::Postgres | Dialect::Duckdb) => dollar(cursor, tokens)?,
        c if c.is_alphanumeric() || c == '_' => {
            let word = cursor.take_while(|c| c.is_alphanumeric() || c == '_' || c == '$');
            // A letter before a quote changes how the string is read.
            if cursor.peek() == Some('\'') && dialect != Dialect::Sqlite {
                let escaped = word.eq_ignore_ascii_case("e") || dialect == Dialect::Mysql;
                let text =
                    if escaped { escaped_string(cursor, '\'')? } else { string(dialect, cursor)? };
                if word.len() <= 2 || word.starts_with('_') {
                    let plain =
                        text.filter(|text| !text.contains('\\') && !word.eq_ignore_ascii_case("x"));
                    tokens.push(Token::Str(plain));
                } else {
                    tokens.push(Token::Word(word.to_ascii_uppercase()));
                    tokens.push(Token::Str(text));
                }
            } else {
                tokens.push(Token::Word(word.to_ascii_uppercase()));
            }
        }
        c => {
            cursor.bump();
            tokens.push(Token::Op(c));
        }
    }
    Ok(())
}

/// Skips a comment; whether there was one.
fn comment(dialect: Dialect, cursor: &mut Cursor<'_>) -> Result<bool, &'static str> {
    let rest = cursor.rest();
    let line = match dialect {
        // MySQL wants a blank after the dashes.
        Dialect::Mysql => {
            rest.starts_with('#')
                || (rest.starts_with("--")
                    && rest.chars().nth(2).is_none_or(|c| c.is_whitespace() || c.is_control()))
        }
        _ => rest.starts_with("--"),
    };
    if line {
        cursor.take_line();
        return Ok(true);
    }
    if !rest.starts_with("/*") {
        return Ok(false);
    }
    // MySQL runs what stands in `/*! … */`; elsewhere it is a comment.
    if dialect == Dialect::Mysql && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
        return Err("it has a comment that MySQL runs");
    }
    cursor.eat_str("/*");
    let mut depth = 1_usize;
    let nests = matches!(dialect, Dialect::Postgres | Dialect::Duckdb);
    while depth > 0 {
        if cursor.eat_str("*/") {
            depth = depth.saturating_sub(1);
        } else if nests && cursor.eat_str("/*") {
            depth = depth.saturating_add(1);
        } else if cursor.bump().is_none() {
            return if dialect == Dialect::Sqlite {
                Ok(true)
            } else {
                Err("a comment does not end")
            };
        }
    }
    Ok(true)
}

fn string(dialect: Dialect, cursor: &mut Cursor<'_>) -> Result<Option<String>, &'static str> {
    if dialect == Dialect::Mysql {
        return escaped_string(cursor, '\'');
    }
    cursor.bump();
    let mut text = String::new();
    loop {
        match cursor.bump() {
            None => return Err("a string does not end"),
            Some('\'') if cursor.eat('\'') => text.push('\''),
            Some('\'') => return Ok(Some(text)),
            Some(c) => text.push(c),
        }
    }
}

fn quoted_string(cursor: &mut Cursor<'_>) -> Result<Option<String>, &'static str> {
    escaped_string(cursor, '"')
}

/// A string in which a backslash takes the next character.
fn escaped_string(cursor: &mut Cursor<'_>, quote: char) -> Result<Option<String>, &'static str> {
    cursor.bump();
    let mut text = String::new();
    let mut plain = true;
    loop {
        match cursor.bump() {
            None => return Err("a string does not end"),
            Some(c) if c == quote && cursor.eat(quote) => text.push(quote),
            Some(c) if c == quote => return Ok(plain.then_some(text)),
            Some('\\') => {
                plain = false;
                cursor.bump();
            }
            Some(c) => text.push(c),
        }
    }
}

fn name(cursor: &mut Cursor<'_>, close: char) -> Result<String, &'static str> {
    cursor.bump();
    let mut text = String::new();
    loop {
        match cursor.bump() {
            None => return Err("a name does not end"),
            Some(c) if c == close && close != ']' && cursor.eat(close) => text.push(c),
            Some(c) if c == close => return Ok(text),
            Some(c) => text.push(c),
        }
    }
}

/// `$tag$ … $tag$`.
fn dollar(cursor: &mut Cursor<'_>, tokens: &mut Vec<Token>) -> Result<(), &'static str> {
    let start = cursor.at();
    cursor.bump();
    cursor.take_while(|c| c.is_alphanumeric() || c == '_');
    if !cursor.eat('$') {
        tokens.push(Token::Op('$'));
        return Ok(());
    }
    let tag = cursor.since(start);
    let rest = cursor.rest();
    let Some(length) = rest.find(tag) else { return Err("a string does not end") };
    let text = rest.get(..length).unwrap_or("");
    tokens.push(Token::Str(Some(text.to_owned())));
    cursor.eat_str(text);
    cursor.eat_str(tag);
    Ok(())
}
