//! A listing as the JSON of `ringfence parse`, as far as the corpus compares it.

use ringfence_shell::{ListedCommand, Listing};
use serde_json::{Map, Value, json};

/// The fields that the corpus compares.
pub(super) fn listing(listing: &Listing) -> Value {
    let mut fields = Map::new();
    fields.insert("commands".to_owned(), listing.commands.iter().map(command).collect());
    if !listing.compound_redirs.is_empty() {
        fields.insert("compound_redirs".to_owned(), json!(listing.compound_redirs));
    }
    if listing.syntax_error.is_some() {
        fields.insert("syntax_error".to_owned(), json!(true));
    }
    if let Some(error) = &listing.unsupported {
        fields.insert("unsupported".to_owned(), json!(error.to_string()));
    }
    Value::Object(fields)
}

fn command(command: &ListedCommand) -> Value {
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
