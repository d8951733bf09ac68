//! All that a server tells models of, asked for in so many words.

use std::io::{Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ringfence_guard::strict_json;
use serde_json::{Value, json};

use crate::lines::{LONGEST, Line, Lines};
use crate::method::{Answer, Listed};
use crate::pin::{Kind, instructions};
use crate::pipe::Pipe;
use crate::server::{Server, part};

/// How long a server may take for all of it.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take to end.
const PARTING: Duration = Duration::from_secs(2);
/// The most pages of a list.
const MOST_PAGES: usize = 1000;

/// A definition that a server has.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What it is of.
    pub kind: Kind,
    /// What it is called.
    pub name: String,
    /// As the server says it.
    pub value: Value,
}

/// The definitions of a server's tools, prompts and resources, and its instructions; the server is
/// ended. An error is
/// words for a message.
pub fn definitions_of(server: Server) -> Result<Vec<Definition>, String> {
    let Server { input, output, mut process } = server;
    let hold = input.hold();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut talk = Talk { input, output: Lines::new(output, LONGEST), asked: 0 };
        let _ = tell.send(talk.definitions());
    });
    let listed = told.recv_timeout(PATIENCE);
    hold.give_up();
    part(&mut *process, PARTING);
    listed.unwrap_or_else(|_| Err("the server does not answer".to_owned()))
}

/// What is asked for, and the capability that says that the server has it; tools are asked for in
/// any case.
const LISTS: [(&str, Option<&str>); 4] = [
    ("tools/list", None),
    ("prompts/list", Some("prompts")),
    ("resources/list", Some("resources")),
    ("resources/templates/list", Some("resources")),
];

/// A talk with a server, one question after the other.
struct Talk {
    input: Pipe,
    output: Lines<Box<dyn Read + Send>>,
    asked: usize,
}

impl Talk {
    fn definitions(&mut self) -> Result<Vec<Definition>, String> {
        let about = json!({ "name": "ringfence", "version": env!("CARGO_PKG_VERSION") });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
        let greeting = self.ask("initialize", &params)?;
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        let can =
            |what: &str| greeting.get("capabilities").is_some_and(|own| own.get(what).is_some());
        let mut all = Vec::new();
        for (method, capability) in LISTS {
            if let Answer::List(listed) = Answer::to(method)
                && capability.is_none_or(can)
            {
                self.pages(method, listed, &mut all)?;
            }
        }
        // Last: they may speak of tools that are the server's own.
        let said = greeting.get(instructions::KEY).cloned();
        let (kind, name) = (Kind::Instructions, String::new());
        all.push(Definition { kind, name, value: instructions::definition(said) });
        Ok(all)
    }

    /// Adds all pages of a list.
    fn pages(
        &mut self,
        method: &str,
        listed: Listed,
        all: &mut Vec<Definition>,
    ) -> Result<(), String> {
        let mut params = json!({});
        for _ in 0..MOST_PAGES {
            let page = self.ask(method, &params)?;
            for entry in page.get(listed.list).and_then(Value::as_array).into_iter().flatten() {
                let name = entry.get(listed.name).and_then(Value::as_str);
                let name = name.ok_or_else(|| format!("one of its {} has no name", listed.list))?;
                let (kind, name) = (listed.kind, name.to_owned());
                all.push(Definition { kind, name, value: entry.clone() });
            }
            match page.get("nextCursor") {
                None | Some(Value::Null) => return Ok(()),
                Some(cursor) => params = json!({ "cursor": cursor }),
            }
        }
        Err("its list has no end".to_owned())
    }

    fn say(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        let said = self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush());
        said.map_err(|error| error.to_string())
    }

    /// The result of a request; whatever else the server says meanwhile is nobody's business.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.asked = self.asked.saturating_add(1);
        let id = json!(self.asked);
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let line = match self.output.next() {
                Ok(Line::Text(line, _)) => line,
                Ok(Line::End) | Err(_) => return Err("the server has ended".to_owned()),
                Ok(Line::TooLong | Line::NoText) => {
                    return Err("the server sent no message".to_owned());
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            let mut message = strict_json::read(line)?;
            if message.get("id") != Some(&id) {
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(format!("the server answers `{method}` with an error: {error}"));
            }
            if let Some(result) = message.get_mut("result") {
                return Ok(result.take());
            }
        }
    }
}
