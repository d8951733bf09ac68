//! Quotes, expansions and what they hide.

use super::show::{check, check_syntax, check_unsupported};

#[test]
fn quotes_are_removed() {
    check("r'm' \"-r\"f \\/ ''", &["rm -rf / \"\""]);
    check("r\\m 'a\\' \"a\\b\\$\\`\\\"\\\\\"", &["rm a\\ a\\b$`\"\\"]);
    check("$'rm' $'-\\x72f' $\"a b\"", &["rm -rf \"a b\""]);
    check("\"a'b\" 'a\"b'", &["\"a'b\" a\"b"]);
    check("echo a'\n'b", &["echo \"a\\nb\""]);
}

#[test]
fn plain_words_are_read_as_a_shell_reads_them() {
    check("  cargo test  --all a=b ", &["cargo test --all a=b"]);
    check("git log -3 HEAD~2:src/lib.rs", &["git log -3 HEAD~2:src/lib.rs"]);
    check("git commit -m 'it; is \"so\" $x'", &["git commit -m \"it; is \\\"so\\\" $x\""]);
    check(r#"grep -rn "a b*" --include="*.py" ."#, &["grep -rn \"a b*\" --include=*.py ."]);
    check("echo a'b'\"c\"d ''", &["echo abcd \"\""]);
    check("A=1 B='x y' _c= make -s", &["A=1 B=\"x y\" _c=\"\" make -s"]);
    check("git stash show stash@{0} {} }", &["git stash show stash@{0} {} }"]);
}

#[test]
fn lines_are_joined_wherever_bash_joins_them() {
    check("r\\\nm -r\\\nf \"a\\\nb\" 'a\\\nb'", &["rm -rf ab \"a\\\\\\nb\""]);
    check("a &\\\n& b |\\\n| c", &["a", "b", "c"]);
    check("echo $\\\n(a)", &["echo ?", "a @cmdsubst"]);
    check("echo $\\\n{x:\\\n-$(a)}", &["echo ?", "a @cmdsubst"]);
    check("i\\\nf a; th\\\nen b; f\\\ni", &["a", "b"]);
    check("a >\\\n> f 2>\\\n&1", &["a >>f 2>&1"]);
    check("echo $'a\\\nb'", &["echo \"a\\\\\\nb\""]);
    check("a # b \\\nc", &["a", "c"]);
}

#[test]
fn parameters_are_unknown() {
    check(
        "a $x ${x} \"$x\" $1 $@ $# $? $$ $! $- $_ ${10} ${x[1]}",
        &["a ? ? ? ? ? ? ? ? ? ? ? ? ?"],
    );
    check("a ${#x} ${!x} ${!x*} ${!x[@]} ${x@Q} ${#} ${!#} ${x:1:2}", &["a ? ? ? ? ? ? ? ?"]);
    check("a$ $ \"$\" '$x' \\$x $% \"$ \"", &["a$ $ $ $x $x $% \"$ \""]);
}

#[test]
fn words_inside_expansions_are_read() {
    check(
        "a ${x:-$(b)} ${x-`c`} ${x:=${y:-$(d)}}",
        &["a ? ? ?", "b @cmdsubst", "c @cmdsubst", "d @cmdsubst"],
    );
    check("a \"${x:-\"$(b)\"}\" ${x:-'$(c)'} ${x:-\"}\"}", &["a ? ? ?", "b @cmdsubst"]);
    check("a \"${x%'*'}\" \"${x//\\'/$(b)}\" \"${x:-\\}}\"", &["a ? ? ?", "b @cmdsubst"]);
    check_unsupported("a \"${x:-'$(b)'}\"");
    check_syntax("a \"${x:-it's}\"");
    check_unsupported("a ${x y}");
    check_unsupported("a ${ b; }");
    check_unsupported("a ${}");
}

#[test]
fn command_substitutions_nest() {
    check("a $(b $(c `d`))", &["a ?", "b ? @cmdsubst", "c ? @cmdsubst", "d @cmdsubst"]);
    check("a \"$(b \"$(c \")\")\")\"", &["a ?", "b ? @cmdsubst", "c ) @cmdsubst"]);
    check("a $() `` $(\n)", &["a ? ? ?"]);
    check("a $(case x in x) b;; esac)", &["a ?", "b @cmdsubst"]);
    check("a $(b # )\n)", &["a ?", "b @cmdsubst"]);
    check("$(< f)", &["?", "<f @cmdsubst"]);
    check_syntax("a $(b");
    check_syntax("a $(b;;)");
    check_syntax("a $(if b)");
}

#[test]
fn backquotes_lose_one_level_of_backslashes() {
    check("a `b \\`c\\``", &["a ?", "b ? @cmdsubst", "c @cmdsubst"]);
    check("a `b \\\\x \\$y \\q`", &["a ?", "b x ? q @cmdsubst"]);
    check("a \"`b \\\"x y\\\"`\"", &["a ?", "b \"x y\" @cmdsubst"]);
    check("a `b \\\"x\\\"`", &["a ?", "b \"x\" @cmdsubst"]);
}

#[test]
fn what_backquotes_hold_is_parsed_when_it_runs() {
    check_unsupported("a `(`; b");
    check_unsupported("a `b <<E`");
    check_syntax("a `b");
}

#[test]
fn process_substitutions() {
    check("a <(b) >(c d) x<(e)", &["a ? ? ?", "b @procsubst", "c d @procsubst", "e @procsubst"]);
    check("a <( (b) )", &["a ?", "b @subshell"]);
    check("a \"<(b)\" '<(b)'", &["a <(b) <(b)"]);
    check("2<(a)", &["?", "a @procsubst"]);
}

#[test]
fn arithmetic_is_searched() {
    check(
        "a $((1 + $(b))) $[ $(c) ] $((x[$(d)]))",
        &["a ? ? ?", "b @cmdsubst", "c @cmdsubst", "d @cmdsubst"],
    );
    check("((x = `a`, y[$(b)]++))", &["a @cmdsubst", "b @cmdsubst"]);
    check("a $(( (1+2) * (3) )) $((1<(2)))", &["a ? ?"]);
    check("a $((b); (c)) $((d) )", &["a ? ?", "b @subshell", "c @subshell", "d @subshell"]);
    check("((a); (b)); ((c) )", &["a @subshell", "b @subshell", "c @subshell"]);
    check("((rm -rf x))", &[]);
    check_unsupported("a $(( '$(b)' ))");
    check_syntax("a $((1");
}

#[test]
fn patterns_are_unknown() {
    check("a * ?.c [ab] x[!y]z", &["a ? ? ? ?"]);
    check("a \\* '?' \"[ab]\" [ ] a[b", &["a * \"?\" [ab] [ ] a[b"]);
    check("[ a = b ]", &["[ a = b ]"]);
}

#[test]
fn comments_begin_with_a_word() {
    check("a # b; c", &["a"]);
    check("a#b c;#d", &["a#b c"]);
    check("# $(x)\na", &["a"]);
    check("", &[]);
    check("  \t \n\n", &[]);
}

#[test]
fn unbalanced_quotes_are_errors() {
    for line in [
        "a 'b",
        "a \"b",
        "a `b",
        "a $'b",
        "a ${b",
        "a $((b",
        "a $[b",
        "a <(b",
        "a \"$(b\"",
        "a \"`b\"",
        "a=(b",
    ] {
        check_syntax(line);
    }
    check_unsupported("a \\");
}
