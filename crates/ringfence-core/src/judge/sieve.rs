//! Leaving out rules that cannot matter, for doors that judge one call and end.
//!
//! Most of what such a door does would be to read and compile built-in rules on files that have
//! nothing to do with the one that was asked for. A sieve looks at the text of a pattern and at
//! the host, and passes on whatever could match. It must never hold back a rule that the compiled
//! policy would have matched: where the text says anything unusual, the rule passes.

use smallvec::SmallVec;

use super::compile::{Compiler, Policy};
use super::entry::{Side, has_right};
use super::expand::Expander;
use super::problem::Problem;
use crate::access::{Access, Extent, FileAccess, What};
use crate::class::Class;
use crate::context::Context;
use crate::document::Document;
use crate::host::Host;
use crate::path::AbsPath;
use crate::pattern::Rights;
use crate::rule::Rule;

/// Tells which objections could meet a few accesses, and compiles a policy for just these.
pub struct Sieve<'a> {
    files: Vec<FileAccess>,
    /// Not only single files are asked for, or they are not compared by their text.
    is_open: bool,
    expander: Expander<'a>,
    context: &'a Context,
    host: &'a dyn Host,
}

/// A path pattern whose text says nothing unusual.
struct Sketch<'t> {
    base: AbsPath,
    names: SmallVec<[&'t str; 8]>,
    /// From the first wildcard on.
    rest: SmallVec<[&'t str; 8]>,
}

impl<'a> Sieve<'a> {
    /// A sieve for these accesses.
    pub fn new(accesses: &[Access], context: &'a Context, host: &'a dyn Host) -> Sieve<'a> {
        let files = accesses.iter().filter_map(|access| match &access.what {
            What::File(file) => Some(file.clone()),
            _ => None,
        });
        let files: Vec<FileAccess> = files.collect();
        let is_open = host.path_rules().case_insensitive
            || files.iter().any(|file| file.extent != Extent::One);
        Sieve { files, is_open, expander: Expander::new(context, host), context, host }
    }

    /// Whether a deny or danger rule with this pattern, which parses, could match.
    pub fn passes(&mut self, pattern: &str) -> bool {
        if self.is_open {
            return true;
        }
        let Some((letters, path)) =
            pattern.strip_prefix("fs:").and_then(|rest| rest.split_once(':'))
        else {
            return true;
        };
        let Some(rights) = Rights::from_letters(letters) else { return true };
        let files = self.files.iter().filter(|file| has_right(rights, file.op, Side::Object));
        if files.clone().next().is_none() {
            return false;
        }
        let Some(sketch) = Sketch::read(path, &self.context.home) else { return true };
        let paths: SmallVec<[&AbsPath; 4]> = files
            .flat_map(|file| file.path.spellings())
            .filter(|path| sketch.may_end_like(path))
            .collect();
        if paths.is_empty() {
            return false;
        }
        if paths.iter().any(|path| sketch.starts(path)) {
            return true;
        }
        // Links may lead from where the pattern starts to where a path lies.
        let real = self.expander.real_place(&sketch.base, &sketch.names, Side::Object);
        real.is_some_and(|real| paths.iter().any(|path| path.starts_with(&real)))
    }

    /// Compiles the documents and dangers that passed.
    ///
    /// A file access that the sieve was not made for is denied.
    pub fn compile(
        self,
        classes: &[Class],
        documents: Vec<Document>,
        dangers: Vec<Rule>,
    ) -> Result<Policy, Vec<Problem>> {
        let mut compiler = Compiler::new(classes, self.context, self.host);
        compiler.expander = self.expander;
        let mut policy = compiler.compile(documents, dangers)?;
        policy.files = (!self.is_open).then_some(self.files);
        Ok(policy)
    }
}

impl<'t> Sketch<'t> {
    /// Reads the text of a pattern that starts at the root or at home and has no notation in it
    /// but stars.
    fn read(text: &'t str, home: &AbsPath) -> Option<Sketch<'t>> {
        let unusual = |byte: u8| matches!(byte, b'{' | b'}' | b'[' | b'\\' | b'?' | b'$' | 0);
        if text.bytes().any(unusual) || text.ends_with('/') {
            return None;
        }
        let (base, path) = match text.split_once('/')? {
            ("", below) => (AbsPath::root(), below),
            ("~", below) => (home.clone(), below),
            ("**", _) => (AbsPath::root(), text),
            _ => return None,
        };
        let mut sketch = Sketch { base, names: SmallVec::new(), rest: SmallVec::new() };
        for part in path.split('/') {
            match part {
                "" | "." | ".." => return None,
                name if sketch.rest.is_empty() && !name.contains('*') => sketch.names.push(name),
                part => sketch.rest.push(part),
            }
        }
        Some(sketch)
    }

    /// Whether the path may have what the pattern wants behind its first wildcard.
    fn may_end_like(&self, path: &AbsPath) -> bool {
        let has = |part: &&str| part.contains('*') || path.components().any(|name| name == *part);
        let ends = match self.rest.last().map(|last| last.split_once('*')) {
            None | Some(None) => true,
            Some(Some((start, end))) => {
                let name = path.file_name().strip_prefix(start);
                end.contains('*') || name.is_some_and(|name| name.ends_with(end))
            }
        };
        ends && self.rest.iter().all(has)
    }

    /// Whether the path lies where the pattern starts, by its text.
    fn starts(&self, path: &AbsPath) -> bool {
        let base = if self.base.is_root() { "" } else { self.base.as_str() };
        let start = path.as_str().strip_prefix(base);
        let below =
            self.names.iter().fold(start, |at, name| at?.strip_prefix('/')?.strip_prefix(name));
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
