//! Examples from the documentation of mlld, Seal, Aleph and hermes-agent decide as documented. The
//! originals are read if they are present.

use ringfence_core::access::ToolName;
use ringfence_core::host::MemoryHost;
use ringfence_core::rule::ToolKind;
use ringfence_core::{Access, AccessKind, Effect};
use ringfence_guard::Guard;
use ringfence_manifest::Format;
use serde_json::{Value, json};

use super::support::{call, check, guard, load, shared};

use Effect::{Allow, Deny};

fn line(text: &str) -> Value {
    json!({"tool": "terminal", "command": text})
}

fn read(path: &str) -> Value {
    json!({"tool": "read_file", "path": path})
}

fn write(path: &str) -> Value {
    json!({"tool": "write_file", "path": path})
}

/// Returns the text between two markers; panics if the page does not contain them.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap_or_else(|| panic!("has no {from:?}"));
    let rest = text.get(start..).unwrap();
    rest.get(..rest.find(to).unwrap_or_else(|| panic!("has no {to:?}"))).unwrap()
}

/// Returns guards for the object literals in mlld's page on `policy-capabilities`, parsed as YAML
/// and as JSON.
fn mlld(number: usize) -> Option<Vec<Guard>> {
    let page = shared("seeds/2-mlld-policy-capabilities.md")?;
    let literals: Vec<&str> = page.split("var @policyConfig = ").skip(1).collect();
    assert_eq!(literals.len(), 4, "the page has four examples");
    let literal = literals.get(number)?.split("\npolicy @p").next()?;
    let mut strict = literal.to_owned();
    for key in ["capabilities", "allow", "danger", "deny", "sh", "network"] {
        strict = strict.replace(&format!("{key}: "), &format!("\"{key}\": "));
    }
    let forms = [(Format::Yaml, literal), (Format::Json, literal), (Format::Json, strict.as_str())];
    let guards = forms.map(|(format, text)| load(format, text, MemoryHost::new()).unwrap());
    Some(guards.into())
}

#[test]
fn mlld_nested_capabilities() {
    for guard in mlld(0).into_iter().flatten() {
        check(&guard, &line("git status"), Allow);
        check(&guard, &line("npm install left-pad"), Allow);
        check(&guard, &line("ls"), Deny);
        check(&guard, &json!({"tool": "spawn", "argv": ["sh", "-c", "git status"]}), Deny);
        check(&guard, &read("/etc/hosts"), Allow);
        check(&guard, &write("tmp/a"), Allow);
        check(&guard, &read("tmp/a"), Allow);
        check(&guard, &write("src/a"), Deny);
        // Opted in, and granted by `fs:r:**`.
        check(&guard, &read("~/.ssh/id_rsa"), Allow);
        check(&guard, &read("~/.aws/credentials"), Deny);
        // `@keychain` alone is not enough without `projectname`.
        check(&guard, &json!({"access": "keychain:shop/api"}), Deny);
    }
}

#[test]
fn mlld_flat_shorthand() {
    for guard in mlld(1).into_iter().flatten() {
        check(&guard, &line("echo hi"), Allow);
        check(&guard, &read("/etc/hosts"), Allow);
        check(&guard, &json!({"tool": "spawn", "argv": ["bash", "-c", "echo hi"]}), Deny);
        check(&guard, &json!({"connect": "docs.example:443"}), Deny);
        check(&guard, &json!({"tool": "web_fetch", "url": "https://docs.example/"}), Deny);
        check(&guard, &line("git status"), Deny);
    }
}

#[test]
fn mlld_danger_blocks_what_allow_allows() {
    let forced = line("git push origin main --force");
    for guard in mlld(2).into_iter().flatten() {
        check(&guard, &forced, Deny);
        let refusal = guard.judge(&call(&forced)).unwrap_err();
        assert_eq!(refusal.error, "Dangerous capability requires allow.danger");
        check(&guard, &line("git push origin main"), Allow);
        // The same two checks for files.
        check(&guard, &read("~/.ssh/id_rsa"), Deny);
        check(&guard, &read("~/notes"), Allow);
    }
    for guard in mlld(3).into_iter().flatten() {
        check(&guard, &forced, Allow);
        check(&guard, &read("~/.ssh/id_rsa"), Deny);
        check(&guard, &line("sudo ls"), Deny);
    }
}

/// The tables in mlld's page on `policy-capabilities`: what each pattern matches.
#[test]
fn mlld_tables_of_patterns() {
    let Some(page) = shared("seeds/2-mlld-policy-capabilities.md") else { return };
    for (pattern, meets, misses) in [
        ("cmd:git:*", line("git log -n 3"), line("gitk")),
        ("cmd:npm:install:*", line("npm install x"), line("npm run x")),
        ("fs:r:**", read("/any/path"), write("/any/path")),
        ("fs:w:@root/tmp/**", write("tmp/a"), write("a")),
        ("fs:r:~/.config/*", read("~/.config/a"), read("~/.config/a/b")),
    ] {
        assert!(page.contains(&format!("| `{pattern}` |")), "{pattern}");
        let guard = guard(&format!("allow = [\"{pattern}\"]"));
        check(&guard, &meets, Allow);
        check(&guard, &misses, Deny);
    }
}

