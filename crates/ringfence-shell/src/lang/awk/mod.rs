//! awk programs: POSIX awk with what gawk, mawk and busybox add to it.
//!
//! The program is not parsed into a tree. What matters can be told from its tokens: pipes,
//! redirections of `print`, `getline`, `system` and a few names. Awks bind concatenation and pipes
//! in different order, so where that matters both readings are reported.

mod constant;
mod lexer;

use super::Finding;
use constant::{read_file, run, write};
use lexer::Token;

/// Reads an awk program.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let program = match lexer::tokens(code) {
        Ok(tokens) => match partners(&tokens) {
            Some(partners) => Program { changes_arguments: changes(&tokens), tokens, partners },
            None => return vec![super::unreadable("its brackets do not match")],
        },
        Err(reason) => return vec![super::unreadable(reason)],
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < program.tokens.len() {
        at = program.look(at, &mut found);
    }
    if found.iter().any(|own| matches!(own, Finding::ReadUnknown(_))) {
        found.extend(program.paths().map(Finding::Read));
    }
    found
}

/// For each bracket the place of the one that belongs to it; `None` if they do not match.
fn partners(tokens: &[Token<'_>]) -> Option<Vec<usize>> {
    let mut partners = vec![0; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Op(op) = token else { continue };
        match op.trim_end() {
            opening @ ("(" | "[" | "{") => open.push((at, opening)),
            closing @ (")" | "]" | "}") => {
                let (start, opening) = open.pop()?;
                if !matches!((opening, closing), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return None;
                }
                *partners.get_mut(start)? = at;
                *partners.get_mut(at)? = start;
            }
            _ => {}
        }
    }
    open.is_empty().then_some(partners)
}

fn changes(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| {
        matches!(token, Token::Word("sub" | "gsub" | "split" | "patsplit" | "match" | "getline"))
    })
}

struct Program<'t> {
    tokens: Vec<Token<'t>>,
    partners: Vec<usize>,
    /// Whether a function that changes what it is given stands anywhere.
    changes_arguments: bool,
}

