use serde_json::json;

use super::*;

fn tool(name: &str, properties: Value) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object", "properties": properties } })
}

/// What the client hears of these tools, and what is said about the others.
fn listed(tools: &Tools, all: &[Value]) -> (Vec<String>, Vec<String>) {
    let result = json!({ "tools": all }).to_string();
    let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}");
    let Shown { text, notes } = tools.learn(text, &result).unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let shown = answer["result"]["tools"].as_array().unwrap();
    (shown.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect(), notes)
}

fn head(tools: &Tools, name: &str, arguments: Value) -> Result<HeaderMap, String> {
    let mut head = HeaderMap::new();
    let params = json!({ "name": name, "arguments": arguments }).to_string();
    tools.repeat(Some(&params), &mut head).map(|()| head)
}

#[test]
fn a_schema_says_which_parameters_are_repeated() {
    let tools = Tools::default();
    let marked = tool(
        "t",
        json!({
            "region": { "type": "string", "x-mcp-header": "Region" },
            "inner": { "type": "object", "properties": { "deep": { "type": "integer", "x-mcp-header": "Deep" } } },
            "plain": { "type": "string", "default": { "x-mcp-header": "a value" } },
            "x-mcp-header": { "type": "string" },
        }),
    );
    assert_eq!(listed(&tools, &[marked]).0, ["t"]);
    let arguments = json!({ "region": "eu", "inner": { "deep": 7 }, "plain": "y" });
    let said = head(&tools, "t", arguments).unwrap();
    assert_eq!(said.len(), 2);
    assert_eq!(said["mcp-param-region"], "eu");
    assert_eq!(said["mcp-param-deep"], "7");
    assert!(head(&tools, "other", json!({ "region": "eu" })).unwrap().is_empty());

    assert_eq!(listed(&tools, &[tool("t", json!({ "region": { "type": "string" } }))]).0, ["t"]);
    assert!(head(&tools, "t", json!({ "region": "eu" })).unwrap().is_empty());
}

#[test]
fn a_tool_whose_marks_cannot_be_followed_is_neither_shown_nor_called() {
    let text = |mark: Value| json!({ "type": "string", "x-mcp-header": mark });
    for properties in [
        json!({ "a": text(json!("")) }),
        json!({ "a": text(json!(1)) }),
        json!({ "a": text(json!("no\r\nname")) }),
        json!({ "a": text(json!("a b")) }),
        json!({ "a": text(json!("é")) }),
        json!({ "a": { "type": "number", "x-mcp-header": "A" } }),
        json!({ "a": { "type": "object", "x-mcp-header": "A" } }),
        json!({ "a": { "x-mcp-header": "A" } }),
        json!({ "a": text(json!("Same")), "b": text(json!("sAME")) }),
        json!({ "a": { "type": "array", "items": text(json!("A")) } }),
        json!({ "a": { "anyOf": [{ "type": "object", "properties": { "b": text(json!("A")) } }] } }),
    ] {
        let tools = Tools::default();
        let (shown, notes) =
            listed(&tools, &[tool("bad", properties.clone()), tool("good", json!({}))]);
        assert_eq!((shown, notes.len()), (vec!["good".to_owned()], 1), "{properties}");
        assert!(notes[0].starts_with("the tool `bad` cannot be called: "), "{}", notes[0]);
        assert!(head(&tools, "bad", json!({})).is_err(), "{properties}");
        assert!(head(&tools, "good", json!({})).is_ok());
    }
}
