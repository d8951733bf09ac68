//! Bad input: a clear answer in bounded time and memory, never a panic.

#[path = "../../../../tests/support/processor.rs"]
mod processor;

use std::time::{Duration, Instant};

use processor::processor_time;
use ringfence_shell::{MAX_BYTES, MAX_DEPTH, ParseError, commands, list, parse};

/// Every way in which a line nests: what opens a level, what closes it.
const NESTING: [(&str, &str); 26] = [
    ("(", ")"),
    ("( (", ") )"),
    ("((", "))"),
    ("{ ", "; }"),
    ("$(", ")"),
    ("$((", "))"),
    ("$((a ", ") )"),
    ("$[", "]"),
    ("\"$(", ")\""),
    ("${x:-", "}"),
    ("\"${x:-", "}\""),
    ("${x[", "]}"),
    ("<(", ")"),
    ("if ", "; then a; fi"),
    ("while ", "; do a; done"),
    ("for x in a; do ", "; done"),
    ("case x in (x) ", ";; esac"),
    ("f() { ", "; }"),
    ("function f ( ", " )"),
    ("coproc { ", "; }"),
    ("[[ (", ") ]]"),
    ("a=(", ")"),
    ("a[", "]=b"),
    ("a=($(", "))"),
    ("{a,", "}"),
    ("! ", ""),
];

fn nest(levels: usize, (open, close): (&str, &str), inner: &str) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn ten_thousand_levels_are_answered() {
    for pair in NESTING {
        for inner in ["", "a", "b c"] {
            for close in [pair.1, ""] {
                let line = nest(10_000, (pair.0, close), inner);
                // Whatever the answer, it comes; a stack overflow would end the process.
                let _ = parse(&line);
            }
        }
    }
}

#[test]
fn deep_parentheses_are_refused_by_name() {
    for open in ["(", "$(", "${x:-", "{ ", "if ", "<("] {
        let line = format!("a {}", open.repeat(10_000)).replace("a (", "(").replace("a {", "{");
        let line = line.replace("a if", "if");
        match parse(&line) {
            Err(ParseError::Unsupported(error)) => {
                assert_eq!(error.what(), "nesting deeper than 64 levels", "{open}");
            }
            other => panic!("{open}: {other:?}"),
        }
    }
}

#[test]
fn levels_up_to_the_limit_are_parsed() {
    for (open, close) in [("( ", ")"), ("{ ", "; }"), ("if ", "; then a; fi"), ("f() { ", "; }")] {
        let script = parse(&nest(MAX_DEPTH - 1, (open, close), "a")).unwrap();
        assert!(!commands(&script).is_empty(), "{open}");
    }
    for (open, close) in [("$(", ")"), ("\"$(", ")\""), ("<(", ")"), ("${x:-", "}")] {
        let script = parse(&format!("a {}", nest(MAX_DEPTH - 1, (open, close), "b"))).unwrap();
        assert!(!commands(&script).is_empty(), "{open}");
    }
}

#[test]
fn long_lines_are_refused_and_not_longer_ones_parsed() {
    assert!(parse(&"a".repeat(MAX_BYTES)).is_ok());
    let error = parse(&"a".repeat(MAX_BYTES + 1)).unwrap_err();
    assert_eq!(error.message(), "a line of more than 1 MiB");
}

#[test]
fn a_hundred_thousand_words_are_read() {
    let listing = list(&"word ".repeat(100_000), "/h");
    assert_eq!(listing.commands[0].argv.len(), 100_000);
    let listing = list(&"a;".repeat(100_000), "/h");
    assert_eq!(listing.commands.len(), 100_000);
}

#[test]
fn marks_of_the_shell_and_nul_are_refused() {
    for byte in ['\0', '\u{1}', '\u{7f}'] {
        for line in
            [format!("{byte}"), format!("a {byte} b"), format!("'{byte}'"), format!("# {byte}")]
        {
            assert!(matches!(parse(&line), Err(ParseError::Unsupported(_))), "{line:?}");
        }
    }
}

