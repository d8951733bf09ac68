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
