//! Values, bodies and file names: what bash makes of them is what was read here.

use ringfence_shell::ast::{AssignmentValue, RedirectTarget, SimpleCommand, Word};
use ringfence_shell::{commands, parse};

use super::bash::Patience;
use super::differential::{LINES, number, on_all, report, shell};
use super::words::Grammar;

/// Draws words, each put into a line.
fn lines(seed: u64, make: impl Fn(&mut Grammar) -> String) -> Vec<String> {
    let seed = seed.wrapping_add(number("RINGFENCE_ORACLE_SEED", 20_261_115) as u64);
    let mut grammar = Grammar::new(seed);
    grammar.only_static = true;
    let count = number("RINGFENCE_ORACLE_LINES", LINES) / 4;
    (0..count).map(|_| make(&mut grammar)).collect()
}

/// Compares a text of the first command with the last argument that bash hands on.
fn compare(name: &str, lines: &[String], text: impl Fn(&SimpleCommand) -> Option<String> + Sync) {
    let Some(bash) = shell(name) else { return };
    let wrong = on_all(lines, |line| {
        let script = parse(line).ok()?;
        let found = commands(&script);
        // A comment may have swallowed the command that shows the value.
        if found.len() != 2 {
            return None;
        }
        let wanted = text(found[0].command)?;
        let programs = bash.run(Patience::Long, line, 0).programs;
        let seen = programs.last().and_then(|argv| argv.last());
        (seen != Some(&wanted)).then(|| format!("{line:?}\n  read {wanted:?}\n  is   {programs:?}"))
    });
    eprintln!("oracle {name}: {} lines, {} differences", lines.len(), wrong.len());
    report(&wrong);
}

fn known(word: &Word) -> Option<String> {
    word.as_static_at("/h").map(|text| text.into_owned())
}

#[test]
fn assigned_values_are_what_was_read() {
    let lines = lines(10, |grammar| format!("A={}\nc1 \"$A\"", grammar.word(0)));
    compare("values", &lines, |command| match &command.assignments.first()?.value {
        AssignmentValue::Scalar(word) => known(word),
        AssignmentValue::Array(_) => None,
    });
}

#[test]
fn here_strings_are_what_was_read() {
    let lines = lines(11, |grammar| {
        format!("IFS= read -rd '' A <<<{}\nc1 \"$A\"", grammar.word(0).trim_start_matches('#'))
    });
    compare("strings", &lines, |command| match &command.redirects.first()?.target {
        RedirectTarget::Word(word) => known(word).map(|text| text + "\n"),
        RedirectTarget::HereDoc(_) => None,
    });
}

#[test]
fn bodies_of_here_documents_are_what_was_read() {
    const LINES: &[&str] = &[
        "a\n",
        "\\\n",
        "\\\\\n",
        "\tb\n",
        "$\n",
        "\"\n",
        "'\n",
        "E \n",
        "\\$x\n",
        " E\n",
        "\\a\n",
        "é\n",
        "{a,b} ~\n",
        "\\`x\\`\n",
    ];
    let lines = lines(12, |grammar| {
        let operator = grammar.pick(&["<<E", "<<'E'", "<<-E", "<<\\E", "<<-\"E\"", "<<E''"]);
        let body: String =
            (0..grammar.random.below(5)).map(|_| *grammar.random.pick(LINES)).collect();
        format!("IFS= read -rd '' A {operator}\n{body}E\nc1 \"$A\"")
    });
    compare("bodies", &lines, |command| match &command.redirects.first()?.target {
        RedirectTarget::HereDoc(heredoc) => known(&heredoc.body),
        RedirectTarget::Word(_) => None,
    });
}

#[test]
fn files_are_opened_by_the_names_that_were_read() {
    let Some(bash) = shell("files") else { return };
    let lines = lines(13, |grammar| {
        let operator =
            grammar.pick(&[">", ">>", "2>", ">|", "&>", "&>>", "<>", "{v}>", "1>", ">&"]);
        format!("c1 {operator}{}{}", grammar.pick(&["", " "]), grammar.word(0))
    });
    let wrong = on_all(&lines, |line| {
        let script = parse(line).ok()?;
        let found = commands(&script);
        let redirect = found.first()?.command.redirects.first()?;
        let RedirectTarget::Word(word) = &redirect.target else { return None };
        let name = known(word)?;
        // Names that are no plain files, and copies of descriptors.
        let copies = redirect.operator() == ">&" && (name == "-" || name.parse::<u32>().is_ok());
        if name.is_empty() || name.contains('/') || name.starts_with('.') || copies {
            return None;
        }
        let files = bash.run(Patience::Long, line, 0).files;
        (files != [name.as_str()]).then(|| format!("{line:?}\n  read {name:?}\n  made {files:?}"))
    });
    eprintln!("oracle files: {} lines, {} differences", lines.len(), wrong.len());
    report(&wrong);
}
