//! Property tests of the laws of the decision, over generated documents.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::Enforcement;

const PATTERNS: [&str; 34] = [
    "cmd:*",
    "cmd:git:*",
    "cmd:git:push:*",
    "cmd:git:push",
    "cmd:git:status",
    "cmd:git:*:--force",
    "cmd:{git,ls}:*",
    "cmd:g*:*",
    "cmd:ls:",
    "sh",
    "fs:r:**",
    "fs:w:**",
    "fs:r:@root/**",
    "fs:w:@root/**",
    "fs:rw:@root/src/**",
    "fs:d:@root/**",
    "fs:d:@root/src/*",
    "fs:r:**/.env",
    "fs:r:~/.ssh/*",
    "fs:w:~/*",
    "net:*",
    "net:a.example",
    "net:*.a.example",
    "net:a.example:443",
    "net:10.0.0.0/8",
    "env:*",
    "env:A*",
    "env:AB",
    "tool:*",
    "tool:x",
    "mcp:s/*",
    "mcp:s/t",
    "listen:*",
    "listen:80",
];
const ROLES: [Role; 5] =
    [Role::Organisation, Role::User, Role::Project, Role::Named, Role::Untrusted];
const ENFORCEMENTS: [Enforcement; 3] =
    [Enforcement::Advisory, Enforcement::PartialFence, Enforcement::WholeFence];
const AGENTS: [Option<&str>; 3] = [None, Some("a"), Some("b")];

fn effects() -> impl Strategy<Value = Effect> {
    select(Effect::ALL.to_vec())
}

fn rules(effects: impl Strategy<Value = Effect>) -> impl Strategy<Value = Rule> {
    (effects, select(PATTERNS.to_vec()), select(AGENTS.to_vec())).prop_map(
        |(effect, text, agent)| {
            let mut rule = rule(effect, text);
            rule.scope.agent = agent.map(NamePattern::exact);
            rule
        },
    )
}

fn documents(roles: &[Role]) -> impl Strategy<Value = Document> + use<> {
    let opt_ins = proptest::option::of(prop::collection::vec(rules(Just(Allow)), 0..3));
    let default = select(vec![None, Some(Ask), Some(Deny)]);
    let unlisted = select(vec![None, None, Some(Allow), Some(Allow), Some(Ask), Some(Deny)]);
    let body = prop::collection::vec(rules(effects()), 0..6);
    let all = (select(roles.to_vec()), body, opt_ins, default, unlisted);
    all.prop_map(|(role, rules, danger, default, unlisted)| {
        let mut document = Document::new("drawn", role);
        document.rules = rules;
        document.danger = danger;
        document.default = default;
        document.settings.unlisted_programs = unlisted;
        document
    })
}

fn policies() -> impl Strategy<Value = Vec<Document>> {
    let any_role: Vec<Role> = ROLES.into_iter().chain([Role::Ceiling]).collect();
    prop::collection::vec(documents(&any_role), 0..4)
}

fn accesses() -> Vec<Access> {
    let tool = |wire: &str, mcp: Option<McpItem>, kind| {
        AccessKind::CallTool(ToolName { wire: wire.into(), mcp, kind }.into())
    };
    let item = McpItem { server: "s".into(), item: "t".into() };
    let whats = vec![
        exec("git push --force"),
        exec("git status"),
        exec("ls"),
        exec("bash -c x"),
        file(FileOp::Read, "/home/u/proj/src/a"),
        file(FileOp::Write, "/home/u/proj/src/a"),
        file(FileOp::Delete, "/home/u/proj/src/a"),
        file(FileOp::Read, "/home/u/.ssh/id_rsa"),
        file(FileOp::Read, "/home/u/proj/.env"),
        tree(FileOp::Read, "/home/u/proj"),
        tree(FileOp::Delete, "/home/u"),
        connect("a.example", 443),
        connect("x.a.example", 80),
        connect("10.1.2.3", 80),
        connect("localhost", 80),
        AccessKind::Listen(80),
        AccessKind::SetEnv("AB".into()),
        AccessKind::ReadEnv("B".into()),
        tool("x", None, None),
        tool("x", None, Some(ToolKind::File)),
        tool("mcp__s__t", Some(item), None),
    ];
    let mut all = Vec::new();
    for what in whats {
        for agent in AGENTS {
            for cover in [
                Cover::OwnGrant,
                Cover::ParentGrant,
                Cover::AllowedByDefault,
                Cover::ObjectionsOnly(AskRules::LikeAllow),
                Cover::ObjectionsOnly(AskRules::ByAnyName),
            ] {
                for enforcement in ENFORCEMENTS {
                    let mut access = Access::new(what.clone());
                    access.scope.agent = agent.map(Into::into);
                    access.scope.cover = cover;
                    access.scope.enforcement = enforcement;
                    all.push(access);
                }
            }
        }
    }
    all
}

