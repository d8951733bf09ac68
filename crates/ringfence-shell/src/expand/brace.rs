//! Brace expansion.
//!
//! Bash expands braces in the text of a word before it looks at anything else in it, quotes
//! excepted. It then sees `${`, `$(`, quotes and backslashes by rules of its own; a word in which
//! these could differ from what they mean later is left unclear.

use crate::ast::{Part, PartKind};
use crate::span::Span;

use super::atom::{Atom, atoms, ends_blank, is_opaque, may_hold_comma, size, write_out};
use super::sequence::{MAX_ITEMS, Sequence, sequence};

/// What becomes of a word.
pub(crate) enum Braces {
    /// There is nothing to expand.
    None,
    /// The words it becomes; one without parts is dropped by the shell.
    Words(Vec<Vec<Part>>),
    /// It cannot be told, or it is too large to write out.
    Unclear,
    /// It makes backslashes and backquotes, which change what the rest of the word means.
    Quotes,
}

/// What may still be spent on brace expansions in the line.
pub(crate) struct Budget {
    /// Bytes of the words that are written out.
    pub(crate) bytes: usize,
    /// Steps of the search for braces.
    pub(crate) steps: usize,
}

/// The deepest nesting of braces that is written out.
const MAX_DEPTH: usize = 20;

/// It cannot be told, or the budget is spent.
struct Unclear;

type Words<'p> = Vec<Vec<Atom<'p>>>;

/// Expands the braces of a word.
pub(crate) fn braces(parts: &[Part], budget: &mut Budget) -> Braces {
    let open = |part: &Part| match &part.kind {
        PartKind::Literal(text) => !part.quoted && text.contains('{'),
        _ => false,
    };
    if !parts.iter().any(open) {
        return Braces::None;
    }
    let atoms = atoms(parts);
    if makes_quotes(&atoms) {
        return Braces::Quotes;
    }
    let mut expansion = Expansion { budget };
    match expansion.find_group(&atoms) {
        Ok(None) => return Braces::None,
        Ok(Some(_)) => {}
        Err(Unclear) => return Braces::Unclear,
    }
    if !parts.iter().all(is_opaque) {
        return Braces::Unclear;
    }
    match expansion.words(&atoms, 0) {
        Ok(words) if is_unchanged(&words, &atoms) => Braces::None,
        Ok(words) => expansion.write_out(&words).map_or(Braces::Unclear, Braces::Words),
        Err(Unclear) => Braces::Unclear,
    }
}

/// Whether a range from upper to lower case, or back, stands beside anything else: between the cases lie
/// a backslash and a backquote.
fn makes_quotes(atoms: &[Atom<'_>]) -> bool {
    let letter = |atom: &Atom<'_>| match atom {
        Atom::Char(character, _) if character.is_ascii_alphabetic() => Some(*character),
        _ => None,
    };
    let is_range = |six: &[Atom<'_>]| match six {
        [open, from, one, two, to, next] => {
            let cases = letter(from).zip(letter(to));
            let differ =
                |(from, to): (char, char)| from.is_ascii_uppercase() != to.is_ascii_uppercase();
            let is_open = open.is('{') && one.is('.') && two.is('.');
            is_open && (next.is('}') || next.is('.')) && cases.is_some_and(differ)
        }
        _ => false,
    };
    let alone = |at: usize| {
        let rest = atoms.get(at..).unwrap_or_default();
        at == 0 && rest.iter().position(|atom| atom.is('}')) == rest.len().checked_sub(1)
    };
    atoms.windows(6).enumerate().any(|(at, six)| is_range(six) && !alone(at))
}

fn is_unchanged(words: &Words<'_>, atoms: &[Atom<'_>]) -> bool {
    let same = |(left, right): (&Atom<'_>, &Atom<'_>)| match (left, right) {
        (Atom::Char(left, _), Atom::Char(right, _)) => left == right,
        (Atom::Part(left), Atom::Part(right)) => std::ptr::eq(*left, *right),
        _ => false,
    };
    match words.as_slice() {
        [word] => word.len() == atoms.len() && word.iter().zip(atoms).all(same),
        _ => false,
    }
}

struct Expansion<'b> {
    budget: &'b mut Budget,
}

