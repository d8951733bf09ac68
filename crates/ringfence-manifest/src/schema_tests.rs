use std::error::Error;

use serde_json::Value;

use super::schema;

#[test]
fn the_schema_knows_every_key_of_the_top_level() -> Result<(), Box<dyn Error>> {
    let schema: Value = serde_json::from_str(&schema())?;
    let keys = schema.pointer("/properties").and_then(Value::as_object).ok_or("no properties")?;
    let mut keys: Vec<&str> = keys.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = "agents allow ask capabilities ceiling danger danger_list default deny env extends hooks \
                    keychain limits mcp mode name permissions programs sandbox schema security test tools";
    assert_eq!(keys.join(" "), expected);
    assert_eq!(schema.pointer("/additionalProperties"), Some(&Value::Bool(false)));
    assert_eq!(schema.pointer("/title").and_then(Value::as_str), Some("Policy"));
    Ok(())
}

#[test]
fn nothing_is_no_value_in_the_schema_either() {
    assert!(!schema().contains("\"null\""));
}

#[test]
fn the_schema_is_the_same_every_time() {
    assert_eq!(schema(), schema());
}
