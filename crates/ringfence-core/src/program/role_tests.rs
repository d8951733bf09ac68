use super::*;

#[test]
fn every_role_is_printed_as_it_is_parsed() {
    let more = ["code awk", "code-file python", "registry npm"];
    for text in WordRole::words().chain(more) {
        let role = WordRole::parse(text).unwrap();
        assert_eq!(WordRole::parse(&role.to_string()), Some(role), "{text}");
    }
}

#[test]
fn malformed_roles_are_refused() {
    for text in ["", "reads", "code", "code ", "code a b", "registry"] {
        assert_eq!(WordRole::parse(text), None, "{text:?}");
    }
}
