//! Laws of lint, over drawn documents: what it calls silent is silent.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use ringfence_core::access::{
    Access, AccessKind, Connect, Exec, Extent, FileAccess, FileOp, McpItem, Program, Text, ToolName,
};
use ringfence_core::host::MemoryHost;
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::pattern::{NamePattern, Pattern};
use ringfence_core::{Context, Effect, Origin, Policy};

use super::*;

const PATTERNS: [&str; 46] = [
    "cmd:*",
    "cmd:git:*",
    "cmd:git:push:*",
    "cmd:git:push",
    "cmd:git:push:",
    "cmd:git:push:origin:*",
    "cmd:git:push:*:--force",
    "cmd:git:*:--force",
    "cmd:{git,ls}:*",
    "cmd:g*:*",
    "cmd:rm:-rf:*",
    "cmd:bash:-c:*",
    "sh",
    "fs:r:**",
    "fs:w:**",
    "fs:rw:@root/**",
    "fs:r:@root/**",
    "fs:w:@root/**",
    "fs:w:@root/src",
    "fs:w:src/**",
    "fs:d:@root/**",
    "fs:d:src/*",
    "fs:rw:{src,docs}/**",
    "fs:r:**/.env",
    "fs:r:~/.ssh/*",
    "fs:rw:~/.ssh/**",
    "fs:rw:~/**",
    "net:*",
    "net:a.example",
    "net:*.a.example",
    "net:*.example",
    "net:a.example:443",
    "net:10.0.0.0/8",
    "net:10.1.2.3",
    "env:*",
    "env:A*",
    "env:AB",
    "env:[AB]B",
    "tool:*",
    "tool:x",
    "tool:mcp*",
    "mcp:s/*",
    "mcp:*/t",
    "mcp:s/t",
    "listen:*",
    "listen:80",
];
const DANGERS: [&str; 6] = [
    "cmd:git:push:*:--force",
    "cmd:rm:*:-rf",
    "fs:r:~/.ssh/*",
    "fs:rw:**/.env",
    "env:AB",
    "net:10.0.0.0/8",
];
const ROLES: [Role; 7] = [
    Role::Organisation,
    Role::User,
    Role::Project,
    Role::Named,
    Role::Ceiling,
    Role::Untrusted,
    Role::BuiltIn,
];

fn rule(effect: Effect, text: &str, origin: Origin) -> Rule {
    Rule::new(effect, Pattern::parse(text).unwrap(), origin)
}

fn rules() -> impl Strategy<Value = Rule> {
    let effects = select(Effect::ALL.to_vec());
    let agents = select(vec![None, None, None, Some("a"), Some("b*")]);
    let excepts = prop::collection::vec(select(PATTERNS.to_vec()), 0..2);
    let days = select(vec![None, None, None, Some(19_000), Some(20_605), Some(30_000)]);
    (effects, select(PATTERNS.to_vec()), agents, excepts, days).prop_map(
        |(effect, text, agent, excepts, until)| {
            let mut rule = rule(effect, text, Origin::new(FILE, 1, 1));
            rule.scope.agent = agent.map(|name| NamePattern::parse(name).unwrap());
            rule.note.until = until.map(Date::from_unix_days);
            if effect == Effect::Deny {
                let excepts = excepts.iter().map(|text| Pattern::parse(text).unwrap());
                rule.except =
                    excepts.filter(|except| except.class() == rule.pattern.class()).collect();
            }
            rule
        },
    )
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let danger = proptest::option::of(prop::collection::vec(rules(), 0..3));
    let body = prop::collection::vec(rules(), 0..7);
    let default = select(vec![None, Some(Effect::Ask), Some(Effect::Deny)]);
    let document =
        (select(ROLES.to_vec()), body, danger, prop::collection::vec(rules(), 0..2), default);
    let document = document.prop_map(|(role, rules, danger, dangerous, default)| {
        let mut document = Document::new(FILE, role);
        (document.rules, document.danger) = (rules, danger);
        (document.dangerous, document.default) = (dangerous, default);
        document
    });
    prop::collection::vec(document, 0..4).prop_map(|mut documents| {
        for (line, rule) in all_rules(&mut documents).into_iter().enumerate() {
            rule.origin.line = line as u32 + 1;
        }
        documents
    })
}

