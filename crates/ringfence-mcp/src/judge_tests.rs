use proptest::prelude::*;
use proptest::sample::select;
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Policy, Role};
use ringfence_guard::{Classification, PolicyBuilder, SmartFilter, strict_json};
use ringfence_manifest::{Format, NoLibrary, Source};
use serde_json::json;

use super::*;

fn context() -> Context {
    let path = |text| AbsPath::new(text).unwrap();
    Context::new(None, path("/home/u"), path("/home/u/proj"), Date::from_unix_days(20_000))
}

fn guard(policy: &str) -> Guard {
    let source = Source::new("policy.toml", Format::Toml, policy).unwrap();
    let loaded = ringfence_manifest::read(&source, Role::User, &NoLibrary).unwrap();
    let host = Arc::new(MemoryHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context(), &*host).unwrap();
    Guard::new(built.policy, host, context())
}

fn judge(policy: &str) -> Judge {
    Judge::new(Arc::new(guard(policy)), "srv", None)
}

/// Returns whether the call of a tool passes without a question.
fn allows(judge: &Judge, tool: &str, arguments: Option<&str>) -> bool {
    let arguments = arguments.map(|own| format!(",\"arguments\":{own}")).unwrap_or_default();
    let text = format!(r#"{{"params":{{"name":{}{arguments}}}}}"#, json!(tool));
    let Ok(message) = Object::read(&text) else { return false };
    let params = message.get("params");
    matches!(judge.decide(Care::Tool, ("tools/call", params), &text), Ok(Decision::Pass(_)))
}

const NOTHING: Option<&str> = Some(r#"{"message":"hello"}"#);

#[test]
fn a_tool_that_is_allowed_stays_so_however_often_it_is_called() {
    let own = judge(r#"allow = ["mcp:srv/echo"]"#);
    for _ in 0..3 {
        assert!(allows(&own, "echo", NOTHING));
        assert!(allows(&own, "echo", None));
        for unreadable in [r#"{"a":1,"a":1}"#, r#"{"b":[{"a":1,"a":1}]}"#, "[]", "1", ""] {
            assert!(!allows(&own, "echo", Some(unreadable)), "{unreadable}");
        }
        for other in ["other", "", "ECHO", "echo\u{200b}"] {
            assert!(!allows(&own, other, NOTHING), "{other}");
        }
    }
}

#[test]
fn a_tool_that_is_denied_or_asked_about_does_not_pass() {
    let own = judge(
        r#"allow = ["mcp:srv/*"]
deny = ["mcp:srv/bad"]
ask = ["mcp:srv/odd"]"#,
    );
    assert!(allows(&own, "good", NOTHING));
    assert!(!allows(&own, "bad", NOTHING));
    assert!(!allows(&own, "odd", NOTHING));
}

#[test]
fn a_search_reaches_a_directory_without_naming_it() {
    let own = judge(
        r#"allow = ["mcp:srv/*"]
deny = ["fs:r:**"]"#,
    );
    assert!(allows(&own, "echo", NOTHING));
    assert!(!allows(&own, "search_files", NOTHING));
}

#[test]
fn a_policy_that_is_replaced_is_asked_anew() {
    let guard = Arc::new(guard(r#"allow = ["mcp:srv/echo"]"#));
    let own = Judge::new(Arc::clone(&guard), "srv", None);
    assert!(allows(&own, "echo", NOTHING));
    guard.replace(Policy::empty(&context(), &MemoryHost::new()));
    assert!(!allows(&own, "echo", NOTHING));
}

#[test]
fn another_agent_is_another_matter() {
    let policy = r#"allow = [{ pattern = "mcp:srv/echo", agent = "a" }]"#;
    let by = |agent| Judge::new(Arc::new(guard(policy)), "srv", Some(agent));
    assert!(allows(&by("a"), "echo", NOTHING));
    assert!(!allows(&by("b"), "echo", NOTHING));
}

#[test]
fn a_filter_sees_every_call() {
    struct Never;
    impl SmartFilter for Never {
        fn classify(&self, _: &str, _: &Value) -> Classification {
            Classification::Deny { reason: "never".to_owned() }
        }
    }
    let guard = guard(r#"allow = ["mcp:srv/echo"]"#).with_filter(Arc::new(Never));
    assert!(!allows(&Judge::new(Arc::new(guard), "srv", None), "echo", NOTHING));
}

const DRAWN: &str = r#"
allow = ["mcp:srv/*", "fs:r:/srv/**", "net:*.good.example"]
ask = ["mcp:srv/ask_*"]
deny = ["mcp:srv/deny_*", "fs:r:/srv/secret"]
"#;

proptest! {
    #[test]
    fn what_passes_is_what_the_guard_allows(
        tool in select(vec!["echo", "read_file", "search", "list_tree", "ask_it", "deny_it", "do__it", "x/y", ""]),
        key in select(vec!["path", "message", "where", "to", "diff", "url", "glob", "n", "old_path"]),
        value in select(vec![
            "\"a\"", "\"/srv/a\"", "\"/srv/secret\"", "\"/dev/null\"", "\"~\"", "\"..\"", "\"*\"", "\"\"", "1", "null",
            "true", "1e999", "\"https://bad.example\"", "\"--x=/srv/secret\"", "[]", "[\"/x\"]",
            "{\"file\":\"/x\"}", "{\"a\":1,\"a\":1}", "\"\\u002fx\"",
        ]),
        more in select(vec!["", ",\"message\":\"x\"", ",\"other\":2"]),
    ) {
        let guard = Arc::new(guard(DRAWN));
        let arguments = format!("{{\"{key}\":{value}{more}}}");
        let is_allowed = strict_json::read(&arguments).is_ok_and(|args| {
            let item = McpAction::Tool { name: tool.to_owned(), args };
            let call = Call::new(Action::Mcp { server: "srv".to_owned(), item });
            guard.consider(&call).verdict.effect == Effect::Allow
        });
        let own = Judge::new(guard, "srv", None);
        prop_assert_eq!(allows(&own, tool, Some(&arguments)), is_allowed);
    }
}
