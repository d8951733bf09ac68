//! Completions and man pages name every verb.

#[path = "../../examples/pages/made.rs"]
mod made;

#[path = "../../src/args/mod.rs"]
mod args;

use clap::CommandFactory;

use super::{ringfence, stdout};

/// The verbs as the help of the program itself lists them.
fn verbs() -> Vec<String> {
    let help = stdout(&ringfence().arg("--help").output().unwrap());
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let first = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
    let verbs = commands.lines().filter_map(first);
    verbs.filter(|verb| !verb.is_empty() && verb != "help").collect()
}

fn page(path: &str) -> String {
    let pages = made::pages(&args::Args::command()).unwrap();
    let page = pages.into_iter().find(|page| page.path == path);
    String::from_utf8(page.unwrap_or_else(|| panic!("no {path}")).text).unwrap()
}

#[test]
fn completions_name_every_verb() {
    let verbs = verbs();
    assert!(verbs.len() > 15, "{verbs:?}");
    for path in
        ["completions/ringfence.bash", "completions/_ringfence", "completions/ringfence.fish"]
    {
        let text = page(path);
        let missing: Vec<&String> = verbs.iter().filter(|verb| !text.contains(*verb)).collect();
        assert!(missing.is_empty(), "{path} lacks {missing:?}");
    }
}

#[test]
fn every_verb_has_a_man_page_with_its_options() {
    let own = page("man/ringfence.1");
    for verb in verbs() {
        assert!(own.contains(&format!("ringfence\\-{verb}(1)")), "ringfence.1 lacks {verb}");
        let text = page(&format!("man/ringfence-{verb}.1"));
        assert!(text.contains(".SH NAME"), "{verb}");
    }
    assert!(page("man/ringfence-check.1").contains("\\-\\-jsonl"));
    assert!(page("man/ringfence-policy-show.1").contains("\\-\\-policy"));
}

/// A shell takes the completions without a word.
#[test]
fn bash_reads_its_completions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ringfence.bash");
    std::fs::write(&file, page("completions/ringfence.bash")).unwrap();
    let script = ". \"$0\" && complete -p ringfence";
    let output =
        std::process::Command::new("bash").args(["-c", script]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", super::stderr(&output));
    assert!(stdout(&output).contains("_ringfence"), "{}", stdout(&output));
}

#[test]
fn the_program_prints_its_completions() {
    for (shell, path) in [
        ("bash", "completions/ringfence.bash"),
        ("zsh", "completions/_ringfence"),
        ("fish", "completions/ringfence.fish"),
    ] {
        let output = ringfence().args(["completions", shell]).output().unwrap();
        assert_eq!(stdout(&output), page(path), "{shell}");
    }
    let unknown = ringfence().args(["completions", "nosuch"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}
