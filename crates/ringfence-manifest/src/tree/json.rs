//! JSON to tree; comments and commas after the last entry are fine, and so are bare keys, in which
//! mlld writes its object literals.

use std::borrow::Cow;

use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::node::{Entry, Node, Value, check_keys};
use crate::text::{Fault, Span};

/// What is JSON to us.
pub(crate) const JSON_OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: true,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn read(text: &str) -> Result<Node<'_>, Fault> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &JSON_OPTIONS)
        .map_err(|error| Fault::new(span(error.range()), lower_first(&error.kind().to_string())))?;
    match parsed.value {
        Some(value) => node(value),
        None => Err(Fault::new(text.len()..text.len(), "the file holds no value")
            .hint("an empty policy is `{}`")),
    }
}

fn node(value: ast::Value<'_>) -> Result<Node<'_>, Fault> {
    let place = span(value.range());
    let value = match value {
        ast::Value::StringLit(text) => Value::Text(text.value),
        ast::Value::NumberLit(number) => number_value(number.value, place)?,
        ast::Value::BooleanLit(flag) => Value::Bool(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(list) => {
            Value::List(list.elements.into_iter().map(node).collect::<Result<_, _>>()?)
        }
        ast::Value::Object(object) => {
            let entries: Vec<Entry<'_>> =
                object.properties.into_iter().map(entry).collect::<Result<_, _>>()?;
            check_keys(&entries)?;
            Value::Table(entries)
        }
    };
    Ok(Node::new(value, place))
}

fn entry(property: ast::ObjectProp<'_>) -> Result<Entry<'_>, Fault> {
    let key_span = span(property.name.range());
    let key = match property.name {
        ObjectPropName::String(name) => name.value,
        ObjectPropName::Word(word) => Cow::Borrowed(word.value),
    };
    Ok(Entry { key, key_span, node: node(property.value)? })
}

fn number_value(text: &str, place: Span) -> Result<Value<'_>, Fault> {
    if let Ok(number) = text.parse() {
        return Ok(Value::Integer(number));
    }
    text.parse().map(Value::Float).map_err(|_| Fault::new(place, "is no number"))
}

fn span(range: jsonc_parser::common::Range) -> Span {
    Span::new(range.start, range.end)
}

/// The parser's messages are sentences; ours start in lower case.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}
