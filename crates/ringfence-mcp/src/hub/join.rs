//! Answers of several servers that become one.

use std::borrow::Cow;

use serde_json::Value;

use super::merge;
use super::route::prefixed;
use super::state::State;
use crate::id::Id;
use crate::lines::LONGEST;
use crate::object::{Object, Raw};

/// What is joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `initialize` and `server/discover`: who the servers are, and what they can do.
    Introduction,
    /// All pages of a list.
    List(List),
    /// What everyone is told and answers with nothing.
    Told,
}

/// A list: its key, what names its entries, and who has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    key: &'static str,
    name: &'static str,
    capability: &'static str,
}

pub(super) const RESOURCES: List = List { key: "resources", name: "uri", capability: "resources" };

/// How the answers to a method are joined, if they are.
pub(super) fn kind(method: &str) -> Option<Kind> {
    match method {
        "initialize" | "server/discover" => Some(Kind::Introduction),
        "tools/list" => Some(Kind::List(List { key: "tools", name: "name", capability: "tools" })),
        "prompts/list" => {
            Some(Kind::List(List { key: "prompts", name: "name", capability: "prompts" }))
        }
        "resources/list" => Some(Kind::List(RESOURCES)),
        "resources/templates/list" => Some(Kind::List(List {
            key: "resourceTemplates",
            name: "uriTemplate",
            capability: "resources",
        })),
        "logging/setLevel" => Some(Kind::Told),
        _ => None,
    }
}

impl Kind {
    /// What a server must be able to do to be asked.
    pub(super) fn capability(&self) -> Option<&'static str> {
        match self {
            Kind::Introduction => None,
            Kind::List(list) => Some(list.capability),
            Kind::Told => Some("logging"),
        }
    }
}

/// The most pages of one server's list.
const MOST_PAGES: usize = 1000;
/// The most entries of a list of all servers, and the most bytes of them.
const MOST_ENTRIES: usize = 100_000;
const MOST_BYTES: usize = LONGEST;

/// Answers that are being joined.
#[derive(Debug)]
pub(super) struct Join {
    client: Id,
    kind: Kind,
    /// The request, to ask for the next page with.
    request: String,
    parts: Vec<Part>,
}

/// What one server has answered so far.
#[derive(Debug)]
struct Part {
    member: usize,
    is_done: bool,
    pages: usize,
    /// The entries of a list, as they are sent on, with what names them.
    entries: Vec<(String, String)>,
    bytes: usize,
    /// Whether its results say what kind they are, as they do since 2026-07-28.
    says_its_kind: bool,
    /// The last result, for what is not a list.
    result: Option<Value>,
    failed: Option<String>,
}

/// What is to be done after an answer.
pub(super) enum Joined {
    /// Ask the same server for the next page.
    More(String),
    Waits,
    Done,
}

/// What came of it.
pub(super) struct Finished {
    pub(super) result: Result<String, String>,
    pub(super) notes: Vec<String>,
}

impl Join {
    pub(super) fn new(client: Id, kind: Kind, request: &str, members: &[usize]) -> Join {
        let part = |member| Part {
            member,
            is_done: false,
            pages: 0,
            entries: Vec::new(),
            bytes: 0,
            says_its_kind: false,
            result: None,
            failed: None,
        };
        let parts = members.iter().copied().map(part).collect();
        Join { client, kind, request: request.to_owned(), parts }
    }

    pub(super) fn client(&self) -> &Id {
        &self.client
    }

    fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.is_done)
    }

    /// Takes in the answer of a server; none is an error.
    pub(super) fn take_in(
        &mut self,
        member: usize,
        name: &str,
        result: Option<Raw<'_>>,
        text: &str,
    ) -> Joined {
        let entries: usize = self.parts.iter().map(|part| part.entries.len()).sum();
        let bytes: usize = self.parts.iter().map(|part| part.bytes).sum();
        let (kind, request) = (self.kind, &self.request);
        let Some(part) = self.parts.iter_mut().find(|part| part.member == member) else {
            return Joined::Waits;
        };
        let next = match (kind, result) {
            (_, None) => Err(refused(text)),
            (Kind::List(list), Some(result)) if entries < MOST_ENTRIES && bytes < MOST_BYTES => {
                part.page(list, name, result)
            }
            (Kind::List(_), Some(_)) => Err("all lists together are too long".to_owned()),
            (_, Some(result)) => {
                part.result = serde_json::from_str(result.get()).ok();
                Ok(None)
            }
        };
        match next {
            Ok(Some(cursor)) if part.pages < MOST_PAGES => match next_page(request, &cursor) {
                Ok(text) => return Joined::More(text),
                Err(reason) => part.failed = Some(reason),
            },
            Ok(Some(_)) => part.failed = Some("its list has no end".to_owned()),
            Ok(None) => {}
            Err(reason) => part.failed = Some(reason),
        }
        part.is_done = true;
        if self.is_done() { Joined::Done } else { Joined::Waits }
    }

    /// What the client is told, and what the hub learns.
    pub(super) fn finish(self, names: &[String], state: &mut State) -> Finished {
        let name = |member: usize| names.get(member).map_or("", String::as_str);
        let failed = |part: &Part| {
            let reason = part.failed.as_ref()?;
            Some(format!("the server `{}` has no part in an answer: {reason}", name(part.member)))
        };
        let notes = self.parts.iter().filter_map(failed).collect();
        let result = match self.kind {
            Kind::Told => Ok("{}".to_owned()),
            Kind::List(list) => {
                let mut texts = Vec::new();
                let kind = match self.parts.iter().any(|part| part.says_its_kind) {
                    true => ",\"resultType\":\"complete\"",
                    false => "",
                };
                for part in self.parts {
                    for (own, text) in part.entries {
                        match list.key {
                            "resources" => state.has_resource(own, part.member),
                            "resourceTemplates" => state.has_template(&own, part.member),
                            _ => {}
                        }
                        texts.push(text);
                    }
                }
                Ok(format!("{{\"{}\":[{}]{kind}}}", list.key, texts.join(",")))
            }
            Kind::Introduction => {
                let mut said = Vec::new();
                for part in &self.parts {
                    let result = part.result.as_ref().filter(|_| part.failed.is_none());
                    match result {
                        Some(result) => {
                            state.says(part.member, result.get("capabilities"));
                            said.push((name(part.member), result));
                        }
                        None => state.says(part.member, Some(&Value::Object(Default::default()))),
                    }
                }
                merge::introductions(&said).map(|result| result.to_string())
            }
        };
        Finished { result, notes }
    }
}

impl Part {
    /// Takes in a page; the cursor of the next one.
    fn page(
        &mut self,
        list: List,
        server: &str,
        result: Raw<'_>,
    ) -> Result<Option<String>, String> {
        self.pages = self.pages.saturating_add(1);
        let page = Object::read(result.get())?;
        self.says_its_kind |= page.get("resultType").is_some();
        let entries: Vec<Raw<'_>> = match page.get(list.key) {
            Some(raw) => serde_json::from_str(raw.get()).map_err(|error| error.to_string())?,
            None => Vec::new(),
        };
        for entry in entries {
            let fields = Object::read(entry.get())?;
            let own = fields.text(list.name).ok_or("an entry has no name")?;
            let text = match list.name {
                "name" => fields.with("name", &prefixed(server, &own)),
                _ => entry.get().to_owned(),
            };
            self.bytes = self.bytes.saturating_add(text.len());
            self.entries.push((own.into_owned(), text));
        }
        let cursor = page.get("nextCursor").filter(|cursor| cursor.get() != "null");
        Ok(cursor.map(|cursor| cursor.get().to_owned()))
    }
}

/// The request for the next page.
fn next_page(request: &str, cursor: &str) -> Result<String, String> {
    let message = Object::read(request)?;
    let params = match message.get("params") {
        Some(params) => Object::read(params.get())?.set("cursor", cursor),
        None => format!("{{\"cursor\":{cursor}}}"),
    };
    Ok(message.set("params", &params))
}

/// The message of an error.
fn refused(text: &str) -> String {
    let message = Object::read(text).ok().and_then(|message| message.get("error"));
    let error = message.and_then(|error| Object::read(error.get()).ok());
    let message = error.and_then(|error| error.text("message"));
    message.map_or_else(|| "an error".to_owned(), Cow::into_owned)
}