impl Expansion<'_> {
    fn spend(&mut self, steps: usize) -> Result<(), Unclear> {
        self.budget.steps = self.budget.steps.checked_sub(steps).ok_or(Unclear)?;
        Ok(())
    }

    /// The places of the first pair of braces that expands.
    fn find_group(&mut self, text: &[Atom<'_>]) -> Result<Option<(usize, usize)>, Unclear> {
        for (index, atom) in text.iter().enumerate() {
            self.spend(1)?;
            if !atom.is('{') || self.is_ignored(text, index)? {
                continue;
            }
            if let Some(close) = self.find_close(text, index)? {
                return Ok(Some((index, close)));
            }
        }
        Ok(None)
    }

    /// Bash takes `{}` for itself at the beginning of a text or after a blank.
    fn is_ignored(&mut self, text: &[Atom<'_>], index: usize) -> Result<bool, Unclear> {
        let next = index.checked_add(1).and_then(|next| text.get(next));
        let empty = next.is_none_or(|next| next.is('}'));
        let before = index.checked_sub(1).and_then(|before| text.get(before));
        match before {
            None => Ok(empty),
            Some(Atom::Part(part)) if empty && ends_blank(part) => Err(Unclear),
            Some(_) => Ok(false),
        }
    }

    /// The place of the brace that closes the one at `open`, if they expand.
    fn find_close(&mut self, text: &[Atom<'_>], open: usize) -> Result<Option<usize>, Unclear> {
        let mut level = 0_usize;
        let mut separated = false;
        for (index, atom) in text.iter().enumerate().skip(open.saturating_add(1)) {
            self.spend(1)?;
            let Atom::Char(character, _) = atom else { continue };
            match character {
                '}' if level == 0 && separated => return Ok(Some(index)),
                '{' => level = level.saturating_add(1),
                '}' => level = level.saturating_sub(1),
                ',' if level == 0 => separated = true,
                '.' if level == 0 && is_range(text, index) => separated = true,
                _ => {}
            }
        }
        Ok(None)
    }

    /// The words that a text becomes.
    fn words<'p>(&mut self, text: &[Atom<'p>], depth: usize) -> Result<Words<'p>, Unclear> {
        if depth > MAX_DEPTH {
            return Err(Unclear);
        }
        let mut words: Words<'p> = vec![Vec::new()];
        let mut rest = text;
        while let Some((open, close)) = self.find_group(rest)? {
            let before = rest.get(..open).unwrap_or_default();
            let inner = rest.get(open.saturating_add(1)..close).unwrap_or_default();
            let whole = rest.get(open..=close).unwrap_or_default();
            let alternatives = self.alternatives(inner, whole, depth)?;
            self.append(&mut words, before)?;
            words = self.product(&words, &alternatives)?;
            rest = rest.get(close.saturating_add(1)..).unwrap_or_default();
        }
        self.append(&mut words, rest)?;
        Ok(words)
    }

    /// What stands between braces, one by one.
    fn alternatives<'p>(
        &mut self,
        inner: &[Atom<'p>],
        whole: &[Atom<'p>],
        depth: usize,
    ) -> Result<Words<'p>, Unclear> {
        if inner.iter().any(|atom| atom.is(',')) {
            let mut all = Vec::new();
            for piece in split(inner) {
                all.extend(self.words(piece, depth.saturating_add(1))?);
                if all.len() > MAX_ITEMS {
                    return Err(Unclear);
                }
            }
            return Ok(all);
        }
        let mut text = String::new();
        let mut span = Span::default();
        for atom in inner {
            match atom {
                Atom::Char(character, place) => {
                    text.push(*character);
                    span = *place;
                }
                // Even a quoted comma makes bash drop the braces.
                Atom::Part(part) if may_hold_comma(part) => return Err(Unclear),
                Atom::Part(_) => return Ok(vec![whole.to_vec()]),
            }
        }
        match sequence(&text) {
            Sequence::Not => Ok(vec![whole.to_vec()]),
            Sequence::Unclear => Err(Unclear),
            Sequence::Items(items) => {
                self.spend(items.len())?;
                let item = |text: &String| text.chars().map(|c| Atom::Char(c, span)).collect();
                Ok(items.iter().map(item).collect())
            }
        }
    }

    fn append<'p>(&mut self, words: &mut Words<'p>, text: &[Atom<'p>]) -> Result<(), Unclear> {
        for word in words {
            self.spend(text.len())?;
            word.extend_from_slice(text);
        }
        Ok(())
    }

    fn product<'p>(&mut self, left: &Words<'p>, right: &Words<'p>) -> Result<Words<'p>, Unclear> {
        if left.len().saturating_mul(right.len()) > MAX_ITEMS {
            return Err(Unclear);
        }
        let mut all = Vec::new();
        for first in left {
            for second in right {
                self.spend(first.len().saturating_add(second.len()))?;
                let mut word = first.clone();
                word.extend_from_slice(second);
                all.push(word);
            }
        }
        Ok(all)
    }

    /// Makes parts of atoms again, as far as the budget reaches.
    fn write_out(&mut self, words: &Words<'_>) -> Result<Vec<Vec<Part>>, Unclear> {
        for atom in words.iter().flatten() {
            self.budget.bytes = self.budget.bytes.checked_sub(size(atom)).ok_or(Unclear)?;
        }
        Ok(words.iter().map(|word| write_out(word)).collect())
    }
}

/// Whether `..` stands here and is not followed by the closing brace.
fn is_range(text: &[Atom<'_>], index: usize) -> bool {
    let at = |offset| text.get(index.saturating_add(offset));
    at(1).is_some_and(|atom| atom.is('.')) && !at(2).is_some_and(|atom| atom.is('}'))
}

/// The pieces between the commas that no inner braces enclose.
fn split<'a, 'p>(text: &'a [Atom<'p>]) -> Vec<&'a [Atom<'p>]> {
    let mut level = 0_usize;
    text.split(|atom| {
        match atom {
            Atom::Char('{', _) => level = level.saturating_add(1),
            Atom::Char('}', _) => level = level.saturating_sub(1),
            _ => {}
        }
        level == 0 && atom.is(',')
    })
    .collect()
}

#[cfg(test)]
#[path = "brace_tests.rs"]
mod tests;
