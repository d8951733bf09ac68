//! The hosts that package registries have where nothing else is configured.

/// The hosts that the tools of a registry use unless they are configured otherwise; none for a
/// name that is no registry.
pub fn default_registry_hosts(registry: &str) -> &'static [&'static str] {
    match registry {
        "npm" => &["registry.npmjs.org"],
        // The index, and the host that serves the files it lists.
        "pypi" => &["pypi.org", "files.pythonhosted.org"],
        // The sparse index, the files, and the site that publishing and searching go to.
        "crates" => &["index.crates.io", "static.crates.io", "crates.io"],
        // The proxy that serves modules, and the one that vouches for them.
        "go" => &["proxy.golang.org", "sum.golang.org"],
        "maven" => &["repo.maven.apache.org", "repo1.maven.org"],
        "debian" => &["deb.debian.org", "security.debian.org"],
        _ => &[],
    }
}
