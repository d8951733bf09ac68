//! `programs try`: how a line is read, and what follows from it.

use anstyle::Style;
use ringfence_core::Effect;
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::{Action, Call, Guard, Programs};
use ringfence_shell::ast::{SimpleCommand, Word};
use ringfence_shell::{Field, commands, parse};
use serde_json::{Value, json};

use super::reading::{self, Read};
use crate::exit::{Exit, Failure};
use crate::explain::Story;
use crate::show::{self, QUIET};
use crate::words::shown;

const BOLD: Style = Style::new().bold();
/// The widest column of words.
const WIDEST: usize = 40;

pub(super) fn run(guard: &Guard, line: &str, as_json: bool) -> Result<Exit, Failure> {
    let policy = guard.policy();
    let catalogue = Programs::of(&policy);
    let home = guard.context().home.clone();
    let script = parse(line).ok();
    let found = script.as_ref().map(commands).unwrap_or_default();
    let reads: Vec<Read> = found
        .iter()
        .map(|found| fields(found.command, line, home.as_str()))
        .filter(|words| !words.is_empty())
        .map(|words| reading::read(&catalogue, &words))
        .collect();
    let call = Call::new(Action::Line { line: line.to_owned(), shell: None });
    let judgement = guard.consider(&call);
    let story = Story::new(&call, &judgement, guard.context());
    if as_json {
        let readings: Vec<Value> = reads.iter().map(read_json).collect();
        let value = json!({ "readings": readings, "explained": story.to_json(None) });
        show::print(&value.to_string());
        return Ok(Exit::Allow);
    }
    for read in &reads {
        print_read(read, 0);
        show::print("");
    }
    story.print_steps();
    Ok(Exit::Allow)
}

/// The words of a command; those that are not known as they are written.
fn fields(command: &SimpleCommand, line: &str, home: &str) -> Vec<Field> {
    let field = |word: &Word| match word.as_static_at(home) {
        Some(text) => Field::known(text, word.span),
        None => {
            let written = line.get(word.span.start..word.span.end).unwrap_or("…");
            Field::unknown(written, true, word.span)
        }
    };
    command.words.iter().map(field).collect()
}

fn print_read(read: &Read, inset: usize) {
    show::print(&format!("{:inset$}{BOLD}{}{BOLD:#}", "", shown(&read.words)));
    let inset = inset.saturating_add(2);
    let Some(entry) = &read.entry else {
        let text = "no entry: words that look like paths are read";
        return show::print(&format!("{:inset$}{QUIET}{text}{QUIET:#}", ""));
    };
    show::print(&format!("{:inset$}{QUIET}read by the entry{QUIET:#} {entry}", ""));
    print_rows(read, inset);
    if let Some(doubt) = &read.doubt {
        let red = show::style(Effect::Deny);
        let text = visible(&redact(doubt)).into_owned();
        show::print(&format!("{:inset$}{red}doubt{red:#} {text}", ""));
    }
    for carried in &read.carried {
        print_read(carried, inset.saturating_add(2));
    }
}

/// The words in three columns: as they are written, what they are, their role.
fn print_rows(read: &Read, inset: usize) {
    let rows = read.rows.iter().map(|row| {
        (shown(&row.words), visible(&row.is).into_owned(), row.role.clone().unwrap_or_default())
    });
    let given = read.given.iter().map(|own| (String::new(), "besides".to_owned(), own.clone()));
    let rows: Vec<_> = rows.chain(given).collect();
    let widest = |of: &dyn Fn(&(String, String, String)) -> usize| {
        rows.iter().map(of).filter(|width| *width <= WIDEST).max().unwrap_or_default()
    };
    let first = widest(&|row| row.0.chars().count());
    let second = widest(&|row| row.1.chars().count());
    for (words, is, role) in &rows {
        let room = if role.is_empty() { 0 } else { second };
        let line = format!("{:inset$}{words:<first$}  {QUIET}{is:<room$}{QUIET:#}  {role}", "");
        show::print(line.trim_end());
    }
}

fn read_json(read: &Read) -> Value {
    let words = |words: &[String]| shown(words);
    let rows: Vec<Value> = read
        .rows
        .iter()
        .map(|row| json!({ "words": words(&row.words), "is": row.is, "role": row.role }))
        .collect();
    json!({
        "command": words(&read.words),
        "entry": read.entry,
        "words": rows,
        "besides": read.given,
        "doubt": read.doubt.as_ref().map(|doubt| visible(&redact(doubt)).into_owned()),
        "carries": read.carried.iter().map(read_json).collect::<Vec<_>>(),
    })
}
