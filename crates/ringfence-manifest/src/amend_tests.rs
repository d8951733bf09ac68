use super::*;

fn check(before: &str, pattern: &str, after: &str) {
    let source = Source::new("policy.toml", Format::Toml, before).unwrap();
    assert_eq!(allow(&source, pattern).unwrap().as_deref(), Some(after));
}

#[test]
fn a_pattern_is_added_and_the_rest_stays() {
    check(
        "# mine\nallow = [\"cmd:ls\"] # few\ndeny = [\"sh\"]\n",
        "cmd:git:push",
        "# mine\nallow = [\"cmd:ls\", \"cmd:git:push\"] # few\ndeny = [\"sh\"]\n",
    );
    check(
        "default = \"ask\"\n",
        "net:a.example",
        "default = \"ask\"\nallow = [\"net:a.example\"]\n",
    );
    check(
        "[tools.file]\nenabled = true\n",
        "cmd:ls",
        "allow = [\"cmd:ls\"]\n[tools.file]\nenabled = true\n",
    );
}

#[test]
fn a_list_with_a_line_each_keeps_its_lines_and_comments() {
    check(
        "allow = [\n    # reading\n    \"cmd:ls\", # lists\n    \"cmd:cat\", # shows\n]\n",
        "cmd:id",
        "allow = [\n    # reading\n    \"cmd:ls\", # lists\n    \"cmd:cat\", # shows\n    \"cmd:id\",\n]\n",
    );
    check("allow = [\n  \"cmd:ls\"\n]\n", "cmd:id", "allow = [\n  \"cmd:ls\",\n  \"cmd:id\",\n]\n");
}

#[test]
fn grants_that_stand_nested_are_added_to() {
    check(
        "[capabilities]\nallow = [\"cmd:ls\"]\n",
        "cmd:id",
        "[capabilities]\nallow = [\"cmd:ls\", \"cmd:id\"]\n",
    );
}

#[test]
fn what_would_change_more_than_one_rule_is_left_alone() {
    let check = |text: &str, pattern: &str, expected: Unamendable| {
        let source = Source::new("policy.toml", Format::Toml, text).unwrap();
        assert_eq!(allow(&source, pattern), Err(expected));
    };
    check("[capabilities.allow.read]\npaths = [\"src/**\"]\n", "cmd:id", Unamendable::Form);
    check("allow = [\"cmd:a\"]\n[capabilities]\nallow = []\n", "cmd:id", Unamendable::Form);
    let json = Source::new("policy.json", Format::Json, "{}").unwrap();
    assert_eq!(allow(&json, "cmd:id"), Err(Unamendable::Format));
    let source = Source::new("policy.toml", Format::Toml, "").unwrap();
    assert!(matches!(allow(&source, "nonsense"), Err(Unamendable::Pattern(_))));
}

#[test]
fn what_is_there_already_is_not_added() {
    let source = Source::new("policy.toml", Format::Toml, "allow = [\"cmd:id\"]\n").unwrap();
    assert_eq!(allow(&source, "cmd:id"), Ok(None));
}
