//! Tests of the decision by class: files, hosts, tools, MCP, keychain.

use super::*;

#[test]
fn c093_to_c096_file_patterns_grant_reading_and_writing() {
    let any = one(&[(Allow, "fs:r:**")]);
    check_reads(&any, &[("/etc/hosts", Allow), ("/home/u/proj/a", Allow), ("/", Allow)]);
    check_writes(&any, &[("/etc/hosts", Deny)]);
    let tmp = one(&[(Allow, "fs:w:@root/tmp/**")]);
    check_writes(&tmp, &[("/home/u/proj/tmp/a/b", Allow), ("/home/u/proj/a", Deny)]);
    check_reads(&tmp, &[("/home/u/proj/tmp/a", Allow), ("/home/u/proj/tmp", Allow)]);
    // `dir/**` grants reading `dir`, but not replacing it.
    check_writes(&tmp, &[("/home/u/proj/tmp", Deny)]);
    let config = one(&[(Allow, "fs:r:~/.config/*")]);
    check_reads(&config, &[("/home/u/.config/a", Allow), ("/home/u/.config/a/b", Deny)]);
    for place in ["@root/x", "@base/x", "x", "./x", "@cwd/x"] {
        let policy = one(&[(Allow, &format!("fs:r:{place}"))]);
        check_reads(&policy, &[("/home/u/proj/x", Allow), ("/x", Deny)]);
    }
}

#[test]
fn both_spellings_of_a_path_must_pass() {
    let policy = one(&[(Allow, "fs:r:@root/**")]);
    let mut linked = FilePath::named(path("/home/u/proj/link"));
    linked.real = path("/home/u/.ssh/id_rsa");
    let access = FileAccess { op: FileOp::Read, extent: Extent::One, path: linked };
    check(&policy, AccessKind::File(access), Deny);
}

#[test]
fn a_deny_of_a_directory_covers_the_directory_itself() {
    let policy = one(&[(Allow, "fs:w:**"), (Deny, "fs:w:@root/.git/**")]);
    check_writes(&policy, &[("/home/u/proj/.git", Deny), ("/home/u/proj/.git/config", Deny)]);
    check_reads(&policy, &[("/home/u/proj/.git/config", Allow)]);
}

#[test]
fn a_tree_access_needs_a_grant_for_the_tree_and_meets_denials_below() {
    let policy = one(&[
        (Allow, "fs:r:@root/**"),
        (Allow, "fs:r:/srv/*"),
        (Allow, "fs:r:~/**"),
        (Deny, "fs:r:~/.ssh/**"),
        (Deny, "fs:r:**/.env"),
    ]);
    check(&policy, tree(FileOp::Read, "/home/u/proj/src"), Allow);
    check(&policy, tree(FileOp::Read, "/srv"), Deny);
    check(&policy, tree(FileOp::Read, "/home/u"), Deny);
    check(&policy, tree(FileOp::Read, "/home/u/docs"), Allow);
    check(&policy, tree(FileOp::Read, "/home/u/.ssh/keys"), Deny);
}

#[test]
fn deleting_is_a_separate_right() {
    let policy = one(&[(Allow, "fs:w:@root/**"), (Ask, "fs:d:@root/**")]);
    check(&policy, file(FileOp::Write, "/home/u/proj/a"), Allow);
    check(&policy, file(FileOp::Delete, "/home/u/proj/a"), Ask);
    let named = one(&[(Ask, "fs:w:@root/**"), (Allow, "fs:d:@root/**")]);
    check(&named, file(FileOp::Delete, "/home/u/proj/a"), Allow);
    check(&named, file(FileOp::Write, "/home/u/proj/a"), Ask);
    let implied = one(&[(Allow, "fs:w:@root/**")]);
    check(&implied, file(FileOp::Delete, "/home/u/proj/a"), Allow);
    let delete_only = one(&[(Allow, "fs:d:@root/**")]);
    check(&delete_only, file(FileOp::Read, "/home/u/proj/a"), Deny);
}

#[test]
fn c118_the_strictest_of_several_documents_wins() {
    for one in Effect::ALL {
        for two in Effect::ALL {
            let documents = vec![
                document(Role::Organisation, &[(one, "tool:x")]),
                document(Role::User, &[(two, "tool:x")]),
            ];
            let tool =
                AccessKind::CallTool(ToolName { wire: "x".into(), mcp: None, kind: None }.into());
            check(&compile(documents, &[]), tool, one.max(two));
        }
    }
}

