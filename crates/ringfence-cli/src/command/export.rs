//! `ringfence export`: a policy as the rules of another program, and where the two differ.

use std::path::PathBuf;

use ringfence_core::text::nearest;
use ringfence_core::{Document, Effect, Role};
use ringfence_guard::redact::visible;
use ringfence_guard::{Action, Call};
use ringfence_manifest::export::{Operands, Policy, Target, export};
use serde_json::{Value, json};

use super::import::{count, difference_json, hand_out, list, of_agent};
use crate::args::ExportArgs;
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let to = format(&args.format)?;
    let named: Vec<PathBuf> = args.policy.iter().cloned().collect();
    let mut documents: Vec<Document> = Vec::new();
    let guard = door::open_with(&named, |own| documents = own.documents())?;
    let (granting, others): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|own| own.role.grants());
    let document = match <[Document; 1]>::try_from(granting) {
        Ok([document]) => document,
        Err(several) => return Err(which(&several)),
    };
    let ceilings: Vec<Document> =
        others.into_iter().filter(|own| own.role != Role::BuiltIn).collect();
    let verdict = |line: &str| {
        let call = Call::new(Action::Line { line: line.to_owned(), shell: None });
        guard.consider(&call).verdict.effect
    };
    let verdict: &dyn Fn(&str) -> Effect = &verdict;
    let operands = match args.dangerously_trust_operands {
        true => Operands::Trusted,
        false => Operands::Asked,
    };
    let policy = Policy { document: &document, ceilings: &ceilings, verdict };
    let exported = export(to, &policy, operands);
    if args.json {
        let differences: Vec<Value> = exported.differences.iter().map(difference_json).collect();
        let answer =
            json!({ "text": exported.text, "rules": exported.rules, "differences": differences });
        show::print(&answer.to_string());
        return Ok(Exit::Allow);
    }
    count(exported.rules, "rules written", &exported.differences);
    list(&exported.differences);
    hand_out(args.out.as_deref(), &exported.text)?;
    Ok(Exit::Allow)
}

fn which(several: &[Document]) -> Failure {
    let names: Vec<&str> = several.iter().map(|own| &*own.name).collect();
    let failure = match names.as_slice() {
        [] => Failure::new("no policy grants anything here"),
        names => Failure::new(format!("several policies are in force: {}", names.join(", "))),
    };
    failure.hint("name one with `--policy FILE`")
}

fn format(word: &str) -> Result<Target, Failure> {
    Target::from_word(of_agent(word)).ok_or_else(|| {
        let names = || Target::ALL.into_iter().map(Target::as_str);
        let hint = match nearest(word, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", names().collect::<Vec<_>>().join(", ")),
        };
        Failure::new(format!("`{}` is no format that can be written", visible(word))).hint(hint)
    })
}
