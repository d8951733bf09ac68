//! The default hosts of package registries.

/// Returns the hosts that a registry's tools use by default; empty for an unknown registry.
pub fn default_registry_hosts(registry: &str) -> &'static [&'static str] {
    match registry {
        "npm" => &["registry.npmjs.org"],
        // The index, and the host of the files in it.
        "pypi" => &["pypi.org", "files.pythonhosted.org"],
        // The sparse index, the host of the files, and the site for publishing and searching.
        "crates" => &["index.crates.io", "static.crates.io", "crates.io"],
        // The module proxy and the checksum database.
        "go" => &["proxy.golang.org", "sum.golang.org"],
        "maven" => &["repo.maven.apache.org", "repo1.maven.org"],
        "debian" => &["deb.debian.org", "security.debian.org"],
        "alpine" => &["dl-cdn.alpinelinux.org"],
        "arch" => &["geo.mirror.pkgbuild.com"],
        "clojars" => &["repo.clojars.org"],
        "conda" => &["conda.anaconda.org", "repo.anaconda.com"],
        "docker" => &["registry-1.docker.io", "auth.docker.io"],
        "fedora" => &["mirrors.fedoraproject.org"],
        "flathub" => &["dl.flathub.org"],
        "flutter" => &["storage.googleapis.com"],
        "galaxy" => &["galaxy.ansible.com"],
        "hackage" => &["hackage.haskell.org"],
        "hex" => &["hex.pm", "repo.hex.pm"],
        "homebrew" => &["formulae.brew.sh", "ghcr.io"],
        "macports" => &["rsync.macports.org"],
        "nix" => &["cache.nixos.org"],
        "node" => &["nodejs.org"],
        "nuget" => &["api.nuget.org"],
        "ollama" => &["registry.ollama.ai"],
        "opam" => &["opam.ocaml.org"],
        "packagist" => &["repo.packagist.org"],
        "packer" | "terraform" => &["registry.terraform.io", "releases.hashicorp.com"],
        "pub" => &["pub.dev"],
        "python" | "uv" => &["github.com"],
        "rubygems" => &["rubygems.org", "index.rubygems.org"],
        "rustup" => &["static.rust-lang.org"],
        "snap" => &["api.snapcraft.io"],
        "suse" => &["download.opensuse.org"],
        "vagrant" => &["vagrantcloud.com"],
        "wrapdb" => &["wrapdb.mesonbuild.com"],
        _ => &[],
    }
}
