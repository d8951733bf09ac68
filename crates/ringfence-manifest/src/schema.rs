//! The JSON Schema of documents, generated from the types that read them.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value};

use crate::raw::RawDocument;

/// The JSON Schema of a document, as text that ends in a newline.
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().with_transform(AsRead);
    let schema = settings.into_generator().into_root_schema_for::<RawDocument>();
    // A schema is plain data: writing it cannot fail.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Makes a schema say what is read: a key may be left out, but it is never null.
#[derive(Debug, Clone)]
struct AsRead;

impl Transform for AsRead {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            drop_null_type(object);
            drop_null_form(object);
            join_lines(object);
        }
        transform_subschemas(self, schema);
    }
}

/// `"type": ["string", "null"]` becomes `"type": "string"`.
fn drop_null_type(object: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = object.get_mut("type") else { return };
    types.retain(|name| name != "null");
    if let [only] = types.as_slice() {
        let only = only.clone();
        object.insert("type".to_owned(), only);
    }
}

/// `"anyOf": [X, {"type": "null"}]` becomes X, with its own words only where there are no others.
fn drop_null_form(object: &mut Map<String, Value>) {
    let Some(Value::Array(forms)) = object.get_mut("anyOf") else { return };
    forms.retain(|form| form.get("type").is_none_or(|name| name != "null"));
    let [Value::Object(only)] = forms.as_slice() else { return };
    let only = only.clone();
    object.remove("anyOf");
    for (key, value) in only {
        object.entry(key).or_insert(value);
    }
}

/// Descriptions are wrapped in the source, not in the schema.
fn join_lines(object: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
