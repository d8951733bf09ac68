//! Documents in every notation decide as their originals say. The judge's own rules are tested where
//! it lives; here it shows that notations are lowered to what they mean.

use std::sync::Arc;

use ringfence_core::Effect::{self, Allow, Ask, Deny};
use ringfence_core::access::*;
use ringfence_core::host::MemoryHost;
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::rule::ToolKind;
use ringfence_core::{Context, Date, Policy};
use ringfence_manifest::{Format, builtin};

use super::support::load;

struct Judge(Policy);

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn judge(format: Format, text: &str) -> Judge {
    let loaded = load(format, text);
    let documents = std::iter::once(loaded.document).chain(loaded.ceilings).collect();
    let today = Date::new(2026, 11, 15).unwrap();
    let context =
        Context::new(Some(path("/home/u/proj")), path("/home/u"), path("/home/u/proj"), today);
    let mut host = MemoryHost::new();
    host.set_env("HERMES_HOME", "/home/u/.hermes");
    Judge(Policy::compile(documents, builtin::danger_rules(), &context, &host).unwrap())
}

fn toml(text: &str) -> Judge {
    judge(Format::Toml, text)
}

fn program(line: &str, cwd: &str) -> Arc<Exec> {
    let mut words = line.split(' ');
    let name = words.next().unwrap();
    Arc::new(Exec {
        aliases: Vec::new(),
        program: Program {
            invoked: name.into(),
            file: Some(path(&format!("/usr/bin/{name}"))),
            known_as: Some(name.into()),
        },
        args: words.map(Into::into).collect(),
        reading: None,
        carrier: None,
        cwd: path(cwd),
    })
}

fn tool(name: &str) -> Arc<ToolName> {
    let mcp = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    let kind = match name {
        "Bash" | "terminal" => Some(ToolKind::Terminal),
        "read_file" | "write_file" => Some(ToolKind::File),
        "code_exec" => Some(ToolKind::CodeExecution),
        "fetch" => Some(ToolKind::Web),
        _ => None,
    };
    let mcp = mcp.map(|(server, item)| McpItem { server: server.into(), item: item.into() });
    Arc::new(ToolName { wire: name.into(), mcp, kind })
}

fn host(name: &str) -> AccessKind {
    AccessKind::Connect(Connect {
        host: HostName::parse(name).unwrap(),
        port: Some(443),
        addresses: Vec::new(),
    })
}

fn file(op: FileOp, text: &str) -> AccessKind {
    AccessKind::File(FileAccess { op, extent: Extent::One, path: FilePath::named(path(text)) })
}

impl Judge {
    fn says(&self, what: AccessKind, scope: AccessScope) -> Effect {
        self.0.decide(&Access { what, scope, span: None }).effect
    }

    fn runs(&self, line: &str) -> Effect {
        self.says(AccessKind::Exec(program(line, "/home/u/proj")), AccessScope::default())
    }

    fn runs_in(&self, line: &str, cwd: &str) -> Effect {
        self.says(AccessKind::Exec(program(line, cwd)), AccessScope::default())
    }

    /// What a command does, as its grant covers it.
    fn under(&self, line: &str, what: AccessKind) -> Effect {
        let command = Some(program(line, "/home/u/proj"));
        self.says(
            what,
            AccessScope { command, cover: Cover::ParentGrant, ..AccessScope::default() },
        )
    }

    fn calls(&self, name: &str) -> Effect {
        self.says(AccessKind::CallTool(tool(name)), AccessScope::default())
    }

    fn by(&self, agent: &str, what: AccessKind) -> Effect {
        self.says(what, AccessScope { agent: Some(agent.into()), ..AccessScope::default() })
    }

    fn through(&self, name: &str, what: AccessKind) -> Effect {
        self.says(what, AccessScope { tool: Some(tool(name)), ..AccessScope::default() })
    }

    fn reads(&self, text: &str) -> Effect {
        self.says(file(FileOp::Read, text), AccessScope::default())
    }
}

