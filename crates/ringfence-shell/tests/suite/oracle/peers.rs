//! The commands that brush-parser and tree-sitter-bash find.
//!
//! Where both agree with each other and bash takes the line, all that they find is found here.
//! `RINGFENCE_ORACLE_PEERS` names the program of the `oracle` folder, which `cargo xtask oracle`
//! builds; without it nothing is compared.

use std::io::Write;
use std::process::{Command, Stdio};

use ringfence_shell::{commands, parse};

use super::super::skip::skip;
use super::differential::{LINES, number, report, shell};
use super::words::Grammar;

/// What a parser answers to each line; `None` where it refuses it or does not survive it.
fn ask(program: &str, parser: &str, lines: &[String]) -> Vec<Option<String>> {
    let mut answers = Vec::new();
    while answers.len() < lines.len() {
        let mut child = Command::new("/usr/bin/prlimit")
            .args(["--as=1000000000", "--cpu=20", "/usr/bin/timeout", "-s", "KILL", "60", program])
            .arg(parser)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = lines[answers.len()..].join("\0") + "\0";
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = said.split_terminator('\0').map(str::to_owned);
        answers.extend(said.map(|answer| (answer != "?").then_some(answer)));
        if answers.len() < lines.len() {
            // The line at which it ended.
            answers.push(None);
        }
    }
    answers
}

/// The plain names of the commands that are found here, as the peers say them.
fn listed(line: &str) -> Option<String> {
    let script = parse(line).ok()?;
    let is_plain = |name: &&str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
    };
    let mut names: Vec<&str> = commands(&script)
        .iter()
        .filter_map(|found| {
            let span = found.command.words.first()?.span;
            line.get(span.start..span.end)
        })
        .filter(is_plain)
        .collect();
    names.sort_unstable();
    Some(names.join(" "))
}

/// The names of one list that the other has not, or not as often.
fn missing<'a>(these: &'a str, others: &str) -> Vec<&'a str> {
    let mut others: Vec<&str> = others.split(' ').collect();
    let is_missing = |name: &&str| match others.iter().position(|other| other == name) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        // Behind `! !` they take the word of the grammar for a program.
        None => !name.is_empty() && *name != "time",
    };
    these.split(' ').filter(is_missing).collect()
}

#[test]
fn what_two_other_parsers_find_is_found() {
    let Ok(program) = std::env::var("RINGFENCE_ORACLE_PEERS") else {
        return skip("other parsers are compared by `cargo xtask oracle`");
    };
    let Some(bash) = shell("peers") else { return };
    let seed = number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64 + 30;
    let mut grammar = Grammar::new(seed);
    let count = number("RINGFENCE_ORACLE_LINES", LINES);
    // Both expand the body of a here-document whose delimiter is quoted only in part.
    let is_fair = |line: &String| !line.contains('\0') && !line.contains("E\"F\"");
    let lines: Vec<String> = (0..count).map(|_| grammar.line()).filter(is_fair).collect();
    let answers = ["brush", "tree-sitter"].map(|parser| ask(&program, parser, &lines));
    let [brush, tree] = answers;
    let mut agreed = 0;
    let mut wrong = Vec::new();
    for ((line, brush), tree) in lines.iter().zip(brush).zip(tree) {
        let Some(theirs) = brush.filter(|brush| Some(brush) == tree.as_ref()) else { continue };
        let Some(ours) = listed(line) else { continue };
        agreed += 1;
        // What they miss and bash runs is found by other comparisons; what they alone find counts.
        let missed = missing(&theirs, &ours);
        if !missed.is_empty() && bash.accepts(&[], line) {
            wrong.push(format!("{line:?}\n  here  {ours}\n  there {theirs}"));
        }
    }
    let count = lines.len();
    eprintln!("oracle parsers: {count} lines, {agreed} agreed, {} differences", wrong.len());
    report(&wrong);
}
