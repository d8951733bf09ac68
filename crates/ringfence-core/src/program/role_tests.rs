use super::*;

#[test]
fn every_role_is_printed_as_it_is_parsed() {
    let more = ["code awk", "code-file python", "registry npm"];
    for text in Role::words().chain(more) {
        let role = Role::parse(text).unwrap();
        assert_eq!(Role::parse(&role.to_string()), Some(role), "{text}");
    }
}

#[test]
fn malformed_roles_are_refused() {
    for text in ["", "reads", "code", "code ", "code a b", "registry"] {
        assert_eq!(Role::parse(text), None, "{text:?}");
    }
}
