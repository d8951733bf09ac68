//! `--help` of every verb: it opens with what the verb does, and has two examples.

use super::{ringfence, stdout};

fn help(verb: &[String]) -> String {
    let output = ringfence().args(verb).arg("--help").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{verb:?}");
    stdout(&output)
}

/// Returns the verbs below this one, with what the list of commands says of each.
fn below(help: &str) -> Vec<(String, String)> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| line.starts_with("  "));
    let entries = listed.filter_map(|line| line.trim().split_once("  "));
    let entries = entries.map(|(verb, does)| (verb.to_owned(), does.trim().to_owned()));
    entries.filter(|(verb, _)| verb != "help").collect()
}

/// Looks at a verb and all verbs below it. Returns how many they are.
fn look(verb: &[String], does: Option<&str>) -> usize {
    let help = help(verb);
    let opens = help.lines().next().unwrap_or_default();
    let name = format!("ringfence {}", verb.join(" "));
    if let Some(does) = does {
        assert_eq!(opens, does, "{name} --help opens with what the verb does");
    }
    let verbs = below(&help);
    if does.is_some() {
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        let examples: Vec<&str> = examples.take_while(|line| line.starts_with("  ")).collect();
        assert!(examples.len() >= 2, "{name} --help has two examples: {help}");
        let own = |line: &&&str| line.contains(&format!("ringfence {}", verb[0]));
        assert!(examples.iter().filter(own).count() >= 2, "{name}: {examples:?}");
    }
    let deeper = |(own, does): &(String, String)| {
        let verb: Vec<String> = verb.iter().cloned().chain([own.clone()]).collect();
        look(&verb, Some(does))
    };
    verbs.iter().map(deeper).sum::<usize>() + 1
}

#[test]
fn every_verb_says_what_it_does_and_shows_two_examples() {
    let seen = look(&[], None);
    assert!(seen > 40, "only {seen} verbs were found");
}
