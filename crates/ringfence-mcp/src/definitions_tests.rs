use serde_json::json;

use super::*;

/// Pins in memory, or a store that cannot be used.
pub(crate) struct Memory(Mutex<Result<Pins, String>>);

impl Memory {
    pub(crate) fn new() -> Arc<Memory> {
        Arc::new(Memory(Mutex::new(Ok(Pins::default()))))
    }
}

impl PinStore for Memory {
    fn load(&self) -> Result<Pins, String> {
        self.0.lock().unwrap().clone()
    }

    fn change(&self, change: &mut dyn FnMut(&mut Pins)) -> Result<(), String> {
        change(self.0.lock().unwrap().as_mut().map_err(|error| error.clone())?);
        Ok(())
    }
}

/// The entries of a list that are withheld, and what is asked.
fn look(own: &Definitions, tools: &[Value]) -> (Vec<String>, Option<News>) {
    let mut look = own.look(Kind::Tool).unwrap();
    let mut withheld = Vec::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let text = tool.to_string();
        if look.withholds(name, serde_json::from_str(&text).unwrap()) {
            withheld.push(name.to_owned());
        }
    }
    (withheld, look.finish().unwrap())
}

fn tool(description: &str) -> Value {
    json!({ "name": "sum", "description": description })
}

#[test]
fn a_changed_definition_is_withheld_and_asked_about_once() {
    let store = Memory::new();
    let own = Definitions::new(store.clone(), "math");
    assert!(look(&own, &[tool("adds")]).0.is_empty());
    assert!(own.refusal(Kind::Tool, "sum").is_none());

    let later = Definitions::new(store, "math");
    let (withheld, news) = look(&later, &[tool("sends")]);
    assert_eq!(withheld, ["sum"]);
    let question = news.unwrap().question;
    assert_eq!(question.what, "show the model `sum`");
    assert_eq!(question.why, "`sum`: it has changed\n  description\n  - adds\n  + sends");
    let refusal = later.refusal(Kind::Tool, "sum").unwrap().to_json();
    assert_eq!(refusal["code"], "approval_required");
    assert_eq!(refusal["tool_name"], "mcp__math__sum");
    assert!(refusal["hint"].as_str().unwrap().contains("ringfence mcp accept math"));

    let (withheld, news) = look(&later, &[tool("sends")]);
    assert_eq!((withheld.len(), news.is_none()), (1, true));
}

#[test]
fn what_was_accepted_elsewhere_can_be_called() {
    let store = Memory::new();
    let own = Definitions::new(store.clone(), "math");
    look(&own, &[tool("adds")]);
    look(&own, &[tool("sends")]);
    assert!(own.refusal(Kind::Tool, "sum").is_some());
    store.change(&mut |pins| assert!(pins.accept("math", "sum", &tool("sends")))).unwrap();
    assert!(own.refusal(Kind::Tool, "sum").is_none());
}

#[test]
fn an_agreement_holds_for_that_definition_and_this_gateway() {
    let store = Memory::new();
    let own = Definitions::new(store.clone(), "math");
    look(&own, &[tool("adds")]);
    let news = look(&own, &[tool("sends")]).1.unwrap();
    own.agree(news.definitions);
    assert!(own.refusal(Kind::Tool, "sum").is_none());
    assert!(look(&own, &[tool("sends")]).0.is_empty());
    assert_eq!(look(&own, &[tool("deletes")]).0, ["sum"]);
    assert_eq!(look(&Definitions::new(store, "math"), &[tool("sends")]).0, ["sum"]);
}

#[test]
fn of_two_tools_with_one_name_the_second_is_withheld() {
    let own = Definitions::new(Memory::new(), "math");
    assert_eq!(look(&own, &[tool("adds"), tool("sends")]).0, ["sum"]);
}

#[test]
fn pins_that_cannot_be_used_show_nothing() {
    let store = Arc::new(Memory(Mutex::new(Err("broken".to_owned()))));
    assert!(Definitions::new(store, "math").look(Kind::Tool).is_err());
}

fn says(own: &Definitions, text: &str) -> (bool, Option<News>) {
    own.instructions(Some(text.into())).unwrap()
}

#[test]
fn while_instructions_wait_no_tool_is_called() {
    let store = Memory::new();
    let own = Definitions::new(store.clone(), "math");
    look(&own, &[tool("adds")]);
    assert!(!says(&own, "Adds.").0);
    assert!(own.refusal(Kind::Tool, "sum").is_none());

    let (withheld, news) = says(&own, "Adds.\nThen sends.");
    assert!(withheld);
    let question = news.unwrap().question;
    assert_eq!(question.what, "show the model `server:instructions`");
    assert_eq!(
        question.why,
        "`server:instructions`: it has changed\n  instructions\n  + Then sends."
    );
    let refusal = own.refusal(Kind::Tool, "sum").unwrap().to_json();
    assert_eq!(refusal["code"], "approval_required");
    let reason = "the instructions of this server wait for a person: it has changed";
    assert!(refusal.to_string().contains(reason), "{refusal}");
    assert!(says(&own, "Adds.\nThen sends.").1.is_none(), "it is asked once");

    let accepted = json!({ "instructions": "Adds.\nThen sends." });
    store
        .change(&mut |pins| assert!(pins.accept("math", "server:instructions", &accepted)))
        .unwrap();
    assert!(own.refusal(Kind::Tool, "sum").is_none());
    assert!(!says(&own, "Adds.\nThen sends.").0);
}

#[test]
fn instructions_that_are_gone_wait_for_nobody() {
    let own = Definitions::new(Memory::new(), "math");
    says(&own, "Adds.");
    assert!(says(&own, "Sends.").0);
    for nothing in [None, Some(Value::Null), Some("".into())] {
        assert!(!own.instructions(nothing).unwrap().0);
        assert!(own.refusal(Kind::Tool, "sum").is_none());
    }
    assert!(!says(&own, "Adds.").0);
}
