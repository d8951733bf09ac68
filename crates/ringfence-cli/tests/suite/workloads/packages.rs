//! Packages from the registries that the clients of this machine are configured with.

use super::machine::{Machine, as_everyone};

/// A policy of two profiles, with the settings of a client that people may have in their homes:
/// those may hold a token, so no profile grants them.
fn policy(profile: &str, settings: &[&str]) -> String {
    let home = std::env::home_dir().unwrap();
    let own: Vec<String> = settings
        .iter()
        .filter(|name| home.join(name).is_file())
        .map(|name| format!("\"fs:r:~/{name}\""))
        .collect();
    let own = own.join(", ");
    format!(
        "schema = 1\nextends = [\"@workspace\", \"{profile}\"]\ndefault = \"deny\"\n\
         allow = [{own}]\ndanger = [{own}]\n"
    )
}

#[test]
fn cargo_builds_with_a_dependency() {
    as_everyone(&policy("@rust", &[]), |machine: &Machine| {
        let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                        [dependencies]\ncfg-if = \"1\"\n[workspace]\n";
        machine.write("Cargo.toml", manifest);
        let main = "fn main() { cfg_if::cfg_if! { if #[cfg(unix)] { println!(\"built\"); } } }\n";
        machine.write("src/main.rs", main);
        machine.works("cargo build --quiet");
        assert_eq!(machine.works("cargo run --quiet"), "built\n");
    });
}

#[test]
fn npm_installs_what_is_locked() {
    as_everyone(&policy("@node", &[".npmrc"]), |machine: &Machine| {
        let package =
            r#"{"name": "small", "version": "1.0.0", "dependencies": {"isarray": "2.0.5"}}"#;
        machine.write("package.json", package);
        let locked = machine
            .outside("npm install --package-lock-only --silent --cache ./cache && rm -r cache");
        assert!(locked.status.success(), "{locked:?}");
        machine.works("npm ci --no-audit --no-fund");
        assert_eq!(machine.works("node -p \"require('isarray')([])\""), "true\n");
    });
}

#[test]
fn pip_installs_into_an_environment() {
    as_everyone(
        &policy("@python", &[".config/pip/pip.conf", ".pip/pip.conf"]),
        |machine: &Machine| {
            machine.works("python3 -m venv .venv");
            machine.works(".venv/bin/pip install --quiet --disable-pip-version-check iniconfig");
            assert_eq!(machine.works(".venv/bin/python -c 'import iniconfig; print(1)'"), "1\n");
        },
    );
}
