//! `ringfence check --jsonl`: judges one case per line.

use std::io::{BufWriter, Write};

use ringfence_guard::case::{Case, Cases};
use ringfence_guard::strict_json;
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::input::{Line, next_line};
use crate::show;

pub(crate) fn run() -> Result<Exit, Failure> {
    let mut input = std::io::stdin().lock();
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut cases = Cases::default();
    let mut exit = Exit::Allow;
    let broken = |error: std::io::Error| Failure::new(format!("cannot go on: {error}"));
    while let Some(line) = next_line(&mut input).map_err(broken)? {
        let text = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => Ok(text),
            Line::Bad(reason) => Err(reason.to_owned()),
        };
        let answer = text.and_then(|text| answer(&mut cases, &text)).unwrap_or_else(|error| {
            exit = Exit::Error;
            json!({ "id": Value::Null, "error": error, "verdict": "deny" })
        });
        if answer.get("error").is_some() {
            exit = Exit::Error;
        }
        writeln!(output, "{answer}").map_err(broken)?;
    }
    output.flush().map_err(broken)?;
    Ok(exit)
}

fn answer(cases: &mut Cases, line: &str) -> Result<Value, String> {
    let value =
        strict_json::read(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    let judged = Case::read(&value).and_then(|case| {
        let guard = cases.guard(&case)?;
        Ok(guard.consider(&case.call))
    });
    Ok(match judged {
        Ok(judgement) => json!({
            "id": id,
            "verdict": judgement.verdict.effect.as_str(),
            "code": show::code(&judgement.verdict),
            "grounds": show::grounds(&judgement.verdict),
        }),
        Err(error) => json!({ "id": id, "error": error, "verdict": "deny" }),
    })
}
