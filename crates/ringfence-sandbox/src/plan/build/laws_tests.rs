//! A plan says of files what the judge says, over drawn policies.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;
use ringfence_core::access::FileOp;
use ringfence_core::access::{Extent, FileAccess};
use ringfence_core::path::{FilePath, PathRules};
use ringfence_core::pattern::Pattern;
use ringfence_core::{Access, AccessKind, Effect, Ground, Origin, Rule};

use super::*;
use crate::plan::{Hidden, Hiding};

const FILES: [&str; 16] = [
    "/home/u/proj/a.rs",
    "/home/u/proj/.env",
    "/home/u/proj/src/a.rs",
    "/home/u/proj/src/b.md",
    "/home/u/proj/src/.env",
    "/home/u/proj/src/deep/a.rs",
    "/home/u/proj/src/deep/secret",
    "/home/u/proj/secret/key",
    "/home/u/proj/secret/open",
    "/home/u/proj/empty/",
    "/home/u/.ssh/config",
    "/home/u/.ssh/id",
    "/home/u/notes/a.md",
    "/srv/data/a.rs",
    "/srv/data/secret/key",
    "/tmp/x/y",
];

/// Names that do not exist, in directories that do.
const ABSENT: [&str; 5] = [
    "/home/u/proj/new.rs",
    "/home/u/proj/src/.env.new",
    "/home/u/proj/empty/secret",
    "/home/u/.ssh/new",
    "/srv/data/new.md",
];

const PATHS: [&str; 34] = [
    "**",
    "/**",
    "@root/**",
    "@root/src/**",
    "@root/src/*",
    "@root/src/**/*.rs",
    "@root/*",
    "@root/a.rs",
    "@root/new.rs",
    "@root/secret",
    "@root/secret/**",
    "@root/secret/open",
    "@root/**/secret",
    "@root/**/secret/**",
    "@root/*/*",
    "@root/*/**",
    "@root/src/deep/**",
    "@root/empty/**",
    "~/**",
    "~/.ssh/**",
    "~/.ssh/*",
    "~/.ssh/config",
    "~/notes/*",
    "~",
    "**/.env",
    "**/.env*",
    "**/*.rs",
    "**/*.md",
    "**/secret/**",
    "**/key",
    "/srv/**",
    "/srv/data",
    "/srv/*/secret/**",
    "@tmp/**",
];

fn patterns() -> impl Strategy<Value = Pattern> {
    let parse = |(rights, path): (&str, &str)| Pattern::parse(&format!("fs:{rights}:{path}"));
    (select(vec!["r", "r", "w", "rw", "d"]), select(PATHS.to_vec()))
        .prop_map(move |own| parse(own).unwrap())
}

fn rules() -> impl Strategy<Value = Rule> {
    let effect = select(vec![Effect::Allow, Effect::Allow, Effect::Ask, Effect::Deny]);
    let except = prop::collection::vec(patterns(), 0..2);
    (effect, patterns(), except).prop_map(|(effect, pattern, except)| {
        let mut rule = Rule::new(effect, pattern, Origin::new("drawn", 1, 1));
        if effect == Effect::Deny {
            rule.except = except;
        }
        rule
    })
}

fn drawn_documents() -> impl Strategy<Value = Vec<Document>> {
    let roles = vec![Role::User, Role::User, Role::Organisation, Role::Ceiling, Role::Untrusted];
    let opt_ins = proptest::option::of(prop::collection::vec(patterns(), 0..2));
    let default = select(vec![None, Some(Effect::Ask), Some(Effect::Deny)]);
    let document = (select(roles), prop::collection::vec(rules(), 0..5), opt_ins, default);
    let document = document.prop_map(|(role, rules, opt_ins, default)| {
        let mut document = Document::new("drawn", role);
        document.rules = rules;
        document.default = default;
        document.danger = opt_ins.map(|own| own.into_iter().map(allowing).collect());
        document
    });
    prop::collection::vec(document, 1..4)
}

fn allowing(pattern: Pattern) -> Rule {
    Rule::new(Effect::Allow, pattern, Origin::new("drawn", 1, 1))
}

fn decide(policy: &Policy, op: FileOp, path: &AbsPath) -> Effect {
    let path = FilePath::named(path.clone());
    let access = Access::new(AccessKind::File(FileAccess { op, extent: Extent::One, path }));
    let verdict = policy.decide(&access);
    let by_default = |ground: &Ground| matches!(ground, Ground::NotGranted { .. });
    match verdict.effect {
        Effect::Ask if verdict.decisive().any(by_default) => Effect::Deny,
        effect => effect,
    }
}

fn has(plan: &Plan, path: &AbsPath, rights: Rights) -> bool {
    let path = std::path::Path::new(path.as_str());
    plan.files.trees.iter().any(|own| path.starts_with(&own.path) && own.rights.has(rights))
}

