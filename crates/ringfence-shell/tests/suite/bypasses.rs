//! The known bypasses of this field that a parser decides; the numbers are those of the list.

use super::show::{check, check_syntax, check_unsupported};

#[test]
fn item_26_a_carriage_return_separates_nothing() {
    check("git status\rrm -rf x", &["git status\rrm -rf x"]);
}

#[test]
fn item_27_a_backslash_before_a_flag_or_newline_changes_nothing() {
    check("git push \\--force", &["git push --force"]);
    check("git pu\\\nsh --fo\\\nrce", &["git push --force"]);
}

#[test]
fn item_32_every_form_of_redirection_is_seen() {
    check("a>b", &["a >b"]);
    check("a 1>|b 2<>c &>>d {v}>e >&f", &["a 1>|b 2<>c &>>d {v}>e >&f"]);
    check(">a b 2>&1>c", &["b >a 2>&1 >c"]);
}

#[test]
fn item_33_tests_run_what_stands_in_them() {
    check("[[ x =~ $(a) ]]", &["a @cmdsubst"]);
    check("[[ x[$(a)] -eq `b` ]]", &["a @cmdsubst", "b @cmdsubst"]);
}

#[test]
fn item_37_quotes_are_stripped_where_the_shell_strips_them() {
    check(
        "git push --receive-pack='sh -c \"rm x\"'",
        &["git push \"--receive-pack=sh -c \\\"rm x\\\"\""],
    );
}

#[test]
fn item_50_expansions_run_what_stands_in_them() {
    check(
        "echo ${x:-$(a)} ${x:=`b`} ${!x} ${x@P} \"${y[$(c)]}\" ${z:$(d)}",
        &["echo ? ? ? ? ? ?", "a @cmdsubst", "b @cmdsubst", "c @cmdsubst", "d @cmdsubst"],
    );
}

#[test]
fn item_51_a_substitution_is_not_its_output() {
    check("$(echo rm) -rf /", &["? -rf /", "echo rm @cmdsubst"]);
    check("`echo rm` -rf /", &["? -rf /", "echo rm @cmdsubst"]);
    check("r$()m -rf /", &["? -rf /"]);
}

#[test]
fn item_52_a_newline_separates() {
    check("git status\nrm -rf x", &["git status", "rm -rf x"]);
    check("git status\n\n # x\n\trm -rf x", &["git status", "rm -rf x"]);
}

#[test]
fn item_55_line_continuation_splits_nothing() {
    check("echo $\\\n(rm x)", &["echo ?", "rm x @cmdsubst"]);
    check("echo `\\\nrm x`", &["echo ?", "rm x @cmdsubst"]);
    check("a\\\n;b", &["a", "b"]);
}

#[test]
fn item_59_patterns_and_encodings_are_seen() {
    check("cat /etc/pass[w]d /etc/passw?", &["cat ? ?"]);
    check("$'\\x72\\x6d' $'\\055rf' \"$'\\x72'\"", &["rm -rf \"$'\\\\x72'\""]);
}

#[test]
fn item_65_a_here_document_swallows_no_command_of_its_line() {
    check("cat <<E; rm -rf ~\nx\nE", &["cat <<<heredoc>", "rm -rf /h"]);
    check("cat <<E\nx\nE\nrm -rf ~", &["cat <<<heredoc>", "rm -rf /h"]);
    check("cat <<'E' > f && rm x\nE\n", &["cat <<<heredoc> >f", "rm x"]);
}

#[test]
fn item_71_braces_make_words() {
    check("cat .{env,x}", &["cat .env .x"]);
    check("{rm,-rf,/}", &["rm -rf /"]);
}

#[test]
fn what_hides_in_words_is_found() {
    check("a=$(b) c", &["a=? c", "b @cmdsubst"]);
    check("for x in $(a); do :; done", &["a @cmdsubst", ":"]);
    check("case $(a) in b) ;; esac", &["a @cmdsubst"]);
    check("echo \"a $(b) c\" 'd $(e)'", &["echo ? \"d $(e)\"", "b @cmdsubst"]);
    check("export A=$(a)", &["export ?", "a @cmdsubst"]);
    check("echo $(( a[$(b)] ))", &["echo ?", "b @cmdsubst"]);
}

#[test]
fn what_would_be_read_differently_elsewhere_is_refused() {
    check_unsupported("a\0b");
    check_syntax("shopt -s extglob; ls !(x)");
    check_unsupported("shopt -s extglob\nls !(x)");
    check_unsupported("shopt -s extglob\n!(x)");
    check_unsupported("echo `ls @(x)`");
}
