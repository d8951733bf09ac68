//! Redirections and here-documents.

use ringfence_shell::ast::{Command, Redirect, RedirectTarget};
use ringfence_shell::parse;

use super::show::{check, check_syntax, check_unsupported};

#[test]
fn every_operator() {
    check("a <b >c >>d >|e <>f 2>g 3<h", &["a <b >c >>d >|e <>f 2>g 3<h"]);
    check(
        "a 2>&1 >&2 <&3 >&- 2>&- 4<&5- &>b &>>c >& d",
        &["a 2>&1 >&2 <&3 >&- 2>&- 4<&5- &>b &>>c >&d"],
    );
    check("a {fd}>b {x}<c {y}>&-", &["a {fd}>b {x}<c {y}>&-"]);
    check(">a; 2>b <c", &[">a", "2>b <c"]);
    check("a>b c", &["a c >b"]);
    check("a 2 >b; a 2x>b; a\\2>b", &["a 2 >b", "a 2x >b", "a2 >b"]);
    check("a b2>c 12>d", &["a b2 >c 12>d"]);
}

#[test]
fn targets_are_expanded_like_words() {
    check("a >~/b >$x >'c d' >*.e >{f,g} >z{1..1}", &["a >/h/b >? >\"c d\" >? >? >z1"]);
    check("a > >(b) < <(c)", &["a >? <?", "b @procsubst", "c @procsubst"]);
    check("a <<< 'b c' <<<$x <<<{d,e} <<<*", &["a <<<\"b c\" <<<? <<<{d,e} <<<*"]);
}

#[test]
fn what_is_no_target() {
    for line in [
        "a >", "a > ;", "a >\nb", "a > > b", "a <(", "a >& ", "a <2>b", "a <{x}>b", "a > #b",
        "a &> &b",
    ] {
        check_syntax(line);
    }
    check_unsupported("a >&-b");
    check_unsupported("a 9999999999>b");
    check_unsupported("a {x[1]}>b");
}

#[test]
fn bodies_come_after_the_line() {
    check("cat <<E; a\n$(b)\nE\nc", &["cat <<<heredoc>", "a", "b @cmdsubst", "c"]);
    check("cat <<E | a && b\nx\nE\nc", &["cat <<<heredoc>", "a", "b", "c"]);
    check(
        "cat <<A <<B\n`a`\nA\n`b`\nB\n",
        &["cat <<<heredoc> <<<heredoc>", "a @cmdsubst", "b @cmdsubst"],
    );
    check("if cat <<E; then a\n`b`\nE\nfi", &["cat <<<heredoc>", "a", "b @cmdsubst"]);
    check("cat <<E 'x\ny' z\n$(a)\nE", &["cat \"x\\ny\" z <<<heredoc>", "a @cmdsubst"]);
}

#[test]
fn a_quoted_delimiter_makes_the_body_text() {
    for delimiter in ["'E'", "\"E\"", "\\E", "E''", "'E'"] {
        check(&format!("cat <<{delimiter}\n$(a) `b`\nE\nc"), &["cat <<<heredoc>", "c"]);
    }
    check("cat <<'E F'\n$(a)\nE F\nb", &["cat <<<heredoc>", "b"]);
}

#[test]
fn only_the_delimiter_alone_on_its_line_ends_a_body() {
    check("cat <<E\n E\nE \nxE\n$(a)\nE\nb", &["cat <<<heredoc>", "a @cmdsubst", "b"]);
    check("cat <<-E\n\t\t$(a)\n\tE\nb", &["cat <<-<heredoc>", "a @cmdsubst", "b"]);
    check("cat <<-E\n  E\n\tE\nb", &["cat <<-<heredoc>", "b"]);
    check("cat <<E\nx\\\nE\n$(a)\nE\nb", &["cat <<<heredoc>", "a @cmdsubst", "b"]);
    check("cat <<'E'\nx\\\nE\nb", &["cat <<<heredoc>", "b"]);
    check("cat <<E\nE\\\n\nE\nb", &["cat <<<heredoc>", "E", "b"]);
}

#[test]
fn the_end_of_the_line_ends_a_body() {
    check("cat <<E", &["cat <<<heredoc>"]);
    check("cat <<E\n$(a)\n", &["cat <<<heredoc>", "a @cmdsubst"]);
    check("cat <<E\nE", &["cat <<<heredoc>"]);
}

#[test]
fn here_documents_in_substitutions() {
    check("a \"$(cat <<'E'\n)\"'`\nE\n)\" b", &["a ? b", "cat <<<heredoc> @cmdsubst"]);
    check("a <(cat <<E\n$(b)\nE\n)", &["a ?", "cat <<<heredoc> @procsubst", "b @cmdsubst"]);
    check_unsupported("a $(cat <<E\nx\nE)");
    check_unsupported("a $(cat <<E)\nx\nE");
    check_unsupported("cat <<E $(a\n)\nx\nE");
    check_unsupported("a `cat <<E\nx`");
}

#[test]
fn what_a_body_may_hold() {
    check(
        "cat <<E\n\"$(a)\" '$(b)' \\$(c) \\\\$(d) ${x:-$(e)} $((`f`))\nE",
        &[
            "cat <<<heredoc>",
            "a @cmdsubst",
            "b @cmdsubst",
            "d @cmdsubst",
            "e @cmdsubst",
            "f @cmdsubst",
        ],
    );
    check_unsupported("cat <<E\n${x:-\"a\"}\nE");
    check_unsupported("cat <<E\n$(\nE");
    check_unsupported("cat <<$x\n$x\n");
    check_unsupported("cat <<E$'x'\n");
    check_unsupported(&format!("cat {}\n", "<<E ".repeat(17)));
}

fn redirect(line: &str) -> Redirect {
    let script = parse(line).unwrap();
    match &script.items[0].list.first.stages[0].command {
        Command::Simple(simple) => simple.redirects[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn body(line: &str) -> String {
    match redirect(line).target {
        RedirectTarget::HereDoc(heredoc) => heredoc.body.as_static().unwrap().into_owned(),
        RedirectTarget::Word(word) => panic!("{word:?}"),
    }
}

#[test]
fn bodies_are_decoded() {
    assert_eq!(body("a <<E\nx \\$y \\\\ \\z \"q\"\nE\n"), "x $y \\ \\z \"q\"\n");
    assert_eq!(body("a <<'E'\nx \\$y \\\\ \\z\nE\n"), "x \\$y \\\\ \\z\n");
    assert_eq!(body("a <<-E\n\t\tx\n\ty\\\n\tz\n\tE\n"), "x\ny\tz\n");
    assert_eq!(body("a <<E\n"), "");
}
