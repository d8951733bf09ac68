//! Code of small languages around a text of which only the signs are known.

use super::Walker;
use crate::field::{NUMBER, PERHAPS, PLAIN, is_plain};
use crate::lang::{self, Finding};
use crate::span::Span;

impl Walker<'_> {
    /// Code that is known apart from plain texts does the same whichever they are, where it is found to
    /// do so with every sign that may stand in one.
    #[cold]
    pub(super) fn is_code_around_text(&mut self, language: &str, text: &str, span: Span) -> bool {
        if !may_hold_text(language, text) {
            return false;
        }
        let samples = samples_for(text);
        if !self.spend(text.len().saturating_mul(samples.len())) {
            return false;
        }
        let with = |sample: &str| text.replace([NUMBER, PERHAPS, PLAIN], sample);
        let read = lang::read(language, &with("0")).unwrap_or_default();
        let is_doubt =
            |own: &Finding| matches!(own, Finding::Unreadable(_) | Finding::RunUnknown(_));
        let same = !read.iter().any(is_doubt)
            && samples.iter().all(|own| lang::read(language, &with(own)).as_ref() == Some(&read));
        if same {
            self.code(language, &with("0"), span);
        }
        same
    }
}

/// Whether a text may stand for itself in a language, as far as what stands around it tells: in a string
/// of jq, in the value of a variable.
fn may_hold_text(language: &str, text: &str) -> bool {
    let is_mark = |c: char| matches!(c, NUMBER | PERHAPS | PLAIN);
    match language {
        "sed" => true,
        "make-variable" => text.split(is_mark).next().is_some_and(|before| before.contains('=')),
        "go-ldflags" => text.split([' ', '\t', '\n']).all(|word| {
            let before = word.split(is_mark).next().unwrap_or_default();
            before.len() == word.len() || before.contains('=')
        }),
        "jq" => {
            let (mut quoted, mut escaped) = (false, false);
            text.chars().all(|c| {
                let is_inside = quoted && !escaped;
                match c {
                    // What stands in a string may be code again.
                    '(' if escaped => return false,
                    '"' if !escaped => quoted = !quoted,
                    c if is_mark(c) && !is_inside => return false,
                    _ => {}
                }
                escaped = c == '\\' && !escaped;
                true
            })
        }
        _ => false,
    }
}

/// What is put in place of plain texts: nothing, and every sign by itself and between others.
fn samples_for(text: &str) -> Vec<String> {
    let digits = ('1'..='9').map(String::from).chain(["10".to_owned()]);
    let nothing = text.contains([PERHAPS, PLAIN]).then(String::new);
    let signs = (' '..='~').filter(|sign| is_plain(*sign) && text.contains(PLAIN));
    let signs = signs.flat_map(|sign| [sign.to_string(), format!("0{sign}0")]);
    digits.chain(nothing).chain(signs).collect()
}
