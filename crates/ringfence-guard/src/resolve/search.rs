//! Searches, and shapes of paths: where they lead to.

use ringfence_core::access::{Extent, FileOp};
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow};
use ringfence_core::pattern::expand_braces;

use super::Resolver;
use super::arguments::{Found, Part};

impl Resolver<'_> {
    /// Looks through directories: all of them, or only where the shapes lead to.
    pub(super) fn search(&mut self, paths: &[&Found<'_>], globs: &[&str], whole: Whole) {
        let mut starts = self.starts_of(globs);
        if starts.is_empty() || whole == Whole::Yes {
            starts.push(".".to_owned());
        }
        self.at_each(paths, &starts, |resolver, start| {
            resolver.file(FileOp::Read, Extent::Search, start, Follow::Final);
        });
    }

    /// Does something to whatever the shapes match.
    pub(super) fn shapes(&mut self, paths: &[&Found<'_>], globs: &[&str], ops: &[FileOp]) {
        let starts = self.starts_of(globs);
        let reads = matches!(ops, [FileOp::Read]);
        self.at_each(paths, &starts, |resolver, start| match reads {
            true => resolver.file(FileOp::Read, Extent::Search, start, Follow::Final),
            false => {
                resolver.whole(ops, start, Follow::Final);
            }
        });
    }

    fn starts_of(&mut self, globs: &[&str]) -> Vec<String> {
        let mut starts: Vec<String> = Vec::new();
        for glob in globs {
            match glob_starts(glob) {
                Ok(own) => starts.extend(own),
                Err(reason) => self.doubt(reason),
            }
        }
        starts.sort();
        starts.dedup();
        starts
    }

    /// Goes to each directory in turn, and from there to each start.
    fn at_each(
        &mut self,
        paths: &[&Found<'_>],
        starts: &[String],
        mut deed: impl FnMut(&mut Self, &str),
    ) {
        let mut bases: Vec<&str> = paths.iter().map(|found| &*found.text).collect();
        // What is searched is named by a path; `target` and the like may say anything.
        if !paths.iter().any(|found| matches!(found.part, Part::Path | Part::Loose)) {
            bases.push(".");
        }
        for base in bases {
            let path = match self.resolve(base, Follow::Final) {
                Ok(path) => path,
                Err(reason) => {
                    self.doubt(reason);
                    continue;
                }
            };
            for start in starts {
                for directory in seen_from(&path, start) {
                    let here = std::mem::replace(&mut self.cwd, directory);
                    deed(self, start);
                    self.cwd = here;
                }
            }
        }
    }
}

/// From where a shape is seen that stands beside a path: from there, or from where a file lies.
fn seen_from(path: &FilePath, start: &str) -> Vec<AbsPath> {
    let own = || path.real.clone();
    match path.kind {
        _ if start == "." => vec![own()],
        Some(EntryKind::Dir) => vec![own()],
        Some(_) => path.real.parent().into_iter().collect(),
        None if !start.contains("..") => vec![own()],
        None => path.real.parent().into_iter().chain([own()]).collect(),
    }
}

/// Whether a search looks through the whole directory, whatever shapes it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Yes,
    No,
}

/// Where the files lie that a shape can match: its fixed part, and as far up as it climbs.
pub(super) fn glob_starts(glob: &str) -> Result<Vec<String>, String> {
    let shapes = expand_braces(glob).map_err(|error| error.to_string())?;
    Ok(shapes.iter().map(|shape| glob_start(shape)).collect())
}

/// Whether a shape can match anything outside the directory it is seen from.
pub(super) fn leads_out(glob: &str) -> bool {
    let out = |start: &String| {
        start.starts_with(['/', '~', '$']) || start.split('/').any(|name| name == "..")
    };
    glob_starts(glob).is_ok_and(|starts| starts.iter().any(out))
}

fn glob_start(shape: &str) -> String {
    let mut names = shape.split(['/', '\\']);
    let fixed: Vec<&str> =
        names.by_ref().take_while(|name| !name.contains(['*', '?', '['])).collect();
    // What a wildcard stands for is not known, so each step up may lead out of the fixed part.
    let climbs = names.filter(|name| *name == "..").count();
    let mut start = fixed.join("/");
    if fixed.len() == 1 && shape.starts_with(['/', '\\']) {
        start.push('/');
    }
    if start.is_empty() {
        start.push('.');
    }
    for _ in 0..climbs {
        start.push_str("/..");
    }
    start
}
