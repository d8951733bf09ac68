//! Resolves searches and globs to the directories they read.

use ringfence_core::access::{Extent, FileOp};
use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow};
use ringfence_core::pattern::expand_braces;

use super::Resolver;
use super::arguments::{ArgumentRole, FoundArgument};

impl Resolver<'_> {
    /// Adds a search of directories: the whole ones, or only where the globs lead.
    pub(super) fn search(
        &mut self,
        paths: &[&FoundArgument<'_>],
        globs: &[&str],
        whole: WholeDirectory,
    ) {
        let mut starts = self.starts_of(globs);
        if starts.is_empty() || whole == WholeDirectory::Yes {
            starts.push(".".to_owned());
        }
        self.at_each(paths, &starts, |resolver, start| {
            resolver.file(FileOp::Read, Extent::Search, start, Follow::Final);
        });
    }

    /// Adds operations on everything that the globs match.
    pub(super) fn shapes(&mut self, paths: &[&FoundArgument<'_>], globs: &[&str], ops: &[FileOp]) {
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

    /// Calls `deed` for every path at which a search starts, in each directory that is searched.
    fn at_each(
        &mut self,
        paths: &[&FoundArgument<'_>],
        starts: &[String],
        mut deed: impl FnMut(&mut Self, &str),
    ) {
        let mut bases: Vec<&str> = paths.iter().map(|found| &*found.text).collect();
        // `path` names the directory to search; other keys may mean something else.
        if !paths.iter().any(|found| matches!(found.part, ArgumentRole::Path | ArgumentRole::Loose))
        {
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

/// Returns the directories that a glob next to a path may start from: the path itself, or the
/// file's directory.
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

/// Whether a search reads the whole directory, despite its globs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WholeDirectory {
    Yes,
    No,
}

/// Returns the directories in which a glob's matches lie: its literal prefix, plus one `..` for
/// each later `..`.
pub(super) fn glob_starts(glob: &str) -> Result<Vec<String>, String> {
    let shapes = expand_braces(glob).map_err(|error| error.to_string())?;
    Ok(shapes.iter().map(|shape| glob_start(shape)).collect())
}

/// Returns whether a glob can match outside the current directory.
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
    // A wildcard may stand for one directory, so each later `..` may leave the literal prefix.
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
