use super::*;

fn check(text: &str, separator: &'static str, expected: &[(&str, &str)]) {
    let name = JoinedName::new(text, separator);
    let readings = name.as_ref().map(|own| own.readings().collect::<Vec<_>>()).unwrap_or_default();
    let found: Vec<(&str, &str)> = readings.iter().map(|own| (own.server, own.tool)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_name_is_read_at_every_separator() {
    check("github__get_issue", "__", &[("github", "get_issue")]);
    check("a__b__c", "__", &[("a", "b__c"), ("a__b", "c")]);
    check("a___b", "__", &[("a", "_b"), ("a_", "b")]);
    check("a_b_c", "_", &[("a", "b_c"), ("a_b", "c")]);
    check("ä-b-c", "-", &[("ä", "b-c"), ("ä-b", "c")]);
}

#[test]
fn a_name_with_an_empty_part_has_no_reading() {
    check("github", "__", &[]);
    check("github__", "__", &[]);
    check("__github", "__", &[]);
    check("a__b__", "__", &[("a", "b__")]);
    check("", "_", &[]);
    assert!(JoinedName::parse_mcp("github__x").is_none());
}

#[test]
fn only_a_name_with_several_readings_is_open() {
    let open = |text: &str| JoinedName::parse_mcp(text).is_some_and(|own| own.is_ambiguous());
    assert!(open("mcp__a__b__c"));
    assert!(!open("mcp__a__b_c"));
    let told = KnownServers { certain: vec!["a".to_owned()], possible: Vec::new() };
    assert!(!JoinedName::parse_mcp("mcp__a__b__c").unwrap().with_servers(told).is_ambiguous());
}