const DANGERS: [&str; 3] = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*", "env:AB"];

fn verdicts(documents: &[Document]) -> Vec<Effect> {
    let policy = compile(documents.to_vec(), &DANGERS);
    accesses().iter().map(|access| policy.decide(access).effect).collect()
}

/// Returns the verdicts on accesses that need a grant. In a fence some need none.
fn verdicts_on_grants(documents: &[Document]) -> Vec<Effect> {
    let needs = |own: &Access| {
        matches!(own.scope.cover, Cover::OwnGrant | Cover::ParentGrant)
            && own.scope.enforcement == Enforcement::Advisory
    };
    let all = accesses().into_iter().zip(verdicts(documents));
    all.filter(|(access, _)| needs(access)).map(|(_, effect)| effect).collect()
}

/// Returns whether each verdict comes from a matching rule of a document, not from a default or the
/// danger list.
fn someone_spoke(documents: &[Document]) -> Vec<bool> {
    let policy = compile(documents.to_vec(), &DANGERS);
    let silent = |ground: &Ground| {
        matches!(
            ground,
            Ground::NotGranted { .. }
                | Ground::Danger(_)
                | Ground::NoProject
                | Ground::HeldByFence(_)
        )
    };
    let spoke = |access: &Access| !policy.decide(access).grounds.iter().any(silent);
    accesses().iter().map(spoke).collect()
}

fn with_rule(documents: &[Document], at: Index, rule: Rule) -> Vec<Document> {
    let mut documents = documents.to_vec();
    if !documents.is_empty() {
        let at = at.index(documents.len());
        documents[at].rules.push(rule);
    }
    documents
}

/// The same documents with all of the pool in one.
fn with_one_pool(documents: &[Document]) -> Vec<Document> {
    let (pooled, mut all): (Vec<Document>, Vec<Document>) =
        documents.iter().cloned().partition(|document| document.role.is_pooled());
    let one = pooled.into_iter().reduce(|mut one, other| {
        one.rules.extend(other.rules);
        one.default = one.default.max(other.default);
        let (own, its) = (&mut one.settings.unlisted_programs, other.settings.unlisted_programs);
        *own = (*own).max(its);
        if let Some(opt_ins) = other.danger {
            one.danger.get_or_insert_default().extend(opt_ins);
        }
        one
    });
    all.extend(one);
    all
}

fn meet(one: &[Effect], two: &[Effect]) -> Vec<Effect> {
    one.iter().zip(two).map(|(one, two)| *one.max(two)).collect()
}

