use super::*;

/// The commands of a line with what they stand in.
fn check(line: &str, wanted: &[&str]) {
    let script = crate::parse(line).unwrap();
    let found = commands(&script);
    let show = |found: &Found<'_>| {
        let word = |word: &Word| word.as_static().map_or("?".to_owned(), |text| text.into_owned());
        let mut shown: Vec<String> =
            found.context.iter().map(|c| format!("{}:", c.name())).collect();
        shown.extend(found.command.words.iter().map(word));
        shown.join(" ")
    };
    assert_eq!(found.iter().map(show).collect::<Vec<_>>(), wanted, "{line}");
}

#[test]
fn commands_come_in_the_order_of_the_text() {
    check("a $(b $(c)) && d | e", &["a ?", "cmdsubst: b ?", "cmdsubst: cmdsubst: c", "d", "e"]);
    check("X=$(a) b >$(c) $(d)", &["b ?", "cmdsubst: a", "cmdsubst: c", "cmdsubst: d"]);
    check("cat <<A; b\n$(c)\nA\nd", &["cat", "b", "cmdsubst: c", "d"]);
}

#[test]
fn commands_are_found_in_every_place() {
    check("for x in $(a); do b; done >$(c)", &["cmdsubst: a", "b", "cmdsubst: c"]);
    check("case $(a) in $(b)) c;; esac", &["cmdsubst: a", "cmdsubst: b", "c"]);
    check("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]);
    check("while a; do b; done", &["a", "b"]);
    check("until a; do b; done", &["a", "b"]);
    check("for ((i=$(a);1;)); do b; done", &["cmdsubst: a", "b"]);
    check(
        "[[ -n $(a) && x = $(b) || ( ! $(c) =~ $(d) ) ]]",
        &["cmdsubst: a", "cmdsubst: b", "cmdsubst: c", "cmdsubst: d"],
    );
    check(
        "(( x = $(a) )); y=$(( $(b) )); z=$[ `c` ]",
        &["cmdsubst: a", "", "cmdsubst: b", "", "cmdsubst: c"],
    );
    check(
        "a[$(b)]=$(c); d=([$(e)]=$(f) $(g))",
        &["", "cmdsubst: b", "cmdsubst: c", "", "cmdsubst: e", "cmdsubst: f", "cmdsubst: g"],
    );
    check("declare x=($(a))", &["declare ?", "cmdsubst: a"]);
    check(
        "echo ${x:-$(a)} ${y[$(b)]} ${z:$(c)} ${v/$(d)/`e`}",
        &[
            "echo ? ? ? ?",
            "cmdsubst: a",
            "cmdsubst: b",
            "cmdsubst: c",
            "cmdsubst: d",
            "cmdsubst: e",
        ],
    );
    check(
        "f() { a; (b); }; function g ( c )",
        &["function: a", "function: subshell: b", "function: subshell: c"],
    );
    check("coproc N { a; }; coproc b c", &["a", "b c"]);
    check("a < <(b) > >(c)", &["a", "procsubst: b", "procsubst: c"]);
    check("select x in $(a); do b; done", &["cmdsubst: a", "b"]);
    check("a <<< $(b)", &["a", "cmdsubst: b"]);
}

#[test]
fn a_substitution_that_braces_repeat_is_one_command() {
    check("a {x,y}$(b)", &["a ? ?", "cmdsubst: b"]);
    check("a {1..9999}$(b)", &["a ?", "cmdsubst: b"]);
}

#[test]
fn redirections_of_compound_commands() {
    let script = crate::parse("f() { a; } >x; ( { b; } 2>y ) <z >>w").unwrap();
    let found = compound_redirects(&script);
    let shown: Vec<_> = found.iter().map(|found| found.redirect.operator()).collect();
    assert_eq!(shown, [">", "2>", "<", ">>"]);
    assert_eq!(found[0].context, [Context::Function]);
    assert_eq!(found[1].context, [Context::Subshell]);
    assert_eq!(found[2].context, []);
}
