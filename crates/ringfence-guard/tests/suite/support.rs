//! Shared by the guard's tests: policies and calls on the in-memory host of the case folders.

use std::path::PathBuf;
use std::sync::Arc;

use ringfence_core::access::{AccessScope, Arg, Cover, Exec, Program, Text};
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Access, AccessKind, Context, Date, Effect, Role};
use ringfence_guard::case::{PolicyText, described_guard};
use ringfence_guard::{Call, Guard, PolicyBuilder, wire};
use ringfence_manifest::{Format, NoLibrary, Source};
use serde_json::Value;

use super::skip::skip;

/// Returns a guard for one TOML document.
pub(crate) fn guard(text: &str) -> Guard {
    load(Format::Toml, text, MemoryHost::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the error of a TOML document that is refused.
pub(crate) fn refused(text: &str) -> String {
    match load(Format::Toml, text, MemoryHost::new()) {
        Ok(_) => panic!("it was taken:\n{text}"),
        Err(error) => error,
    }
}

/// Returns a guard for one document on an in-memory host.
pub(crate) fn load(format: Format, text: &str, host: MemoryHost) -> Result<Guard, String> {
    let name = "policy".to_owned();
    described_guard(
        &PolicyText { name, format, text: text.to_owned(), location: None },
        context(),
        Arc::new(host),
    )
}

/// Returns a guard for several TOML documents, each in its role.
pub(crate) fn layered(documents: &[(Role, &str)]) -> Guard {
    let mut builder = PolicyBuilder::new();
    for (role, text) in documents {
        let source = Source::new(role.as_str(), Format::Toml, text).unwrap();
        let loaded = ringfence_manifest::read(&source, *role, &NoLibrary).unwrap();
        builder = builder.loaded(loaded);
    }
    let host = Arc::new(MemoryHost::new());
    let built = builder.build(&context(), &*host).unwrap();
    Guard::new(built.policy, host, context())
}

/// Returns the context of the case folders.
pub(crate) fn context() -> Context {
    let root = path("/home/u/proj");
    let today = Date::new(2026, 11, 15).unwrap();
    Context::new(Some(root.clone()), path("/home/u"), root, today)
}

/// Parses an absolute path.
pub(crate) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// Returns a call without an agent.
pub(crate) fn call(action: &Value) -> Call {
    wire::read_action(action).unwrap()
}

/// Returns a call by an agent.
pub(crate) fn call_of(agent: &str, action: &Value) -> Call {
    Call { agent: Some(agent.into()), ..call(action) }
}

/// Returns the guard's verdict on an action.
pub(crate) fn decide(guard: &Guard, action: &Value) -> Effect {
    guard.consider(&call(action)).verdict.effect
}

/// Asserts the guard's verdict on an action.
#[track_caller]
pub(crate) fn check(guard: &Guard, action: &Value, expected: Effect) {
    let verdict = guard.consider(&call(action)).verdict;
    let grounds: Vec<String> = verdict.decisive().map(ToString::to_string).collect();
    assert_eq!(verdict.effect, expected, "{action}: {}", grounds.join("; "));
}

/// Returns an access under a granted command.
pub(crate) fn under(line: &str, what: AccessKind) -> Access {
    let mut words = line.split(' ').map(Text::from);
    let name = words.next().unwrap();
    let exec = Exec {
        aliases: Vec::new(),
        program: Program {
            file: Some(path(&format!("/usr/bin/{name}"))),
            known_as: Some(name.clone()),
            invoked: name,
        },
        args: words.map(Arg::Known).collect(),
        reading: None,
        carrier: None,
        cwd: path("/home/u/proj"),
    };
    let scope = AccessScope {
        command: Some(Arc::new(exec)),
        cover: Cover::ParentGrant,
        ..AccessScope::default()
    };
    Access { what, scope, span: None }
}

/// Returns a text from the folder `shared` next to the repository; skips the test if it is missing.
pub(crate) fn shared(name: &str) -> Option<String> {
    let file: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../../shared", name].iter().collect();
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        skip(format!("there is no ../shared/{name}"));
    }
    text
}
