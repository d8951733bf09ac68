use super::*;

fn roles(text: &str, count: usize) -> Vec<String> {
    let operands = Operands::parse(text).unwrap();
    let role =
        |index| operands.expected().role(index, count).map_or("-".to_owned(), WordRole::to_string);
    (0..count).map(role).collect()
}

#[test]
fn operands_get_their_roles_in_order() {
    assert_eq!(roles("text read...", 3), ["text", "read", "read"]);
    assert_eq!(roles("text read...", 1), ["text"]);
    assert_eq!(roles("code awk read...", 2), ["code awk", "read"]);
    assert_eq!(roles("text", 2), ["text", "-"]);
    assert_eq!(roles("code subscript...", 2), ["code subscript", "code subscript"]);
}

#[test]
fn roles_after_the_repeated_one_are_filled_first() {
    assert_eq!(roles("read... write", 3), ["read", "read", "write"]);
    assert_eq!(roles("read... write", 1), ["write"]);
    assert_eq!(roles("text read... write", 2), ["text", "write"]);
}

#[test]
fn options_replace_operands() {
    let of = |text: &str| Operands::parse(text).unwrap();
    assert_eq!(of("text read...").expected().without_first().to_string(), "read...");
    assert_eq!(of("read... write").expected().without_last().to_string(), "read...");
    assert_eq!(of("read write").expected().without_last().to_string(), "read");
    assert_eq!(of("read...").expected().without_last().to_string(), "read...");
}

#[test]
fn malformed_role_lists_are_refused() {
    for text in ["reads", "read... write...", "code"] {
        assert!(Operands::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn text_operands_alone_leave_the_default_files() {
    let of = |text: &str| Operands::parse(text).unwrap();
    assert!(of("text search...").expected().leaves_default(1));
    assert!(!of("text search...").expected().leaves_default(2));
    assert!(!of("script text...").expected().leaves_default(1));
    assert!(!of("read... write").expected().leaves_default(1));
    assert!(of("read...").expected().leaves_default(0));
}

#[test]
fn operand_properties_follow_from_their_roles() {
    let told = |text: &str| {
        let operands = Operands::parse(text).unwrap();
        (operands.may_be_command(), operands.may_be_refspec(), operands.is_script())
    };
    assert_eq!(told("text read..."), (false, false, false));
    assert_eq!(told("text command"), (true, false, false));
    assert_eq!(told("host refspec..."), (false, true, false));
    assert_eq!(told("script text..."), (false, false, true));
    assert_eq!(told("text script"), (false, false, false));
}