#[test]
fn c053_to_c059_denies_of_seal_stack() {
    let judge = toml(
        r#"
[capabilities.allow.commands]
default_domains = ["*.example"]
default_env_vars = ["*"]
patterns = ["sw_vers", "curl:*", "wget:*"]
[capabilities.deny.commands]
domains = ["paste.example"]
env_vars = ["AWS_SECRET_ACCESS_KEY"]
patterns = ["sw_vers", { command = "curl", domains = ["evil.example"] }]
[security]
universal_deny_domains = ["metadata.example"]
"#,
    );
    assert_eq!(judge.runs("sw_vers"), Deny);
    assert_eq!(judge.runs("curl x"), Allow);
    for (line, name, effect) in [
        ("curl x", "ok.example", Allow),
        ("curl x", "evil.example", Deny),
        ("wget x", "evil.example", Allow),
        ("curl x", "paste.example", Deny),
        ("wget x", "paste.example", Deny),
        ("wget x", "metadata.example", Deny),
    ] {
        assert_eq!(judge.under(line, host(name)), effect, "{line} {name}");
    }
    assert_eq!(judge.under("curl x", AccessKind::SetEnv("AWS_SECRET_ACCESS_KEY".into())), Deny);
    assert_eq!(judge.under("curl x", AccessKind::SetEnv("HOME".into())), Allow);
    // A section's denies are of commands, the universal ones of everything.
    let grant = "allow = [\"net:*.example\"]\n";
    let section =
        toml(&format!("{grant}[capabilities.deny.commands]\ndomains = [\"paste.example\"]"));
    assert_eq!(section.through("fetch", host("paste.example")), Allow);
    let universal =
        toml(&format!("{grant}[security]\nuniversal_deny_domains = [\"paste.example\"]"));
    assert_eq!(universal.through("fetch", host("paste.example")), Deny);
}

#[test]
fn c061_c064_files_of_seal() {
    let judge = toml(
        r#"
[capabilities.allow.read]
default_files = ["*.rs"]
paths = ["src/**", ".", { path = "all/**", files = ["*"] }, { path = "docs/**", files = ["*.md"], prompt = true }]
[capabilities.deny.read]
default_files = [".env"]
"#,
    );
    for (path, effect) in [
        ("/home/u/proj/src/a.rs", Allow),
        ("/home/u/proj/src/x/a.rs", Allow),
        ("/home/u/proj/src/a.md", Deny),
        ("/home/u/proj/a.rs", Allow),
        ("/home/u/proj/x/a.rs", Deny),
        ("/home/u/proj/all/.hidden", Allow),
        ("/home/u/proj/all/.env", Deny),
        ("/home/u/proj/docs/a.md", Ask),
        ("/elsewhere/a.rs", Deny),
    ] {
        assert_eq!(judge.reads(path), effect, "{path}");
    }
    let everything = toml("[capabilities.allow.read]\ndefault_files = [\"*\"]\npaths = [\"**\"]");
    assert_eq!(everything.reads("/home/u/proj/x/y"), Allow);
    assert_eq!(everything.reads("/etc/hosts"), Deny);
}

#[test]
fn c066_to_c070_what_commands_are_given() {
    let judge = toml(
        r#"
[capabilities.allow]
additional_directories = ["../lib"]
[capabilities.allow.commands]
default_domains = ["d.example"]
default_env_vars = ["D"]
patterns = [
  "cargo:*",
  { command = "cargo publish:*", inherit_default_domains = false },
  { command = "npm:*", domains = ["n.example"], env_vars = ["N"] },
  { command = "make", paths = ["sub/**"], prompt = true },
]
"#,
    );
    for (line, name, effect) in [
        ("cargo test", "d.example", Allow),
        ("cargo test", "other.example", Deny),
        ("cargo publish", "d.example", Deny),
        ("cargo publish --dry-run", "d.example", Deny),
        ("npm i", "d.example", Allow),
        ("npm i", "n.example", Allow),
        ("cargo test", "n.example", Deny),
    ] {
        assert_eq!(judge.under(line, host(name)), effect, "{line} {name}");
    }
    for (line, name, effect) in [
        ("cargo test", "D", Allow),
        ("npm i", "D", Deny),
        ("npm i", "N", Allow),
        ("cargo test", "N", Deny),
    ] {
        assert_eq!(judge.under(line, AccessKind::SetEnv(name.into())), effect, "{line} {name}");
    }
    for (line, cwd, effect) in [
        ("cargo test", "/home/u/proj", Allow),
        ("cargo test", "/home/u/proj/x", Allow),
        ("cargo test", "/home/u/lib/x", Allow),
        ("cargo test", "/elsewhere", Deny),
        ("make", "/home/u/proj/sub", Ask),
        ("make", "/home/u/proj/sub/x", Ask),
        ("make", "/home/u/proj", Deny),
        ("make all", "/home/u/proj/sub", Deny),
    ] {
        assert_eq!(judge.runs_in(line, cwd), effect, "{line} {cwd}");
    }
    assert_eq!(judge.reads("/home/u/lib/a"), Deny);
}

