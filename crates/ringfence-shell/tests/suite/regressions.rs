//! Differences from bash that the differential tests found; each is kept here once fixed.

use super::show::{check, check_syntax, check_unsupported};

#[test]
fn a_number_before_a_sign_is_a_descriptor_even_as_a_target() {
    check_syntax("a <2<<-E\nE\n");
    check_syntax("a <<<2>b");
    check("a >&2>b", &["a >&2 >b"]);
    check_syntax("[[ a == 2>1 ]]");
    check_syntax("[[ {x}>a ]]");
}

#[test]
fn what_follows_a_copied_output_is_expanded_twice() {
    for line in [
        "a >&'$(b)'",
        "a 1>&\"\\$(b)\"",
        "a >& \\`b\\`",
        "a >&\"$x\\$(b)\"",
        "a >&'b c'",
        "a >&{b,c}",
        "a >&~\"\"",
    ] {
        check_unsupported(line);
    }
    check("a >&b 2>&1 >&- >&$fd >&~", &["a >&b 2>&1 >&- >&? >&/h"]);
    check("a >'$(b)' &>'$(b)'", &["a >$(b) &>$(b)"]);
    let script = ringfence_shell::parse("a >&\"$x\" >&1 >\"$x\"").unwrap();
    let found = ringfence_shell::commands(&script);
    let twice: Vec<_> =
        found[0].command.redirects.iter().map(|redirect| redirect.is_expanded_twice()).collect();
    assert_eq!(twice, [true, false, false]);
}

#[test]
fn quoted_text_that_is_evaluated_may_hide_no_command() {
    for line in [
        "[[ -v 'a[$(b)]' ]]",
        "[[ 'a[$(b)]' -eq 0 ]]",
        "[[ 0 -lt \"a[\\$(b)]\" ]]",
        "(( \"a[\\$(b)]\" ))",
        "a $(( ${x:-\"a[\\$(b)]\"} ))",
        "a=([\"b[\\$(c)]\"]=d)",
        "a[\"b[\\$(c)]\"]=d",
        "a ${b[\"c[\\$(d)]\"]}",
        "a ${b:\"c[\\$(d)]\"}",
    ] {
        check_unsupported(line);
    }
    check("[[ -n 'a[$(b)]' && 'a[$(b)]' == x ]]", &[]);
}

#[test]
fn bash_goes_on_looking_for_in_after_a_loop_with_braces() {
    check_unsupported("for x\n{ a; }; b in");
    check_unsupported("select x; { a; }");
    check("for x in y; { a; }; b in", &["a", "b in"]);
}

#[test]
fn in_on_a_line_of_its_own_belongs_to_the_case_around() {
    check_unsupported("case x in a) for y\nin z\ndo b; done;; esac");
    check("case x in a) for y in z\ndo b; done;; esac", &["b"]);
}

#[test]
fn time_right_after_a_substitution_opens_is_read_twice() {
    check("a $(time b) $(time -p c >f) $(time)", &["a ? ? ?", "b @cmdsubst", "c >f @cmdsubst"]);
    for line in
        ["a $(time { b; })", "a $(time b=(c))", "a $(time [[ b < c ]])", "a <(time f() { b; })"]
    {
        check_unsupported(line);
    }
    check("a $(\ntime { b; })", &["a ?", "b @cmdsubst"]);
}

#[test]
fn bash_writes_some_substitutions_out_wrongly() {
    check_unsupported("a $(coproc b c)");
    check_unsupported("a $(b=(\\())");
    check_unsupported("a <(b=(x\\;y))");
    check("b=(\\() a", &["b=? a"]);
}

#[test]
fn a_backslash_in_quoted_braces_takes_any_character() {
    check("a \"${x:+\\''$(b)'}\"", &["unsupported: single quotes where they may not quote"]);
    check("a \"${x:+\\'$(b)}\"", &["a ?", "b @cmdsubst"]);
}

#[test]
fn braces_end_what_looked_like_an_assignment() {
    check("a x=~/y{1,2}", &["a x=~/y1 x=~/y2"]);
    check("a x=~/y{1..a}", &["a x=/h/y{1..a}"]);
}

