//! Lint, case by case, on documents written as people write them.

use ringfence_core::Role;

use super::testing::{FILE, dangers, policies, read, today};
use super::*;

#[path = "laws_tests.rs"]
mod laws;
#[path = "patterns_tests.rs"]
mod patterns;
#[path = "sources_tests.rs"]
mod sources;

fn findings(text: &str) -> Vec<Finding> {
    lint(&read(text, Role::User), &LintOptions::new(today(), &dangers()))
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

/// Checks the codes that are found in a document, in the order of its rules.
fn check(text: &str, expected: &[&str]) {
    let found = findings(text);
    assert_eq!(codes(&found), expected, "{text}\n{found:#?}");
}

#[test]
fn every_code_has_an_example_and_is_set_right_by_its_remedy() {
    for code in CODES {
        let limit = if code.code == "L901" { 0 } else { 200_000 };
        let dangers = dangers();
        let options = LintOptions { max_comparisons: limit, ..LintOptions::new(today(), &dangers) };
        let with_project = |text: &str| {
            let mut documents = read(text, Role::User);
            if code.code == "L111" {
                documents.extend(read("allow = [\"net:other.example.com\"]", Role::Project));
            }
            documents
        };
        let found = lint(&with_project(code.example), &options);
        assert!(codes(&found).contains(&code.code), "{}: {found:#?}", code.code);
        let found = lint(&read(code.fixed, Role::User), &LintOptions::new(today(), &dangers));
        assert_eq!(found, [], "{}", code.code);
    }
}

#[test]
fn codes_are_unique_and_in_order() {
    assert!(CODES.is_sorted_by(|one, two| one.code < two.code));
    for one in CODES {
        assert_eq!(code(one.name), Some(one));
        assert_eq!(code(&one.code.to_lowercase()), Some(one));
        let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(one.name.chars().all(kebab), "{}", one.name);
        assert!(!one.summary.contains('\n') && !one.explanation.contains('\n'), "{}", one.code);
    }
    assert_eq!(code("L999"), None);
}

#[test]
fn findings_are_one_line_and_say_what_to_do() {
    for code in CODES {
        for finding in findings(code.example) {
            for text in [&finding.message, &finding.remedy] {
                assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
                assert!(text.len() < 200, "{text}");
            }
            assert_eq!(&*finding.origin.document, FILE);
        }
    }
}

#[test]
fn a_sensible_policy_has_no_findings() {
    check(
        r#"
        default = "ask"
        allow = [
            "cmd:git:{status,log,diff}:*", "cmd:git:push:origin:*", "cmd:npm run test:unit *",
            "cmd:cargo:{build,test}:*", "cmd:python:-m:pytest:*", "cmd:make:", "cmd:ls",
            "fs:rw:@root/**", "fs:r:@system/**", "fs:w:@tmp/**", "fs:r:~/.gitconfig",
            "net:*.github.com", "net:example.com", "net:@npm", "net:10.0.0.5",
            "env:CARGO_*", "env:RUST_LOG", "mcp:github/*", "tool:web_fetch",
            { pattern = "cmd:kubectl:get:*", agent = "ops", why = "looks", until = 2027-03-01 },
        ]
        ask = ["cmd:git:push:*", "fs:d:@root/**", "net:*"]
        deny = ["sh", { pattern = "fs:r:**/.env*", except = ["**/.env.example"] }]
        danger = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*", "@keychain"]
        danger_list = ["cmd:terraform:destroy:*"]
        "#,
        &[],
    );
}

#[test]
fn the_example_of_the_design_has_only_what_is_worth_knowing() {
    let text = r#"
        default = "deny"
        allow = [
            "cmd:git:*", "cmd:npm run test:unit *", "fs:r:**", "fs:w:@root/tmp/**",
            "net:*.github.com", "env:CARGO_*", "mcp:github/*",
            { pattern = "cmd:kubectl:get:*", agent = "ops", until = 2027-03-01 },
        ]
        ask = ["cmd:git:push:*", "fs:d:@root/**"]
        danger = ["cmd:git:push:*:--force", "fs:r:~/.ssh/*", "@keychain"]
        deny = ["sh", { pattern = "fs:r:**/.env*", except = ["**/.env.example"] }]
        danger_list = ["cmd:terraform:destroy:*"]
    "#;
    check(text, &["L105"]);
    // Its ceiling leaves nothing of the one host that it allows.
    check(&format!("ceiling = [\"net:*.acme.example\"]\n{text}"), &["L105", "L005"]);
}

#[test]
fn denied_grants() {
    check(
        r#"allow = ["cmd:git:push:*"]
             deny = ["cmd:git:*"]"#,
        &["L001"],
    );
    check(
        r#"ask = ["cmd:bash:-c:*"]
             deny = ["sh"]"#,
        &["L001"],
    );
    check(
        r#"allow = ["fs:r:src/**"]
             deny = ["fs:rw:@root/**"]"#,
        &["L001"],
    );
    // Denying to write leaves the reading that an allow to write implies.
    check(
        r#"allow = ["fs:w:src/**"]
             deny = ["fs:w:@root/**"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:*"]
             deny = ["cmd:git:push:*"]"#,
        &[],
    );
    // What is excepted, holds elsewhere or ends sooner leaves something.
    check(
        r#"allow = ["cmd:git:push:*"]
             deny = [{ pattern = "cmd:git:*", except = ["cmd:git:*:--dry-run"] }]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             deny = [{ pattern = "cmd:git:*", agent = "ops" }]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             deny = [{ pattern = "cmd:git:*", until = 2027-01-01 }]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             deny = [{ pattern = "cmd:git:*", until = 2025-01-01 }]"#,
        &["L009"],
    );
}

#[test]
fn only_those_who_build_on_a_deny_are_told_of_it() {
    check(
        r#"allow = ["cmd:git:push:*"]
             [organisation]
             deny = ["cmd:git:push:*"]"#,
        &["L001"],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             [profile]
             deny = ["cmd:git:push:*"]"#,
        &["L001"],
    );
    // To narrow what others grant is what a deny is for.
    check(
        r#"deny = ["cmd:git:push:*"]
             [organisation]
             allow = ["cmd:git:push:*"]"#,
        &[],
    );
    check(
        r#"deny = ["cmd:git:push:*"]
             [profile]
             allow = ["cmd:git:push:*"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             [agents.reviewer]
             deny = ["cmd:git:*"]"#,
        &[],
    );
}

#[test]
fn shadowed_allows() {
    check(
        r#"allow = ["cmd:git:push:*"]
             [profile]
             ask = ["cmd:git:push:*"]"#,
        &["L002"],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             [profile]
             ask = ["cmd:git:{push,send-pack}:*"]"#,
        &[],
    );
    check(
        r#"allow = ["fs:r:docs/**"]
             ask = ["fs:rw:@root/docs/**"]"#,
        &["L002"],
    );
    check(
        r#"allow = ["fs:w:docs/**"]
             ask = ["fs:d:@root/docs/**"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:*"]
             ask = ["cmd:git:push:*"]"#,
        &[],
    );
}

#[test]
fn duplicates_and_redundant_rules() {
    check(r#"allow = ["env:A", "env:A"]"#, &["L003"]);
    check(r#"deny = ["cmd:git:push", "cmd:git:push:*"]"#, &["L003"]);
    check(r#"allow = [{ pattern = "env:A", until = 2027-01-01 }, "env:A"]"#, &["L003"]);
    check(r#"danger = ["@keychain", "keychain:*"]"#, &["L003"]);
    check(r#"allow = ["env:A", { pattern = "env:A", agent = "b" }]"#, &["L004"]);
    check(r#"allow = ["env:A*", "env:AB"]"#, &["L004"]);
    check(r#"deny = ["fs:r:**/.env*", "fs:r:**/.env"]"#, &["L004"]);
    check(
        r#"deny = [{ pattern = "fs:r:**/.env*", except = ["**/.env.example"] }, "fs:r:**/.env"]"#,
        &["L004"],
    );
    check(
        r#"deny = [{ pattern = "fs:r:**/.env*", except = ["**/.env.example"] },
                     "fs:r:**/.env.*"]"#,
        &[],
    );
    check(r#"allow = ["env:A", { pattern = "env:A*", agent = "b" }]"#, &[]);
    // A name that is granted as such may have a private address.
    check(r#"allow = ["net:db.acme.example", "net:*.acme.example"]"#, &[]);
    check(r#"allow = ["net:*.db.acme.example", "net:*.acme.example"]"#, &["L004"]);
    // To write below a directory is not to replace it.
    check(r#"allow = ["fs:w:out", "fs:w:out/**"]"#, &[]);
    check(r#"allow = ["fs:r:out", "fs:r:out/**"]"#, &["L004"]);
    check(r#"allow = ["fs:w:{a,b}/**", "fs:w:{a,b,c}/**"]"#, &["L004"]);
    // What a profile says today is no reason to say less.
    check(
        r#"allow = ["cmd:git:status:*"]
             [profile]
             allow = ["cmd:git:*", "cmd:git:status:*"]"#,
        &[],
    );
    // Reading that is named is more than reading that is implied.
    check(r#"allow = ["fs:r:@root/**", "fs:w:@root/**"]"#, &[]);
    check(r#"allow = ["fs:r:src/**", "fs:rw:@root/**"]"#, &["L004"]);
    // A tool that is named without a glob may do what others may not.
    check(r#"allow = ["mcp:fs/sync", "mcp:fs/*"]"#, &[]);
    check(r#"allow = ["mcp:fs/get_*", "mcp:fs/*"]"#, &["L004"]);
}

#[test]
fn narrow_rules_that_lift_a_question_are_not_redundant() {
    check(
        r#"allow = ["cmd:git:*", "cmd:git:push:origin:*"]
             ask = ["cmd:git:push:*"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:push:*"]
             ask = ["cmd:git:*", "cmd:git:push:*:--tags"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:git:*", "cmd:git:log:*"]
             ask = ["cmd:git:push:*"]"#,
        &["L004"],
    );
    check(
        r#"allow = ["cmd:git:log:*"]
             ask = ["cmd:git:*", "cmd:git:push:*"]"#,
        &["L004"],
    );
}

#[test]
fn rules_outside_a_ceiling() {
    check(
        r#"allow = ["fs:w:src/**"]
             ceiling = ["fs:r:src/**"]"#,
        &[],
    );
    check(
        r#"allow = ["fs:d:src/**"]
             ceiling = ["fs:r:src/**"]"#,
        &["L005"],
    );
    check(
        r#"allow = [{ pattern = "net:a.example", agent = "r" }]
             [agents.r]
             allow = ["net:b.example"]"#,
        &["L005"],
    );
    check(
        r#"allow = ["net:a.example"]
             [agents.r]
             allow = ["net:b.example"]"#,
        &[],
    );
    check(
        r#"allow = ["env:A"]
             ceiling = ["net:b.example"]"#,
        &[],
    );
    // A ceiling of servers says nothing of other tools.
    check("allow = ['tool:x', 'mcp:b/*']\nceiling = ['mcp:a/*']", &["L005"]);
}

#[test]
fn exceptions_that_do_nothing_or_everything() {
    check(r#"deny = [{ pattern = "cmd:git:push", except = ["cmd:git:push:--dry-run"] }]"#, &[]);
    check(r#"deny = [{ pattern = "cmd:git:push", except = ["cmd:git:pull:*"] }]"#, &["L006"]);
    check(r#"deny = [{ pattern = "fs:r:~/**", except = ["/home/u/notes/**"] }]"#, &[]);
    check(r#"deny = [{ pattern = "env:A*", except = ["env:*"] }]"#, &["L007"]);
}

#[test]
fn dangers_and_opt_ins() {
    check(r#"ask = ["cmd:git:push:*:--force"]"#, &["L008"]);
    // Some uses of it do no harm, and are asked about.
    check(r#"ask = ["cmd:rm:*:-rf"]"#, &[]);
    check(r#"allow = ["fs:rw:~/.netrc"]"#, &["L008"]);
    check(r#"allow = ["fs:r:@system/ssl/cert.pem"]"#, &[]);
    check(r#"allow = ["cmd:rm:*", "cmd:git:push:*"]"#, &[]);
    check(
        r#"allow = ["cmd:sudo:apt:*"]
             danger = ["cmd:/usr/bin/sudo:apt:update:"]"#,
        &[],
    );
    check(
        r#"allow = ["cmd:rm:*"]
             danger = ["cmd:rm:-fr:build:"]"#,
        &[],
    );
    check(r#"danger = ["env:RUST_LOG"]"#, &["L302"]);
    check(r#"danger = ["fs:r:/etc/hosts"]"#, &["L302"]);
    check(r#"danger = ["cmd:rm:*"]"#, &["L301"]);
    check(r#"danger = ["fs:rw:~/.ssh/**", "fs:r:~/.ssh/id_rsa", "cmd:sudo:apt:*"]"#, &[]);
    check(r#"danger = ["env:*"]"#, &["L301"]);
    let of_user = r#"danger = ["cmd:git:push:*:--force"]"#;
    check(&format!("{of_user}\n[organisation]\ndanger = []"), &["L303"]);
    check(&format!("{of_user}\n[organisation]\n{of_user}"), &[]);
    let [finding] = &*findings(r#"danger = ["cmd:git:*"]"#) else { panic!() };
    assert!(finding.remedy.contains("`cmd:git:push:*:--force`"), "{}", finding.remedy);
}

#[test]
fn rules_that_end() {
    for (until, expected) in [
        ("2026-05-31", &["L009"][..]),
        ("2026-06-01", &["L010"]),
        ("2026-06-15", &["L010"]),
        ("2026-06-16", &[]),
    ] {
        check(&format!("allow = [{{ pattern = 'env:A', until = {until} }}]"), expected);
    }
    let [finding] = &*findings("deny = [{ pattern = 'env:A', until = 2026-06-02 }]") else {
        panic!()
    };
    assert_eq!((finding.severity, &*finding.message), (Severity::Warning, "`env:A` ends tomorrow"));
}

#[test]
fn what_a_project_adds_is_told_once_a_class_and_not_where_a_ceiling_stands() {
    let codes_of = |user: &str, project: &str| {
        let mut documents = read(user, Role::User);
        documents.extend(read(project, Role::Project));
        let found = lint(&documents, &LintOptions::new(today(), &[]));
        let found = found.iter().filter(|own| own.code == "L111");
        found.map(|own| (own.severity, own.message.clone())).collect::<Vec<_>>()
    };
    let user = "allow = [\"cmd:git:status:*\", \"cmd:ls:*\", \"net:a.example\"]\n";
    let project = "allow = [\"cmd:ls:-l:*\", \"cmd:make:all:*\", \"net:a.example\"]\n";
    let message =
        "`cmd:make:all:*` of a trusted project is allowed, although this policy does not list it";
    assert_eq!(codes_of(user, project), [(Severity::Warning, message.to_owned())]);
    let asking = format!("default = \"ask\"\n{user}");
    assert_eq!(codes_of(&asking, project), [(Severity::Info, message.to_owned())]);
    assert_eq!(codes_of(user, "allow = [\"cmd:ls:-l:*\"]\n"), []);
    assert_eq!(codes_of("deny = [\"cmd:nc:*\"]\n", project), []);
    let limited = format!("{user}ceiling = [\"cmd:git:*\"]\n");
    assert_eq!(codes_of(&limited, "allow = [\"cmd:git:push:*\"]\n"), []);
}
