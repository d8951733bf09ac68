//! Lists, compound commands, functions and reserved words.

use super::show::{check, check_syntax, check_unsupported};

#[test]
fn lists_and_pipelines() {
    check("a; b & c && d || e | f |& g", &["a", "b", "c", "d", "e", "f", "g"]);
    check("a\nb\n\n\nc", &["a", "b", "c"]);
    check("a &&\n\n b |\n c", &["a", "b", "c"]);
    check("a&b;c&", &["a", "b", "c"]);
    for line in
        ["; a", "a ;; b", "a & ; b", "a &&", "a |", "&& a", "a | | b", "a;;", "a &&& b", "&", "|"]
    {
        check_syntax(line);
    }
}

#[test]
fn negation_and_time() {
    check(
        "! a; ! ! b; time c; time -p d; time -- e; time -p -- f; ! time g",
        &["a", "b", "c", "d", "e", "f", "g"],
    );
    check("time -v a", &["-v a"]);
    check("a | time -p b", &["a", "time -p b"]);
    check("!a; time", &["!a"]);
    check("time; a", &["a"]);
    check("!(a)", &["a @subshell"]);
    check_syntax("a | ! b");
    check_syntax("time & a");
    check_syntax("( ! )");
}

#[test]
fn reserved_words_are_reserved_only_where_a_command_begins() {
    check("echo if then fi { } ! in", &["echo if then fi { } ! in"]);
    check("a=b if; >f then", &["a=b if", "then >f"]);
    check("'if' x; \\then; i\"f\"", &["if x", "then", "if"]);
    check("for if in do done; do a; done", &["a"]);
    check("case esac in (a) b;; esac", &["b"]);
    for line in ["then", "fi", "do", "done", "esac", "}", "in x", "]] x", "else", "elif x"] {
        check_syntax(line);
    }
}

#[test]
fn reserved_words_follow_compound_commands_at_once() {
    check(
        "{ (a) }; { { b; } }; if (c) then d; fi; { [[ e ]] }; while ((1)) do f; done",
        &["a @subshell", "b", "c @subshell", "d", "f"],
    );
    check_syntax("{ { a; } >f }");
    check_syntax("{ a }");
}

#[test]
fn groups_and_subshells() {
    check("(a; b) | { c; d; } >f", &["a @subshell", "b @subshell", "c", "d", "compound >f"]);
    check("( (a) )", &["a @subshell"]);
    check("{\na\n}", &["a"]);
    for line in ["()", "( )", "{ }", "{a;}", "(a", "{ a;", "a)", "(a))", "(a) b"] {
        check_syntax(line);
    }
}

#[test]
fn conditions_and_loops() {
    check("if a; then b; elif c; then d; else e; fi <f", &["a", "b", "c", "d", "e", "compound <f"]);
    check("while a; b; do c; done; until d; do e; done", &["a", "b", "c", "d", "e"]);
    check("for x in a $(b) {1..3}; do c $x; done", &["b @cmdsubst", "c ?"]);
    check(
        "for x; do a; done; for x do a; done; for x\ndo a; done; for x in; do a; done",
        &["a", "a", "a", "a"],
    );
    check("for x in a; { b; }", &["b"]);
    check("for ((i=0; i<$(a); i++)); do b; done; for ((;;)) { c; }", &["a @cmdsubst", "b", "c"]);
    check("select x in a; do b; done", &["b"]);
    for line in [
        "if a; fi",
        "if a; then fi",
        "if; then a; fi",
        "while a; done",
        "for x in a; echo; done",
        "for x { a; }",
        "for ((;)); do a; done",
        "if a then b; fi",
        "while do a; done",
        "for do a; done",
    ] {
        check_syntax(line);
    }
    check_unsupported("for a-b in c; do d; done");
}