#[test]
fn every_character_is_answered_wherever_it_stands() {
    let around = [
        "{}",
        "a {}",
        "a{}b",
        "\"{}\"",
        "'{}'",
        "$'\\{}'",
        "${{{}}}",
        "$({})",
        "a <<{}\n",
        "a={}",
        "[[ {} ]]",
        "a {} b {} c",
    ];
    for code in (0..0x250).chain([0x2028, 0xfeff, 0x1f600, 0x10ffff]) {
        let Some(character) = char::from_u32(code) else { continue };
        for template in around {
            let line = template
                .replace("{{", "{")
                .replace("}}", "}")
                .replace("{}", &character.to_string());
            let _ = list(&line, "/h");
        }
    }
}

#[test]
fn carriage_returns_are_characters_of_words() {
    assert_eq!(list("a\rb c\r", "/h").commands[0].argv, [Some("a\rb".into()), Some("c\r".into())]);
    let listing = list("a\r\nb", "/h");
    assert_eq!(listing.commands[0].argv, [Some("a\r".to_owned())]);
    assert!(parse("if a; then b; fi\r\n").is_err());
}

/// The cost of reading a line so many times.
fn cost(line: &str, times: usize) -> Duration {
    // The kernel brings its count up to date when a thread gives way.
    std::thread::yield_now();
    let start = processor_time();
    (0..times).for_each(|_| drop(list(line, "/h")));
    std::thread::yield_now();
    processor_time() - start
}

#[test]
fn time_grows_with_length_alone() {
    let words: [fn(usize) -> String; 14] = [
        |n| "word ".repeat(n),
        |n| "'a b' ".repeat(n),
        |n| "a;".repeat(n),
        |n| "a|".repeat(n) + "b",
        |n| "$(a) ".repeat(n),
        |n| "`a` ".repeat(n),
        |n| "${a:-b} ".repeat(n),
        |n| "{a,b} ".repeat(n),
        |n| "$((1)) ".repeat(n),
        |n| "a=b ".repeat(n),
        |n| ">f ".repeat(n),
        |n| "cat <<E\nx\nE\n".repeat(n),
        |n| format!("cat <<E\n{}E\n", "$(a) `b`\n".repeat(n)),
        |n| format!("a `{}`", "b \\`c\\` ".repeat(n)),
    ];
    for make in words {
        let (small, large) = (make(1_000), make(10_000));
        // Ten times the words are ten times the instructions; what is allowed beyond that is for
        // the memory, which other tests use as well.
        let fits = |_| cost(&large, 3) * 10 <= cost(&small, 30) * 15;
        assert!((0..5).any(fits), "{}…", &small[..20]);
    }
}

#[test]
fn hostile_repetitions_stay_bounded() {
    const SIZE: usize = MAX_BYTES / 4;
    let lines = [
        "{".repeat(SIZE / 2),
        "{a,".repeat(SIZE / 4),
        "{a,b}".repeat(SIZE / 8),
        "{1..4000} ".repeat(SIZE / 16),
        "((".repeat(SIZE / 4),
        "((a) ".repeat(SIZE / 8),
        "$((a) ".repeat(SIZE / 8),
        "$((a) ) ".repeat(SIZE / 16),
        "a[".repeat(SIZE / 4),
        "a[b] ".repeat(SIZE / 8),
        "a[b]\n".repeat(SIZE / 8),
        "`\\`".repeat(SIZE / 4),
        "\\\n".repeat(SIZE / 4),
        "a\\\n".repeat(SIZE / 4),
        "<<E ".repeat(SIZE / 8),
        "<<E\n".repeat(SIZE / 8),
        "\"${x:-".repeat(SIZE / 8),
        "~:".repeat(SIZE / 4),
        format!("a={}", "~:".repeat(SIZE / 4)),
        "[".repeat(SIZE / 2),
        "[]".repeat(SIZE / 4),
        "*".repeat(SIZE / 2),
    ];
    for line in lines {
        let start = Instant::now();
        let _ = list(&line, "/h");
        assert!(start.elapsed() < Duration::from_secs(10), "{}…", &line[..10]);
    }
}
