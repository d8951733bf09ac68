use clap::Parser;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const WORDS: [&str; 16] = [
    "hook",
    "check",
    "run",
    "claude-code",
    "help",
    "--policy",
    "--policy=p.toml",
    "p.toml",
    "--access",
    "fs:r:/etc/hosts",
    "--json",
    "--setup",
    "--jsonl",
    "--",
    "-",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn what_is_read_plainly_is_what_clap_reads(
        verb in select(vec!["hook", "check", "run", "run", "parse"]),
        words in vec(select(WORDS.to_vec()), 0..6),
    ) {
        let words: Vec<&str> = [verb].into_iter().chain(words).collect();
        let plain = Args::plain(words.iter().map(OsString::from));
        if let Some(plain) = plain {
            let clap = Args::try_parse_from(["ringfence"].into_iter().chain(words));
            prop_assert_eq!(format!("{plain:?}"), format!("{:?}", clap.unwrap()));
        }
    }
}

#[test]
fn everyday_command_lines_are_plain() {
    let is_plain = |line: &str| Args::plain(line.split(' ').map(OsString::from)).is_some();
    assert!(is_plain("hook claude-code"));
    assert!(is_plain("hook codex --policy p.toml"));
    assert!(is_plain("hook --policy a.toml --policy b.toml gemini"));
    assert!(is_plain("check --access fs:r:/etc/hosts"));
    assert!(is_plain("check --json --policy p.toml --access env:HOME"));
    assert!(!is_plain("hook --setup codex"));
    assert!(!is_plain("hook --help"));
    assert!(!is_plain("check -- git status"));
    assert!(is_plain("run -- true"));
    assert!(is_plain("run --policy p.toml -- sh -c --help -- --policy"));
    assert!(!is_plain("run true"));
    assert!(!is_plain("run --"));
    assert!(!is_plain("run --policy -- true"));
    assert!(!is_plain("run --ask -- true"));
}
