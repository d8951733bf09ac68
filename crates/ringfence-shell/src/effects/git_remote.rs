//! Remotes of git repositories.

use ringfence_core::host::Host;
use ringfence_core::path::AbsPath;
use ringfence_core::program::FileUse;

use super::Walker;
use crate::field::Field;

/// The most that is read of a file of a repository.
const MAX_FILE: usize = 1 << 20;

impl Walker<'_> {
    /// A remote by name, or a place. A name is looked up in the repository's configuration; where
    /// that says nothing, its host is an argument that is not known.
    pub(super) fn git_remote(&mut self, field: &Field) {
        let Some(text) = field.as_known().map(str::to_owned) else {
            return self.unknown_host(field);
        };
        let is_place = text.contains([':', '/']) || text.starts_with('.');
        if is_place {
            return self.place_or_path(field, FileUse::ReadTree);
        }
        for url in self.remote_urls(&text) {
            self.place_or_path(&Field::known(url, field.span), FileUse::ReadTree);
        }
    }

    /// The URLs of a remote in the repository around the working directory.
    fn remote_urls(&self, name: &str) -> Vec<String> {
        let configs = self.repositories().into_iter().map(|own| own.config);
        configs.flat_map(|config| urls_in(&config, name)).collect()
    }

    /// The repositories around the directories in which the shell may be.
    pub(super) fn repositories(&self) -> Vec<Repository> {
        let host = self.world.host();
        let around = |cwd: &AbsPath| {
            let mut directory = Some(cwd.clone());
            while let Some(here) = directory {
                let found = repository(host, &here);
                if found.is_some() {
                    return found;
                }
                directory = here.parent();
            }
            None
        };
        self.state.cwd.iter().filter_map(around).collect()
    }
}

/// A repository: what belongs to one working tree, what all of its trees share, and how it is
/// configured.
pub(super) struct Repository {
    pub(super) own: AbsPath,
    pub(super) common: AbsPath,
    pub(super) config: String,
}

/// The repository whose working tree starts in this directory. In further trees and submodules a
/// file says where it lies.
pub(super) fn repository(host: &dyn Host, tree: &AbsPath) -> Option<Repository> {
    let git = tree.join(".git").ok()?;
    let elsewhere = || {
        let text = read(host, tree, ".git")?;
        tree.join(text.trim_end().strip_prefix("gitdir: ")?).ok()
    };
    if let Some(config) = read(host, &git, "config") {
        return Some(Repository { common: git.clone(), own: git, config });
    }
    let own = elsewhere()?;
    let shared = read(host, &own, "commondir").and_then(|text| own.join(text.trim_end()).ok());
    let common = shared.unwrap_or_else(|| own.clone());
    let config = read(host, &common, "config")?;
    Some(Repository { own, common, config })
}

/// A file of a repository.
pub(super) fn read(host: &dyn Host, directory: &AbsPath, name: &str) -> Option<String> {
    let text = host.read(&directory.join(name).ok()?, MAX_FILE).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The URLs that a configuration gives a remote.
fn urls_in(config: &str, name: &str) -> Vec<String> {
    let section = format!("[remote \"{name}\"]");
    let mut inside = false;
    let mut urls = Vec::new();
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == section;
        } else if inside
            && let Some((key, value)) = line.split_once('=')
            && matches!(key.trim().to_ascii_lowercase().as_str(), "url" | "pushurl")
        {
            urls.push(value.trim().trim_matches('"').to_owned());
        }
    }
    urls
}