#[test]
fn cases() {
    check("case $x in a|b) c;; (d) e;& f) g;;& *) h; esac", &["c", "e", "g", "h"]);
    check("case x in esac; case x\nin\n\na)\n;;\nesac; case x in (a) esac", &[]);
    check("case x in a) b\nesac", &["b"]);
    check("case x in $(a)) b;; esac", &["a @cmdsubst", "b"]);
    check("case x in if) a;; esac", &["a"]);
    for line in [
        "case x in a) b",
        "case x in a b) c;; esac",
        "case x in a|) b;; esac",
        "case x a) b;; esac",
        "case x in a) b esac",
    ] {
        check_syntax(line);
    }
    check_unsupported("case x in (esac) a;; esac");
}

#[test]
fn functions() {
    check(
        "f() { a; }; function g { b; }; function h () ( c ); i () if d; then e; fi",
        &["a @function", "b @function", "c @subshell", "d @function", "e @function"],
    );
    check("f()\n\n{ a; } >x 2>&1", &["a @function", "compound >x", "compound 2>&1"]);
    check(
        "f( ) { a; }; f(){ b; }; a-b.c:d() { e; }",
        &["a @function", "b @function", "e @function"],
    );
    for line in [
        "f() a",
        "f( a ) { b; }",
        "f g() { a; }",
        "function f a",
        "a=b f() { c; }",
        "function",
        "f()",
    ] {
        check_syntax(line);
    }
    check_unsupported("'f'() { a; }");
    check_unsupported("$f() { a; }");
}

#[test]
fn coprocesses() {
    check(
        "coproc a b; coproc N { c; }; coproc { d; } >x; coproc N ( e )",
        &["a b", "c", "d", "e @subshell", "compound >x"],
    );
    check_syntax("coproc a done");
    check_syntax("coproc then");
    check_unsupported("a $(coproc b)");
    check_unsupported("coproc a b[c d]=e");
}

#[test]
fn tests_in_brackets() {
    check("[[ -f a && ! -d $(b) || ( x == @(y|z) ) ]] && c", &["b @cmdsubst", "c"]);
    check("[[ $x =~ ^(a b|$(c))+$ ]]; [[ a < b && c -nt d ]]; [[ a ]]", &["c @cmdsubst"]);
    check("[[ a == b\n&&\nc == d ]] >f", &["compound >f"]);
    check("[[ !(a) ]]", &[]);
    for line in [
        "[[ a b ]]",
        "[[ -f ]]",
        "[[ a == ]]",
        "[[ a\n== b ]]",
        "[[ a -a b ]]",
        "[[ a <(b) ]]",
        "[[ a =~ b<c ]]",
        "[[ ( a ]]",
        "[[ a",
        "[[ 2>1 ]]",
        "[[ a ]] b",
    ] {
        check_syntax(line);
    }
    check("[[a]]", &["?"]);
    check_syntax("[[");
}

#[test]
fn assignments() {
    check("A=1 B= C=$x D=~/y a b=c", &["A=1 B=\"\" C=? D=/h/y a b=c"]);
    check("A=1; A+=2; A[1]=x; A[$(a)]=y", &["A=1", "A=2", "A=x", "A=y", "a @cmdsubst"]);
    check("A=(1 $(a)\n # c\n [x]=y [$(b)]+=z) c", &["A=? c", "a @cmdsubst", "b @cmdsubst"]);
    check("A=* B={1,2} C='x y'", &["A=* B={1,2} C=\"x y\""]);
    check("1a=b; a-b=c; \"A\"=d; A\\=e", &["1a=b", "a-b=c", "A=d", "A=e"]);
    check(
        "declare -a x=(1 $(a)) y=2; export Z=* W={1,2}",
        &["declare -a ? y=2", "a @cmdsubst", "export Z=* W=1 W=2"],
    );
    check("echo Z=*", &["echo ?"]);
    check(">f A=b c", &["A=b c >f"]);
    check_syntax("echo a=(b)");
    check_syntax("a b=(c)");
    check_syntax("A=(b|c)");
    check_unsupported("A[1]=(b)");
    check_unsupported("A=(b)c");
    check_unsupported("a[b c]");
}
