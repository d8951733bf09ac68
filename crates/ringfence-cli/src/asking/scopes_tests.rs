use super::*;

pub(crate) fn question(pattern: Option<&str>, exact: Option<&str>) -> QuestionSummary {
    QuestionSummary {
        id: "aaaaaa".to_owned(),
        age: 0,
        left: 1,
        program: String::new(),
        what: String::new(),
        why: String::new(),
        pattern: pattern.map(str::to_owned),
        exact_pattern: exact.map(str::to_owned),
        session: "run 1".to_owned(),
    }
}

/// `*` marks the usual scope, `-` one that cannot last.
fn check(pattern: Option<&str>, exact: Option<&str>, expected: &[&str]) {
    let mark = |own: &AnswerScope| match (own.is_usual, own.can_last) {
        (true, _) => "*",
        (_, true) => " ",
        (_, false) => "-",
    };
    let found = scopes(&question(pattern, exact));
    let found: Vec<String> =
        found.iter().map(|own| format!("{}{}", mark(own), own.pattern)).collect();
    assert_eq!(found, expected);
}

#[test]
fn c076_the_scope_of_an_answer_goes_from_the_call_to_the_program() {
    check(
        Some("cmd:cargo:nextest:*"),
        Some("cmd:cargo:nextest:run:-p:x"),
        &[
            " cmd:cargo:nextest:run:-p:x",
            " cmd:cargo:nextest:run:*",
            "*cmd:cargo:nextest:*",
            " cmd:cargo:*",
        ],
    );
    let found = scopes(&question(Some("cmd:git:push:*"), Some("cmd:git:push:origin:")));
    let words: Vec<&str> = found.iter().map(|own| own.words.as_str()).collect();
    assert_eq!(
        words,
        ["this call", "`git push` with any further words", "`git` with any further words"]
    );
}

#[test]
fn where_a_rule_asks_only_the_exact_call_can_last() {
    check(Some("cmd:id:-u"), Some("cmd:id:-u"), &["*cmd:id:-u", "-cmd:id:*"]);
    check(None, Some("cmd:id:-u"), &["-cmd:id:-u", "-cmd:id:*"]);
}

#[test]
fn other_accesses_have_one_scope_and_secrets_none() {
    check(Some("net:a.example"), None, &["*net:a.example"]);
    check(Some("fs:w:/srv/x"), Some("fs:w:/srv/x"), &["*fs:w:/srv/x"]);
    check(None, None, &[]);
    let secret = "cmd:curl:-H:Authorization\\: Bearer abcdefghijklmnopqrstuvwxyz0123456789";
    check(Some("cmd:curl:*"), Some(secret), &["*cmd:curl:*"]);
}
