//! `ringfence parse`: the simple commands of a line.
//!
//! The objects of `--json` and `--jsonl` are a schema that scripts depend on; what they say is the
//! line's own text, unchanged.

use std::io::{BufWriter, Write};

use ringfence_guard::redact::visible;
use ringfence_guard::strict_json;
use ringfence_guard::world::RealHost;
use ringfence_shell::{Context, ListedCommand, Listing, ParseError, list};
use serde_json::{Map, Value, json};

use crate::args::ParseArgs;
use crate::door::surroundings;
use crate::exit::{Exit, Failure};
use crate::input::{Line, next_line};
use crate::show::{self, QUIET};
use crate::source::Source;
use crate::words::{quoted, shown};

/// What `~` is where a line of `--jsonl` does not say.
const HOME: &str = "/home/u";
/// What stands for a word that only the run shows; a word of this text would be quoted.
const UNKNOWN: &str = "?";

pub(crate) fn run(args: &ParseArgs) -> Result<Exit, Failure> {
    let Some(line) = args.line.as_deref().filter(|_| !args.jsonl) else {
        return each_line();
    };
    let home = surroundings(&RealHost::new())?.context.home;
    let listing = list(line, home.as_str());
    match args.json {
        true => show::print(&Value::Object(listing_json(&listing)).to_string()),
        false => print_listing(line, &listing),
    }
    Ok(Exit::Allow)
}

/// Answers every line of standard input.
fn each_line() -> Result<Exit, Failure> {
    let mut input = std::io::stdin().lock();
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut exit = Exit::Allow;
    let broken = |error: std::io::Error| Failure::new(format!("cannot go on: {error}"));
    while let Some(line) = next_line(&mut input).map_err(broken)? {
        let answer = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => answer(&text),
            Line::Bad(reason) => Err((Value::Null, reason.to_owned())),
        };
        let answer = answer.unwrap_or_else(|(id, error)| {
            exit = Exit::Error;
            json!({ "id": id, "error": error })
        });
        writeln!(output, "{answer}").map_err(broken)?;
    }
    output.flush().map_err(broken)?;
    Ok(exit)
}

fn answer(text: &str) -> Result<Value, (Value, String)> {
    let value = strict_json::read(text)
        .map_err(|error| (Value::Null, format!("the line is not JSON: {error}")))?;
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    let wrong = |key: &str| (id.clone(), format!("`{key}` is no text"));
    let line = value.get("line").and_then(Value::as_str).ok_or_else(|| wrong("line"))?;
    let home = match value.get("home") {
        None => HOME,
        Some(home) => home.as_str().ok_or_else(|| wrong("home"))?,
    };
    let mut fields = Map::new();
    fields.insert("id".to_owned(), id);
    fields.extend(listing_json(&list(line, home)));
    Ok(Value::Object(fields))
}

fn listing_json(listing: &Listing) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("commands".to_owned(), listing.commands.iter().map(command_json).collect());
    if !listing.compound_redirs.is_empty() {
        fields.insert("compound_redirs".to_owned(), json!(listing.compound_redirs));
    }
    if listing.syntax_error.is_some() {
        fields.insert("syntax_error".to_owned(), json!(true));
    }
    if let Some(error) = &listing.unsupported {
        fields.insert("unsupported".to_owned(), json!(error.to_string()));
    }
    fields
}

fn command_json(command: &ListedCommand) -> Value {
    let mut fields = Map::new();
    fields.insert("argv".to_owned(), json!(command.argv));
    if !command.assigns.is_empty() {
        fields.insert("assigns".to_owned(), json!(command.assigns));
    }
    if !command.redirs.is_empty() {
        fields.insert("redirs".to_owned(), json!(command.redirs));
    }
    if let Some(context) = command.within {
        fields.insert("in".to_owned(), json!(context.name()));
    }
    Value::Object(fields)
}

/// The commands of a line, one under the other, each written out on one line.
fn print_listing(line: &str, listing: &Listing) {
    if let Some(error) = listing.syntax_error.as_ref().or(listing.unsupported.as_ref()) {
        return print_error(line, error);
    }
    let texts: Vec<String> = listing.commands.iter().map(command_text).collect();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or_default().min(60);
    for (index, (command, text)) in listing.commands.iter().zip(&texts).enumerate() {
        let number = index.saturating_add(1);
        let within = match command.within {
            None => String::new(),
            Some(context) => {
                let room = widest.saturating_sub(text.chars().count());
                format!("{:room$}  {QUIET}{}{QUIET:#}", "", described(context))
            }
        };
        show::print(&format!("{QUIET}{number:>3}{QUIET:#}  {text}{within}"));
    }
    if !listing.compound_redirs.is_empty() {
        let redirs = shown(&redirections(&listing.compound_redirs));
        show::print(&format!("     {redirs}  {QUIET}of a group or loop{QUIET:#}"));
    }
    if texts.is_empty() {
        show::print("the line runs nothing");
    }
    if has_unknown(listing) {
        show::print(&format!("{QUIET}{UNKNOWN} is known only when the line runs{QUIET:#}"));
    }
}

fn command_text(command: &ListedCommand) -> String {
    let word = |word: &Option<String>| match word {
        Some(word) => quoted(word).into_owned(),
        None => UNKNOWN.to_owned(),
    };
    let assigns = command.assigns.iter().map(|(name, value)| format!("{name}={}", word(value)));
    let mut words: Vec<String> = assigns.chain(command.argv.iter().map(word)).collect();
    words.extend(redirections(&command.redirs));
    shown(&words)
}

fn redirections(redirs: &[(String, Option<String>)]) -> Vec<String> {
    let one = |(operator, target): &(String, Option<String>)| match target.as_deref() {
        None => format!("{operator} {UNKNOWN}"),
        Some(target @ "<heredoc>") => format!("{operator} {target}"),
        Some(target) => format!("{operator} {}", quoted(target)),
    };
    redirs.iter().map(one).collect()
}

fn described(context: Context) -> &'static str {
    match context {
        Context::CommandSubstitution => "in a command substitution",
        Context::ProcessSubstitution => "in a process substitution",
        Context::Subshell => "in a subshell",
        Context::Function => "in a function",
    }
}

fn has_unknown(listing: &Listing) -> bool {
    let of_pairs =
        |pairs: &[(String, Option<String>)]| pairs.iter().any(|(_, value)| value.is_none());
    of_pairs(&listing.compound_redirs)
        || listing.commands.iter().any(|command| {
            command.argv.contains(&None) || of_pairs(&command.assigns) || of_pairs(&command.redirs)
        })
}

fn print_error(line: &str, error: &ParseError) {
    let word = match error {
        ParseError::Syntax(_) => "a shell refuses this line",
        ParseError::Unsupported(_) => "this line is not read",
    };
    show::print(&format!("{word}: {}", visible(error.message())));
    let span = error.span();
    show::caret(&Source::new(line).excerpt((span.start, span.end)), 2);
}
