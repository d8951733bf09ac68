use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;
use crate::{Action, Call, Guard, PolicyBuilder};

/// Returns the documents of one text.
fn found(text: &str, role: Role) -> Documents {
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let loaded = read(&source, role, &NoLibrary).unwrap();
    let mut documents = vec![loaded.document];
    documents.extend(loaded.ceilings);
    Documents { documents, servers: loaded.servers, ..Documents::default() }
}

/// Asserts verdicts on accesses of the server `files`.
fn check(text: &str, expected: &[(&str, Effect)]) {
    let builder = PolicyBuilder::for_server(found(text, Role::User), "files").unwrap();
    let project = AbsPath::new("/home/u/proj").unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let today = Date::from_unix_days(20_000);
    let context = Context::new(Some(project.clone()), home, project, today);
    let host = std::sync::Arc::new(MemoryHost::new());
    let built = builder.build(&context, &*host).unwrap();
    let guard = Guard::new(built.policy, host, context);
    for (access, effect) in expected {
        let call = Call::new(Action::Access { text: (*access).to_owned() });
        let judgement = guard.consider(&call);
        assert_eq!(judgement.verdict.effect, *effect, "{access}: {:?}", judgement.verdict);
    }
}

#[test]
fn a_server_gets_the_grants_of_its_section_and_of_the_system() {
    check(
        r#"
        allow = ["fs:rw:**", "net:*", "cmd:*", "env:*"]
        deny = ["fs:r:**/.env"]
        [mcp.servers.files]
        allow = ["fs:r:/srv/data/**", "net:api.example.com", "env:API_TOKEN"]
        deny = ["fs:r:/srv/data/private/**"]
        "#,
        &[
            ("fs:r:/usr/lib/x", Effect::Allow),
            ("fs:r:/srv/data/a", Effect::Allow),
            ("fs:r:/srv/data/.env", Effect::Deny),
            ("fs:r:/srv/data/private/a", Effect::Deny),
            ("fs:w:/srv/data/a", Effect::Deny),
            ("fs:r:/home/u/proj/a", Effect::Deny),
            ("net:api.example.com:443", Effect::Allow),
            ("net:other.example.com:443", Effect::Deny),
            ("env:API_TOKEN", Effect::Allow),
            ("env:OTHER", Effect::Deny),
            ("cmd:true", Effect::Allow),
        ],
    );
}

#[test]
fn commands_of_its_own_take_the_place_of_any_command() {
    check(
        "[mcp.servers.files]\nallow = [\"cmd:git:*\"]\n",
        &[
            ("cmd:git status", Effect::Allow),
            ("cmd:true", Effect::Deny),
            ("net:x.example:443", Effect::Deny),
        ],
    );
}

#[test]
fn an_empty_section_confines_and_none_does_not() {
    check("[mcp.servers.files]\nallow = []\n", &[("fs:r:/srv/a", Effect::Deny)]);
    assert!(server_documents(&found("[mcp.servers.files]\n", Role::User), "files").is_none());
    let other = found("[mcp.servers.other]\nallow = []\n", Role::User);
    assert!(server_documents(&other, "files").is_none());
    let untrusted = found("[mcp.servers.files]\nallow = []\n", Role::Untrusted);
    assert!(server_documents(&untrusted, "files").is_none());
}
