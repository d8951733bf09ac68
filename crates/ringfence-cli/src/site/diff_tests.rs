use super::*;

fn check(before: &str, after: &str, expected: &str) {
    let text: String = lines(before, after)
        .iter()
        .map(|line| match line {
            Line::Same(text) => format!(" {text}"),
            Line::Gone(text) => format!("-{text}"),
            Line::New(text) => format!("+{text}"),
        })
        .collect::<Vec<_>>()
        .join("|");
    assert_eq!(text, expected);
}

#[test]
fn only_what_changes_is_marked() {
    check("a\nb\nc\n", "a\nb\nc\n", " a| b| c");
    check("a\nc\n", "a\nb\nc\n", " a|+b| c");
    check("a\nb\nc\nd\n", "a\nx\nc\nd\ny\n", " a|-b|+x| c| d|+y");
    check("", "a\n", "+a");
    check("a\n", "", "-a");
    check("{\n}\n", "{\n  x\n}\n", " {|+  x| }");
}

#[test]
fn both_texts_can_be_read_off() {
    let (before, after) = ("a\nb\na\nc\nb\n", "b\nc\na\nb\nb\nd\n");
    let all = lines(before, after);
    let old = all.iter().filter_map(|own| match own {
        Line::Same(text) | Line::Gone(text) => Some(*text),
        Line::New(_) => None,
    });
    let new = all.iter().filter_map(|own| match own {
        Line::Same(text) | Line::New(text) => Some(*text),
        Line::Gone(_) => None,
    });
    assert_eq!(old.collect::<Vec<_>>(), before.lines().collect::<Vec<_>>());
    assert_eq!(new.collect::<Vec<_>>(), after.lines().collect::<Vec<_>>());
}
