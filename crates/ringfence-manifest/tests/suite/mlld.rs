//! mlld's forms: nested lists, deny objects, keychain, env.

use ringfence_manifest::Format;

use super::support::{check, load, refused, toml, warnings};

#[test]
fn c081_nested_capabilities_object() {
    let flat = "
        allow cmd:git:*
        allow fs:r:**
        ask cmd:git:push:*
        deny sh
        danger list of 2
        danger allow @keychain
        danger allow fs:r:~/.ssh/*
        dangerous deny cmd:x:*
        -- policy.json ceiling (ceiling)
        allow net:*.x.example
    ";
    let text = r#"{ "capabilities": {
        "allow": ["cmd:git:*", "fs:r:**"], "ask": ["cmd:git:push:*"], "danger": ["@keychain", "fs:r:~/.ssh/*"],
        "deny": ["sh"], "ceiling": ["net:*.x.example"], "danger_list": ["cmd:x:*"] } }"#;
    check(&load(Format::Json, text), flat);
}

#[test]
fn c082_flat_form_says_the_same() {
    let nested =
        toml("[capabilities]\nallow = [\"cmd:echo:*\", \"fs:r:**\"]\ndeny = [\"sh\"]\ndanger = []");
    let flat = toml("allow = [\"cmd:echo:*\", \"fs:r:**\"]\ndeny = [\"sh\"]\ndanger = []");
    assert_eq!(super::support::say_all(&nested), super::support::say_all(&flat));
}

#[test]
fn c083_flat_beside_nested() {
    let loaded = toml(
        r#"
allow = ["cmd:git:*", "net:a.example"]
deny = ["sh"]
danger = ["cmd:git:push:*:--force"]
[capabilities]
allow = ["cmd:git:status", "fs:r:**"]
ask = ["cmd:git:log:*"]
deny = ["net:b.example"]
danger = ["@keychain"]
"#,
    );
    // Both list commands: the nested ones narrow. Only one lists files, only the other hosts.
    check(
        &loaded,
        "
        allow cmd:git:*
        allow net:a.example
        allow fs:r:**
        deny sh
        deny net:b.example
        danger list of 1
        danger allow @keychain
        -- policy.toml [capabilities] (ceiling)
        allow cmd:git:status
        ask cmd:git:log:*
        ",
    );
    assert_eq!(
        toml("danger = [\"sh\"]\n[capabilities]\ndeny = [\"sh\"]").document.danger.map(|d| d.len()),
        Some(1)
    );
}

#[test]
fn c084_deny_object_form() {
    for (format, text) in [
        (Format::Json, r#"{"deny": {"sh": true, "network": true}}"#),
        (Format::Json, r#"{"capabilities": {"deny": {"sh": true, "net": true}}}"#),
        (Format::Yaml, "deny: { sh: true, network: true }"),
        (Format::Toml, "deny = { sh = true, network = true }"),
    ] {
        check(&load(format, text), "deny sh\ndeny net:*");
    }
    check(&toml("deny = { sh = false, network = true }"), "deny net:*");
    let errors = refused(Format::Toml, "deny = { shell = true }");
    assert!(errors.contains("unknown key `shell`"), "{errors}");
    assert!(
        refused(Format::Toml, "deny = false")
            .contains("expected a list, a table or `true`, found `false`")
    );
}

#[test]
fn grants_of_python_in_nested_lists_are_only_said_aloud() {
    let loaded =
        toml("[capabilities]\nallow = [\"cmd:python3:*\", \"cmd:{ls,sudo}:*\", \"cmd:git:*\"]");
    assert_eq!(
        warnings(&loaded),
        [
            "policy.toml:2:10: grants `python`: whoever may run it may do nearly anything",
            "policy.toml:2:27: grants `sudo`: whoever may run it may do nearly anything",
        ]
    );
    assert!(toml("allow = [\"cmd:python3:*\"]").warnings.is_empty());
}

#[test]
fn c105_keychain_projectname() {
    let loaded = toml("danger = [\"@keychain\"]\n[keychain]\nprojectname = \"shop\"");
    assert_eq!(loaded.document.settings.projectname.as_deref(), Some("shop"));
    assert_eq!(toml("[keychain]\nallow = [\"a/b\"]").document.settings.projectname, None);
    for bad in ["", " ", "a/b"] {
        let errors = refused(Format::Toml, &format!("[keychain]\nprojectname = \"{bad}\""));
        assert!(errors.contains("is no name for a project"), "{errors}");
    }
}

#[test]
fn c106_keychain_patterns() {
    let loaded = toml(
        "[keychain]\nprojectname = \"sh*p\"\nallow = [\"{projectname}/*\", \"x/y\"]\ndeny = [\"{projectname}/root\"]",
    );
    check(
        &loaded,
        "
        allow keychain:sh\\*p/*
        allow keychain:x/y
        deny keychain:sh\\*p/root
        Settings { unanalysable: None, unknown_operands: None, reveal_roots: None, allow_metacharacters: None, mode: None, dangerously_grant: {}, projectname: Some(\"sh*p\"), best_effort: None, children: None, unlisted_programs: None, limits: Limits { time: None, memory: None, processes: None, file_size: None, open_files: None, output: None }, hooks: Hooks { unlisted: None, wait: None, shell: None }, elicitation: None }
        ",
    );
    let errors = refused(Format::Toml, "[keychain]\nallow = [\"{projectname}/*\"]");
    assert!(errors.contains("hint: set `projectname`"), "{errors}");
    assert!(refused(Format::Toml, "[keychain]\nallow = [\"shop\"]").contains("names no account"));
}

#[test]
fn c107_env_config_tools() {
    check(
        &load(Format::Yaml, "env: { tools: [Bash, Read, mcp__x__y], mcps: [github] }"),
        "
        -- policy.yaml env (ceiling)
        allow tool:* tool terminal
        allow mcp:*/Bash
        allow tool:Read
        allow mcp:*/Read
        allow mcp:x/y
        allow mcp:*/resource:*
        allow mcp:*/prompt:*
        allow mcp:*/method:*
        closed tool
        -- policy.yaml env (ceiling)
        allow mcp:github/*
        allow mcp:github/resource:*
        allow mcp:github/prompt:*
        allow mcp:github/method:*
        allow tool:{[!m]*,m,m[!c]*,mc,mc[!p]*,mcp,mcp[!_]*,mcp_,mcp_[!_]*}
        closed tool
        ",
    );
    check(
        &toml("env = { mcps = [] }"),
        "
        -- policy.toml env (ceiling)
        allow tool:{[!m]*,m,m[!c]*,mc,mc[!p]*,mcp,mcp[!_]*,mcp_,mcp_[!_]*}
        closed tool
        ",
    );
}

#[test]
fn c107_names_that_are_no_mcp_tools() {
    let loaded = toml("env = { mcps = [] }");
    let ringfence_core::Pattern::Tool(names) = &loaded.ceilings[0].rules[0].pattern else {
        panic!()
    };
    for name in ["Bash", "m", "mc", "mcp", "mcp_", "mcp_x", "mcpx", "make", "_"] {
        assert!(names.matches(name), "{name}");
    }
    for name in ["mcp__", "mcp__a", "mcp__github__get"] {
        assert!(!names.matches(name), "{name}");
    }
}
