use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::*;

/// A machine with files under `home/` and `etc/`, and variables.
struct Machine {
    directory: tempfile::TempDir,
    environment: Vec<(OsString, OsString)>,
}

impl Machine {
    fn new(files: &[(&str, &str)], variables: &[(&str, &str)]) -> Machine {
        let directory = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let here = directory.path().to_str().unwrap();
        let environment = variables.iter();
        let environment = environment
            .map(|(name, value)| (name.into(), value.replace("HERE", here).into()))
            .collect();
        Machine { directory, environment }
    }

    fn hosts(&self, registry: &str) -> Vec<Box<str>> {
        let home = self.directory.path().join("home");
        let configuration = || Configuration {
            environment: &self.environment,
            home: Some(&home),
            system: self.directory.path(),
        };
        Registries::default().hosts(registry, configuration)
    }
}

/// Asserts the hosts of a registry on a machine with these files and variables.
fn check(registry: &str, files: &[(&str, &str)], variables: &[(&str, &str)], expected: &str) {
    let hosts = Machine::new(files, variables).hosts(registry);
    assert_eq!(hosts.join(" "), expected, "{registry} {files:?} {variables:?}");
}

#[test]
fn without_configuration_the_usual_hosts_are_meant() {
    for registry in ["npm", "pypi", "crates", "go", "maven", "debian"] {
        check(registry, &[], &[], &default_registry_hosts(registry).join(" "));
    }
    check("nowhere", &[], &[], "");
}

#[test]
fn npm_reads_variables_and_its_users_files() {
    let npmrc = "; mine\nregistry = \"https://npm.acme.example/repo/\"\n\
                 @acme:registry=https://scoped.example:8443\n//x/:_authToken=abc\n";
    check("npm", &[("home/.npmrc", npmrc)], &[], "scoped.example npm.acme.example");
    check(
        "npm",
        &[("home/.npmrc", npmrc)],
        &[("NPM_CONFIG_Registry", "https://env.example")],
        "scoped.example env.example",
    );
    check("npm", &[("etc/npmrc", "registry=http://sys.example")], &[], "sys.example");
    check(
        "npm",
        &[("etc/npmrc", "registry=http://sys.example"), ("home/.npmrc", npmrc)],
        &[],
        "scoped.example npm.acme.example",
    );
    let scoped = "@acme:registry=https://${NAME}.example\n@b:registry=https://${GONE}.example";
    check("npm", &[("home/.npmrc", scoped)], &[("NAME", "x")], "x.example registry.npmjs.org");
    check(
        "npm",
        &[("other/npmrc", "registry=https://named.example"), ("home/.npmrc", npmrc)],
        &[("npm_config_userconfig", "HERE/other/npmrc")],
        "named.example",
    );
}

#[test]
fn a_projects_own_files_are_not_read() {
    let machine = Machine::new(
        &[(".npmrc", "registry=https://evil.example"), ("pip.conf", "[global]\nindex-url=//evil")],
        &[("npm_config_userconfig", "./.npmrc"), ("PIP_CONFIG_FILE", "pip.conf")],
    );
    assert_eq!(machine.hosts("npm").join(" "), "registry.npmjs.org");
    assert_eq!(machine.hosts("pypi").join(" "), "pypi.org files.pythonhosted.org");
}

#[test]
fn pip_and_uv_read_variables_and_files() {
    let usual = "pypi.org files.pythonhosted.org";
    check("pypi", &[], &[("PIP_INDEX_URL", "https://u:p@m.example/simple")], "m.example");
    check("pypi", &[], &[("PIP_INDEX_URL", "https://pypi.org/simple")], usual);
    check(
        "pypi",
        &[],
        &[("PIP_EXTRA_INDEX_URL", "https://a.example https://b.example/x")],
        &format!("a.example b.example {usual}"),
    );
    let conf = "[global]\nindex-url = https://conf.example/simple\nextra_index_url =\n    \
                https://c.example\n    https://d.example\ntimeout = 10\n";
    for file in ["home/.config/pip/pip.conf", "home/.pip/pip.conf", "etc/pip.conf"] {
        check("pypi", &[(file, conf)], &[], "c.example d.example conf.example");
    }
    let none = [("PIP_CONFIG_FILE", "/dev/null")];
    check("pypi", &[("etc/pip.conf", conf)], &none, usual);
    check("pypi", &[], &[("UV_DEFAULT_INDEX", "https://uv.example")], "uv.example");
    check(
        "pypi",
        &[],
        &[("UV_INDEX", "a=https://a.example b=https://b.example")],
        &format!("a.example b.example {usual}"),
    );
    let toml =
        "[[index]]\nname = \"x\"\nurl = \"https://idx.example\" # ours\ndefault = true # yes\n";
    check("pypi", &[("home/.config/uv/uv.toml", toml)], &[], "idx.example");
    let toml = "extra-index-url = [\"https://a.example\", 'https://b.example']\n";
    check("pypi", &[("etc/uv/uv.toml", toml)], &[], &format!("a.example b.example {usual}"));
}