fn all_rules(documents: &mut [Document]) -> Vec<&mut Rule> {
    let lists = documents.iter_mut().flat_map(|document| {
        let (rules, dangerous) = (&mut document.rules, &mut document.dangerous);
        rules.iter_mut().chain(document.danger.iter_mut().flatten()).chain(dangerous)
    });
    lists.collect()
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn exec(line: &str) -> AccessKind {
    let mut words = line.split(' ');
    let invoked: Text = words.next().unwrap().into();
    AccessKind::Exec(Arc::new(Exec {
        aliases: Vec::new(),
        program: Program {
            file: Some(path(&format!("/usr/bin/{invoked}"))),
            known_as: Some(invoked.clone()),
            invoked,
        },
        args: words.map(Into::into).collect(),
        reading: None,
        carrier: None,
        cwd: path("/home/u/proj"),
    }))
}

fn connect(host: &str, addresses: &[&str]) -> AccessKind {
    AccessKind::Connect(Connect {
        host: HostName::parse(host).unwrap(),
        port: Some(443),
        addresses: addresses.iter().map(|text| text.parse().unwrap()).collect(),
    })
}

fn accesses() -> Vec<Access> {
    let mut whats: Vec<AccessKind> = [
        "git",
        "git push",
        "git push origin main",
        "git push --force",
        "git push origin --force",
        "git status",
        "ls",
        "rm -rf x",
        "rm -r x",
        "bash -c x",
        "bash -c",
    ]
    .map(exec)
    .into();
    let files = [
        "/home/u/proj",
        "/home/u/proj/src",
        "/home/u/proj/src/a",
        "/home/u/proj/docs/b/c",
        "/home/u/proj/.env",
        "/home/u/.ssh",
        "/home/u/.ssh/id",
        "/home/u/.ssh/a/b",
        "/etc/hosts",
    ];
    for text in files {
        for op in [FileOp::Read, FileOp::Write, FileOp::Delete] {
            for extent in [Extent::One, Extent::Tree] {
                let path = FilePath::named(path(text));
                whats.push(AccessKind::File(FileAccess { op, extent, path }));
            }
        }
    }
    whats.extend([
        connect("a.example", &[]),
        connect("a.example", &["10.1.2.3"]),
        connect("x.a.example", &[]),
        connect("x.a.example", &["192.168.0.1"]),
        connect("10.1.2.3", &[]),
        connect("1.1.1.1", &[]),
        AccessKind::Listen(80),
        AccessKind::Listen(81),
        AccessKind::SetEnv("AB".into()),
        AccessKind::ReadEnv("BB".into()),
        AccessKind::ReadEnv("C".into()),
    ]);
    let tool = |wire: &str, mcp| {
        AccessKind::CallTool(ToolName { wire: wire.into(), mcp, kind: None }.into())
    };
    let item = |item: &str| McpItem { server: "s".into(), item: item.into() };
    whats.push(tool("x", None));
    whats.push(tool("mcp__s__t", Some(item("t"))));
    whats.push(AccessKind::Resource(item("t")));
    let agents = [None, Some("a"), Some("bc")];
    let with = |what: &AccessKind, agent: Option<&str>| {
        let mut access = Access::new(what.clone());
        access.scope.agent = agent.map(Into::into);
        access
    };
    whats.iter().flat_map(|what| agents.map(|agent| with(what, agent))).collect()
}

fn danger_rules() -> Vec<Rule> {
    let origin = || Origin::built_in("danger list");
    DANGERS.iter().map(|text| rule(Effect::Deny, text, origin())).collect()
}

/// The day that documents are drawn around.
fn that_day() -> Date {
    Date::from_unix_days(20_600)
}

/// What the documents decide once they are trusted.
fn verdicts(documents: &[Document], accesses: &[Access]) -> Vec<Effect> {
    let mut documents = documents.to_vec();
    for document in &mut documents {
        if document.role == Role::Untrusted {
            document.role = Role::Project;
        }
    }
    let root = Some(path("/home/u/proj"));
    let context = Context::new(root, path("/home/u"), path("/home/u/proj"), that_day());
    let host = MemoryHost::new();
    let policy = Policy::compile(documents, danger_rules(), &context, &host).unwrap();
    accesses.iter().map(|access| policy.decide(access).effect).collect()
}

/// Codes that say of a rule that nothing would change if it were over.
const SILENT_CODES: [&str; 8] = ["L001", "L002", "L003", "L004", "L005", "L008", "L302", "L303"];

fn lint_all(documents: &[Document]) -> Vec<Finding> {
    lint(documents, &LintOptions::new(that_day(), &danger_rules()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_that_is_called_silent_changes_no_verdict(documents in documents()) {
        let accesses = accesses();
        let before = verdicts(&documents, &accesses);
        for finding in lint_all(&documents) {
            if !SILENT_CODES.contains(&finding.code) {
                continue;
            }
            // A rule that is over keeps its document's stance, as a silent one does.
            let mut without = documents.clone();
            for rule in all_rules(&mut without) {
                if rule.origin == finding.origin {
                    rule.note.until = Some(Date::from_unix_days(0));
                }
            }
            let after = verdicts(&without, &accesses);
            for ((access, before), after) in accesses.iter().zip(&before).zip(&after) {
                prop_assert_eq!(before, after, "{:?} on {:?}", finding, access);
            }
        }
    }

    #[test]
    fn a_reason_or_an_owner_changes_nothing(documents in documents()) {
        let mut noted = documents.clone();
        for rule in all_rules(&mut noted) {
            rule.note.why = Some("because".into());
            rule.note.owner = Some("ana".into());
            rule.note.id = Some("r1".into());
        }
        prop_assert_eq!(lint_all(&documents), lint_all(&noted));
    }

    #[test]
    fn the_order_of_rules_matters_only_to_which_of_two_twins_is_named(documents in documents()) {
        let mut turned = documents.clone();
        turned.iter_mut().for_each(|document| document.rules.reverse());
        let told = |documents: &[Document]| {
            let mut found = lint_all(documents);
            found.iter_mut().for_each(|finding| finding.related = None);
            found.retain(|finding| !matches!(finding.code, "L003" | "L004"));
            found.into_iter().map(|it| (it.code, it.origin)).collect::<Vec<_>>()
        };
        let has_twins = lint_all(&documents).iter().any(|finding| finding.code == "L003");
        prop_assert!(has_twins || told(&documents) == told(&turned));
    }

    #[test]
    fn every_document_is_looked_at_within_the_limit(documents in documents(), limit in 0u32..40) {
        let dangers = danger_rules();
        let options = LintOptions { max_comparisons: limit, ..LintOptions::new(that_day(), &dangers) };
        let full = lint_all(&documents);
        let found = lint(&documents, &options);
        let finished = found.iter().all(|finding| finding.code != "L901");
        prop_assert!(!finished || found == full);
    }
}