#[test]
fn a_word_that_braces_make_nothing_of_is_still_the_first() {
    check("{,} A=b c", &["A=b c"]);
    assert_eq!(ringfence_shell::list("{,} A=b c", "/h").commands[0].argv.len(), 2);
    check_syntax("{,} f() { a; }");
    check("{export,} A=*", &["export ?"]);
    check_syntax("{declare,} A=(b)");
}

#[test]
fn braces_may_put_a_dollar_before_a_name() {
    check("a {b,$}HOME", &["a ?"]);
    check("a {$,b}{c}", &["a ?"]);
}

#[test]
fn after_an_assignment_and_a_redirection_no_array_begins() {
    check_unsupported("a=1 >f b=(c)");
    check_unsupported("a=1 >f b[x y]=2");
    check("a=1 >f b=2 c", &["a=1 b=2 c >f"]);
    check(">f b=(c)", &["b=? >f"]);
}

#[test]
fn parentheses_must_balance_where_bash_counts_them() {
    check_unsupported("a $((b[(1]=2 c); d)");
    check_unsupported("a $(( $(case x in x) b;; esac) ))");
    check_unsupported("((a # )\n); b)");
    check_unsupported("(((a)|b)\n)");
    check_unsupported("((a)\nb)");
    check("((a b\nc); d)", &["a b @subshell", "c @subshell", "d @subshell"]);
}

#[test]
fn a_subscript_that_bash_does_not_see_makes_a_command_of_an_assignment() {
    check_unsupported("A[$$(]=b c");
    check_unsupported("A[(]=b c");
    check_unsupported("A[{]=b c");
}

#[test]
fn the_second_word_of_a_coprocess_stands_where_a_command_begins() {
    check_unsupported("coproc a b=c d[ 1 ]=e");
    check_unsupported("coproc a b=(c)");
}

#[test]
fn what_is_parsed_when_it_runs_is_no_syntax_error_of_the_line() {
    check_unsupported("a \"$((b=(c d) e); coproc { )\"");
    check_unsupported("((${x^^\"**$\"''\\}))");
    check_unsupported("a ${b[c|d}e");
}

#[test]
fn a_coprocess_that_begins_with_an_array_is_unsupported() {
    for line in ["coproc { A=(if) a; }", "coproc ( A=(!) a )", "coproc if A=(do) a; then b; fi"] {
        check_unsupported(line);
    }
    check("coproc { a; A=(if) b; }", &["a", "A=? b"]);
}

#[test]
fn a_semicolon_behind_a_here_document_in_a_substitution_is_unsupported() {
    // Bash runs `b c` here, one command.
    for line in ["a $(x <<E\nE\nb; c)", "a <(x <<E\nE\nb; c)", "a \"$(x <<E; b; c\nE\n)\""] {
        check_unsupported(line);
    }
    let all = ["a ?", "x <<<heredoc> @cmdsubst", "b @cmdsubst", "c @cmdsubst"];
    check("a $(x <<E\nE\nb\nc)", &all);
}

#[test]
fn braces_behind_quotes_in_a_substitution_in_quotes_are_unsupported() {
    // Bash runs `b x` and `b y` here.
    for line in [
        "a \"`b \"{x,y}\"`\"",
        "a {\"`b \"x , y\" z`\"}",
        "a {x,\"`b \"x\"}`\"",
        "a \"${x:-\"{x,y}\"}\"",
        "a {\"${x:-\"x , y\"}\"}",
    ] {
        check_unsupported(line);
    }
    check("a \"`b \"${x}\"`\" \"${x:-\"y z\"}\"", &["a ? ?", "b ? @cmdsubst"]);
}

#[test]
fn a_brace_as_a_pattern_is_unsupported() {
    for line in ["{ case x in (}) a;; esac; }", "f() { case x in a|}) a;; esac; }"] {
        check_unsupported(line);
    }
    check("{ case x in (\"}\") a;; }x) b;; esac; }", &["a", "b"]);
}
