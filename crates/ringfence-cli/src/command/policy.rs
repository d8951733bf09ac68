//! `ringfence policy show`: the rules in force.

use ringfence_analysis::scope_text;
use ringfence_core::{Document, Effect, Role, Rule};
use ringfence_guard::PolicyBuilder;
use serde_json::{Value, json};

use crate::args::{PolicyArgs, PolicyVerb};
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) fn run(args: &PolicyArgs) -> Result<Exit, Failure> {
    let PolicyVerb::Show { files, json } = &args.verb;
    let mut documents: Vec<Document> = Vec::new();
    let keep = |own: &PolicyBuilder| documents = own.documents();
    let guard = door::open_with(&files.policies, keep)?;
    if *json {
        let documents: Vec<Value> = documents.iter().map(document_json).collect();
        let root = guard.context().root.as_ref().map(ToString::to_string);
        show::print(&json!({ "root": root, "documents": documents }).to_string());
        return Ok(Exit::Allow);
    }
    let bold = anstyle::Style::new().bold();
    let quiet = show::QUIET;
    match &guard.context().root {
        Some(root) => show::print(&format!("{quiet}root{quiet:#}  {root}")),
        None => show::print(&format!("{quiet}root{quiet:#}  none: `@root` matches nothing here")),
    }
    for document in &documents {
        let default = document.default.map(|own| format!(", default {own}")).unwrap_or_default();
        let role = document.role.as_str();
        show::print(&format!(
            "\n{bold}{}{bold:#} {quiet}({role}{default}){quiet:#}",
            document.name
        ));
        for rule in &document.rules {
            print_rule(rule.effect.as_str(), show::style(rule.effect), rule);
        }
        for rule in document.danger.iter().flatten() {
            print_rule("danger", show::style(Effect::Ask), rule);
        }
        for rule in &document.dangerous {
            print_rule("listed", show::style(Effect::Deny), rule);
        }
    }
    let list = ringfence_manifest::builtin::danger_entries().count();
    show::print(&format!(
        "\n{quiet}and {list} entries on the danger list: `ringfence danger`{quiet:#}"
    ));
    Ok(Exit::Allow)
}

fn print_rule(word: &str, style: anstyle::Style, rule: &Rule) {
    let quiet = show::QUIET;
    let scope = scope_text(&rule.scope);
    let until = rule.note.until.map(|last| format!(" until {last}")).unwrap_or_default();
    show::print(&format!(
        "  {style}{word:<6}{style:#} {:<44} {quiet}{}{scope}{until}{quiet:#}",
        rule.pattern.to_string(),
        rule.origin
    ));
}

fn document_json(document: &Document) -> Value {
    let rules = |rules: &[Rule]| rules.iter().map(rule_json).collect::<Vec<_>>();
    json!({
        "name": &*document.name,
        "role": document.role.as_str(),
        "grants": document.role.grants(),
        "built_in": document.role == Role::BuiltIn,
        "default": document.default.map(Effect::as_str),
        "rules": rules(&document.rules),
        "danger": document.danger.as_deref().map(rules),
        "danger_list": rules(&document.dangerous),
    })
}

fn rule_json(rule: &Rule) -> Value {
    json!({
        "effect": rule.effect.as_str(),
        "pattern": rule.pattern.to_string(),
        "except": rule.except.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "scope": scope_text(&rule.scope).trim_start(),
        "document": &*rule.origin.document,
        "line": rule.origin.line,
        "column": rule.origin.column,
        "why": rule.note.why.as_deref(),
        "owner": rule.note.owner.as_deref(),
        "until": rule.note.until.map(|last| last.to_string()),
        "id": rule.note.id.as_deref(),
    })
}