#[test]
fn c119_the_stricter_default_wins_for_tools() {
    let mut one = document(Role::Organisation, &[(Allow, "tool:x")]);
    one.tool_default = Some(Ask);
    let mut two = document(Role::User, &[(Allow, "tool:y")]);
    let tool = |name: &str| {
        AccessKind::CallTool(ToolName { wire: name.into(), mcp: None, kind: None }.into())
    };
    check(&compile(vec![one.clone(), two.clone()], &[]), tool("z"), Ask);
    two.tool_default = Some(Deny);
    let both = compile(vec![one, two], &[]);
    check(&both, tool("z"), Deny);
    check(&both, tool("x"), Allow);
}

#[test]
fn known_tools_need_a_grant_only_if_a_document_lists_tools() {
    let read = || {
        AccessKind::CallTool(
            ToolName { wire: "read_file".into(), mcp: None, kind: Some(ToolKind::File) }.into(),
        )
    };
    let unknown =
        AccessKind::CallTool(ToolName { wire: "frob".into(), mcp: None, kind: None }.into());
    let silent = one(&[(Allow, "fs:r:**")]);
    check(&silent, read(), Allow);
    check(&silent, unknown, Deny);
    check(&one(&[(Allow, "tool:other")]), read(), Deny);
    let mut kind = document(Role::User, &[(Deny, "tool:*")]);
    kind.rules[0].scope.tool = Some(ToolScope::Kind(ToolKind::File));
    check(&compile(vec![kind], &[]), read(), Deny);
}

#[test]
fn wildcards_never_match_private_hosts() {
    let any = one(&[(Allow, "net:*"), (Allow, "net:*.corp.example")]);
    for host in
        ["127.0.0.1", "localhost", "10.0.0.5", "169.254.169.254", "metadata.google.internal"]
    {
        check(&any, connect(host, 80), Deny);
    }
    check(&any, connect("8.8.8.8", 80), Allow);
    let private = |patterns: &[(Effect, &str)], host: &str, address: &str, expected| {
        let what = AccessKind::Connect(Connect {
            host: HostName::parse(host).unwrap(),
            port: Some(443),
            addresses: vec![address.parse().unwrap()],
        });
        check(&one(patterns), what, expected);
    };
    private(&[(Allow, "net:*.corp.example")], "db.corp.example", "10.0.0.5", Deny);
    // The owner of a public name chooses its addresses; a local name has no owner.
    private(&[(Allow, "net:db.corp.example")], "db.corp.example", "10.0.0.5", Deny);
    private(&[(Allow, "net:db.corp.internal")], "db.corp.internal", "10.0.0.5", Allow);
    private(&[(Allow, "net:db.corp.internal")], "db.corp.internal", "169.254.169.254", Deny);
    private(&[(Allow, "net:db")], "db", "127.0.0.1", Allow);
    private(
        &[(Allow, "net:*.corp.example"), (Allow, "net:10.0.0.0/8")],
        "db.corp.example",
        "10.0.0.5",
        Allow,
    );
    private(&[(Allow, "net:10.0.0.0/8")], "db.corp.example", "10.0.0.5", Deny);
    private(&[(Allow, "net:a.example"), (Deny, "net:10.0.0.5")], "a.example", "10.0.0.5", Deny);
    private(&[(Allow, "net:*.corp.example")], "db.corp.example", "8.8.8.8", Allow);
}

#[test]
fn grants_need_their_port_and_unknown_ports_meet_denials() {
    let policy =
        one(&[(Allow, "net:a.example:443"), (Allow, "net:b.example"), (Deny, "net:b.example:22")]);
    check(&policy, connect("a.example", 443), Allow);
    check(&policy, connect("a.example", 8443), Deny);
    check(&policy, connect("b.example", 22), Deny);
    let unknown = |host: &str| {
        AccessKind::Connect(Connect {
            host: HostName::parse(host).unwrap(),
            port: None,
            addresses: vec![],
        })
    };
    check(&policy, unknown("a.example"), Deny);
    check(&policy, unknown("b.example"), Deny);
    check(&policy, AccessKind::Resolve(HostName::parse("a.example").unwrap()), Allow);
    check(&policy, AccessKind::Resolve(HostName::parse("c.example").unwrap()), Deny);
}

