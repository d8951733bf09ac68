//! Damaged events: truncated, with duplicate keys, with wrong types, huge or deeply nested.
//!
//! None of them crashes the parser. None is allowed if the undamaged event would not be allowed.

use std::fs;

use ringfence_guard::Guard;
use ringfence_hooks::{Agent, HookAnswer, HookOutcome, judge_event};
use serde_json::{Value, json};

use super::cases::{folder, guard, says_no};

/// Returns every event in the agent's cases.
fn events(agent: Agent) -> Vec<Value> {
    let text = fs::read_to_string(folder().join(agent.name()).join("events.jsonl")).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases = cases.filter(|case| case["event"].is_object());
    cases.map(|case| case["event"].clone()).collect()
}

/// Returns whether an event is allowed; an empty answer counts as allowed.
fn is_allowed(guard: &Guard, agent: Agent, text: &str) -> bool {
    match agent.read(text, &|_| None) {
        Ok(event) => match judge_event(guard, agent, &event) {
            HookOutcome::Answered(answer) => !matches!(answer, HookAnswer::Block(_)),
            HookOutcome::Refused(_) | HookOutcome::Open(_) => false,
        },
        Err(error) => {
            let reply = agent.block(&error.to_string());
            assert!(says_no(&reply.stdout, reply.status), "{}: {reply:?}", agent.name());
            false
        }
    }
}

#[test]
fn events_that_were_cut_off_are_blocked() {
    for agent in Agent::ALL {
        for event in events(agent) {
            let text = event.to_string();
            let ends = (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7);
            for end in ends.chain([text.len() - 1]) {
                let (cut, _) = text.split_at(end);
                assert!(agent.read(cut, &|_| None).is_err(), "{cut}");
            }
            // Trailing text is refused too.
            for more in ["{}", "x", "]", "\0"] {
                assert!(agent.read(&format!("{text}{more}"), &|_| None).is_err(), "{text}{more}");
            }
        }
    }
}

#[test]
fn a_duplicate_key_blocks_at_any_depth() {
    for agent in Agent::ALL {
        for event in events(agent) {
            let text = event.to_string();
            let opens = text.match_indices("{\"").filter(|(at, _)| !in_text(&text, *at));
            for (at, _) in opens {
                let (before, rest) = text.split_at(at + 1);
                let key = rest.split_once(':').unwrap().0;
                let doubled = format!("{before}{key}:null,{rest}");
                let said = agent.read(&doubled, &|_| None);
                assert!(said.is_err(), "{}: {doubled}", agent.name());
            }
        }
    }
}

/// Returns whether an offset lies inside a JSON string.
fn in_text(json: &str, at: usize) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for byte in json.bytes().take(at) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => inside = !inside,
            _ => {}
        }
    }
    inside
}

/// Returns replacement values of every JSON type.
fn others() -> Vec<Value> {
    let deep = (0..200).fold(json!("~/.ssh/id_rsa"), |inner, _| json!([inner]));
    vec![
        Value::Null,
        json!(true),
        json!(7),
        json!(1e300),
        json!(""),
        json!("~/.ssh/id_rsa"),
        json!("\u{0}"),
        json!([]),
        json!(["~/.ssh/id_rsa"]),
        json!([["cat", "~/.ssh/id_rsa"]]),
        json!({}),
        json!({ "path": "~/.ssh/id_rsa", "command": "cat ~/.ssh/id_rsa" }),
        deep,
    ]
}

/// Collects the JSON pointer of every value below `value`.
fn places(value: &Value, way: &str, found: &mut Vec<String>) {
    found.push(way.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, own)| places(own, &format!("{way}/{key}"), found));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, own)| places(own, &format!("{way}/{at}"), found));
        }
        _ => {}
    }
}

/// Replacing a significant value by one of another type never allows access to an SSH key.
#[test]
fn a_value_of_another_type_allows_nothing_new() {
    let guard = guard(&fs::read_to_string(folder().join("policy.toml")).unwrap());
    let (others, mut wrong) = (others(), Vec::new());
    for agent in Agent::ALL {
        for event in events(agent) {
            let mut ways = Vec::new();
            places(&event, "", &mut ways);
            for way in ways.iter().filter(|way| counts(&event, way)) {
                for other in &others {
                    let mut changed = event.clone();
                    *changed.pointer_mut(way).unwrap() = other.clone();
                    let names_a_key = other.to_string().contains("id_rsa");
                    if is_allowed(&guard, agent, &changed.to_string()) && names_a_key {
                        wrong.push(format!("{} at {way}: {changed}", agent.name()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} allowed:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns whether a value is significant: an argument that says what the tool does. File contents,
/// search texts, settings and the name of an editor command do not count.
fn counts(event: &Value, way: &str) -> bool {
    const INPUTS: [&str; 6] = [
        "/tool_input/",
        "/args/",
        "/toolArgs/",
        "/parameters/",
        "/tool_call/input/",
        "/tool_info/",
    ];
    const TEXTS: &str = " after before chars content cwd description diff edits explanation file_text \
        instruction instructions isolation new_source new_string newString new_text old_string \
        oldString old_text options output_mode pattern plan prompt queries query question questions \
        regex requires_approval result session_id subagent_type todos ";
    // The event repeats the call for hooks that know the older format.
    let again = event.get("tool_call").is_some() && way.starts_with("/preToolUse/");
    let edits =
        way.ends_with("/command") && event.pointer(&way.replace("/command", "/path")).is_some();
    let mut names = way.split('/').filter(|name| !name.is_empty());
    let is_text = names.any(|name| TEXTS.contains(&format!(" {name} ")));
    INPUTS.iter().any(|input| way.contains(input)) && !again && !edits && !is_text
}

#[test]
fn huge_events_are_judged_or_blocked_in_time() {
    let guard = guard(&fs::read_to_string(folder().join("policy.toml")).unwrap());
    let long = "a".repeat(4 << 20);
    for agent in Agent::ALL {
        let event = events(agent).swap_remove(0);
        let mut padded = event.clone();
        padded["padding"] = json!(long);
        let _ = is_allowed(&guard, agent, &padded.to_string());
        let line = format!("cat ~/.ssh/id_rsa # {long}");
        assert!(
            !is_allowed(&guard, agent, &agent.sample(&line, "/home/u/proj")),
            "{}",
            agent.name()
        );
    }
}
