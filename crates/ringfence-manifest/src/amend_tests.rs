use proptest::prelude::*;

use super::*;

const DAY: &str = "2026-11-16";

fn rule<'a>(effect: Effect, pattern: &'a str, why: Option<&'a str>) -> ByHand<'a> {
    ByHand { effect, pattern, day: DAY.parse().unwrap(), why }
}

fn check(before: &str, pattern: &str, after: &str) {
    let added = add(Format::Toml, before, &rule(Effect::Allow, pattern, None));
    assert_eq!(added, Ok(Some(after.replace('…', "why = \"by hand 2026-11-16\" }"))));
    let removed = remove(Format::Toml, &added.unwrap().unwrap(), Effect::Allow, pattern);
    assert_eq!(removed, Ok(Some(before.to_owned())), "as it was");
}

#[test]
fn a_rule_is_added_and_the_rest_stays() {
    check(
        "# mine\nallow = [\"cmd:ls\"] # few\ndeny = [\"sh\"]\n",
        "cmd:git:push",
        "# mine\nallow = [{ pattern = \"cmd:git:push\", …, \"cmd:ls\"] # few\ndeny = [\"sh\"]\n",
    );
    check(
        "default = \"ask\"\n",
        "net:a.example",
        "default = \"ask\"\nallow = [ # by hand\n    { pattern = \"net:a.example\", …,\n]\n",
    );
    check(
        "[tools.file]\nenabled = true\n",
        "cmd:ls",
        "allow = [ # by hand\n    { pattern = \"cmd:ls\", …,\n]\n[tools.file]\nenabled = true\n",
    );
    check("", "cmd:ls", "allow = [ # by hand\n    { pattern = \"cmd:ls\", …,\n]\n");
}

#[test]
fn a_list_with_a_line_each_gets_one_more_line() {
    check(
        "allow = [ # few\n  # reading\n  \"cmd:ls\" # lists\n]\n",
        "cmd:id",
        "allow = [ # few\n  { pattern = \"cmd:id\", …,\n  # reading\n  \"cmd:ls\" # lists\n]\n",
    );
    check("allow = [\n]\n", "cmd:id", "allow = [\n    { pattern = \"cmd:id\", …,\n]\n");
    check("allow = []", "cmd:id", "allow = [{ pattern = \"cmd:id\", …]");
}

#[test]
fn ends_of_lines_are_the_documents_own() {
    check(
        "schema = 1\r\n",
        "cmd:id",
        "schema = 1\r\nallow = [ # by hand\r\n    { pattern = \"cmd:id\", …,\r\n]\r\n",
    );
    check(
        "schema = 1",
        "cmd:id",
        "schema = 1\nallow = [ # by hand\n    { pattern = \"cmd:id\", …,\n]",
    );
}

#[test]
fn grants_that_stand_nested_are_added_to() {
    check(
        "[capabilities]\nallow = [\"cmd:ls\"]\n",
        "cmd:id",
        "[capabilities]\nallow = [{ pattern = \"cmd:id\", …, \"cmd:ls\"]\n",
    );
}

#[test]
fn a_persons_words_stand_on_one_line() {
    let why = "my \"own\"\n fork\u{7}";
    let after = add(Format::Toml, "", &rule(Effect::Deny, "cmd:curl", Some(why))).unwrap().unwrap();
    assert!(after.contains("by hand 2026-11-16: my \"own\" fork"), "{after}");
    assert!(after.starts_with("deny = ["), "{after}");
}

#[test]
fn what_would_change_more_than_one_rule_is_left_alone() {
    let check = |text: &str, expected: Unamendable| {
        let added = add(Format::Toml, text, &rule(Effect::Allow, "cmd:id", None));
        assert_eq!(added, Err(expected));
    };
    check("[capabilities.allow.read]\npaths = [\"src/**\"]\n", Unamendable::Form);
    check("allow = [\"cmd:a\"]\n[capabilities]\nallow = []\n", Unamendable::Form);
    let json = add(Format::Json, "{}", &rule(Effect::Allow, "cmd:id", None));
    assert_eq!(json, Err(Unamendable::Format));
    let nonsense = add(Format::Toml, "", &rule(Effect::Allow, "nonsense", None));
    assert!(matches!(nonsense, Err(Unamendable::Pattern(_))), "{nonsense:?}");
    let denies = add(Format::Toml, "deny = true\n", &rule(Effect::Deny, "cmd:id", None));
    assert_eq!(denies, Err(Unamendable::Form));
}

#[test]
fn what_is_there_already_is_not_added() {
    for text in ["allow = [\"cmd:id\"]\n", "allow = [{ pattern = \"cmd:id\" }]\n"] {
        assert_eq!(add(Format::Toml, text, &rule(Effect::Allow, "cmd:id", None)), Ok(None));
    }
}

#[test]
fn only_what_was_added_by_hand_is_taken_away() {
    for text in ["allow = [\"cmd:id\"]\n", "", "allow = [{ pattern = \"cmd:id\", why = \"x\" }]\n"]
    {
        assert_eq!(remove(Format::Toml, text, Effect::Allow, "cmd:id"), Ok(None));
    }
}

proptest! {
    /// Rules come and go in any order, and what is left is what was there.
    #[test]
    fn adding_and_taking_away_leaves_no_trace(
        start in prop::sample::select(vec![
            "", "\n", "# c\n", "schema = 1", "allow = []\n", "allow = [ \"cmd:a\" ]\n[hooks]\nwait = 1\n",
            "allow = [\n    \"cmd:a\",\n    # end\n]\ndeny = [\n]\n", "a.b = 1\r\nallow = [\r\n]\r\n",
            "allow = [ # by hand\n    \"cmd:z\",\n]\n", "deny = [\"sh\"]\n\n[capabilities]\nallow = [\n\"cmd:a\"\n]",
        ]),
        rules in prop::collection::vec((any::<bool>(), 0usize..4), 0..5),
        order in any::<prop::sample::Index>(),
    ) {
        let effect = |deny: bool| if deny { Effect::Deny } else { Effect::Allow };
        let mut text = start.to_owned();
        let mut added = Vec::new();
        for (deny, number) in rules {
            let pattern = format!("cmd:p{number}");
            let new = rule(effect(deny), &pattern, Some("because"));
            if let Some(after) = add(Format::Toml, &text, &new).unwrap() {
                text = after;
                added.push((effect(deny), pattern));
            }
        }
        let count = added.len();
        added.rotate_left(if count == 0 { 0 } else { order.index(count) });
        for (effect, pattern) in added {
            text = remove(Format::Toml, &text, effect, &pattern).unwrap().unwrap();
        }
        prop_assert_eq!(text, start);
    }
}
