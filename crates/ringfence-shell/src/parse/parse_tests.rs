use super::*;
use crate::ast::{Command, PartKind, SimpleCommand};

fn simple(line: &str) -> SimpleCommand {
    let script = parse(line).unwrap();
    match &script.items[0].list.first.stages[0].command {
        Command::Simple(simple) => simple.clone(),
        other => panic!("{other:?}"),
    }
}

fn text(line: &str, span: Span) -> &str {
    &line[span.start..span.end]
}

#[test]
fn spans_are_places_in_the_line() {
    let line = "  A=1 git \"lo g\" >out 2>&1 ; x";
    let command = simple(line);
    assert_eq!(text(line, command.span), "A=1 git \"lo g\" >out 2>&1");
    assert_eq!(text(line, command.assignments[0].span), "A=1");
    assert_eq!(text(line, command.words[1].span), "\"lo g\"");
    assert_eq!(text(line, command.redirects[0].span), ">out");
    assert_eq!(text(line, command.redirects[1].span), "2>&1");
    let script = parse(line).unwrap();
    assert_eq!(text(line, script.span), line.trim_start());
}

#[test]
fn spans_of_compound_commands_and_functions() {
    let line = "f() { a; } >x; time ! (b) 2>y | c";
    let script = parse(line).unwrap();
    assert_eq!(text(line, script.items[0].list.span), "f() { a; } >x");
    assert_eq!(text(line, script.items[1].list.span), "time ! (b) 2>y | c");
    let stages = &script.items[1].list.first.stages;
    assert_eq!(text(line, stages[0].command.span()), "(b) 2>y");
}

#[test]
fn spans_of_substitutions() {
    let line = "a \"x$(b c)\" ${d:-e}";
    let command = simple(line);
    let part = &command.words[1].parts[1];
    assert_eq!(text(line, part.span), "$(b c)");
    let PartKind::Command(substitution) = &part.kind else { panic!() };
    assert_eq!(text(line, substitution.script.span), "b c");
    assert_eq!(text(line, command.words[2].parts[0].span), "${d:-e}");
}

#[test]
fn spans_inside_backquotes_and_here_documents_speak_of_the_line() {
    let line = "a `b \\`c \\\\d\\` e`";
    let script = parse(line).unwrap();
    let found = crate::commands(&script);
    let shown: Vec<_> = found.iter().map(|found| text(line, found.command.span)).collect();
    assert_eq!(shown, [line, "b \\`c \\\\d\\` e", "c \\\\d"]);

    let line = "cat <<-E\n\t\tx $(a\n\tb)\n\tE\nc";
    let script = parse(line).unwrap();
    let found = crate::commands(&script);
    let shown: Vec<_> = found.iter().map(|found| text(line, found.command.span)).collect();
    assert_eq!(shown, ["cat <<-E", "a", "b", "c"]);
}

#[test]
fn spans_of_errors() {
    let line = "echo 'abc";
    let error = parse(line).unwrap_err();
    assert_eq!(text(line, error.span()), "'abc");
    let line = "a; ; b";
    let error = parse(line).unwrap_err();
    assert_eq!((text(line, error.span()), error.message()), (";", "unexpected `;`"));
    assert_eq!(error.to_string(), "syntax error at byte 3: unexpected `;`");
}

#[test]
fn words_keep_what_is_quoted() {
    let command = simple("a b'c d'\"$e\"f");
    let parts = &command.words[1].parts;
    let quoted: Vec<_> = parts.iter().map(|part| part.quoted).collect();
    assert_eq!(quoted, [false, true, true, false]);
    assert_eq!(command.words[0].as_bare(), Some("a"));
    assert_eq!(simple("'a'").words[0].as_bare(), None);
}

#[test]
fn bodies_of_here_documents_find_their_place() {
    let command = simple("cat <<A <<'B' <<-\\C\n$x\nA\n$y\nB\n\tz\n\tC\n");
    let bodies: Vec<_> = command
        .redirects
        .iter()
        .map(|redirect| match &redirect.target {
            crate::ast::RedirectTarget::HereDoc(heredoc) => {
                heredoc.body.as_static().map(String::from)
            }
            crate::ast::RedirectTarget::Word(_) => panic!(),
        })
        .collect();
    assert_eq!(bodies, [None, Some("$y\n".to_owned()), Some("z\n".to_owned())]);
}