fn is_under(paths: &[PathBuf], path: &AbsPath) -> bool {
    paths.iter().any(|own| std::path::Path::new(path.as_str()).starts_with(own))
}

/// Whether the plan lets a path be read that exists.
fn reads(plan: &Plan, hidden: Option<&Hidden>, policy: &Policy, path: &AbsPath) -> bool {
    let host = host(&FILES);
    let is_dir = Host::list(&host, path).is_some();
    let as_path = std::path::Path::new(path.as_str());
    let passes = match plan.files.judged {
        Judged::Openings => decide(policy, FileOp::Read, path) == Effect::Allow,
        Judged::Hiding => !hidden.is_some_and(|own| own.hides(as_path, &[], is_dir, &host)),
        Judged::Nothing | Judged::Changes => true,
    };
    has(plan, path, Rights::READ) && !is_under(&plan.files.masks, path) && passes
}

/// Every path that exists, directories included.
fn existing() -> Vec<AbsPath> {
    let mut all: Vec<AbsPath> = Vec::new();
    for file in FILES {
        let mut at = Some(path(file.trim_end_matches('/')));
        while let Some(own) = at.filter(|own| !own.is_root()) {
            at = own.parent();
            all.push(own);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The first path of which the plan says something else on reading.
fn check_reads(
    plan: &Plan,
    hidden: Option<&Hidden>,
    policy: &Policy,
    host: &MemoryHost,
) -> Option<String> {
    for path in existing().iter().filter(|path| !is_under(&plan.files.private, path)) {
        let allowed = decide(policy, FileOp::Read, path) == Effect::Allow;
        let is_dir = Host::list(host, path).is_some();
        let reads = reads(plan, hidden, policy, path);
        // The names in a directory may be seen where what they name is judged by itself.
        if reads != allowed && !(is_dir && reads) {
            return Some(format!("{path} can be read: {reads}, may be read: {allowed}"));
        }
    }
    None
}

/// The first path for which trees are too narrow, or too wide with nobody looking.
fn check_changes(plan: &Plan, policy: &Policy) -> Option<String> {
    let absent = ABSENT.iter().map(|text| path(text));
    let all = existing().into_iter().chain(absent);
    for path in all.filter(|path| !is_under(&plan.files.private, path)) {
        let parent = path.parent().unwrap();
        for (op, right) in [(FileOp::Write, Rights::WRITE), (FileOp::Delete, Rights::DELETE)] {
            let effect = decide(policy, op, &path);
            let wide = has(plan, &parent, right);
            let judged = plan.files.judged != Judged::Nothing;
            let fits = if judged {
                effect == Effect::Deny || wide
            } else {
                wide == (effect == Effect::Allow)
            };
            if !fits {
                return Some(format!("{op:?} of {path}: {effect}, by trees: {wide}"));
            }
        }
    }
    None
}

/// Documents in few words.
fn show(documents: &[Document]) -> String {
    let mut text = String::new();
    for document in documents {
        text.push_str(&format!("{} {:?}\n", document.role.as_str(), document.default));
        for rule in &document.rules {
            let except: Vec<String> = rule.except.iter().map(Pattern::to_string).collect();
            text.push_str(&format!("  {} {} except {except:?}\n", rule.effect, rule.pattern));
        }
        for rule in document.danger.iter().flatten() {
            text.push_str(&format!("  opt-in {}\n", rule.pattern));
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_says_of_files_what_the_judge_says(
        documents in drawn_documents(),
        dangers in prop::collection::vec(patterns(), 0..3),
        free in any::<bool>(),
    ) {
        let shown = show(&documents);
        let mut documents = documents;
        // Where every program may be started what is hidden is covered, elsewhere it is judged when
        // it is opened.
        if free {
            documents.extend(super::documents(r#"allow = ["cmd:*"]"#));
        }
        let host = host(&FILES);
        let context = context();
        let danger = |pattern| Rule::new(Effect::Deny, pattern, Origin::new("danger", 1, 1));
        let dangers: Vec<Rule> = dangers.into_iter().map(danger).collect();
        let policy = Policy::compile(documents, dangers, &context, &host).unwrap();
        let plan = make_and_remember(wanted(&policy, &context, &host));
        let policy = Arc::new(policy);
        let judges = Arc::clone(&policy);
        let hiding = Hiding::new(move || judges, AccessScope::default(), PathRules::LINUX);
        let hidden = hiding.prepare(&plan.files);
        let wrong = check_reads(&plan, hidden.as_ref(), &policy, &host).or_else(|| check_changes(&plan, &policy));
        prop_assert!(wrong.is_none(), "{}\n{shown}\n{plan}", wrong.unwrap_or_default());
    }
}
