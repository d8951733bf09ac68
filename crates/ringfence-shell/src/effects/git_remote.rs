//! Remotes of git repositories.

use ringfence_core::program::FileUse;

use super::Walker;
use crate::field::Field;

/// The most that is read of a repository's configuration.
const MAX_CONFIG: usize = 1 << 20;

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
        let host = self.world.host();
        let mut urls = Vec::new();
        for cwd in self.state.cwd.iter() {
            let mut directory = Some(cwd.clone());
            while let Some(here) = directory {
                let config = here.join(".git/config").ok();
                let text = config.and_then(|config| host.read(&config, MAX_CONFIG).ok());
                if let Some(text) = text {
                    urls.extend(urls_in(&String::from_utf8_lossy(&text), name));
                    break;
                }
                directory = here.parent();
            }
        }
        urls
    }
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
