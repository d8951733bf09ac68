use ringfence_core::Effect;

use super::super::draft::{At, Draft, Found, Of};
use super::settle;
use crate::text::{Format, Source, Span};

/// The rules that are left of some, each with its rank, as `effect pattern except`.
fn settled(rules: &[(Effect, &str, u32)]) -> (Vec<String>, Effect) {
    let source = Source::new("x", Format::Json, &" ".repeat(rules.len())).unwrap();
    let mut draft = Draft::new(&source);
    for (place, (effect, pattern, rank)) in rules.iter().enumerate() {
        let at = At { span: Span::new(place, place.saturating_add(1)), rank: *rank };
        assert!(draft.rule(*effect, pattern, Of::All, at));
    }
    settle(&mut draft);
    (draft.found.iter().map(shown).collect(), draft.default)
}

fn shown(rule: &Found) -> String {
    let except: Vec<String> = rule.except.iter().map(ToString::to_string).collect();
    format!("{} {} {}", rule.effect, rule.pattern, except.join(" ")).trim_end().to_owned()
}

#[test]
fn an_ask_outranks_a_narrower_allow_only_by_rank() {
    let rules = [(Effect::Allow, "cmd:git:push:origin", 1), (Effect::Ask, "cmd:git:push:*", 2)];
    assert_eq!(settled(&rules).0, ["ask cmd:git:push:*"]);
    let rules = [(Effect::Ask, "cmd:git:push:*", 1), (Effect::Allow, "cmd:git:push:origin", 2)];
    assert_eq!(settled(&rules).0, ["ask cmd:git:push:*", "allow cmd:git:push:origin"]);
}

#[test]
fn a_deny_makes_room_for_what_outranks_it() {
    let rules = [
        (Effect::Deny, "cmd:git:push:*", 1),
        (Effect::Allow, "cmd:git:push:origin:dev", 2),
        (Effect::Deny, "cmd:rm:*", 3),
    ];
    let expected = [
        "deny cmd:git:push:* cmd:git:push:origin:dev",
        "allow cmd:git:push:origin:dev",
        "deny cmd:rm:*",
    ];
    assert_eq!(settled(&rules).0, expected);
}

#[test]
fn a_deny_on_everything_below_the_others_is_the_default() {
    let rules = [(Effect::Deny, "cmd:*", 1), (Effect::Allow, "cmd:git:*", 2)];
    assert_eq!(settled(&rules), (vec!["allow cmd:git:*".to_owned()], Effect::Deny));
    let rules = [(Effect::Allow, "cmd:git:*", 1), (Effect::Deny, "cmd:*", 2)];
    assert_eq!(settled(&rules), (vec!["deny cmd:*".to_owned()], Effect::Ask));
}

#[test]
fn what_is_said_twice_stands_once() {
    let rules = [(Effect::Ask, "cmd:ls:*", 1), (Effect::Ask, "cmd:ls:*", 2)];
    assert_eq!(settled(&rules).0, ["ask cmd:ls:*"]);
}
