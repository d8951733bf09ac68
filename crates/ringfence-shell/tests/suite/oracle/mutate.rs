//! Lines of the corpus, damaged.

use std::path::Path;

use serde_json::Value;

use super::random::Random;

const TOKENS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "\"",
    "'",
    "`",
    "$",
    "\\",
    "\n",
    ";",
    "&",
    "|",
    "<",
    ">",
    " ",
    "#",
    "!",
    "[[",
    "]]",
    "((",
    "))",
    "$(",
    "${",
    "<<E",
    "\nE\n",
    "if ",
    "fi",
    "do ",
    "done",
    "case x in ",
    "esac",
    "then ",
    "=",
    "+=",
    "a=(",
    "~",
    "*",
    "{a,b}",
    "\\\n",
    "$'",
    "$\"",
    "in ",
    "&&",
    "||",
    ";;",
    "&>",
    "2>&1",
    "<(",
    "@(",
    "time ",
    "coproc ",
    "function f ",
    "\t",
    "\r",
    "é",
    "x[",
    "[",
    "]",
    ":",
    "-",
    "$((",
    "$[",
    "f()",
    "for x in ",
    "while ",
    "<<<",
    "<<-",
];

/// The lines of the corpus.
pub(super) fn corpus() -> Vec<String> {
    let line = |case: &Value| Some(case["line"].as_str().unwrap().to_owned());
    cases("shell-parse").iter().filter_map(line).collect()
}

/// The command lines among the calls of a corpus.
pub(super) fn commands_of(corpus: &str) -> Vec<String> {
    let line = |case: &Value| Some(case["action"]["command"].as_str()?.to_owned());
    cases(corpus).iter().filter_map(line).collect()
}

fn cases(corpus: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let text = std::fs::read_to_string(folder.join(format!("{corpus}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The line with a few changes.
pub(super) fn mutate(random: &mut Random, line: &str, others: &[String]) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for _ in 0..*random.pick(&[1, 1, 2, 3]) {
        let at = random.below(chars.len() + 1);
        let new: Vec<char> = match random.below(5) {
            0 => Vec::new(),
            1 => {
                let other: Vec<char> = random.pick(others).chars().collect();
                let from = random.below(other.len());
                let length = 1 + random.below(12);
                other.into_iter().skip(from).take(length).collect()
            }
            2 => {
                let from = random.below(at + 1);
                chars[from..at].iter().take(200).copied().collect()
            }
            _ => random.pick(TOKENS).chars().collect(),
        };
        let until = (at + random.below(3)).min(chars.len());
        chars.splice(at..until, new);
    }
    chars.into_iter().filter(|c| !matches!(c, '\0' | '\u{1}' | '\u{7f}')).collect()
}
