//! Trust records as JSON.

use ringfence_core::path::AbsPath;
use serde_json::{Map, Value, json};

use super::bundle::Fingerprint;
use super::trust::Trusted;

/// The version of the form.
const VERSION: u64 = 1;

/// Reads the records. One that cannot be read makes all of them worthless.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Trusted>, String> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
    if value.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err("its version is not known".to_owned());
    }
    let records = value.get("trusted").and_then(Value::as_array);
    let records = records.ok_or("it has no list `trusted`")?;
    let read = |record: &Value| record_from(record).ok_or_else(|| "a record is broken".to_owned());
    records.iter().map(read).collect()
}

/// The records as text.
pub(super) fn print(records: &[Trusted]) -> String {
    let records: Vec<Value> = records.iter().map(record_to).collect();
    format!("{:#}\n", json!({ "version": VERSION, "trusted": records }))
}

fn record_from(record: &Value) -> Option<Trusted> {
    let text = |key: &str| record.get(key)?.as_str();
    let files = record.get("files")?.as_array()?.iter().map(|file| Some(Box::from(file.as_str()?)));
    let files: Vec<Box<str>> = files.collect::<Option<_>>()?;
    if files.is_empty() {
        return None;
    }
    let root = text("root").and_then(|root| AbsPath::new(root).ok());
    Some(Trusted {
        // A path in another form would be another project's name for this one.
        root: root.filter(|root| Some(root.as_str()) == text("root"))?,
        files,
        fingerprint: Fingerprint::parse(text("sha256")?)?,
        since: text("since")?.parse().ok()?,
    })
}

fn record_to(record: &Trusted) -> Value {
    let mut fields = Map::new();
    fields.insert("root".to_owned(), record.root.as_str().into());
    let files: Vec<Value> = record.files.iter().map(|file| (&**file).into()).collect();
    fields.insert("files".to_owned(), files.into());
    fields.insert("sha256".to_owned(), record.fingerprint.to_string().into());
    fields.insert("since".to_owned(), record.since.to_string().into());
    Value::Object(fields)
}
