use super::*;

#[test]
fn spellings_have_names_and_value_marks() {
    let cases: [(&str, &[&str], TakesValue); 5] = [
        ("-o|--output=", &["-o", "--output"], TakesValue::Value),
        ("--color[=]", &["--color"], TakesValue::Perhaps),
        ("-l[#]", &["-l"], TakesValue::Digits),
        ("-v|--verbose", &["-v", "--verbose"], TakesValue::Nothing),
        ("if=", &["if"], TakesValue::Value),
    ];
    for (text, names, takes) in cases {
        let spelling = OptionSpelling::parse(text).unwrap();
        assert_eq!(spelling.names.iter().map(|name| &**name).collect::<Vec<_>>(), names);
        assert_eq!(spelling.takes, takes, "{text}");
    }
}

#[test]
fn malformed_spellings_are_refused() {
    for text in ["", "=", "-a||-b", "-a -b", "|-a"] {
        assert!(OptionSpelling::parse(text).is_err(), "{text:?}");
    }
}
