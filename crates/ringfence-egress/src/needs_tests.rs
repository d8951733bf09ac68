use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_guard::PolicyBuilder;
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;

fn needs(policy: &str) -> Needs {
    let source = Source::new("policy.toml", Format::Toml, policy).unwrap();
    let loaded = read(&source, Role::User, &NoLibrary).unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let context = Context::new(None, home.clone(), home, Date::from_unix_days(20_000));
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &MemoryHost::new());
    Needs::of(&built.unwrap().policy)
}

#[test]
fn a_policy_without_network_needs_nothing() {
    assert!(needs("allow = [\"fs:r:**\", \"cmd:git\"]\ndeny = [\"net:*\"]").is_empty());
    assert!(needs("ceiling = [\"net:a.example\"]").is_empty());
}

#[test]
fn ports_are_collected_by_where_they_lead() {
    let found = needs(
        "allow = [\"net:*.example\", \"net:db.example:5432\", \"net:localhost:3000\", \"listen:8080\"]\n\
         ask = [\"net:git.example:22\", \"net:127.0.0.1:9000\"]",
    );
    assert!(found.hosts);
    assert_eq!(Vec::from_iter(found.ports), [22, 5432]);
    assert_eq!(Vec::from_iter(found.loopback), [3000, 9000]);
    assert_eq!(Vec::from_iter(found.published), [8080]);
}
