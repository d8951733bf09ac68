//! The package registries that the tools on this machine are configured to use.
//!
//! Sources are each tool's variables, its user files and its system files. Files of the project
//! (`./.npmrc`, `.cargo/config.toml`) are never read: a repository must not choose the hosts that
//! it may contact. Unreadable configuration adds no host.
//!
//! If a mirror replaces a tool's registry, the default host no longer counts. If two tools share a
//! registry (pip and uv), one replacement is enough.

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

/// The hosts of each registry, computed when first needed.
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
    /// Returns the hosts of a registry, or none if `registry` is unknown.
    pub(super) fn hosts<'a>(
        &self,
        registry: &str,
        configuration: impl FnOnce() -> Configuration<'a>,
    ) -> Vec<Box<str>> {
        type Find = fn(&Configuration<'_>) -> RegistryConfig;
        let (known, find): (_, Find) = match registry {
            "npm" => (&self.npm, npm::find),
            "pypi" => (&self.pypi, pypi::find),
            "crates" => (&self.crates, crates::find),
            "go" => (&self.go, go::find),
            "maven" => (&self.maven, maven::find),
            "debian" => (&self.debian, debian::find),
            // Other registries have only their default hosts.
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

/// The configuration of a registry's tools.
#[derive(Debug, Default, PartialEq, Eq)]
struct RegistryConfig {
    /// Whether the default registry is replaced.
    replaced: bool,
    /// The configured URLs.
    urls: Vec<String>,
}

impl RegistryConfig {
    /// Adds a URL that replaces the default registry.
    fn replace(&mut self, url: impl Into<String>) {
        self.replaced = true;
        self.add(url);
    }

    /// Adds a URL besides the default registry.
    fn add(&mut self, url: impl Into<String>) {
        self.urls.push(url.into());
    }

    /// Returns the hosts without duplicates.
    fn hosts(&self, usual: &[&str]) -> Vec<Box<str>> {
        let mut hosts: Vec<Box<str>> = Vec::new();
        let configured = self.urls.iter().filter_map(|url| host_of(url));
        for host in configured {
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        // The default registry has more hosts than its URL names.
        let names_usual = hosts.iter().any(|host| usual.contains(&&**host));
        if !self.replaced || names_usual {
            let missing = usual.iter().filter(|host| !hosts.iter().any(|known| &**known == **host));
            let missing: Vec<Box<str>> = missing.map(|host| Box::from(*host)).collect();
            hosts.extend(missing);
        }
        hosts
    }
}

/// Returns the host of a URL, or `None` if the URL has none.
fn host_of(url: &str) -> Option<Box<str>> {
    // Removes a prefix such as `sparse+` from `sparse+https://…`.
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
