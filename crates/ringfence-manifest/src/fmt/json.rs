//! JSON with normal spacing: two blanks per level, comments kept.

use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};

use super::lines::{Line, squeeze, without_first_blank, write};
use super::{FEW, WIDTH};
use crate::tree::JSON_OPTIONS;

pub(super) fn fmt(text: &str) -> Option<String> {
    let options = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let tokens = parse_to_ast(text, &options, &JSON_OPTIONS).ok()?.tokens?;
    let mut reader = Reader { text, tokens: &tokens, at: 0, end: 0 };
    let above = without_first_blank(reader.comments());
    let value = reader.value()?;
    let below = reader.comments();
    let mut printed = write(&squeeze(above), "");
    print(&value, 0, 0, &mut printed);
    printed.push('\n');
    printed.push_str(&write(&squeeze(below), ""));
    Some(format!("{}\n", printed.trim_end()))
}

/// A value with the comments inside it.
enum Json {
    Scalar(String),
    /// A list or an object, its members, and what stands before its end.
    Members([char; 2], Vec<Member>, Vec<Line>),
}

struct Member {
    above: Vec<Line>,
    key: Option<String>,
    value: Json,
    /// Comments on the line of the value.
    after: Vec<String>,
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [TokenAndRange<'t>],
    at: usize,
    /// Where the last token ended.
    end: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t TokenAndRange<'t>> {
        self.tokens.get(self.at)
    }

    /// How many lines end between the last token and the next.
    fn breaks(&self) -> usize {
        let start = self.peek().map_or(self.end, |next| next.range.start);
        let gap = self.text.get(self.end..start).unwrap_or("");
        gap.matches('\n').count()
    }

    /// Takes the next token, as it was written.
    fn take(&mut self) -> Option<&'t str> {
        let token = self.peek()?;
        self.at = self.at.saturating_add(1);
        self.end = token.range.end;
        self.text.get(token.range.start..token.range.end)
    }

    fn next_is(&self, wanted: &Token<'_>) -> bool {
        self.peek().is_some_and(|next| next.token == *wanted)
    }

    fn next_is_comment(&self) -> bool {
        self.peek().is_some_and(|next| {
            matches!(next.token, Token::CommentLine(_) | Token::CommentBlock(_))
        })
    }

    /// The comments up to the next value or bracket, with a blank line where one stood.
    fn comments(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        loop {
            if self.breaks() > 1 {
                lines.push(Line::Blank);
            }
            if !self.next_is_comment() {
                return squeeze(lines);
            }
            lines.extend(self.take().map(|text| Line::Comment(text.trim_end().to_owned())));
        }
    }

    /// The comments that stand on the line of the last token.
    fn comments_after(&mut self) -> Vec<String> {
        let mut comments = Vec::new();
        while self.next_is_comment() && self.breaks() == 0 {
            comments.extend(self.take().map(|text| text.trim_end().to_owned()));
        }
        comments
    }

    fn value(&mut self) -> Option<Json> {
        let ends = match self.peek()?.token {
            Token::OpenBrace => ['{', '}'],
            Token::OpenBracket => ['[', ']'],
            _ => return self.take().map(|text| Json::Scalar(text.to_owned())),
        };
        self.take();
        let mut members: Vec<Member> = Vec::new();
        let mut above = Vec::new();
        loop {
            above.extend(self.comments());
            if self.next_is(&Token::CloseBrace) || self.next_is(&Token::CloseBracket) {
                self.take();
                return Some(Json::Members(ends, members, above));
            }
            let mut member = self.member(std::mem::take(&mut above), ends == ['{', '}'])?;
            member.after.extend(self.comments_after());
            let before_comma = self.comments();
            if self.next_is(&Token::Comma) {
                self.take();
                member.after.extend(self.comments_after());
                member.above.extend(before_comma.into_iter().filter(|line| *line != Line::Blank));
            } else {
                above = before_comma;
            }
            members.push(member);
        }
    }

    fn member(&mut self, mut above: Vec<Line>, keyed: bool) -> Option<Member> {
        let mut key = None;
        if keyed {
            let quoted = matches!(self.peek()?.token, Token::String(_));
            let text = self.take()?;
            key = Some(if quoted { text.to_owned() } else { format!("\"{text}\"") });
            above.extend(self.comments().into_iter().filter(|line| *line != Line::Blank));
            self.take();
            above.extend(self.comments().into_iter().filter(|line| *line != Line::Blank));
        }
        Some(Member { above, key, value: self.value()?, after: Vec::new() })
    }
}

/// Prints a value that begins so many columns into its line.
fn print(value: &Json, indent: usize, used: usize, out: &mut String) {
    match value {
        Json::Scalar(text) => out.push_str(text),
        Json::Members(ends, members, end) => {
            match one_line(value).filter(|line| indent > 0 && fits(line, members.len(), used, ends))
            {
                Some(line) => out.push_str(&line),
                None if members.is_empty() && end.is_empty() => out.extend(ends),
                None => stack(*ends, members, end, indent, out),
            }
        }
    }
}

/// Lists are short, objects are tables of one rule or the like.
fn fits(line: &str, members: usize, used: usize, ends: &[char; 2]) -> bool {
    let few = members <= FEW || ends[0] == '{';
    few && used.saturating_add(line.chars().count()) < WIDTH
}

/// The value in one line, if no comment forbids it.
fn one_line(value: &Json) -> Option<String> {
    let (ends, members) = match value {
        Json::Scalar(text) => return Some(text.clone()),
        Json::Members(_, _, end) if end.iter().any(|line| *line != Line::Blank) => return None,
        Json::Members(ends, members, _) => (ends, members),
    };
    let mut parts = Vec::new();
    for member in members {
        let commented = member.above.iter().any(|line| *line != Line::Blank);
        if commented || !member.after.is_empty() {
            return None;
        }
        let value = one_line(&member.value)?;
        parts.push(match &member.key {
            Some(key) => format!("{key}: {value}"),
            None => value,
        });
    }
    let [open, close] = ends;
    let inner = parts.join(", ");
    Some(match (*open, inner.as_str()) {
        (_, "") => format!("{open}{close}"),
        ('{', inner) => format!("{open} {inner} {close}"),
        (_, inner) => format!("{open}{inner}{close}"),
    })
}

fn stack(
    [open, close]: [char; 2],
    members: &[Member],
    end: &[Line],
    indent: usize,
    out: &mut String,
) {
    let inner = indent.saturating_add(2);
    out.push(open);
    out.push('\n');
    for (at, member) in members.iter().enumerate() {
        let above = squeeze(member.above.clone());
        let above = if at == 0 { without_first_blank(above) } else { above };
        let comma = if at.saturating_add(1) < members.len() { "," } else { "" };
        print_member(member, &above, comma, inner, out);
    }
    let mut end = squeeze(end.to_vec());
    end.pop_if(|line| *line == Line::Blank);
    out.push_str(&write(&end, &" ".repeat(inner)));
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

fn print_member(member: &Member, above: &[Line], comma: &str, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    out.push_str(&write(above, &margin));
    let key = member.key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
    let used = indent.saturating_add(key.chars().count());
    out.push_str(&margin);
    out.push_str(&key);
    print(&member.value, indent, used, out);
    out.push_str(comma);
    for comment in &member.after {
        out.push(' ');
        out.push_str(comment);
    }
    out.push('\n');
}
