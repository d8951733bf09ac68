//! Several agents, and several layers of documents.

use ringfence_core::{Effect, Role};
use serde_json::{Value, json};

use super::support::{call, call_of, decide, guard, layered};

fn tool(name: &str) -> Value {
    json!({ "tool": name })
}

fn read(path: &str) -> Value {
    json!({"tool": "read_file", "path": path})
}

fn write(path: &str) -> Value {
    json!({"tool": "write_file", "path": path})
}

#[test]
fn c118_the_more_restrictive_of_global_and_agent_counts() {
    for global in Effect::ALL {
        for agent in Effect::ALL {
            let guard = guard(&format!(
                "[permissions.tools]\nx = \"{global}\"\n[agents.bot.permissions.tools]\nx = \"{agent}\""
            ));
            let of = |name: &str| guard.consider(&call_of(name, &tool("x"))).verdict.effect;
            assert_eq!(of("bot"), global.max(agent), "{global} and {agent}");
            assert_eq!(of("other"), global, "another agent is not bound");
            assert_eq!(decide(&guard, &tool("x")), global, "nor is a call by nobody");
        }
    }
}

#[test]
fn c118_the_order_of_layers_does_not_matter() {
    for one in Effect::ALL {
        for two in Effect::ALL {
            let texts = [one, two].map(|effect| format!("[permissions.tools]\nx = \"{effect}\""));
            let [one_text, two_text] = [texts[0].as_str(), texts[1].as_str()];
            let first = [(Role::Organisation, one_text), (Role::User, two_text)];
            let second = [(Role::User, two_text), (Role::Organisation, one_text)];
            assert_eq!(decide(&layered(&first), &tool("x")), one.max(two));
            assert_eq!(decide(&layered(&second), &tool("x")), one.max(two));
        }
    }
}

#[test]
fn c119_the_merged_default_is_the_more_restrictive_one() {
    let merged = |global: &str, agent: &str| {
        guard(&format!(
            r#"
[permissions]
default = "{global}"
[permissions.tools]
both = "allow"
ours = "allow"
[agents.bot.permissions]
default = "{agent}"
[agents.bot.permissions.tools]
both = "allow"
theirs = "allow"
"#
        ))
    };
    for (global, agent, rest) in [
        ("ask", "ask", Effect::Ask),
        ("ask", "deny", Effect::Deny),
        ("deny", "ask", Effect::Deny),
        ("deny", "deny", Effect::Deny),
    ] {
        let guard = merged(global, agent);
        let of = |name: &str| guard.consider(&call_of("bot", &tool(name))).verdict.effect;
        assert_eq!(of("neither"), rest, "{global} and {agent}");
        // For a tool listed on one side only, that entry is merged with the other side's default.
        assert_eq!(of("ours"), agent.parse().unwrap(), "{global} and {agent}");
        assert_eq!(of("theirs"), global.parse().unwrap(), "{global} and {agent}");
        assert_eq!(of("both"), Effect::Allow);
    }
}

const PROFILES: &str = r#"
allow = ["fs:rw:**", "cmd:git:*", "net:docs.example"]

[agents.clinical.tools.file]
allowed_read_paths = ["~/clinical", "~/shared"]
allowed_write_paths = ["~/clinical"]
denied_paths = ["~/clinical/raw"]

[agents.sales.tools.file]
allowed_read_paths = ["~/sales", "~/shared"]
allowed_write_paths = ["~/sales"]

[agents.sales]
deny = ["cmd:git:push:*"]
"#;

#[test]
fn c148_one_profiles_lists_never_affect_another() {
    use Effect::{Allow, Deny};
    let guard = guard(PROFILES);
    for (action, clinical, sales, nobody) in [
        (read("~/clinical/a"), Allow, Deny, Allow),
        (read("~/sales/a"), Deny, Allow, Allow),
        (read("~/shared/a"), Allow, Allow, Allow),
        (read("/etc/hosts"), Deny, Deny, Allow),
        (write("~/clinical/a"), Allow, Deny, Allow),
        (write("~/sales/a"), Deny, Allow, Allow),
        (write("~/shared/a"), Deny, Deny, Allow),
        (read("~/clinical/raw/a"), Deny, Deny, Allow),
        (json!({"tool": "terminal", "command": "git push"}), Allow, Deny, Allow),
        (json!({"tool": "terminal", "command": "git log"}), Allow, Allow, Allow),
        (json!({"tool": "web_fetch", "url": "https://docs.example/"}), Allow, Allow, Allow),
    ] {
        let of = |agent: &str| guard.consider(&call_of(agent, &action)).verdict.effect;
        assert_eq!(of("clinical"), clinical, "clinical: {action}");
        assert_eq!(of("sales"), sales, "sales: {action}");
        assert_eq!(of("third"), nobody, "a third agent: {action}");
        assert_eq!(decide(&guard, &action), nobody, "nobody: {action}");
    }
}

#[test]
fn c148_two_documents_share_nothing() {
    let lists = |path: &str| {
        guard(&format!("[tools.file]\nenabled = true\nallowed_read_paths = [\"{path}\"]"))
    };
    let (one, two) = (lists("~/one"), lists("~/two"));
    for (action, first, second) in [
        (read("~/one/a"), Effect::Allow, Effect::Deny),
        (read("~/two/a"), Effect::Deny, Effect::Allow),
    ] {
        assert_eq!(decide(&one, &action), first);
        assert_eq!(decide(&two, &action), second);
    }
}

/// The door knows who calls; the call's own data is never used.
#[test]
fn b057_an_agents_name_in_the_call_counts_for_nothing() {
    let guard = guard(PROFILES);
    let action = json!({"tool": "read_file", "path": "~/clinical/a", "agent": "clinical"});
    assert_eq!(guard.consider(&call_of("sales", &action)).verdict.effect, Effect::Deny);
    assert_eq!(call(&action).agent, None);
}
