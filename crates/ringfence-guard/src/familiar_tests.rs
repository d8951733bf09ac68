use proptest::prelude::*;
use proptest::sample::select;
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date};
use ringfence_manifest::Format;
use serde_json::Value;

use super::*;
use crate::case::{PolicyText, described_guard};
use crate::filter::{Classification, SmartFilter};
use crate::strict_json;

const NOTHING: Option<&str> = Some(r#"{"message":"hello"}"#);

fn context() -> Context {
    let path = |text| AbsPath::new(text).unwrap();
    let today = Date::from_unix_days(20_000);
    Context::new(None, path("/home/u"), path("/home/u/proj"), today)
}

fn guard(policy: &str) -> Guard {
    let policy =
        PolicyText { format: Format::Toml, text: policy.to_owned(), ..PolicyText::default() };
    described_guard(&policy, context(), Arc::new(MemoryHost::new())).unwrap()
}

fn familiar(policy: &str) -> Familiar {
    Familiar::new(Arc::new(guard(policy)), "srv", None)
}

#[test]
fn a_tool_that_is_allowed_stays_so_while_its_arguments_name_nothing() {
    let own = familiar(r#"allow = ["mcp:srv/echo"]"#);
    for _ in 0..3 {
        assert!(own.allows("echo", NOTHING));
        assert!(own.allows("echo", None));
        for named in [r#"{"path":"x"}"#, r#"{"a":"/etc/passwd"}"#, r#"{"a":1,"a":1}"#, "[]", ""] {
            assert!(!own.allows("echo", Some(named)), "{named}");
        }
        for other in ["other", "", "ECHO", "echo\u{200b}"] {
            assert!(!own.allows(other, NOTHING), "{other}");
        }
    }
}

#[test]
fn a_tool_that_is_denied_or_asked_about_is_left_to_the_guard() {
    let own = familiar(
        r#"allow = ["mcp:srv/*"]
deny = ["mcp:srv/bad"]
ask = ["mcp:srv/odd"]"#,
    );
    assert!(own.allows("good", NOTHING));
    assert!(!own.allows("bad", NOTHING));
    assert!(!own.allows("odd", NOTHING));
}

#[test]
fn a_search_reaches_a_directory_without_naming_it() {
    let own = familiar(r#"allow = ["mcp:srv/*"]"#);
    assert!(!own.allows("search_files", NOTHING));
}

#[test]
fn a_policy_that_is_replaced_is_asked_anew() {
    let own = familiar(r#"allow = ["mcp:srv/echo"]"#);
    assert!(own.allows("echo", NOTHING));
    own.guard.replace(Policy::empty(&context(), &MemoryHost::new()));
    assert!(!own.allows("echo", NOTHING));
}

#[test]
fn another_agent_is_another_matter() {
    let policy = r#"allow = [{ pattern = "mcp:srv/echo", agent = "a" }]"#;
    let by = |agent: &str| Familiar::new(Arc::new(guard(policy)), "srv", Some(agent.into()));
    assert!(by("a").allows("echo", NOTHING));
    assert!(!by("b").allows("echo", NOTHING));
}

#[test]
fn a_filter_sees_every_call() {
    struct Never;
    impl SmartFilter for Never {
        fn classify(&self, _: &str, _: &Value) -> Classification {
            Classification::Allow
        }
    }
    let guard = guard(r#"allow = ["mcp:srv/echo"]"#).with_filter(Arc::new(Never));
    assert!(!Familiar::new(Arc::new(guard), "srv", None).allows("echo", NOTHING));
}

#[test]
fn not_every_name_is_remembered() {
    let own = familiar(r#"allow = ["mcp:srv/*"]"#);
    for number in 0..2 * MOST {
        assert!(own.allows(&format!("tool{number}"), NOTHING));
    }
    assert!(own.allows(&"x".repeat(2 * LONGEST), NOTHING));
    assert_eq!(own.known.lock().unwrap().tools.len(), MOST);
}

const DRAWN: &str = r#"
allow = ["mcp:srv/*", "fs:r:/srv/**", "net:*.good.example"]
ask = ["mcp:srv/ask_*"]
deny = ["mcp:srv/deny_*", "fs:r:/srv/secret"]
"#;

proptest! {
    #[test]
    fn whatever_is_allowed_so_is_allowed_by_the_guard(
        tool in select(vec!["echo", "read_file", "search", "list_tree", "ask_it", "deny_it", "do__it", "x/y", ""]),
        key in select(vec!["path", "message", "where", "to", "diff", "url", "glob", "n", "old_path"]),
        value in select(vec![
            "\"a\"", "\"/srv/a\"", "\"/srv/secret\"", "\"/dev/null\"", "\"~\"", "\"..\"", "\"*\"", "\"\"", "1", "null",
            "true", "1e999", "\"https://bad.example\"", "\"--x=/srv/secret\"", "[]", "[\"/x\"]",
            "{\"file\":\"/x\"}", "{\"a\":1,\"a\":1}", "\"\\u002fx\"",
        ]),
        more in select(vec!["", ",\"message\":\"x\"", ",\"other\":2"]),
    ) {
        let own = familiar(DRAWN);
        let arguments = format!("{{\"{key}\":{value}{more}}}");
        if own.allows(tool, Some(&arguments)) {
            let args = strict_json::read(&arguments).unwrap();
            let item = McpAction::Tool { name: tool.to_owned(), args };
            let call = Call::new(Action::Mcp { server: "srv".to_owned(), item });
            prop_assert_eq!(own.guard.consider(&call).verdict.effect, Effect::Allow);
        }
    }
}
