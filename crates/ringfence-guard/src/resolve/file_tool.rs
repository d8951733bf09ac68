//! Tools that read, write, list and search files.

use ringfence_core::access::{Extent, FileOp};
use ringfence_core::path::Follow;
use ringfence_core::pattern::expand_braces;
use serde_json::Value;

use super::arguments::{Found, Part, find};
use super::patch::{Fate, Touched, touched};
use super::tool_name::FileDoing;
use super::{Resolver, extent_of};

impl Resolver<'_> {
    pub(super) fn file_tool(&mut self, doing: FileDoing, input: &Value) {
        // Editors of this kind say by a word of their own what they do; only looking is milder.
        let looks = input.get("command").and_then(Value::as_str) == Some("view");
        let doing = if looks && doing == FileDoing::Edit { FileDoing::Read } else { doing };
        let found = match find(input, free_keys(doing, input)) {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        for url in found.iter().filter(|found| found.part == Part::Url) {
            self.url(url.text);
        }
        self.option_values(&found);
        self.patches(&found);
        let patched = found.iter().any(|found| found.part == Part::Patch);
        let paths: Vec<&Found<'_>> = found.iter().filter(|found| found.is_path()).collect();
        let globs = found.iter().filter(|found| found.part == Part::Glob);
        let shaped = globs.clone().next().is_some();
        match doing {
            FileDoing::Search | FileDoing::Grep => {
                self.search(&paths, globs.map(|glob| glob.text), Whole::Yes);
            }
            FileDoing::Glob => self.search(&paths, globs.map(|glob| glob.text), Whole::No),
            // Tools that read many files at once are given shapes instead of paths.
            FileDoing::Read | FileDoing::List if shaped => {
                self.search(&paths, globs.map(|glob| glob.text), Whole::No);
            }
            _ if paths.is_empty() && patched => {}
            _ if paths.is_empty() => self.doubt("it names no path"),
            FileDoing::Read | FileDoing::List => self.each(&paths, &[FileOp::Read]),
            FileDoing::Write => self.each(&paths, &[FileOp::Write]),
            FileDoing::Edit => self.each(&paths, &[FileOp::Read, FileOp::Write]),
            FileDoing::Delete => self.delete_each(&paths),
            FileDoing::Move => self.transfer(&paths, &[FileOp::Read, FileOp::Delete]),
            FileDoing::Copy => self.transfer(&paths, &[FileOp::Read]),
            FileDoing::SymbolicLink | FileDoing::HardLink => self.link(doing, &paths),
        }
    }

    /// A path inside an option may be read or written: only the tool knows.
    pub(super) fn option_values(&mut self, found: &[Found<'_>]) {
        let values = found.iter().filter(|found| found.part == Part::OptionValue);
        let values: Vec<&Found<'_>> = values.collect();
        self.each(&values, &[FileOp::Read, FileOp::Write]);
    }

    /// Every file that the patches among the arguments touch.
    pub(super) fn patches(&mut self, found: &[Found<'_>]) {
        for patch in found.iter().filter(|found| found.part == Part::Patch) {
            match touched(patch.text) {
                Ok(files) => files.iter().for_each(|file| self.patched(file)),
                Err(reason) => self.doubt(reason),
            }
        }
    }

    fn patched(&mut self, file: &Touched<'_>) {
        let ops: &[FileOp] = match file.fate {
            Fate::Written => &[FileOp::Write],
            Fate::Changed => &[FileOp::Read, FileOp::Write],
            Fate::Removed => {
                self.whole(&[FileOp::Delete], file.path, Follow::Parent);
                return;
            }
        };
        for op in ops {
            self.file(*op, Extent::One, file.path, Follow::Final);
        }
    }

    pub(super) fn each(&mut self, paths: &[&Found<'_>], ops: &[FileOp]) {
        for found in paths {
            for op in ops {
                self.file(*op, Extent::One, found.text, Follow::Final);
            }
        }
    }

    pub(super) fn delete_each(&mut self, paths: &[&Found<'_>]) {
        for found in paths {
            self.whole(&[FileOp::Delete], found.text, Follow::Parent);
        }
    }

    /// Moves or copies: the last path goes where the others come from, unless keys say otherwise.
    pub(super) fn transfer(&mut self, paths: &[&Found<'_>], source_ops: &[FileOp]) {
        let is_end = |found: &&&Found<'_>| matches!(found.part, Part::Destination | Part::Target);
        let ends: Vec<&Found<'_>> = paths.iter().filter(is_end).copied().collect();
        let starts: Vec<&Found<'_>> = paths.iter().filter(|f| !is_end(f)).copied().collect();
        if ends.is_empty() || starts.is_empty() {
            self.doubt("it does not name both where from and where to");
        }
        let mut extent = Extent::One;
        for start in starts {
            if let Some(own) = self.whole(source_ops, start.text, Follow::Parent) {
                extent = own;
            }
            if source_ops.contains(&FileOp::Read) {
                // What a link at the end leads to is read as well.
                self.file(FileOp::Read, Extent::One, start.text, Follow::Final);
            }
        }
        for end in ends {
            self.file(FileOp::Write, extent, end.text, Follow::Final);
        }
    }

    /// Operations on a path and all that lies below it; gives how far they reach.
    fn whole(&mut self, ops: &[FileOp], text: &str, follow: Follow) -> Option<Extent> {
        match self.resolve(text, follow) {
            Ok(path) => {
                let extent = extent_of(&path);
                ops.iter().for_each(|op| self.file_at(*op, extent, path.clone()));
                Some(extent)
            }
            Err(reason) => {
                self.doubt(reason);
                None
            }
        }
    }

    /// Making a link is writing its name, and reading and writing what it leads to.
    fn link(&mut self, doing: FileDoing, paths: &[&Found<'_>]) {
        let of = |parts: &[Part]| paths.iter().find(|found| parts.contains(&found.part)).copied();
        let name = of(&[Part::LinkName, Part::Destination]).or_else(|| of(&[Part::Path]));
        let target = of(&[Part::Target, Part::Source])
            .or_else(|| of(&[Part::Path]).filter(|path| Some(*path) != name));
        let (Some(name), Some(target)) = (name, target) else {
            return self.doubt("it does not name both a link and what it leads to");
        };
        // What lies behind the link then lies below its name.
        self.file(FileOp::Write, Extent::Unknown, name.text, Follow::Parent);
        let seen_from = self.cwd.clone();
        if doing == FileDoing::SymbolicLink {
            // A symbolic link is read from where it stands.
            match self.resolve(name.text, Follow::Parent).map(|path| path.real.parent()) {
                Ok(Some(directory)) => self.cwd = directory,
                Ok(None) => {}
                Err(reason) => self.doubt(reason),
            }
        }
        for op in [FileOp::Read, FileOp::Write] {
            self.file(op, Extent::Unknown, target.text, Follow::Final);
        }
        self.cwd = seen_from;
        let rest = paths.iter().filter(|found| ![name, target].contains(found)).copied();
        let rest: Vec<&Found<'_>> = rest.collect();
        self.each(&rest, &[FileOp::Read, FileOp::Write]);
    }

    /// Looks through directories: all of them, or only where the shapes lead to.
    pub(super) fn search<'f>(
        &mut self,
        paths: &[&Found<'_>],
        globs: impl Iterator<Item = &'f str>,
        whole: Whole,
    ) {
        let mut bases: Vec<&str> = paths.iter().map(|found| found.text).collect();
        if bases.is_empty() {
            bases.push(".");
        }
        let mut starts: Vec<String> = Vec::new();
        for glob in globs {
            match glob_starts(glob) {
                Ok(own) => starts.extend(own),
                Err(reason) => self.doubt(reason),
            }
        }
        if starts.is_empty() || whole == Whole::Yes {
            starts.push(".".to_owned());
        }
        starts.sort();
        starts.dedup();
        for base in bases {
            match self.resolve(base, Follow::Final) {
                Ok(path) => {
                    let here = std::mem::replace(&mut self.cwd, path.real);
                    for start in &starts {
                        self.file(FileOp::Read, Extent::Search, start, Follow::Final);
                    }
                    self.cwd = here;
                }
                Err(reason) => self.doubt(reason),
            }
        }
    }

    pub(super) fn read_uri(&mut self, input: &Value) {
        match input.get("uri").and_then(Value::as_str) {
            Some(uri) => self.url(uri),
            None => self.doubt("it names no URI"),
        }
    }
}

/// Keys that hold text for a tool that would be paths for others.
fn free_keys(doing: FileDoing, input: &Value) -> &'static [&'static str] {
    match doing {
        FileDoing::Grep => &["pattern", "patterns", "regexp", "output_mode", "type"],
        // Beside a shape of names, `pattern` is what is searched for; alone, where.
        FileDoing::Search if input.get("include").is_some() || input.get("glob").is_some() => {
            &["pattern", "patterns", "output_mode", "type"]
        }
        FileDoing::Search => &["output_mode", "type"],
        FileDoing::Edit => {
            &["old", "new", "old_text", "new_text", "new_source", "code_edit", "before", "after"]
        }
        _ => &[],
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
