use super::*;

#[test]
fn spellings_have_names_and_value_marks() {
    let cases: [(&str, &[&str], Takes); 5] = [
        ("-o|--output=", &["-o", "--output"], Takes::Value),
        ("--color[=]", &["--color"], Takes::Perhaps),
        ("-l[#]", &["-l"], Takes::Digits),
        ("-v|--verbose", &["-v", "--verbose"], Takes::Nothing),
        ("if=", &["if"], Takes::Value),
    ];
    for (text, names, takes) in cases {
        let spelling = Spelling::parse(text).unwrap();
        assert_eq!(spelling.names.iter().map(|name| &**name).collect::<Vec<_>>(), names);
        assert_eq!(spelling.takes, takes, "{text}");
    }
}

#[test]
fn malformed_spellings_are_refused() {
    for text in ["", "=", "-a||-b", "-a -b", "|-a"] {
        assert!(Spelling::parse(text).is_err(), "{text:?}");
    }
}
