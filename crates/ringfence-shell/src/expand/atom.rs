//! Words as brace expansion sees them: characters, and parts that it does not look into.

use crate::ast::{Param, Part, PartKind, SubstitutionForm};
use crate::span::Span;

/// A character that is not quoted, or a part that braces do not look into.
#[derive(Clone, Copy)]
pub(super) enum Atom<'p> {
    Char(char, Span),
    Part(&'p Part),
}

impl Atom<'_> {
    pub(super) fn is(self, wanted: char) -> bool {
        matches!(self, Atom::Char(character, _) if character == wanted)
    }
}

/// The atoms of a word.
pub(super) fn atoms(parts: &[Part]) -> Vec<Atom<'_>> {
    let mut atoms = Vec::new();
    for part in parts {
        match &part.kind {
            PartKind::Literal(text) if !part.quoted => {
                atoms.extend(text.chars().map(|character| Atom::Char(character, part.span)));
            }
            _ => atoms.push(Atom::Part(part)),
        }
    }
    atoms
}

/// Whether bash surely steps over the part as a whole when it looks for braces.
pub(super) fn is_opaque(part: &Part) -> bool {
    match &part.kind {
        // A dollar may come to stand before what it expands.
        PartKind::Literal(text) => part.quoted || !text.contains('$'),
        PartKind::Process(_) | PartKind::Bytes(_) => true,
        PartKind::Command(command) => command.form == SubstitutionForm::Dollar || !part.quoted,
        PartKind::Param(param) => {
            param.subscript.is_none()
                && param.op.as_ref().is_none_or(|op| op.word.parts.iter().all(is_plain))
        }
        _ => false,
    }
}

fn is_plain(part: &Part) -> bool {
    match &part.kind {
        PartKind::Literal(text) => !part.quoted && !text.contains(['{', '}']),
        _ => false,
    }
}

/// Whether a comma may stand in the text of the part.
pub(super) fn may_hold_comma(part: &Part) -> bool {
    match &part.kind {
        PartKind::Literal(text) => text.contains(','),
        PartKind::Param(param) => param.op.is_some() || param.subscript.is_some(),
        _ => true,
    }
}

/// Whether the text of the part ends with a blank.
pub(super) fn ends_blank(part: &Part) -> bool {
    match &part.kind {
        PartKind::Literal(text) => text.ends_with([' ', '\t', '\n']),
        _ => false,
    }
}

/// How many bytes the atom adds to a word that is written out.
pub(super) fn size(atom: &Atom<'_>) -> usize {
    match atom {
        Atom::Char(..) => 1,
        Atom::Part(part) => part.span.end.saturating_sub(part.span.start),
    }
}

/// Makes parts of atoms again.
pub(super) fn write_out(word: &[Atom<'_>]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for atom in word {
        match atom {
            Atom::Part(part) => parts.push((*part).clone()),
            Atom::Char(character, span) => push_char(&mut parts, *character, *span),
        }
    }
    parts
}

fn push_char(parts: &mut Vec<Part>, character: char, span: Span) {
    match parts.last_mut() {
        Some(Part { quoted: false, kind: PartKind::Literal(text), .. }) => {
            text.push(character);
            return;
        }
        // `$x{1,2}` is `$x1 $x2`.
        Some(Part { quoted: false, kind: PartKind::Param(param), .. })
            if goes_on(param, character) =>
        {
            param.name.push(character);
            return;
        }
        _ => {}
    }
    parts.push(Part { span, quoted: false, kind: PartKind::Literal(character.to_string()) });
}

/// Whether the character belongs to the name of the parameter before it.
fn goes_on(param: &Param, character: char) -> bool {
    let name = param.name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    !param.braced && name && (character.is_ascii_alphanumeric() || character == '_')
}
