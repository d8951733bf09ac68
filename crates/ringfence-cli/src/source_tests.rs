use super::*;

#[test]
fn a_plain_line_is_shown_as_it_is() {
    let source = Source::new("git status | sh");
    assert_eq!(source.rows, ["git status | sh"]);
    assert_eq!(source.part((13, 15)), "sh");
    let excerpt = source.excerpt((13, 15));
    assert_eq!((excerpt.column, excerpt.width), (13, 2));
}

#[test]
fn places_are_found_behind_what_was_written_out() {
    let line = "echo x\u{202e}y; rm z";
    let source = Source::new(line);
    assert_eq!(source.rows, ["echo x\\u{202e}y; rm z"]);
    let at = line.find("rm").unwrap();
    assert_eq!(source.part((at, line.len())), "rm z");
    assert_eq!(source.excerpt((at, at + 2)).column, 17);
}

#[test]
fn each_line_is_a_row() {
    let text = "cd a\nrm -r b\nls";
    let source = Source::new(text);
    assert_eq!(source.rows, ["cd a", "rm -r b", "ls"]);
    let at = text.find("rm").unwrap();
    assert_eq!(source.part((at, at + 7)), "rm -r b");
    assert_eq!(source.part((0, text.len())), "cd a…");
    assert_eq!(source.excerpt((at, text.len())).width, 7);
    assert_eq!(Source::new("ls\n").rows, ["ls"]);
}

#[test]
fn places_are_found_behind_secrets_and_no_part_shows_one() {
    let line = "curl --token hunter2hunter2 https://u:hunter3hunter3@a.example/x && rm z";
    let source = Source::new(line);
    assert!(!source.rows[0].contains("hunter"), "{}", source.rows[0]);
    let at = line.find("rm").unwrap();
    assert_eq!(source.part((at, line.len())), "rm z");
    for start in 0..line.len() {
        for end in start..=line.len() {
            assert!(!source.part((start, end)).contains("hunter"));
        }
    }
}

#[test]
fn a_place_behind_the_end_is_the_end() {
    let source = Source::new("if true");
    let excerpt = source.excerpt((7, 7));
    assert_eq!((excerpt.column, excerpt.width), (7, 1));
    assert_eq!(source.part((90, 99)), "");
}

#[test]
fn long_lines_are_cut_around_the_part() {
    let line = format!("{} rm {}", "a".repeat(200), "b".repeat(200));
    let excerpt = Source::new(&line).excerpt((201, 203));
    let marked: String = excerpt.text.chars().skip(excerpt.column).take(excerpt.width).collect();
    assert_eq!(marked, "rm");
    assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
    assert!(excerpt.text.chars().count() <= 90);
}