/// Returns whether a rule, the danger list or the protection denies, and not only a missing grant.
fn objects(verdict: &Verdict) -> bool {
    let denies = |ground: &Ground| match ground {
        Ground::Rule(_) => ground.effect() == Deny,
        Ground::Danger(_) | Ground::Protected(_) => true,
        _ => false,
    };
    verdict.grounds.iter().any(denies)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn without_a_needed_grant_every_ask_of_the_decision_remains(documents in policies()) {
        let policy = compile(documents, &DANGERS);
        let is_bare = |own: &&Access| own.scope.cover == Cover::OwnGrant;
        for access in accesses().iter().filter(is_bare) {
            let verdict = policy.decide(access);
            let mut without_grant = access.clone();
            without_grant.scope.cover = Cover::ObjectionsOnly(AskRules::ByAnyName);
            let asked = policy.decide(&without_grant);
            prop_assert_eq!(asked.effect == Deny, objects(&verdict), "{:?}", access);
            if asked.effect == Deny {
                continue;
            }
            let by_rule = |own: &&Ground| matches!(own, Ground::Rule(_)) && own.effect() == Ask;
            for ground in verdict.grounds.iter().filter(by_rule) {
                prop_assert!(asked.grounds.contains(ground), "{access:?} {ground}");
            }
        }
    }

    #[test]
    fn adding_a_deny_never_turns_a_verdict_milder(
        documents in policies(), at: Index, deny in rules(Just(Deny)),
    ) {
        let before = verdicts(&documents);
        let after = verdicts(&with_rule(&documents, at, deny));
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
    }

    /// What a person allowed by an answer takes nothing away: `approve --always` never makes a
    /// project ask more, and c130: it never lifts a denial.
    #[test]
    fn c130_adding_answers_never_turns_a_verdict_stricter_and_never_lifts_a_denial(
        documents in policies(), answers in prop::collection::vec(rules(Just(Allow)), 1..4),
    ) {
        let before = compile(documents.clone(), &DANGERS);
        let mut with_answers = documents;
        let mut own = Document::new("answers", Role::Answers);
        own.rules = answers;
        with_answers.push(own);
        let after = compile(with_answers, &DANGERS);
        for access in accesses() {
            let (before, after) = (before.decide(&access), after.decide(&access));
            prop_assert!(after.effect <= before.effect, "{access:?} {before:?} {after:?}");
            prop_assert_eq!(objects(&before), objects(&after), "{:?}", access);
        }
    }

    #[test]
    fn adding_an_ask_never_turns_a_verdict_into_allow(
        documents in policies(), at: Index, ask in rules(Just(Ask)),
    ) {
        let before = verdicts(&documents);
        let after = verdicts(&with_rule(&documents, at, ask));
        let mut pairs = before.iter().zip(&after);
        prop_assert!(pairs.all(|(before, after)| *before == Allow || *after != Allow));
    }

    #[test]
    fn splitting_the_pool_into_more_or_fewer_files_changes_nothing(documents in policies()) {
        prop_assert_eq!(verdicts(&documents), verdicts(&with_one_pool(&documents)));
    }

    #[test]
    fn adding_the_organisations_document_never_turns_a_decided_verdict_milder(
        documents in policies(), added in documents(&[Role::Organisation, Role::Untrusted]),
    ) {
        let spoke = someone_spoke(&documents);
        let before = verdicts(&documents);
        let more: Vec<Document> = documents.into_iter().chain([added]).collect();
        let after = verdicts(&more);
        for ((spoke, before), after) in spoke.iter().zip(&before).zip(&after) {
            prop_assert!(!spoke || before <= after);
        }
    }

    #[test]
    fn adding_a_ceiling_never_turns_any_verdict_milder(
        documents in policies(), ceiling in documents(&[Role::Ceiling]),
    ) {
        let before = verdicts(&documents);
        let more: Vec<Document> = documents.into_iter().chain([ceiling]).collect();
        let after = verdicts(&more);
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
    }

    #[test]
    fn a_fence_lifts_only_the_lack_of_a_grant(documents in policies()) {
        let policy = compile(documents.clone(), &DANGERS);
        let says_deny = |own: &Document| own.role.grants() && own.default == Some(Deny);
        let says_run = |own: &Document| {
            own.role.grants() && own.settings.unlisted_programs == Some(Allow)
        };
        let narrows = |own: &Document| own.settings.unlisted_programs > Some(Allow);
        for mut access in accesses() {
            access.scope.enforcement = Enforcement::Advisory;
            let bare = policy.decide(&access);
            access.scope.enforcement = Enforcement::WholeFence;
            let fenced = policy.decide(&access);
            if fenced.effect >= bare.effect {
                continue;
            }
            // Nothing but the lack of a grant was lifted, and every other ground is there still.
            for ground in &bare.grounds {
                let lifted = matches!(ground, Ground::NotGranted { .. });
                prop_assert!(lifted || fenced.grounds.contains(ground), "{access:?} {ground}");
            }
            prop_assert!(fenced.relies_on_fence());
            let is_start = matches!(access.what, AccessKind::Exec(_) | AccessKind::SetEnv(_));
            if is_start {
                prop_assert!(documents.iter().any(says_run), "{access:?}");
                prop_assert!(!documents.iter().any(says_deny), "{access:?}");
                prop_assert!(!documents.iter().any(narrows), "{access:?}");
            }
            let kinds = is_start || matches!(
                access.what,
                AccessKind::ReadEnv(_) | AccessKind::Listen(_) | AccessKind::Connect(_)
            );
            prop_assert!(kinds, "{access:?}");
            // Elsewhere no fence holds it.
            access.scope.elsewhere = true;
            prop_assert!(policy.decide(&access).effect >= bare.effect, "{access:?}");
        }
    }

    #[test]
    fn without_a_whole_fence_unlisted_programs_only_narrows(documents in policies()) {
        let mut silent = documents.clone();
        for document in &mut silent {
            document.settings.unlisted_programs = None;
        }
        let (with, without) = (verdicts(&documents), verdicts(&silent));
        for ((access, with), without) in accesses().iter().zip(with).zip(without) {
            match access.scope.enforcement {
                Enforcement::Advisory => prop_assert_eq!(with, without, "{:?}", access),
                Enforcement::PartialFence => prop_assert!(with >= without, "{access:?}"),
                Enforcement::WholeFence => {}
            }
        }
    }

    #[test]
    fn asking_or_denying_unlisted_programs_never_turns_a_verdict_milder(
        documents in policies(), at: Index, word in select(vec![Ask, Deny]),
    ) {
        let mut narrower = documents.clone();
        if !narrower.is_empty() {
            let own = &mut narrower[at.index(documents.len())].settings.unlisted_programs;
            *own = (*own).max(Some(word));
        }
        let mut pairs = verdicts(&documents).into_iter().zip(verdicts(&narrower));
        prop_assert!(pairs.all(|(before, after)| before <= after));
    }

    #[test]
    fn an_organisation_that_grants_nothing_never_turns_a_verdict_in_a_fence_milder(
        documents in policies(), mut added in documents(&[Role::Organisation, Role::Untrusted]),
        kind in select(vec![None, Some(Ask), Some(Deny)]),
    ) {
        added.rules.retain(|rule| rule.effect == Deny);
        added.danger = None;
        added.settings.unlisted_programs = kind;
        let before = verdicts(&documents);
        let more: Vec<Document> = documents.clone().into_iter().chain([added]).collect();
        let pairs = before.into_iter().zip(verdicts(&more)).zip(accesses());
        let someone = documents.iter().any(|own| own.role.grants() && own.default.is_some());
        for ((before, after), access) in pairs {
            // A default that nobody stated before is the organisation's to state.
            prop_assert!(!someone || before <= after, "{access:?}");
        }
    }

    #[test]
    fn an_untrusted_or_narrowing_document_cannot_let_unlisted_programs_run(
        documents in policies(), mut added in documents(&[Role::Ceiling, Role::Untrusted]),
    ) {
        added.settings.unlisted_programs = Some(Allow);
        let before = verdicts(&documents);
        let more: Vec<Document> = documents.into_iter().chain([added]).collect();
        prop_assert!(before.iter().zip(&verdicts(&more)).all(|(before, after)| before <= after));
    }

    #[test]
    fn c121_the_order_of_rules_and_documents_never_matters(
        documents in policies(), turn in 0usize..6,
    ) {
        let mut turned = documents.clone();
        let by = turn.min(turned.len());
        turned.rotate_left(by);
        for document in &mut turned {
            document.rules.reverse();
        }
        prop_assert_eq!(verdicts(&documents), verdicts(&turned));
    }

    #[test]
    fn c108_the_meet_of_ceilings_is_associative_commutative_and_idempotent(
        base in documents(&[Role::User]),
        one in documents(&[Role::Ceiling]),
        two in documents(&[Role::Ceiling]),
    ) {
        let of = |ceilings: &[&Document]| {
            let all = std::iter::once(&base).chain(ceilings.iter().copied());
            verdicts(&all.cloned().collect::<Vec<_>>())
        };
        prop_assert_eq!(of(&[&one, &two]), of(&[&two, &one]));
        prop_assert_eq!(of(&[&one, &one]), of(&[&one]));
        prop_assert_eq!(of(&[&one, &two]), meet(&of(&[&one]), &of(&[&two])));
    }
}

#[test]
fn c109_the_meet_of_a_pattern_with_a_narrower_one_is_the_narrower() {
    let pattern = |text| Pattern::parse(text).unwrap();
    for broad in PATTERNS {
        for narrow in PATTERNS {
            // A grant of MCP items gives no stance on other tools. These are then judged by their
            // accesses, whatever the patterns are.
            let across = broad.starts_with("tool:") && narrow.starts_with("mcp:");
            if !across && crate::inclusion::includes(&pattern(broad), &pattern(narrow)) {
                let granting = |text| document(Role::User, &[(Allow, text)]);
                let ceiling = |text| document(Role::Ceiling, &[(Allow, text)]);
                let met = verdicts_on_grants(&[granting(broad), ceiling(narrow)]);
                let back = verdicts_on_grants(&[granting(narrow), ceiling(broad)]);
                assert_eq!(met, back, "{narrow} within {broad}");
            }
        }
    }
}
