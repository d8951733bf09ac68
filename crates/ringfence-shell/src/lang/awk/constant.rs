//! Constant expressions of awk, and what is done with them.

use super::super::Finding;
use super::Program;
use super::lexer::Token;

/// What an expression of constants is: all of it, and the one piece that awks which bind the other
/// way take.
pub(super) struct Constant {
    whole: String,
    piece: String,
}

impl Program<'_> {
    /// The text of a token or group that is constant.
    pub(super) fn fold(&self, at: usize, depth: usize) -> Option<String> {
        match self.token(at)? {
            Token::Str(text) => text.clone(),
            // Plain numbers print as they are written.
            Token::Num(digits)
                if digits.len() < 10
                    && digits.bytes().all(|b| b.is_ascii_digit())
                    && (*digits == "0" || !digits.starts_with('0')) =>
            {
                Some((*digits).to_owned())
            }
            Token::Op("(") if depth < super::super::MAX_DEPTH => {
                let mut text = String::new();
                let mut inner = at.saturating_add(1);
                let end = self.partner(at);
                while inner < end {
                    text.push_str(&self.fold(inner, depth.saturating_add(1))?);
                    inner = match self.token(inner) {
                        Some(Token::Op(_)) => self.partner(inner).saturating_add(1),
                        _ => inner.saturating_add(1),
                    };
                }
                (end > at.saturating_add(1)).then_some(text)
            }
            _ => None,
        }
    }

    /// The constant that follows an operator, up to where the expression ends.
    pub(super) fn constant_after(
        &self,
        at: usize,
        ends: impl Fn(&Self, usize) -> bool,
    ) -> Option<Constant> {
        let mut at = at.saturating_add(1);
        let mut constant: Option<Constant> = None;
        while !ends(self, at) {
            let text = self.fold(at, 0)?;
            match &mut constant {
                Some(constant) => constant.whole.push_str(&text),
                None => constant = Some(Constant { whole: text.clone(), piece: text }),
            }
            at = if self.is_op(at, "(") { self.partner(at) } else { at }.saturating_add(1);
        }
        constant
    }

    /// The constant that stands before an operator, from where the expression starts.
    pub(super) fn constant_before(&self, at: usize) -> Option<Constant> {
        let mut pieces = Vec::new();
        let mut end = at;
        while let Some(last) = end.checked_sub(1) {
            let start = match self.token(last)? {
                Token::Newline => break,
                Token::Op("{" | "}" | ";" | "(" | "," | "&&" | "||" | "=" | "!" | ") ") => break,
                Token::Word("do" | "else" | "return") => break,
                Token::Op(")") if self.is_call(self.partner(last)) => return None,
                Token::Op(")") => self.partner(last),
                _ => last,
            };
            pieces.push(self.fold(start, 0)?);
            end = start;
        }
        let piece = pieces.first()?.clone();
        pieces.reverse();
        Some(Constant { whole: pieces.concat(), piece })
    }

    fn is_call(&self, open: usize) -> bool {
        open.checked_sub(1).is_some_and(|before| matches!(self.token(before), Some(Token::Word(_))))
    }
}

/// Reports both readings of a constant, or that there is none.
fn report(
    constant: Option<Constant>,
    found: &mut Vec<Finding>,
    unknown: Finding,
    known: fn(String) -> Finding,
) {
    let Some(Constant { whole, piece }) = constant else {
        found.push(unknown);
        return;
    };
    if piece != whole {
        found.push(reach(&piece).unwrap_or_else(|| known(piece)));
    }
    found.push(reach(&whole).unwrap_or_else(|| known(whole)));
}

pub(super) fn run(command: Option<Constant>, found: &mut Vec<Finding>) {
    let unknown = Finding::RunUnknown("awk runs a built command".to_owned());
    report(command, found, unknown, Finding::Shell);
}

pub(super) fn write(file: Option<Constant>, found: &mut Vec<Finding>) {
    let unknown = Finding::WriteUnknown("awk prints to a built name".to_owned());
    report(file, found, unknown, Finding::Write);
}

pub(super) fn read_file(file: Option<Constant>, found: &mut Vec<Finding>) {
    // A dash is standard input.
    if file.as_ref().is_some_and(|file| file.whole == "-" && file.piece == "-") {
        return;
    }
    let unknown = Finding::ReadUnknown("awk reads from a built name".to_owned());
    report(file, found, unknown, Finding::Read);
}

/// gawk's network files: `/inet/PROTOCOL/LOCAL/HOST/PORT`.
fn reach(name: &str) -> Option<Finding> {
    let rest =
        ["/inet/", "/inet4/", "/inet6/"].iter().find_map(|start| name.strip_prefix(start))?;
    let parts: Vec<&str> = rest.split('/').collect();
    Some(match parts.as_slice() {
        [_, local, "0", _] => Finding::Listen((*local).to_owned()),
        [_, _, host, port] => Finding::Host(format!("{host}:{port}")),
        _ => Finding::Host(rest.to_owned()),
    })
}