impl Program<'_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }

    fn is_op(&self, at: usize, op: &str) -> bool {
        matches!(self.token(at), Some(Token::Op(found)) if found.trim_end() == op)
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        matches!(self.token(at), Some(Token::Word(found)) if *found == word)
    }

    fn partner(&self, at: usize) -> usize {
        self.partners.get(at).copied().unwrap_or(at)
    }

    /// Looks at the token and gives the place of the next one to look at.
    fn look(&self, at: usize, found: &mut Vec<Finding>) -> usize {
        match self.token(at) {
            Some(Token::Word("print" | "printf")) => self.print(at, found),
            Some(Token::Word("system")) => self.system(at, found),
            Some(Token::Word("getline")) => self.getline(at, found),
            Some(Token::Word("ENVIRON")) => self.environ(at, found),
            Some(Token::Word("ARGV")) => self.argv(at, found),
            Some(Token::Word("SYMTAB")) => {
                found.push(Finding::AllEnv);
                found.push(Finding::RunUnknown("SYMTAB reaches any variable".to_owned()));
            }
            Some(Token::Op("@")) => self.at_sign(at, found),
            Some(Token::Op("|" | "|&")) => self.input_pipe(at, found),
            _ => {}
        }
        at.saturating_add(1)
    }

    /// Constants that look like paths: what is read under a built name may be built from them.
    fn paths(&self) -> impl Iterator<Item = String> {
        let texts = self.tokens.iter().filter_map(|token| match token {
            Token::Str(text) => text.clone(),
            _ => None,
        });
        let leads_out = |text: &str| text.starts_with('/') && !text.starts_with("/inet");
        texts.filter(move |text| text.len() > 1 && (leads_out(text) || text.starts_with("../")))
    }

    /// Whether a statement ends before the token at `at`.
    fn ends_statement(&self, at: usize) -> bool {
        match self.token(at) {
            None | Some(Token::Op(";" | "}" | "{")) => true,
            Some(Token::Newline) => !matches!(
                self.token(at.saturating_sub(1)),
                Some(Token::Op("," | "&&" | "||" | "?" | ":") | Token::Newline)
            ),
            _ => false,
        }
    }

    /// The redirection of a `print`: the first one outside of brackets.
    fn print(&self, start: usize, found: &mut Vec<Finding>) {
        let mut at = start.saturating_add(1);
        while !self.ends_statement(at) {
            match self.token(at) {
                Some(Token::Op("(" | "[")) => at = self.partner(at),
                Some(Token::Op(op @ (">" | ">>" | "|" | "|&"))) => {
                    let target =
                        self.constant_after(at, |program, end| program.ends_statement(end));
                    match *op {
                        ">" | ">>" => write(target, found),
                        _ => run(target, found),
                    }
                    return;
                }
                Some(Token::Word("print" | "printf")) => return,
                _ => {}
            }
            at = at.saturating_add(1);
        }
    }

    fn system(&self, at: usize, found: &mut Vec<Finding>) {
        let open = at.saturating_add(1);
        let command = if self.is_op(open, "(") { self.fold(open, 0) } else { None };
        match command {
            // The usual way to flush output.
            Some(text) if text.is_empty() => {}
            Some(text) => found.push(Finding::Shell(text)),
            None => found.push(Finding::RunUnknown("awk's system() runs a built text".to_owned())),
        }
    }

    /// `COMMAND | getline`. The pipes of `print` are found there as well, which does no harm: they
    /// are not followed by `getline`.
    fn input_pipe(&self, at: usize, found: &mut Vec<Finding>) {
        match self.token(at.saturating_add(1)) {
            Some(Token::Word("getline")) => run(self.constant_before(at), found),
            None | Some(Token::Newline) => run(None, found),
            _ => {}
        }
    }

    /// `getline < FILE`. The target stands before the file, so the first `<` on this level counts.
    fn getline(&self, start: usize, found: &mut Vec<Finding>) {
        let mut at = start.saturating_add(1);
        while !self.ends_statement(at) {
            match self.token(at) {
                Some(Token::Op("(" | "[")) => at = self.partner(at),
                Some(Token::Op(")" | ") " | "]" | "," | "&&" | "||" | "|" | "|&")) => return,
                Some(Token::Word("getline")) => return,
                Some(Token::Op("<")) => {
                    return read_file(self.constant_after(at, Self::ends_file), found);
                }
                _ => {}
            }
            at = at.saturating_add(1);
        }
    }

    fn ends_file(&self, at: usize) -> bool {
        self.ends_statement(at)
            || matches!(
                self.token(at),
                Some(Token::Op(
                    ")" | ") "
                        | "]"
                        | ","
                        | "&&"
                        | "||"
                        | "<"
                        | ">"
                        | "<="
                        | ">="
                        | "=="
                        | "!="
                        | ":"
                ))
            )
    }

    fn environ(&self, at: usize, found: &mut Vec<Finding>) {
        let open = at.saturating_add(1);
        let name = match self.token(open.saturating_add(1)) {
            Some(Token::Str(Some(name)))
                if self.is_op(open, "[") && self.partner(open) == open.saturating_add(2) =>
            {
                name
            }
            _ => return self.environ_tested(at, found),
        };
        if self.is_assigned(self.partner(open).saturating_add(1)) {
            found.push(Finding::SetEnv(name.clone()));
        }
        found.push(Finding::GetEnv(name.clone()));
    }

    /// `"NAME" in ENVIRON`, or anything else that may see all of it.
    fn environ_tested(&self, at: usize, found: &mut Vec<Finding>) {
        let tested =
            self.is_word(at.saturating_sub(1), "in") && !self.is_op(at.saturating_add(1), "[");
        match self.token(at.saturating_sub(2)) {
            Some(Token::Str(Some(name))) if tested => found.push(Finding::GetEnv(name.clone())),
            _ => found.push(Finding::AllEnv),
        }
    }

    fn is_assigned(&self, at: usize) -> bool {
        matches!(
            self.token(at),
            Some(Token::Op("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "**=" | "++" | "--"))
        )
    }

    /// Files that awk opens after its arguments were changed are not told.
    fn argv(&self, at: usize, found: &mut Vec<Finding>) {
        let open = at.saturating_add(1);
        let before = self.token(at.saturating_sub(1));
        let harmless = if self.is_op(open, "[") {
            !self.is_assigned(self.partner(open).saturating_add(1))
                && !matches!(before, Some(Token::Op("++" | "--") | Token::Word("getline")))
                && !self.changes_arguments
        } else {
            at > 0 && matches!(before, Some(Token::Word("in" | "delete")))
        };
        if !harmless {
            found.push(Finding::ReadUnknown("awk's ARGV is changed".to_owned()));
        }
    }

    /// gawk's directives, indirect calls and typed regular expressions.
    fn at_sign(&self, at: usize, found: &mut Vec<Finding>) {
        let next = at.saturating_add(1);
        match (self.token(next), self.token(next.saturating_add(1))) {
            (Some(Token::Regex), _) | (Some(Token::Word("namespace")), Some(Token::Str(_))) => {}
            (Some(Token::Word("include")), Some(Token::Str(Some(path)))) => {
                found.push(Finding::CodeFile("awk", path.clone()));
            }
            (Some(Token::Word("load")), _) => {
                found.push(Finding::RunUnknown("awk loads an extension".to_owned()));
            }
            _ => found.push(Finding::RunUnknown("awk calls a function by a built name".to_owned())),
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
