use super::*;

const CODE: &str = "// Approval::by_person\nfn f() {\n    Approval::by_person()\n}\n";

fn finds(file: &str, code: &str) -> Vec<String> {
    check(&Tree::of(&[(file, code)])).iter().map(ToString::to_string).collect()
}

#[test]
fn an_approval_that_no_answer_was_read_for_is_found() {
    let file = "crates/ringfence-mcp/src/gateway/mod.rs";
    let expected = format!("{file}:3: an approval is made where a person's answer is read");
    assert_eq!(finds(file, CODE), [expected]);
}

#[test]
fn connecting_and_starting_elsewhere_is_found() {
    for code in
        ["TcpStream::connect(a)", "ringfence_sandbox::run_in(a)", "g.permit_typed_command(a)"]
    {
        assert_eq!(finds("crates/ringfence-hooks/src/consider.rs", code).len(), 1, "{code}");
    }
}

#[test]
fn the_places_that_are_listed_and_tests_may() {
    for file in [
        "crates/ringfence-egress/src/ask.rs",
        "crates/ringfence-guard/src/permit/permit_tests.rs",
        "crates/ringfence/tests/suite/permits.rs",
        "bench/egress/src/client.rs",
    ] {
        assert_eq!(finds(file, CODE), [] as [String; 0]);
    }
}
