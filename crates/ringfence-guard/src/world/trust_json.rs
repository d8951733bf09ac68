//! The JSON format of trust records.

use ringfence_core::path::AbsPath;
use serde_json::{Map, Value, json};

use super::bundle::Fingerprint;
use super::trust::TrustRecord;

/// The version of the format.
const VERSION: u64 = 1;

/// Parses the records. One malformed record makes all of them invalid.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<TrustRecord>, String> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
    if value.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err("its version is unknown".to_owned());
    }
    let records = value.get("trusted").and_then(Value::as_array);
    let records = records.ok_or("it has no list `trusted`")?;
    let read =
        |record: &Value| record_from(record).ok_or_else(|| "a record is malformed".to_owned());
    records.iter().map(read).collect()
}

/// Formats the records.
pub(super) fn print(records: &[TrustRecord]) -> String {
    let records: Vec<Value> = records.iter().map(record_to).collect();
    format!("{:#}\n", json!({ "version": VERSION, "trusted": records }))
}

fn record_from(record: &Value) -> Option<TrustRecord> {
    let text = |key: &str| record.get(key)?.as_str();
    let files = record.get("files")?.as_array()?.iter().map(|file| Some(Box::from(file.as_str()?)));
    let files: Vec<Box<str>> = files.collect::<Option<_>>()?;
    if files.is_empty() {
        return None;
    }
    let root = text("root").and_then(|root| AbsPath::new(root).ok());
    Some(TrustRecord {
        // The path must be in normal form, so that a root has only one name.
        root: root.filter(|root| Some(root.as_str()) == text("root"))?,
        files,
        fingerprint: Fingerprint::parse(text("sha256")?)?,
        since: text("since")?.parse().ok()?,
    })
}

fn record_to(record: &TrustRecord) -> Value {
    let mut fields = Map::new();
    fields.insert("root".to_owned(), record.root.as_str().into());
    let files: Vec<Value> = record.files.iter().map(|file| (&**file).into()).collect();
    fields.insert("files".to_owned(), files.into());
    fields.insert("sha256".to_owned(), record.fingerprint.to_string().into());
    fields.insert("since".to_owned(), record.since.to_string().into());
    Value::Object(fields)
}
