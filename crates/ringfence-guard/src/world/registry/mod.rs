//! The package registries that the tools of this machine are configured with.
//!
//! Each tool's own configuration is read: its variables, the user's files and the system's.
//! A project's files (`./.npmrc`, `.cargo/config.toml`) are never read: a repository must not
//! choose whom it may talk to. What cannot be read or understood adds no host. Where a tool's
//! registry is replaced by a mirror, the usual host is no longer one of its hosts; where two tools
//! share a registry (pip and uv), it is enough that one of them replaces it.

mod crates;
mod debian;
mod go;
mod maven;
mod npm;
mod pypi;
mod source;

use std::sync::OnceLock;

pub(super) use source::Configuration;

use ringfence_core::host::default_registry_hosts;
use ringfence_core::net::{UrlTarget, parse_url};

/// The hosts of the registries, each found when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Registries {
    npm: OnceLock<Vec<Box<str>>>,
    pypi: OnceLock<Vec<Box<str>>>,
    crates: OnceLock<Vec<Box<str>>>,
    go: OnceLock<Vec<Box<str>>>,
    maven: OnceLock<Vec<Box<str>>>,
    debian: OnceLock<Vec<Box<str>>>,
}

impl Registries {
    /// The hosts of a registry; none for a name that is no registry.
    pub(super) fn hosts<'a>(
        &self,
        registry: &str,
        configuration: impl FnOnce() -> Configuration<'a>,
    ) -> Vec<Box<str>> {
        type Find = fn(&Configuration<'_>) -> Found;
        let (known, find): (_, Find) = match registry {
            "npm" => (&self.npm, npm::find),
            "pypi" => (&self.pypi, pypi::find),
            "crates" => (&self.crates, crates::find),
            "go" => (&self.go, go::find),
            "maven" => (&self.maven, maven::find),
            "debian" => (&self.debian, debian::find),
            // The others are taken as their tools come.
            _ => {
                return default_registry_hosts(registry)
                    .iter()
                    .map(|host| (*host).into())
                    .collect();
            }
        };
        known.get_or_init(|| find(&configuration()).hosts(default_registry_hosts(registry))).clone()
    }
}

/// What the configuration of a registry's tools says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// Whether the usual registry is replaced.
    replaced: bool,
    /// The URLs that are configured.
    urls: Vec<String>,
}

impl Found {
    /// Notes a URL that takes the place of the usual registry.
    fn replace(&mut self, url: impl Into<String>) {
        self.replaced = true;
        self.add(url);
    }

    /// Notes a URL beside the usual registry.
    fn add(&mut self, url: impl Into<String>) {
        self.urls.push(url.into());
    }

    /// The hosts, without repetition.
    fn hosts(&self, usual: &[&str]) -> Vec<Box<str>> {
        let mut hosts: Vec<Box<str>> = Vec::new();
        let configured = self.urls.iter().filter_map(|url| host_of(url));
        for host in configured {
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        // The usual registry has more hosts than the one that its URL names.
        let names_usual = hosts.iter().any(|host| usual.contains(&&**host));
        if !self.replaced || names_usual {
            let missing = usual.iter().filter(|host| !hosts.iter().any(|known| &**known == **host));
            let missing: Vec<Box<str>> = missing.map(|host| Box::from(*host)).collect();
            hosts.extend(missing);
        }
        hosts
    }
}

/// The host of a URL; `None` for what leads to no host.
fn host_of(url: &str) -> Option<Box<str>> {
    // `sparse+https://…`, `mirror+http://…`: how it is fetched, then from where.
    let url = match url.split_once("://") {
        Some((scheme, _)) if scheme.contains('+') => url.split_once('+')?.1,
        _ => url,
    };
    match parse_url(url).ok()? {
        UrlTarget::Net { endpoint, .. } => Some(endpoint.host.to_string().into()),
        UrlTarget::File(_) => None,
    }
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
