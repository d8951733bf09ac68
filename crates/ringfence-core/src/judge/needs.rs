//! What a rule needs of a call to meet it, told once when a list is compiled in.
//!
//! A door that judges one call and ends would look at the text of every built-in rule to find the few
//! that can matter. Each rule is given the names it needs as bits beforehand, and most are passed over
//! by these alone. Bits say only that a rule cannot matter, never that it does.

use smallvec::SmallVec;

use super::by_name::names_in;
use super::entry::{Side, has_right};
use super::foreseen::Foreseen;
use super::places::Stand;
use super::wording::Named;
use crate::access::{FileOp, Text};
use crate::class::Class;
use crate::pattern::Rights;
use crate::text::{cut, parts};

/// What a rule needs, as bits; none where that cannot be told, so that it has to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs(pub u64);

impl Needs {
    /// What a rule with this pattern needs: for commands, one of the names of the program; for files,
    /// all of the names on the way, as far as no link can stand in for them.
    pub fn of(pattern: &str, stand: Stand) -> Needs {
        let Some((class, rest)) = cut(pattern, b':') else { return Needs(0) };
        // The place of a variable is an error where it is not set, so that it is always looked at.
        if cut(rest, b'$').is_some() {
            return Needs(0);
        }
        Needs(match (class, cut(rest, b':')) {
            ("cmd", _) => of_command(rest, stand),
            ("fs", Some((_, path))) => of_path(path, stand),
            _ => 0,
        })
    }
}

/// The names that a program may have to match, as bits.
fn of_command(text: &str, stand: Stand) -> u64 {
    let names = names_in(text);
    if !names.is_empty() || !stand.is_mild() {
        return bits(names.into_iter());
    }
    // Whoever grants a program by its path grants what has that name there.
    let program = cut(text, b':').map_or(text, |(program, _)| program);
    let name = program.rfind('/').and_then(|at| program.get(at.saturating_add(1)..));
    bits(name.map(names_in).unwrap_or_default().into_iter())
}

/// The names that a path must have to match, as bits.
fn of_path(path: &str, stand: Stand) -> u64 {
    let is_unusual = |part: &str| {
        part == ".." || part.bytes().any(|byte| matches!(byte, b'{' | b'}' | b'[' | b'\\' | b'?'))
    };
    if parts(path, b'/').any(is_unusual) {
        return 0;
    }
    let has_star = |part: &&str| cut(part, b'*').is_some();
    let is_place = |part: &&str| part.starts_with(['@', '~']);
    // Before the first star, a link may lead to where another name lies. A rule that only makes a
    // verdict milder may be left out for that.
    let before = parts(path, b'/').take_while(|part| !stand.is_mild() && !has_star(part)).count();
    let first = parts(path, b'/').next().filter(is_place);
    let skipped = before.max(usize::from(first.is_some()));
    let is_name = |part: &&str| !matches!(*part, "" | ".") && !has_star(part);
    bits(parts(path, b'/').skip(skipped).filter(is_name))
}

/// What a call offers to rules.
#[derive(Debug)]
pub(super) struct Offers {
    /// The names of its programs, each once, and the same as bits.
    names: SmallVec<[Text; 4]>,
    programs: u64,
    /// The names in its paths as bits.
    files: u64,
    /// What it does to files, each once.
    ops: SmallVec<[FileOp; 3]>,
}

impl Offers {
    /// What is foreseen of a call; `is_open` where files are not told apart by their names.
    pub(super) fn of(foreseen: &Foreseen, is_open: bool) -> Offers {
        let files = foreseen.files().iter().flat_map(|file| file.path.spellings());
        let files = files.flat_map(|path| path.components());
        let files = if is_open { u64::MAX } else { bits(files) };
        let (mut names, mut ops) = (SmallVec::<[Text; 4]>::new(), SmallVec::new());
        for name in foreseen.program_names() {
            if !names.iter().any(|own| own == name) {
                names.push(name.into());
            }
        }
        for file in foreseen.files() {
            if !ops.contains(&file.op) {
                ops.push(file.op);
            }
        }
        Offers { programs: bits(names.iter().map(Text::as_str)), names, files, ops }
    }

    /// Whether any file is used as these rights have it.
    pub(super) fn has_right(&self, rights: Rights, side: Side) -> bool {
        self.ops.iter().any(|op| has_right(rights, *op, side))
    }

    /// Whether a command pattern of this text could be for one of the programs.
    pub(super) fn may_name(&self, text: &str) -> bool {
        let named = Named::read(text);
        self.names.iter().any(|own| named.may_be(own))
    }

    /// Whether a rule with these needs could meet the call.
    pub(super) fn may_meet(&self, class: Class, needs: Needs) -> bool {
        match class {
            Class::Exec => needs.0 == 0 || needs.0 & self.programs != 0,
            Class::Files => needs.0 & !self.files == 0,
            _ => true,
        }
    }
}

/// One bit for each name; different names may have the same.
fn bits<'n>(names: impl Iterator<Item = &'n str>) -> u64 {
    names.fold(0, |bits, name| bits | 1u64.wrapping_shl(hash(name) >> 26))
}

/// FNV-1a; the highest bits depend on all of the name.
fn hash(name: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    name.bytes().fold(0x811c_9dc5, mix)
}

#[cfg(test)]
#[path = "needs_tests.rs"]
mod tests;