#[test]
fn c071_to_c074_the_narrower_entry_wins() {
    for patterns in [
        r#"{ command = "cargo:*", prompt = true }, "cargo test:*""#,
        r#""cargo test:*", { command = "cargo:*", prompt = true }"#,
    ] {
        let judge = toml(&format!("[capabilities.allow.commands]\npatterns = [{patterns}]"));
        assert_eq!(judge.runs("cargo test x"), Allow);
        assert_eq!(judge.runs("cargo build"), Ask);
    }
    let tie = toml(
        r#"[capabilities.allow.commands]
patterns = ["cargo test:*", { command = "cargo test:*", prompt = true }]"#,
    );
    assert_eq!(tie.runs("cargo test"), Ask);
    let default = |word| {
        toml(&format!("default = \"{word}\"\n[capabilities.allow.commands]\npatterns = [\"a\"]"))
    };
    assert_eq!(default("ask").runs("b"), Ask);
    assert_eq!(default("deny").runs("b"), Deny);
}

#[test]
fn c083_c084_flat_meets_nested() {
    let judge = toml(
        "allow = [\"cmd:git:*\", \"fs:r:**\"]\n[capabilities]\nallow = [\"cmd:git:status\", \"cmd:ls:*\"]",
    );
    assert_eq!(judge.runs("git status"), Allow);
    assert_eq!(judge.runs("git log"), Deny);
    assert_eq!(judge.runs("ls"), Deny);
    assert_eq!(judge.reads("/etc/hosts"), Allow);
    let judge = self::judge(
        Format::Json,
        r#"{"allow": ["cmd:*", "net:*"], "deny": {"sh": true, "network": true}}"#,
    );
    assert_eq!(judge.runs("bash -c x"), Deny);
    assert_eq!(judge.runs("ls"), Allow);
    assert_eq!(judge.says(host("a.example"), AccessScope::default()), Deny);
    assert_eq!(judge.says(host("127.0.0.1"), AccessScope::default()), Deny);
    let nothing = toml("allow = [\"cmd:*\", \"fs:r:**\", \"tool:*\", \"env:*\"]\ndeny = true");
    assert_eq!(nothing.runs("ls"), Deny);
    assert_eq!(nothing.reads("/etc/hosts"), Deny);
    assert_eq!(nothing.calls("Bash"), Deny);
    assert_eq!(nothing.calls("mcp__a__b"), Deny);
}

#[test]
fn c105_c106_keychain() {
    let entry = |service: &str| {
        AccessKind::Keychain(KeychainEntry { service: service.into(), account: "x".into() })
    };
    let text = |danger: &str, project: &str| {
        format!(
            "danger = [{danger}]\n[keychain]\n{project}\nallow = [\"shop/*\"]\ndeny = [\"shop/root\"]"
        )
    };
    for (danger, project, effect) in [
        ("\"@keychain\"", "projectname = \"shop\"", Allow),
        ("", "projectname = \"shop\"", Deny),
        ("\"@keychain\"", "", Deny),
        ("", "", Deny),
    ] {
        let judge = toml(&text(danger, project));
        assert_eq!(judge.says(entry("shop"), AccessScope::default()), effect, "{danger} {project}");
        assert_eq!(judge.says(entry("other"), AccessScope::default()), Deny);
    }
}

#[test]
fn c107_env_gates_tools() {
    let judge = toml(
        "allow = [\"tool:*\", \"mcp:*/*\", \"mcp:*/resource:*\"]\nenv = { tools = [\"Bash\", \"get_issue\"] }",
    );
    for (name, effect) in [
        ("Bash", Allow),
        ("read_file", Deny),
        ("mcp__github__get_issue", Allow),
        ("mcp__github__push", Deny),
    ] {
        assert_eq!(judge.calls(name), effect, "{name}");
    }
    let judge =
        toml("allow = [\"tool:*\", \"mcp:*/*\", \"mcp:*/resource:*\"]\nenv = { mcps = [] }");
    assert_eq!(judge.calls("Bash"), Allow);
    assert_eq!(judge.calls("mcp__github__get_issue"), Deny);
    let resource = AccessKind::Resource(McpItem { server: "github".into(), item: "x".into() });
    assert_eq!(judge.says(resource, AccessScope::default()), Deny);
}

