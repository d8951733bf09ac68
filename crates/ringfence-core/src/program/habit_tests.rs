use super::*;

#[test]
fn habits_are_printed_as_they_are_parsed() {
    let texts = [
        "looks-for make GNUmakefile Makefile",
        "follows -L -follow",
        "follows -r unless -y",
        "edits",
        "keeps-content",
        "many-programs",
        "versions",
    ];
    for text in texts {
        assert_eq!(Habit::parse(text).map(|own| own.to_string()).as_deref(), Some(text));
    }
}

#[test]
fn malformed_habits_are_refused() {
    let texts = [
        "",
        "looks-for",
        "looks-for make",
        "follows",
        "edits x",
        "follows a unless b unless c",
        "x",
    ];
    for text in texts {
        assert_eq!(Habit::parse(text), None, "{text}");
    }
}
