//! Laws: whatever the text, the answer is well formed.

use proptest::prelude::*;
use ringfence_shell::{Options, Span, commands, compound_redirects, list, parse, parse_with};

/// Pieces that mean something to a shell, and some that do not.
const PIECES: [&str; 60] = [
    "a",
    "b ",
    " ",
    "\n",
    "\t",
    ";",
    "&",
    "|",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "'",
    "\"",
    "`",
    "$",
    "\\",
    "\\\n",
    "$(",
    "${",
    "$((",
    "))",
    "$[",
    "]",
    "[",
    "[[ ",
    " ]]",
    "<<E",
    "\nE\n",
    "<<-'E'",
    "<<<",
    "<(",
    "2>&1",
    "&>",
    "if ",
    "then ",
    "fi",
    "for x in ",
    "do ",
    "done",
    "case x in ",
    "esac",
    ";;",
    "f()",
    "function ",
    "coproc ",
    "time ",
    "! ",
    "a=",
    "a=(",
    "x[1]=",
    "~",
    "*",
    "{a,b}",
    "{1..9}",
    "#",
    "é",
    "$'\\x41'",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        9 => prop::sample::select(PIECES.as_slice()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Whether the span is a piece of the line.
fn fits(line: &str, span: Span) -> bool {
    span.start <= span.end && line.get(span.start..span.end).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn every_span_is_a_piece_of_the_line(line in soup()) {
        match parse(&line) {
            Err(error) => prop_assert!(fits(&line, error.span()), "{error:?}"),
            Ok(script) => {
                prop_assert!(fits(&line, script.span));
                for found in commands(&script) {
                    prop_assert!(fits(&line, found.command.span));
                    for word in &found.command.words {
                        prop_assert!(fits(&line, word.span));
                        prop_assert!(word.parts.iter().all(|part| fits(&line, part.span)));
                    }
                    prop_assert!(found.command.redirects.iter().all(|redirect| fits(&line, redirect.span)));
                    prop_assert!(found.command.assignments.iter().all(|assignment| fits(&line, assignment.span)));
                }
                prop_assert!(compound_redirects(&script).iter().all(|found| fits(&line, found.redirect.span)));
            }
        }
    }

    #[test]
    fn any_text_is_answered(line in any::<String>()) {
        let _ = list(&line, "/h");
        let _ = parse_with(&line, Options { extglob: true });
    }

    #[test]
    fn commands_come_in_order(line in soup()) {
        if let Ok(script) = parse(&line) {
            let starts: Vec<_> = commands(&script).iter().map(|found| found.command.span).collect();
            prop_assert!(starts.is_sorted());
        }
    }

    #[test]
    fn a_quoted_text_is_one_static_word(text in "[^\u{0}\u{1}\u{7f}]{0,40}") {
        let quoted = format!("c '{}'", text.replace('\'', "'\\''"));
        let listing = list(&quoted, "/h");
        prop_assert_eq!(&listing.commands[0].argv, &[Some("c".to_owned()), Some(text)]);
    }

    #[test]
    fn more_text_after_a_separator_changes_nothing_before(line in soup()) {
        // A list that parses is the beginning of the longer list.
        let (Ok(_), longer) = (parse(&line), parse(&format!("z\n{line}"))) else { return Ok(()) };
        if longer.is_ok() {
            let count = list(&line, "/h").commands.len();
            prop_assert_eq!(list(&format!("z\n{line}"), "/h").commands.len(), count + 1);
        }
    }

    #[test]
    fn extended_patterns_only_matter_where_they_stand(line in soup()) {
        let has = ["?(", "*(", "+(", "@(", "!("].iter().any(|text| line.replace("\\\n", "").contains(text));
        if !has {
            prop_assert_eq!(parse(&line), parse_with(&line, Options { extglob: true }));
        }
    }
}