#[test]
fn each_kind_of_mcp_item_needs_its_own_grant() {
    let item = |server: &str, item: &str| McpItem { server: server.into(), item: item.into() };
    let tool = |server: &str, name: &str| {
        AccessKind::CallTool(
            ToolName {
                wire: format!("mcp__{server}__{name}").into(),
                mcp: Some(item(server, name)),
                kind: None,
            }
            .into(),
        )
    };
    let policy = one(&[
        (Allow, "mcp:docs/*"),
        (Allow, "mcp:gh/get_*"),
        (Allow, "mcp:docs/prompt:a*"),
        (Deny, "mcp:gh/get_secret"),
    ]);
    check(&policy, tool("docs", "anything"), Allow);
    check(&policy, tool("gh", "get_issue"), Allow);
    check(&policy, tool("gh", "get_secret"), Deny);
    check(&policy, tool("gh", "merge"), Deny);
    check(&policy, AccessKind::Resource(item("docs", "file:///x")), Deny);
    check(&policy, AccessKind::Prompt(item("docs", "abc")), Allow);
    let whole = one(&[(Allow, "mcp:docs/resource:*"), (Deny, "mcp:docs/*")]);
    check(&whole, AccessKind::Resource(item("docs", "x")), Deny);
    // Deny rules also match names as agents write them; allow rules match only the name itself.
    let dotted = one(&[
        (Allow, "mcp:*/*"),
        (Deny, "mcp:my.server/*"),
        (Deny, "mcp:files/rm-all"),
        (Deny, "mcp:plugin:a:b/x"),
    ]);
    for (server, name, expected) in [
        ("my.server", "x", Deny),
        ("my_server", "x", Deny),
        ("my-server", "x", Allow),
        ("files", "rm-all", Deny),
        ("files", "rm_all", Deny),
        ("files", "rm.all", Allow),
        ("plugin_a_b", "x", Deny),
        ("plugin_a_c", "x", Allow),
    ] {
        check(&dotted, tool(server, name), expected);
    }
    let granted = one(&[(Allow, "mcp:my.server/*")]);
    check(&granted, tool("my.server", "x"), Allow);
    check(&granted, tool("my_server", "x"), Deny);
}

#[test]
fn c105_keychain_needs_a_project_and_an_opt_in() {
    for (project, danger, expected) in
        [(true, true, Allow), (true, false, Deny), (false, true, Deny), (false, false, Deny)]
    {
        let mut doc = document(Role::User, &[(Allow, "keychain:shop/*")]);
        doc.settings.projectname = project.then(|| "shop".to_owned());
        doc.danger = danger.then(|| vec![rule(Allow, "@keychain")]);
        let entry = KeychainEntry { service: "shop".into(), account: "api".into() };
        check(&compile(vec![doc], &["@keychain"]), AccessKind::Keychain(entry), expected);
    }
}

#[test]
fn literal_paths_of_patterns_match_as_written_and_resolved() {
    let mut host = MemoryHost::new();
    host.add_link(&path("/home/u/proj"), "/data/proj");
    let context = Context::new(
        Some(path("/home/u/proj")),
        path("/home/u"),
        path("/home/u/proj"),
        Date::new(2026, 11, 15).unwrap(),
    );
    let doc = document(Role::User, &[(Allow, "fs:r:@root/src/**")]);
    let policy = Policy::compile(vec![doc], vec![], &context, &host).unwrap();
    check_reads(&policy, &[("/home/u/proj/src/a", Allow), ("/data/proj/src/a", Allow)]);
}

#[test]
fn decisions_on_one_tool_do_not_affect_other_tools_or_agents() {
    let tool = |name: &str| -> Arc<ToolName> {
        ToolName { wire: name.into(), mcp: None, kind: None }.into()
    };
    let mut doc = document(Role::User, &[(Allow, "tool:one"), (Deny, "tool:one")]);
    doc.rules[1].scope.agent = Some(NamePattern::exact("ops"));
    let policy = compile(vec![doc], &[]);
    let (first, same, other) = (tool("one"), tool("one"), tool("two"));
    let decide = |tool: &Arc<ToolName>, agent: Option<&str>| {
        let mut access = Access::new(AccessKind::CallTool(Arc::clone(tool)));
        access.scope.agent = agent.map(Into::into);
        policy.decide(&access).effect
    };
    for _ in 0..2 {
        assert_eq!(decide(&first, None), Allow);
        assert_eq!(decide(&same, None), Allow);
        assert_eq!(decide(&other, None), Deny);
        assert_eq!(decide(&first, Some("ops")), Deny);
        assert_eq!(decide(&first, Some("dev")), Allow);
    }
}
