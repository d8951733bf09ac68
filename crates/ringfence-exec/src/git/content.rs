//! Judges the content of files through which git could run a program.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::access::AccessScope;
use ringfence_core::path::AbsPath;
use ringfence_core::{Access, Effect, Effects};
use ringfence_guard::Guard;
use ringfence_guard::world::{Links, open_file};
use ringfence_sandbox::gate::Deed;

use super::config::{Config, Setting};
use super::inert::{ValueForm, form_of, is_text};
use super::layout::{self, GitFileKind};
use super::link;
use super::url::ConfigLocation;
use crate::aliases::what;
use crate::judge::ANY_NAME;

/// The maximum size of a file.
const LONGEST: u64 = 1 << 20;

/// Judges a file's content, possibly after the call that opened the file has returned.
#[derive(Clone)]
pub(crate) struct ContentJudge {
    pub(crate) guard: Arc<Guard>,
    pub(crate) scope: AccessScope,
}

impl ContentJudge {
    /// Returns whether the file at `path` may have `content`. `old` is the content that git read
    /// there before.
    pub(crate) fn takes(
        &self,
        kind: GitFileKind,
        path: &Path,
        is_own: bool,
        content: &[u8],
        old: &[u8],
    ) -> bool {
        match kind {
            GitFileKind::Config => self.takes_config(path, is_own, content, old),
            GitFileKind::CommonDir => link::is_plain_common(path, content),
            GitFileKind::DotGit => link::is_plain_file(path, content),
            GitFileKind::Never => false,
        }
    }

    fn takes_config(&self, path: &Path, is_own: bool, new: &[u8], old: &[u8]) -> bool {
        let (Some(new), Some(old), Some(git_dir)) =
            (Config::read(new), Config::read(old), path.parent())
        else {
            return false;
        };
        let is_writable = |directory: &Path| self.is_writable(directory);
        let place = ConfigLocation { git_dir, is_own, is_writable: &is_writable };
        let inert = |config: &Config<'_>| {
            let remotes: Vec<String> = config.remotes().into_iter().map(str::to_owned).collect();
            let place = &place;
            move |setting: &Setting<'_>| is_inert_at(place, &remotes, setting)
        };
        new.adds_nothing_to(&old, inert(&new), inert(&old))
    }

    /// Returns whether the run can write below a directory, or true if that cannot be determined.
    fn is_writable(&self, directory: &Path) -> bool {
        let path = directory.join(ANY_NAME);
        let Some(path) = path.to_str().and_then(|path| AbsPath::new(path).ok()) else {
            return true;
        };
        let access = Access { scope: self.scope.clone(), ..Access::new(what(Deed::Write, path)) };
        let effects = Effects { accesses: vec![access], ..Effects::default() };
        self.guard.consider_effects(effects).verdict.effect == Effect::Allow
    }
}

/// Returns whether a setting runs no program when git reads it.
fn is_inert_at(place: &ConfigLocation<'_>, remotes: &[String], setting: &Setting<'_>) -> bool {
    let value = setting.value;
    match form_of(setting) {
        Some(ValueForm::Text) => is_text(value),
        Some(ValueForm::Word(words)) => words.contains(&value),
        Some(ValueForm::Url) => place.takes_url(value),
        Some(ValueForm::Remote) => {
            place.takes_remote(value, remotes.iter().any(|own| own == value))
        }
        Some(ValueForm::WorkingTree) => place.takes_working_tree(value),
        None => false,
    }
}

/// Returns whether a directory is not a repository, or is one whose config and hooks run nothing.
pub(crate) fn is_inert(directory: &Path) -> bool {
    let nested = directory.join(".git");
    let git_dir = match (layout::exists(&nested), layout::is_repository(directory)) {
        (true, _) if nested.is_dir() => nested,
        (true, _) => return false,
        (false, true) => directory.to_owned(),
        (false, false) => return true,
    };
    let nothing = |_: &Path| false;
    let place = ConfigLocation { git_dir: &git_dir, is_own: false, is_writable: &nothing };
    let is_plain = |name: &str| {
        let content = read_or_nothing(&git_dir.join(name));
        content.is_some_and(|content| {
            let (Some(config), Some(empty)) = (Config::read(&content), Config::read(b"")) else {
                return false;
            };
            let is_inert = |setting: &Setting<'_>| is_inert_at(&place, &[], setting);
            config.adds_nothing_to(&empty, is_inert, |_: &Setting<'_>| true)
        })
    };
    !layout::exists(&git_dir.join("commondir"))
        && layout::is_bare_of_programs(&git_dir)
        && is_plain("config")
        && is_plain("config.worktree")
}

/// Returns a file's content, which is empty if the file does not exist. Returns `None` if the file
/// cannot be read.
pub(crate) fn read_or_nothing(path: &Path) -> Option<Vec<u8>> {
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
        content => content.ok(),
    }
}

/// Reads a file whose content is judged. The run can replace it by a symlink or a FIFO at any
/// moment, so neither is followed or waited for.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_file(path, Links::Refused)?;
    file.take(LONGEST.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(bytes.len()).is_ok_and(|length| length <= LONGEST) {
        true => Ok(bytes),
        false => Err(io::ErrorKind::FileTooLarge.into()),
    }
}

/// A file that is replaced by a copy of the content that was judged.
pub(crate) type JudgedCopy = (PathBuf, Vec<u8>);