#[test]
fn aleph_permissions() {
    let Some(page) = shared("seeds/3-aleph-capability-system.txt") else { return };
    let guard = guard(between(&page, "[permissions.tools]", "Actions:"));
    check(&guard, &line("git status"), Deny);
    check(&guard, &json!({"tool": "file_ops"}), Allow);
    check(&guard, &json!({"tool": "other"}), Deny);
    let code =
        ToolName { wire: "code_exec".into(), mcp: None, kind: Some(ToolKind::CodeExecution) };
    let verdict = guard.policy().decide(&Access::new(AccessKind::CallTool(code.into())));
    assert_eq!(verdict.effect, Effect::Ask);
}

#[test]
fn hermes_block() {
    let Some(page) = shared("seeds/4-hermes-agent-issue-9389.txt") else { return };
    let block = between(&page, "tools:\n  terminal:", "\n\nToday");
    let mut host = MemoryHost::new();
    host.set_env("HERMES_HOME", "/srv/hermes");
    let guard = load(Format::Yaml, block, host).unwrap();
    for path in ["/home/u/forge-zero/a", "/srv/hermes/a", "/tmp/a"] {
        check(&guard, &line(&format!("cat {path}")), Allow);
    }
    for path in
        ["/home/u/.hermes/a", "/home/u/.ssh/config", "/home/u/.aws/x", "/etc/hosts", "/tmpx"]
    {
        check(&guard, &line(&format!("cat {path}")), Deny);
    }
    // More paths may be readable than writable.
    for path in ["~/forge-zero/a", "${HERMES_HOME}/a"] {
        check(&guard, &read(path), Allow);
        check(&guard, &write(path), Allow);
    }
    check(&guard, &read("~/Documents/notes"), Allow);
    for tool in ["write_file", "edit_file", "file_append"] {
        check(&guard, &json!({"tool": tool, "path": "~/Documents/notes"}), Deny);
    }
    check(&guard, &read("~/Downloads/a"), Deny);
    let refusal = guard.judge(&call(&line("cat /etc/hosts"))).unwrap_err();
    assert_eq!(refusal.allowed_paths, ["~/forge-zero", "${HERMES_HOME}", "/tmp"]);
}

/// The page has no complete document; examples stand next to their fields.
#[test]
fn seal_examples() {
    let Some(page) = shared("seeds/1-seal-capabilities-deny.txt") else { return };
    let files = format!("{}]", between(&page, "[\"*.rs\", \"*.toml\"", "]"));
    let path = format!("{}\"", between(&page, "\"src/**", "\" yields"));
    for rule in ["src/**/*.rs", "src/**/*.toml", "\"sw_vers\"", "{ command, domains }"] {
        assert!(page.contains(rule), "{rule}");
    }
    let guard = guard(&format!(
        r#"
allow = ["fs:r:**"]
[capabilities.allow.commands]
default_domains = ["a.example", "b.example"]
default_env_vars = ["SECRET", "PLAIN"]
patterns = ["sw_vers:*", "curl:*"]
[capabilities.deny.read]
default_files = {files}
paths = [{path}, {{ path = "docs", files = ["*.md"] }}, {{ path = "lib", prompt = true }}]
[capabilities.deny.commands]
env_vars = ["SECRET"]
patterns = ["sw_vers", {{ command = "curl", domains = ["a.example"] }}]
"#
    ));
    for denied in ["src/a.rs", "src/x/y.toml", "docs/a.md", "lib/a.rs"] {
        check(&guard, &read(denied), Deny);
    }
    for free in ["src/a.md", "a.rs", "docs/a.rs", "docs/x/a.md", "lib/a.md"] {
        check(&guard, &read(free), Allow);
    }
    check(&guard, &line("sw_vers"), Deny);
    check(&guard, &line("curl https://a.example/"), Deny);
    check(&guard, &line("curl https://b.example/"), Allow);
    check(&guard, &line("SECRET=x curl https://b.example/"), Deny);
    check(&guard, &line("PLAIN=x curl https://b.example/"), Allow);
}

/// Seal's starter manifest denies secrets in every location.
#[test]
fn seal_starter_manifest() {
    let Some(detail) = shared("seeds/detail.md") else { return };
    let text =
        between(&detail, "[capabilities.deny.read] default_files", "`").replacen("] ", "]\n", 1);
    let guard = guard(&format!("allow = [\"fs:r:**\"]\ndanger = [\"fs:r:**\"]\n{text}"));
    for denied in ["a.key", "x/y/b.pem", "/srv/c.seed", ".env", "app/.env.local"] {
        check(&guard, &read(denied), Deny);
    }
    for free in ["a.keys", "pem", ".environment", "src/a.rs"] {
        check(&guard, &read(free), Allow);
    }
}
