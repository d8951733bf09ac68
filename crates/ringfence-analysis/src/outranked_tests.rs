use ringfence_core::{Origin, Pattern, Role};

use super::*;

fn document(role: Role, rules: &[(Effect, &str)]) -> Document {
    let mut document = Document::new("policy.toml", role);
    let rule = |(effect, text): &(Effect, &str)| {
        Rule::new(*effect, Pattern::parse(text).unwrap(), Origin::new("policy.toml", 1, 1))
    };
    document.rules = rules.iter().map(rule).collect();
    document
}

fn check(asks: &[&str], allows: &[&str], expected: &[(&str, &str)]) {
    let asks: Vec<(Effect, &str)> = asks.iter().map(|own| (Effect::Ask, *own)).collect();
    let allows: Vec<(Effect, &str)> = allows.iter().map(|own| (Effect::Allow, *own)).collect();
    let (own, other) = ([document(Role::User, &asks)], document(Role::Project, &allows));
    let found = outranked_asks(&own, &other);
    let found: Vec<(String, String)> = found
        .iter()
        .map(|own| (own.ask.pattern.to_string(), own.allow.pattern.to_string()))
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(one, two)| (&**one, &**two)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_narrower_allow_outranks_an_ask() {
    check(&["cmd:git:*"], &["cmd:git:push:*"], &[("cmd:git:*", "cmd:git:push:*")]);
    check(&["cmd:git:push:*"], &["cmd:git:*"], &[]);
    check(&["cmd:git:push:*"], &["cmd:git:push:*"], &[]);
    check(&["cmd:git:push:*"], &["cmd:npm:*"], &[]);
    check(&["net:*", "cmd:*"], &["cmd:npm:*"], &[("cmd:*", "cmd:npm:*")]);
    check(&["fs:w:**"], &["fs:r:@root/**"], &[("fs:w:**", "fs:r:@root/**")]);
}

#[test]
fn a_right_that_is_named_outranks_one_that_is_implied() {
    check(&["fs:w:@root/**"], &["fs:d:@root/**"], &[("fs:w:@root/**", "fs:d:@root/**")]);
    check(&["fs:w:/opt/**"], &["fs:d:/srv/**"], &[]);
}