#[test]
fn cargo_follows_source_replacement() {
    let usual = "index.crates.io static.crates.io crates.io";
    let mirror = "[source.crates-io]\nreplace-with = \"one\"\n[source.one]\nreplace-with='two'\n\
                  [source.two]\nregistry = \"sparse+https://mirror.example/index/\"\n";
    check("crates", &[("home/.cargo/config.toml", mirror)], &[], "mirror.example");
    check("crates", &[("c/config", mirror)], &[("CARGO_HOME", "HERE/c")], "mirror.example");
    let dotted =
        "source.\"crates-io\".replace-with = \"m\"\nsource.m.registry = \"https://d.example\"";
    check("crates", &[("home/.cargo/config.toml", dotted)], &[], "d.example");
    let vendored = "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"vendor\"\n";
    check("crates", &[("home/.cargo/config.toml", vendored)], &[], "");
    let extra = "[registries.acme]\nindex = \"https://crates.acme.example/git\"\n";
    check(
        "crates",
        &[("home/.cargo/config.toml", extra)],
        &[("CARGO_REGISTRIES_B_INDEX", "sparse+https://b.example/")],
        &format!("crates.acme.example b.example {usual}"),
    );
    let hidden = "x = \"\"\"\n[registries.evil]\nindex = \"https://evil.example\"\n\"\"\"\n\
                  # [registries.e]\n#index = \"https://evil.example\"\n";
    check("crates", &[("home/.cargo/config.toml", hidden)], &[], usual);
    let circle = "[source.crates-io]\nreplace-with = \"a\"\n[source.a]\nreplace-with = \"a\"\n";
    check("crates", &[("home/.cargo/config.toml", circle)], &[], "");
}

#[test]
fn go_reads_its_proxies_and_who_vouches_for_them() {
    check(
        "go",
        &[],
        &[("GOPROXY", "https://a.example,https://b.example|direct")],
        "a.example b.example sum.golang.org proxy.golang.org",
    );
    check("go", &[], &[("GOPROXY", "https://a.example"), ("GOSUMDB", "off")], "a.example");
    check("go", &[], &[("GOPROXY", "off"), ("GOSUMDB", "off")], "");
    check(
        "go",
        &[(
            "home/.config/go/env",
            "GOFLAGS=-mod=mod\nGOPROXY=https://f.example\nGOSUMDB=s.example+key https://t.example\n",
        )],
        &[],
        "f.example t.example",
    );
    check(
        "go",
        &[("home/.config/go/env", "GOPROXY=https://f.example")],
        &[("GOENV", "off")],
        "proxy.golang.org sum.golang.org",
    );
}

#[test]
fn maven_reads_mirrors_and_repositories() {
    let settings = "<settings><!-- <mirror><url>https://no.example</url></mirror> --><mirrors>\
        <mirror><id>m</id><mirrorOf>*,!acme</mirrorOf><url> https://m.example/repo </url></mirror>\
        </mirrors><profiles><profile><repositories><repository><id>acme</id>\
        <url>https://acme.example</url></repository></repositories></profile></profiles></settings>";
    check("maven", &[("home/.m2/settings.xml", settings)], &[], "m.example acme.example");
    let other = "<mirror><mirrorOf>*,!central</mirrorOf><url>https://m.example</url></mirror>";
    check(
        "maven",
        &[("etc/maven/settings.xml", other)],
        &[],
        "m.example repo.maven.apache.org repo1.maven.org",
    );
}

#[test]
fn apt_reads_both_forms_of_its_sources() {
    let list = "# deb http://no.example x y\ndeb [arch=amd64 signed-by=/k.gpg] http://a.example/debian sid main\n\
                deb-src\thttps://b.example/ sid main # mine\ndeb cdrom:[x]/ sid main\nrpm http://no.example x\n";
    check("debian", &[("etc/apt/sources.list", list)], &[], "a.example b.example");
    let stanzas = "Types: deb\nURIs: http://c.example/debian\n mirror+https://d.example/list\n# x\nSuites: sid\n\n\
                   Types: deb\nEnabled: no\nURIs: http://no.example\n";
    check("debian", &[("etc/apt/sources.list.d/x.sources", stanzas)], &[], "c.example d.example");
    check(
        "debian",
        &[("etc/apt/sources.list.d/x.list", list), ("etc/apt/sources.list.d/y.bak", list)],
        &[],
        "a.example b.example",
    );
    let usual = [("etc/apt/sources.list", "deb http://deb.debian.org/debian sid main")];
    check("debian", &usual, &[], "deb.debian.org security.debian.org");
}

#[test]
fn urls_without_a_host_add_none() {
    for url in ["", "direct", "file:///srv/mirror", "https://", "cdrom:[x]/", "a b", "//x.example"]
    {
        assert_eq!(host_of(url), None, "{url}");
    }
    assert_eq!(host_of("sparse+https://A.Example./x").as_deref(), Some("a.example"));
    assert_eq!(host_of("http://localhost:4873").as_deref(), Some("localhost"));
}

#[test]
fn configuration_that_is_not_utf8_adds_no_host() {
    let machine = Machine::new(&[], &[]);
    let home = machine.directory.path().join("home");
    fs::create_dir_all(home.join(".m2/settings.xml")).unwrap();
    fs::write(home.join(".npmrc"), b"registry=https://a.example\xff\n").unwrap();
    assert_eq!(machine.hosts("maven").join(" "), "repo.maven.apache.org repo1.maven.org");
    assert_eq!(machine.hosts("npm").join(" "), "registry.npmjs.org");
    assert!(Path::new(&home).exists());
}
