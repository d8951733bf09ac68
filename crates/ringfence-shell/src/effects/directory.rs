//! Where the shell is: `cd` goes by names, and what a name leads to may lie elsewhere.

use ringfence_core::path::{AbsPath, EntryKind, FilePath, Follow};

use super::Walker;
use super::state::Directories;
use crate::field::{Field, FieldText};
use crate::span::Span;

/// By which name the shell knows its directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pwd {
    /// By the one that it has.
    Same,
    /// By one that leads through a link.
    Linked(AbsPath),
    /// That cannot be told.
    Unknown,
}

impl Walker<'_> {
    /// `cd`; with `-P` links are followed before `..` is.
    pub(super) fn change_directory(&mut self, target: Option<&Field>, physical: bool, span: Span) {
        if let Some(field) = target
            && let Some(path) = field.as_printed().filter(|_| !field.is_many())
        {
            return self.change_to_printed(&path, field, span);
        }
        let Some(text) = self.target_of(target) else { return self.lost() };
        target.into_iter().for_each(|field| self.name_of_file(field));
        let climbs = text.split('/').any(|part| part == "..") && !physical;
        let names = self.names_of_target(&text);
        if names.is_empty() && climbs {
            return self.lost();
        }
        let mut paths = self.resolve(&text, Follow::Final, span);
        if climbs {
            // `link/..` is where the link lies; where that is nothing, above what it leads to.
            for name in &names {
                let more = self.resolve(name.as_str(), Follow::Final, span);
                paths.extend(more);
            }
        }
        let certain = paths.iter().all(|path| path.kind == Some(EntryKind::Dir));
        let previous = self.pwd_name();
        let pwd = if physical { Pwd::Same } else { pwd_after(names, &paths) };
        let mut directories: Vec<AbsPath> = paths.into_iter().map(|path| path.real).collect();
        directories.sort();
        directories.dedup();
        let before = std::mem::replace(&mut self.state.cwd, directories.into());
        let before = (before, std::mem::replace(&mut self.state.pwd, pwd));
        self.state.if_failed = (!certain).then_some(before);
        self.state.variables.remove("PWD");
        self.state.set("OLDPWD", previous);
        self.been.push(self.state.cwd.clone());
    }

    /// `cd` to a path that a command prints. Where that fails it goes to what is left of the word, or
    /// stays where it is.
    #[cold]
    fn change_to_printed(&mut self, path: &str, field: &Field, span: Span) {
        self.name_of_file(field);
        let mut directories = self.state.cwd.to_vec();
        let FieldText::Unknown(dynamic) = &field.text else { return self.lost() };
        if directories.is_empty() {
            return self.lost();
        }
        for text in [path, &dynamic.bare].into_iter().filter(|text| !text.is_empty()) {
            let more = self.resolve(text, Follow::Final, span);
            directories.extend(more.into_iter().map(|path| path.real));
        }
        directories.sort();
        directories.dedup();
        let previous = self.pwd_name();
        self.state.cwd = directories.into();
        self.state.pwd = Pwd::Unknown;
        self.state.if_failed = None;
        self.state.variables.remove("PWD");
        self.state.set("OLDPWD", previous);
        self.been.push(self.state.cwd.clone());
    }

    /// What `cd` is told.
    fn target_of(&self, target: Option<&Field>) -> Option<String> {
        let Some(field) = target else {
            return match self.state.variables.get("HOME") {
                Some(home) => home.value.clone(),
                None => Some(self.world.home().to_string()),
            };
        };
        // Where it may be `-` it may be anywhere.
        let is_name = |name: &String| !name.starts_with('…') || name.ends_with('/');
        let Some(text) = field.as_known() else { return field.as_name().filter(is_name) };
        match text {
            "-" => self.state.variables.get("OLDPWD")?.value.clone(),
            text => Some(text.to_owned()),
        }
    }

    /// The names that the shell would have for the directory.
    fn names_of_target(&self, text: &str) -> Vec<AbsPath> {
        let root = [AbsPath::root()];
        let from = match &self.state.pwd {
            _ if text.starts_with('/') => root.as_slice(),
            Pwd::Same => &*self.state.cwd,
            Pwd::Linked(name) => std::slice::from_ref(name),
            Pwd::Unknown => &[],
        };
        from.iter().filter_map(|name| name.join(text).ok()).collect()
    }

    /// It can no longer be told in which directory the shell is.
    pub(super) fn lost(&mut self) {
        self.state.cwd = Directories::default();
        self.state.pwd = Pwd::Unknown;
        self.state.if_failed = None;
        self.state.variables.remove("PWD");
        self.state.set("OLDPWD", None);
        self.been.push(Directories::default());
    }

    /// The shell's name for its directory.
    pub(super) fn pwd_name(&self) -> Option<String> {
        match (&self.state.pwd, &*self.state.cwd) {
            (Pwd::Same, [only]) => Some(only.to_string()),
            (Pwd::Linked(name), _) => Some(name.to_string()),
            _ => None,
        }
    }
}

/// By which name the shell knows its directory once it is there.
fn pwd_after(names: Vec<AbsPath>, paths: &[FilePath]) -> Pwd {
    let is_real = |name: &AbsPath| paths.iter().any(|path| path.real == *name);
    let is_named = |path: &FilePath| names.contains(&path.real);
    if names.iter().all(is_real) && paths.iter().all(is_named) {
        return Pwd::Same;
    }
    match <[AbsPath; 1]>::try_from(names) {
        Ok([only]) => Pwd::Linked(only),
        Err(_) => Pwd::Unknown,
    }
}