#[test]
fn c117_to_c119_permissions() {
    let judge =
        toml("[permissions.tools]\ncode_exec = \"ask\"\nbash = \"deny\"\nfile_ops = \"allow\"");
    for (name, effect) in [("code_exec", Ask), ("Bash", Deny), ("file_ops", Allow), ("other", Deny)]
    {
        assert_eq!(judge.calls(name), effect, "{name}");
    }
    for (global, agent) in Effect::ALL.into_iter().flat_map(|one| Effect::ALL.map(|two| (one, two)))
    {
        let judge = toml(&format!(
            "[permissions.tools]\nx = \"{global}\"\n[agents.a.permissions.tools]\nx = \"{agent}\""
        ));
        assert_eq!(
            judge.by("a", AccessKind::CallTool(tool("x"))),
            global.max(agent),
            "{global} {agent}"
        );
        assert_eq!(judge.by("b", AccessKind::CallTool(tool("x"))), global, "{global} {agent}");
    }
    let judge = toml(
        "[permissions]\ndefault = \"ask\"\ntools = { x = \"allow\", y = \"allow\" }\n[agents.a.permissions]\ndefault = \"ask\"\ntools = { x = \"allow\" }",
    );
    assert_eq!(judge.by("a", AccessKind::CallTool(tool("x"))), Allow);
    assert_eq!(judge.by("a", AccessKind::CallTool(tool("y"))), Ask);
    assert_eq!(judge.by("b", AccessKind::CallTool(tool("y"))), Allow);
    assert_eq!(judge.by("b", AccessKind::CallTool(tool("z"))), Ask);
}

#[test]
fn c131_to_c134_c141_c142_paths_of_tools() {
    let judge = judge(
        Format::Yaml,
        "tools:\n  terminal:\n    enabled: true\n    allowed_paths: [~/forge-zero, '${HERMES_HOME}', /tmp]\n    denied_paths: [/tmp/secret]\n  file:\n    enabled: true\n    allowed_read_paths: [~/forge-zero, ~/Documents]\n    allowed_write_paths: [~/forge-zero]\n",
    );
    use FileOp::{Delete, Read, Write};
    for (name, op, text, effect) in [
        ("terminal", Read, "/tmp/x", Allow),
        ("terminal", Write, "/tmp/x", Allow),
        ("terminal", Delete, "/tmp/x", Allow),
        ("terminal", Read, "/tmpx", Deny),
        ("terminal", Read, "/tmp/secret", Deny),
        ("terminal", Read, "/tmp/secret/x", Deny),
        ("terminal", Write, "/home/u/.hermes/x", Allow),
        ("terminal", Read, "/home/u/x", Deny),
        ("read_file", Read, "/home/u/Documents/x", Allow),
        ("write_file", Write, "/home/u/Documents/x", Deny),
        ("write_file", Write, "/home/u/forge-zero/x", Allow),
        ("read_file", Read, "/tmp/x", Deny),
        ("Bash", Read, "/home/u/Documents/x", Deny),
    ] {
        assert_eq!(judge.through(name, file(op, text)), effect, "{name} {op:?} {text}");
    }
    assert_eq!(judge.through("terminal", AccessKind::Exec(program("anything", "/tmp"))), Allow);
    assert_eq!(judge.calls("terminal"), Allow);
    // Lists of one tool say nothing about another, and no block at all grants nothing.
    let judge = toml("[tools.terminal]\nallowed_paths = [\"/tmp\"]");
    assert_eq!(judge.through("read_file", file(Read, "/tmp/x")), Deny);
    assert_eq!(toml("").through("read_file", file(Read, "/tmp/x")), Deny);
    // A wider grant elsewhere does not lift the ceiling.
    let judge = toml("allow = [\"fs:r:**\"]\n[tools.terminal]\nallowed_paths = [\"/tmp\"]");
    assert_eq!(judge.through("terminal", file(Read, "/etc/hosts")), Deny);
    assert_eq!(judge.through("read_file", file(Read, "/etc/hosts")), Allow);
}
