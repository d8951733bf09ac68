#[path = "../../../../tests/support/processor.rs"]
mod processor;

use processor::processor_time;

use super::*;

#[test]
fn a_language_that_is_not_known_is_none() {
    assert_eq!(read("klingon", "x"), None);
}

#[test]
fn what_is_too_long_or_has_a_nul_is_unreadable() {
    for language in languages() {
        let long = "x".repeat(MAX_BYTES + 1);
        assert!(matches!(read(language, &long).unwrap()[..], [Finding::Unreadable(_)]));
        assert!(matches!(read(language, "a\0b").unwrap()[..], [Finding::Unreadable(_)]));
    }
}

/// Pieces that open something, or look as if they did.
const PIECES: &[&str] = &[
    "(",
    "[",
    "{",
    "'",
    "\"",
    "`",
    "$(",
    "${",
    "$((",
    "/",
    "|",
    "\\",
    "a ",
    "print ",
    "getline ",
    "ENVIRON[",
    "ARGV[1] ",
    "system(",
    "<<A\n",
    "#{",
    "%w(",
    "/*",
    "--",
    ".x\n",
    "\\x ",
    "=",
    ":",
    "@",
    "q(",
    "s/",
    "f'{",
    "writefile(",
    "\"\"\"",
    "$a$",
    "\n",
    "x.y=",
    "!",
    "g/",
    "exec(",
    "exec [",
    "COPY ",
    "= /[",
    "os.system(",
    "qw(",
    "é",
    "a,",
    "::",
    "!!",
    "-C ",
    "\"a\" | getline ",
    "import \"",
    "execute('",
    "x(y(",
    "'x'",
    ";",
    "AS $$",
    "{\"",
    "r\"(",
    "m{",
    "%x(",
    "[=",
    "\u{1}",
];

#[test]
fn time_grows_with_the_text_and_no_faster() {
    for language in languages() {
        for piece in PIECES {
            let code = piece.repeat(12 * 1024 / piece.len());
            let before = processor_time();
            read(language, &code).unwrap();
            let taken = processor_time().saturating_sub(before);
            // A reader that went back over the text for each piece would need many seconds.
            assert!(taken.as_secs() < 2, "{language}: {piece:?} took {taken:?}");
        }
    }
}

/// Text made of pieces that the readers look for.
fn text() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let piece = prop_oneof![
        proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        "[ -~]{0,6}",
        "\\PC{0,3}",
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    #[test]
    fn no_reader_panics(text in text()) {
        for language in languages() {
            let found = read(language, &text).unwrap();
            proptest::prop_assert!(found.len() <= MAX_FINDINGS + 1);
        }
    }
}

#[test]
fn the_languages_of_everyday_lines_find_nothing_that_matters() {
    use testing::{check, reads};
    check("awk", "NR>1 {s+=$3} END {print s}", &[]);
    check("sqlite", "SELECT count(*) FROM users WHERE name LIKE '%;%'", &[]);
    check("node", "console.log(require('./package.json').version)", &[reads("./package.json")]);
    check("duckdb", "SELECT * FROM 'data.csv' LIMIT 5", &[reads("data.csv")]);
}

#[test]
fn names_of_languages_are_unique() {
    let mut names = languages().collect::<Vec<_>>();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), languages().count());
}
