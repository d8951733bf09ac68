use std::slice::from_ref;

use ringfence_core::pattern::{NamePattern, PathPattern};
use ringfence_core::{Origin, Role};

use super::*;

fn rule(effect: Effect, text: &str) -> Rule {
    Rule::new(effect, Pattern::parse(text).unwrap(), Origin::new("ringfence.toml", 1, 1))
}

fn document(role: Role, rules: &[(Effect, &str)]) -> Document {
    let name = if role == Role::Ceiling { "ringfence.toml ceiling" } else { "ringfence.toml" };
    let mut document = Document::new(name, role);
    document.rules = rules.iter().map(|(effect, text)| rule(*effect, text)).collect();
    document
}

fn check(before: &[Document], after: &[Document], expected: &[&str]) {
    let found = differences(before, after);
    let sign = |own: &Difference| if own.direction == Widens { "+" } else { "-" };
    let texts: Vec<String> =
        found.iter().map(|own| format!("{} {}", sign(own), own.text)).collect();
    assert_eq!(texts, expected);
}

use Effect::{Allow, Ask, Deny};

#[test]
fn widening_comes_first() {
    let before = document(
        Role::Project,
        &[(Allow, "cmd:git:*"), (Ask, "cmd:make:*"), (Deny, "cmd:curl:*"), (Allow, "cmd:ls")],
    );
    let after = document(
        Role::Project,
        &[
            (Deny, "cmd:wget:*"),
            (Allow, "cmd:npm:*"),
            (Ask, "cmd:git:push:*"),
            (Ask, "cmd:docker:*"),
            (Allow, "cmd:git:*"),
        ],
    );
    check(
        &[before],
        &[after],
        &[
            "+ allows cmd:npm:*",
            "+ asks about cmd:docker:*",
            "+ no longer asks about cmd:make:*",
            "+ no longer denies cmd:curl:*",
            "- denies cmd:wget:*",
            "- asks about cmd:git:push:*",
            "- no longer allows cmd:ls",
        ],
    );
}

#[test]
fn order_and_notes_make_no_difference() {
    let before = document(Role::Project, &[(Allow, "cmd:git:*"), (Deny, "sh")]);
    let mut after = document(Role::Project, &[(Deny, "sh"), (Allow, "cmd:git:*")]);
    after.rules[0].note.why = Some("because".into());
    after.rules[1].origin = Origin::new("base.toml", 7, 3);
    check(&[before], &[after], &[]);
}

#[test]
fn scopes_exceptions_and_ends_are_said() {
    let before = document(Role::Project, &[(Allow, "cmd:git:*"), (Deny, "fs:r:**/.env*")]);
    let mut after = before.clone();
    after.rules[0].scope.agent = Some(NamePattern::exact("ops"));
    after.rules[1].except = vec![Pattern::parse("fs:r:**/.env.example").unwrap()];
    let mut until = rule(Allow, "cmd:make:*");
    until.note.until = Some("2027-03-01".parse().unwrap());
    until.note.why = Some("the release".into());
    after.rules.push(until);
    check(
        from_ref(&before),
        from_ref(&after),
        &[
            "+ allows cmd:git:* for ops",
            "+ allows cmd:make:* until 2027-03-01",
            "+ no longer denies fs:r:**/.env*",
            "- denies fs:r:**/.env* except fs:r:**/.env.example",
            "- no longer allows cmd:git:*",
        ],
    );
    let found = differences(&[before], &[after]);
    assert_eq!(found[1].why.as_deref(), Some("the release"));
}

#[test]
fn a_question_about_less_than_what_was_allowed_narrows_only_for_the_same_right() {
    let before = document(Role::Project, &[(Allow, "fs:r:@root/**")]);
    let mut after = before.clone();
    after.rules.push(rule(Ask, "fs:w:@root/src/**"));
    check(from_ref(&before), &[after], &["+ asks about fs:w:@root/src/**"]);
    let mut after = before.clone();
    after.rules.push(rule(Ask, "fs:r:@root/src/**"));
    check(&[before], &[after], &["- asks about fs:r:@root/src/**"]);
}

#[test]
fn a_ceiling_that_goes_widens_and_its_first_rule_narrows() {
    let plain = document(Role::Project, &[]);
    let one = document(Role::Ceiling, &[(Allow, "net:a.example")]);
    let two = document(Role::Ceiling, &[(Allow, "net:a.example"), (Allow, "net:b.example")]);
    let with = |ceiling: &Document| [plain.clone(), ceiling.clone()];
    let name = "ringfence.toml ceiling";
    check(from_ref(&plain), &with(&one), &[&format!("- {name}: limits net to net:a.example")]);
    check(
        &with(&one),
        from_ref(&plain),
        &[&format!("+ {name}: no longer limits net to net:a.example")],
    );
    check(&with(&one), &with(&two), &[&format!("+ {name}: lets net:b.example through")]);
    check(&with(&two), &with(&one), &[&format!("- {name}: no longer lets net:b.example through")]);
}

#[test]
fn statements_and_lists_beside_the_rules_are_compared() {
    let before = document(Role::Project, &[]);
    let mut after = before.clone();
    after.danger = Some(vec![rule(Allow, "cmd:git:push:*:--force")]);
    after.dangerous = vec![rule(Deny, "cmd:terraform:destroy:*")];
    after.default = Some(Ask);
    after.directories = vec![PathPattern::parse("../lib").unwrap()];
    after.settings.unanalysable = Some(Ask);
    after.settings.unknown_operands = Some(Deny);
    check(
        from_ref(&before),
        from_ref(&after),
        &[
            "+ opts in to the danger of cmd:git:push:*:--force",
            "+ sets the default to ask",
            "+ lets its commands run in ../lib too",
            "+ sets `unanalysable` to ask",
            "- adds to the danger list: cmd:terraform:destroy:*",
            "- sets `unknown_operands` to deny",
        ],
    );
    check(
        &[after],
        &[before],
        &[
            "+ no longer has on the danger list: cmd:terraform:destroy:*",
            "+ no longer sets `unanalysable` (was ask)",
            "+ no longer sets `unknown_operands` (was deny)",
            "- no longer opts in to the danger of cmd:git:push:*:--force",
            "- no longer sets the default (was ask)",
            "- no longer lets its commands run in ../lib",
        ],
    );
}
