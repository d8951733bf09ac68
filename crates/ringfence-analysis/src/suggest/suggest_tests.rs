use proptest::prelude::*;
use ringfence_core::inclusion;
use ringfence_core::pattern::CommandPattern;

use super::*;

fn check(line: &str, expected: &[&str], recommended: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let scale = scales(&words);
    let texts: Vec<String> = scale.iter().map(|it| it.pattern.to_string()).collect();
    assert_eq!(texts, expected, "{line}");
    let marked: Vec<String> =
        scale.iter().filter(|it| it.recommended).map(|it| it.pattern.to_string()).collect();
    assert_eq!(marked, [recommended], "{line}");
}

#[test]
fn c076_a_suggested_pattern_can_be_widened_and_narrowed() {
    check(
        "cargo nextest run -p x",
        &[
            "cmd:cargo:*",
            "cmd:cargo:nextest:*",
            "cmd:cargo:nextest:run:*",
            "cmd:cargo:nextest:run:-p:x",
        ],
        "cmd:cargo:nextest:run:*",
    );
    let scale = scales(&["cargo", "nextest", "run", "-p", "x"]);
    let levels: Vec<Level> = scale.iter().map(|it| it.level).collect();
    assert_eq!(levels, [Level::Program, Level::Words(1), Level::Words(2), Level::Exact]);
    assert!(levels.is_sorted());
    for pair in scale.windows(2) {
        let (wide, narrow) = (&pair[0].pattern, &pair[1].pattern);
        assert!(inclusion::includes(wide, narrow) && !inclusion::includes(narrow, wide));
    }
}

#[test]
fn what_is_recommended_names_what_is_done() {
    check("git status", &["cmd:git:*", "cmd:git:status:*", "cmd:git:status:"], "cmd:git:status:*");
    check(
        "git push origin main",
        &["cmd:git:*", "cmd:git:push:*", "cmd:git:push:origin:main:"],
        "cmd:git:push:*",
    );
    check(
        "npm run test:unit",
        &["cmd:npm:*", "cmd:npm:run:*", r"cmd:npm:run:test\:unit:*", r"cmd:npm:run:test\:unit:"],
        r"cmd:npm:run:test\:unit:*",
    );
    check("ls src", &["cmd:ls:*", "cmd:ls:src:"], "cmd:ls:*");
    check("make", &["cmd:make:*", "cmd:make:"], "cmd:make:");
    check("frob -x", &["cmd:frob:*", "cmd:frob:-x"], "cmd:frob:*");
    check(
        "frob sync now",
        &["cmd:frob:*", "cmd:frob:sync:*", "cmd:frob:sync:now:*", "cmd:frob:sync:now:"],
        "cmd:frob:sync:*",
    );
    check("git -C x status", &["cmd:git:*", "cmd:git:-C:x:status"], "cmd:git:-C:x:status");
    check("rm -r build", &["cmd:rm:*", "cmd:rm:-r:build"], "cmd:rm:-r:build");
}

#[test]
fn the_bare_program_is_never_recommended_where_it_runs_anything() {
    check(
        "python -m pytest -q",
        &["cmd:python:*", "cmd:python:-m:pytest:*", "cmd:python:-m:pytest:-q"],
        "cmd:python:-m:pytest:*",
    );
    check(
        "python3 tool.py x",
        &["cmd:python3:*", "cmd:python3:tool.py:*", "cmd:python3:tool.py:x:"],
        "cmd:python3:tool.py:*",
    );
    check("python -c 1", &["cmd:python:*", "cmd:python:-c:1"], "cmd:python:-c:1");
    check("deno eval 1", &["cmd:deno:*", "cmd:deno:eval:1:"], "cmd:deno:eval:1:");
    check(
        "npx eslint src",
        &["cmd:npx:*", "cmd:npx:eslint:*", "cmd:npx:eslint:src:"],
        "cmd:npx:eslint:*",
    );
    check("sudo apt update", &["cmd:sudo:*", "cmd:sudo:apt:update:"], "cmd:sudo:apt:update:");
    check("bash", &["cmd:bash:*", "cmd:bash:"], "cmd:bash:");
    check(
        "/usr/bin/env ls",
        &["cmd:/usr/bin/env:*", "cmd:/usr/bin/env:ls:"],
        "cmd:/usr/bin/env:ls:",
    );
}

#[test]
fn words_that_need_quoting_read_back_as_they_are() {
    let text = |words: &[&str]| scales(words).last().map(|it| it.pattern.to_string());
    assert_eq!(
        text(&["git", "commit", "-m", "it's {a,b} *"]).as_deref(),
        Some(r#"cmd:git commit -m it"'"s' '\{a,b}' '\*"#)
    );
    assert_eq!(text(&["echo", "*"]).as_deref(), Some(r"cmd:echo:\*:"));
    assert_eq!(text(&["a", ""]).as_deref(), Some("cmd:a:*"), "an empty word cannot be written");
    assert_eq!(text(&["a\u{0}"]), None);
    assert_eq!(text(&[]), None);
}

proptest! {
    #[test]
    fn every_suggestion_matches_the_command_and_reads_back(
        words in prop::collection::vec("[ -~]{0,6}|(git|cargo|python|run|-x|é ü)", 0..6),
    ) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let scale = scales(&words);
        let exact = CommandPattern::of_words(words.iter().copied(), Ending::Closed);
        let exact = Pattern::Command(exact);
        for suggestion in &scale {
            let text = suggestion.pattern.to_string();
            prop_assert_eq!(&Pattern::parse(&text).unwrap(), &suggestion.pattern);
            prop_assert!(inclusion::includes(&suggestion.pattern, &exact), "{}", text);
        }
        let recommended = scale.iter().filter(|it| it.recommended).count();
        prop_assert_eq!(recommended, usize::from(!scale.is_empty()));
    }
}
