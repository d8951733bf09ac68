//! Tools that read, write, list and search files.

use ringfence_core::access::{Extent, FileOp};
use ringfence_core::path::{EntryKind, Follow};
use serde_json::Value;

use super::arguments::{Found, Part, find, patches_in};
use super::patch::{Fate, Touched, touched};
use super::search::Whole;
use super::tool_name::{FileDoing, words};
use super::{Resolver, extent_of};

impl Resolver<'_> {
    pub(super) fn file_tool(&mut self, doing: FileDoing, input: &Value) {
        let doing = told_by(doing, input);
        let found = find(input, free_keys(doing, input));
        let found = found.and_then(|mut own| self.see_from_beside(&mut own).map(|()| own));
        let mut found = match found {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        if self.applies_patches() {
            let mut patches = Vec::new();
            patches_in(input, &mut patches);
            patches.retain(|text| !found.iter().any(|own| own.text == *text));
            let of = |text: &str| Found {
                part: Part::Patch,
                text: text.to_owned().into(),
                is_place: false,
            };
            found.extend(patches.into_iter().map(of));
        }
        self.hosts(&found);
        self.option_values(&found);
        self.patches(&found);
        let patched = found.iter().any(|found| found.part == Part::Patch);
        let paths: Vec<&Found<'_>> = found.iter().filter(|found| found.is_path()).collect();
        let globs = found.iter().filter(|found| found.part == Part::Glob);
        let globs: Vec<&str> = globs.map(|glob| &*glob.text).collect();
        match doing {
            FileDoing::Search | FileDoing::Grep => return self.search(&paths, &globs, Whole::Yes),
            FileDoing::Glob => return self.search(&paths, &globs, Whole::No),
            _ => {}
        }
        // Tools that work on many files at once are given shapes instead of paths, or beside them.
        if !globs.is_empty() {
            self.shapes(&paths, &globs, ops_of(doing));
        }
        match doing {
            _ if paths.is_empty() && (patched || !globs.is_empty()) => {}
            _ if paths.is_empty() => self.doubt("it names no path"),
            FileDoing::Read | FileDoing::List => self.each(&paths, &[FileOp::Read]),
            FileDoing::Write => self.each(&paths, &[FileOp::Write]),
            FileDoing::Edit => self.each(&paths, &[FileOp::Read, FileOp::Write]),
            FileDoing::Delete => self.delete_each(&paths),
            FileDoing::Move => self.transfer(&paths, &[FileOp::Read, FileOp::Delete]),
            FileDoing::Copy => self.transfer(&paths, &[FileOp::Read]),
            FileDoing::SymbolicLink | FileDoing::HardLink => self.link(doing, &paths),
            FileDoing::Search | FileDoing::Grep | FileDoing::Glob => {}
        }
    }

    /// Whether the tool is one that is given patches, whatever it calls them.
    fn applies_patches(&self) -> bool {
        let name = self.scope.tool.as_ref().map(|tool| words(&tool.wire)).unwrap_or_default();
        name.iter().any(|word| matches!(word.as_str(), "patch" | "diff" | "apply"))
    }

    /// The hosts among the arguments.
    pub(super) fn hosts(&mut self, found: &[Found<'_>]) {
        for own in found {
            match own.part {
                Part::Url => self.url(&own.text),
                Part::Host => self.address(&own.text),
                _ => {}
            }
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
            match touched(&patch.text) {
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
                self.file(*op, Extent::One, &found.text, Follow::Final);
            }
        }
    }

    pub(super) fn delete_each(&mut self, paths: &[&Found<'_>]) {
        for found in paths {
            self.whole(&[FileOp::Delete], &found.text, Follow::Parent);
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
        for start in &starts {
            if let Some(own) = self.whole(source_ops, &start.text, Follow::Parent) {
                extent = own;
            }
            if source_ops.contains(&FileOp::Read) {
                // What a link at the end leads to is read as well.
                self.file(FileOp::Read, Extent::One, &start.text, Follow::Final);
            }
        }
        for end in ends {
            self.file(FileOp::Write, extent, &end.text, Follow::Final);
            self.put_into(end, &starts, extent);
        }
    }

    /// What is put into a directory has its own name there.
    fn put_into(&mut self, end: &Found<'_>, starts: &[&Found<'_>], extent: Extent) {
        let Ok(directory) = self.resolve(&end.text, Follow::Final) else { return };
        if directory.kind != Some(EntryKind::Dir) {
            return;
        }
        for start in starts {
            let name = start.text.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next();
            if let Some(name) = name.filter(|name| !matches!(*name, "" | "." | "..")) {
                let path = format!("{}/{name}", directory.real);
                self.file(FileOp::Write, extent, &path, Follow::Final);
            }
        }
    }

    /// Operations on a path and all that lies below it; gives how far they reach.
    pub(super) fn whole(&mut self, ops: &[FileOp], text: &str, follow: Follow) -> Option<Extent> {
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
        self.file(FileOp::Write, Extent::Unknown, &name.text, Follow::Parent);
        let seen_from = self.cwd.clone();
        if doing == FileDoing::SymbolicLink {
            // A symbolic link is read from where it stands.
            match self.resolve(&name.text, Follow::Parent).map(|path| path.real.parent()) {
                Ok(Some(directory)) => self.cwd = directory,
                Ok(None) => {}
                Err(reason) => self.doubt(reason),
            }
        }
        for op in [FileOp::Read, FileOp::Write] {
            self.file(op, Extent::Unknown, &target.text, Follow::Final);
        }
        self.cwd = seen_from;
        let rest = paths.iter().filter(|found| ![name, target].contains(found)).copied();
        let rest: Vec<&Found<'_>> = rest.collect();
        self.each(&rest, &[FileOp::Read, FileOp::Write]);
    }

    pub(super) fn read_uri(&mut self, input: &Value) {
        let uri = input.get("uri").and_then(Value::as_str);
        let found = match find(input, &[]) {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        match uri {
            Some(uri) => self.url(uri),
            None => self.doubt("it names no URI"),
        }
        let beside: Vec<Found<'_>> =
            found.into_iter().filter(|own| Some(&*own.text) != uri).collect();
        self.hosts(&beside);
        let paths: Vec<&Found<'_>> = beside.iter().filter(|own| own.is_path()).collect();
        self.each(&paths, &[FileOp::Read]);
    }
}

/// What a tool does by what it is told beside its name.
fn told_by(doing: FileDoing, input: &Value) -> FileDoing {
    /// Editors of this kind say by a word of their own what they do; only looking is milder, and only
    /// where nothing is told that could be put into the file.
    const LOOKING: [&str; 4] = ["command", "path", "file_path", "view_range"];
    let of = |key: &str| input.get(key).and_then(Value::as_str);
    let looks = of("command") == Some("view")
        && input
            .as_object()
            .is_some_and(|own| own.keys().all(|key| LOOKING.contains(&key.as_str())));
    // As C and Python open files.
    let is_mode = |mode: &&str| mode.len() <= 3 && mode.chars().all(|c| "rwaxbt+".contains(c));
    let changes =
        of("mode").filter(is_mode).is_some_and(|mode| mode.contains(['w', 'a', 'x', '+']));
    match doing {
        FileDoing::Edit if looks => FileDoing::Read,
        FileDoing::Read if changes => FileDoing::Edit,
        doing => doing,
    }
}

/// What is done to each file of a shape.
fn ops_of(doing: FileDoing) -> &'static [FileOp] {
    match doing {
        FileDoing::Read | FileDoing::List => &[FileOp::Read],
        FileDoing::Search | FileDoing::Grep | FileDoing::Glob => &[FileOp::Read],
        FileDoing::Write => &[FileOp::Write],
        FileDoing::Delete => &[FileOp::Delete],
        FileDoing::Move => &[FileOp::Read, FileOp::Delete, FileOp::Write],
        FileDoing::Edit | FileDoing::Copy => &[FileOp::Read, FileOp::Write],
        FileDoing::SymbolicLink | FileDoing::HardLink => &[FileOp::Read, FileOp::Write],
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
