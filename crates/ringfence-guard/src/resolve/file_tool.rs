//! Resolves calls of tools that read, write, list and search files.

use ringfence_core::access::{Extent, FileOp};
use ringfence_core::path::{EntryKind, Follow};
use serde_json::Value;

use super::arguments::{ArgumentRole, FoundArgument, find, patches_in};
use super::patch::{PatchEffect, PatchedFile, patched_files};
use super::search::WholeDirectory;
use super::tool_name::{FileOperation, words};
use super::{Resolver, extent_of};

impl Resolver<'_> {
    pub(super) fn file_tool(&mut self, operation: FileOperation, input: &Value) {
        let operation = operation_of(operation, input);
        let found = find(input, free_keys(operation, input));
        let found = found.and_then(|mut own| self.add_relative_readings(&mut own).map(|()| own));
        let mut found = match found {
            Ok(found) => found,
            Err(error) => return self.doubt(error.0),
        };
        if self.applies_patches() {
            let mut patches = Vec::new();
            patches_in(input, &mut patches);
            patches.retain(|text| !found.iter().any(|own| own.text == *text));
            let of = |text: &str| FoundArgument {
                part: ArgumentRole::Patch,
                text: text.to_owned().into(),
                is_place: false,
            };
            found.extend(patches.into_iter().map(of));
        }
        self.hosts(&found);
        self.option_values(&found);
        self.patches(&found);
        let patched = found.iter().any(|found| found.part == ArgumentRole::Patch);
        let paths: Vec<&FoundArgument<'_>> = found.iter().filter(|found| found.is_path()).collect();
        let globs = found.iter().filter(|found| found.part == ArgumentRole::Glob);
        let globs: Vec<&str> = globs.map(|glob| &*glob.text).collect();
        match operation {
            FileOperation::Search | FileOperation::Grep => {
                return self.search(&paths, &globs, WholeDirectory::Yes);
            }
            FileOperation::Glob => return self.search(&paths, &globs, WholeDirectory::No),
            _ => {}
        }
        // Some tools take globs instead of paths, or in addition.
        if !globs.is_empty() {
            self.shapes(&paths, &globs, ops_of(operation));
        }
        match operation {
            _ if paths.is_empty() && (patched || !globs.is_empty()) => {}
            _ if paths.is_empty() => self.doubt("it names no path"),
            FileOperation::Read | FileOperation::List => self.each(&paths, &[FileOp::Read]),
            FileOperation::Write => self.each(&paths, &[FileOp::Write]),
            FileOperation::Edit => self.each(&paths, &[FileOp::Read, FileOp::Write]),
            FileOperation::Delete => self.delete_each(&paths),
            FileOperation::Move => self.transfer(&paths, &[FileOp::Read, FileOp::Delete]),
            FileOperation::Copy => self.transfer(&paths, &[FileOp::Read]),
            FileOperation::SymbolicLink | FileOperation::HardLink => self.link(operation, &paths),
            FileOperation::Search | FileOperation::Grep | FileOperation::Glob => {}
        }
    }

    /// Returns whether the tool's name says that it applies patches.
    fn applies_patches(&self) -> bool {
        let name = self.scope.tool.as_ref().map(|tool| words(&tool.wire)).unwrap_or_default();
        name.iter().any(|word| matches!(word.as_str(), "patch" | "diff" | "apply"))
    }

    /// Adds the connections to hosts and URLs in the arguments.
    pub(super) fn hosts(&mut self, found: &[FoundArgument<'_>]) {
        for own in found {
            match own.part {
                ArgumentRole::Url => self.url(&own.text),
                ArgumentRole::Host => self.address(&own.text),
                _ => {}
            }
        }
    }

    /// Adds paths inside options as read and written, because only the tool knows which.
    pub(super) fn option_values(&mut self, found: &[FoundArgument<'_>]) {
        let values = found.iter().filter(|found| found.part == ArgumentRole::OptionValue);
        let values: Vec<&FoundArgument<'_>> = values.collect();
        self.each(&values, &[FileOp::Read, FileOp::Write]);
    }

    /// Adds every file that a patch in the arguments changes.
    pub(super) fn patches(&mut self, found: &[FoundArgument<'_>]) {
        for patch in found.iter().filter(|found| found.part == ArgumentRole::Patch) {
            match patched_files(&patch.text) {
                Ok(files) => files.iter().for_each(|file| self.patched(file)),
                Err(reason) => self.doubt(reason),
            }
        }
    }

    fn patched(&mut self, file: &PatchedFile<'_>) {
        let ops: &[FileOp] = match file.effect {
            PatchEffect::Written => &[FileOp::Write],
            PatchEffect::Changed => &[FileOp::Read, FileOp::Write],
            PatchEffect::Removed => {
                self.whole(&[FileOp::Delete], file.path, Follow::Parent);
                return;
            }
        };
        for op in ops {
            self.file(*op, Extent::One, file.path, Follow::Final);
        }
    }

    pub(super) fn each(&mut self, paths: &[&FoundArgument<'_>], ops: &[FileOp]) {
        for found in paths {
            for op in ops {
                self.file(*op, Extent::One, &found.text, Follow::Final);
            }
        }
    }

    pub(super) fn delete_each(&mut self, paths: &[&FoundArgument<'_>]) {
        for found in paths {
            self.whole(&[FileOp::Delete], &found.text, Follow::Parent);
        }
    }

    /// Adds a move or copy. The argument keys tell sources from destinations.
    pub(super) fn transfer(&mut self, paths: &[&FoundArgument<'_>], source_ops: &[FileOp]) {
        let is_end = |found: &&&FoundArgument<'_>| {
            matches!(found.part, ArgumentRole::Destination | ArgumentRole::Target)
        };
        let ends: Vec<&FoundArgument<'_>> = paths.iter().filter(is_end).copied().collect();
        let starts: Vec<&FoundArgument<'_>> =
            paths.iter().filter(|f| !is_end(f)).copied().collect();
        if ends.is_empty() || starts.is_empty() {
            self.doubt("it does not name both a source and a destination");
        }
        let mut extent = Extent::One;
        for start in &starts {
            if let Some(own) = self.whole(source_ops, &start.text, Follow::Parent) {
                extent = own;
            }
            if source_ops.contains(&FileOp::Read) {
                // If the source is a symlink, its target is read as well.
                self.file(FileOp::Read, Extent::One, &start.text, Follow::Final);
            }
        }
        for end in ends {
            self.file(FileOp::Write, extent, &end.text, Follow::Final);
            self.put_into(end, &starts, extent);
        }
    }

    /// Adds the path that each source gets inside a destination directory.
    fn put_into(&mut self, end: &FoundArgument<'_>, starts: &[&FoundArgument<'_>], extent: Extent) {
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

    /// Adds operations on a path and everything below it. Returns the extent: one file or a tree.
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

    /// Adds the creation of a link: its name is written, and its target may be read and written
    /// through it.
    fn link(&mut self, operation: FileOperation, paths: &[&FoundArgument<'_>]) {
        let of = |parts: &[ArgumentRole]| {
            paths.iter().find(|found| parts.contains(&found.part)).copied()
        };
        let name = of(&[ArgumentRole::LinkName, ArgumentRole::Destination])
            .or_else(|| of(&[ArgumentRole::Path]));
        let target = of(&[ArgumentRole::Target, ArgumentRole::Source])
            .or_else(|| of(&[ArgumentRole::Path]).filter(|path| Some(*path) != name));
        let (Some(name), Some(target)) = (name, target) else {
            return self.doubt("it does not name both a link and its target");
        };
        // A link to a directory gives access to everything below it.
        self.file(FileOp::Write, Extent::Unknown, &name.text, Follow::Parent);
        let seen_from = self.cwd.clone();
        if operation == FileOperation::SymbolicLink {
            // The target of a symlink is relative to the link's directory.
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
        let rest: Vec<&FoundArgument<'_>> = rest.collect();
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
        let beside: Vec<FoundArgument<'_>> =
            found.into_iter().filter(|own| Some(&*own.text) != uri).collect();
        self.hosts(&beside);
        let paths: Vec<&FoundArgument<'_>> = beside.iter().filter(|own| own.is_path()).collect();
        self.each(&paths, &[FileOp::Read]);
    }
}

/// Returns the operation, which some arguments make milder or stricter.
fn operation_of(operation: FileOperation, input: &Value) -> FileOperation {
    /// The arguments of an editor that only views a file. With any further argument, the call may
    /// change the file.
    const LOOKING: [&str; 4] = ["command", "path", "file_path", "view_range"];
    let of = |key: &str| input.get(key).and_then(Value::as_str);
    let looks = of("command") == Some("view")
        && input
            .as_object()
            .is_some_and(|own| own.keys().all(|key| LOOKING.contains(&key.as_str())));
    // A mode such as `r` or `w+`, as for `open` in C and Python.
    let is_mode = |mode: &&str| mode.len() <= 3 && mode.chars().all(|c| "rwaxbt+".contains(c));
    let changes =
        of("mode").filter(is_mode).is_some_and(|mode| mode.contains(['w', 'a', 'x', '+']));
    match operation {
        FileOperation::Edit if looks => FileOperation::Read,
        FileOperation::Read if changes => FileOperation::Edit,
        operation => operation,
    }
}

/// Returns the operations on each file that a glob matches.
fn ops_of(operation: FileOperation) -> &'static [FileOp] {
    match operation {
        FileOperation::Read | FileOperation::List => &[FileOp::Read],
        FileOperation::Search | FileOperation::Grep | FileOperation::Glob => &[FileOp::Read],
        FileOperation::Write => &[FileOp::Write],
        FileOperation::Delete => &[FileOp::Delete],
        FileOperation::Move => &[FileOp::Read, FileOp::Delete, FileOp::Write],
        FileOperation::Edit | FileOperation::Copy => &[FileOp::Read, FileOp::Write],
        FileOperation::SymbolicLink | FileOperation::HardLink => &[FileOp::Read, FileOp::Write],
    }
}

/// Returns the keys whose values are text for this tool, although they would be paths for others.
fn free_keys(operation: FileOperation, input: &Value) -> &'static [&'static str] {
    match operation {
        FileOperation::Grep => &["pattern", "patterns", "regexp", "output_mode", "type"],
        // With a glob for file names, `pattern` is the text to search for; alone, it is a path.
        FileOperation::Search if input.get("include").is_some() || input.get("glob").is_some() => {
            &["pattern", "patterns", "output_mode", "type"]
        }
        FileOperation::Search => &["output_mode", "type"],
        FileOperation::Edit => {
            &["old", "new", "old_text", "new_text", "new_source", "code_edit", "before", "after"]
        }
        _ => &[],
    }
}
