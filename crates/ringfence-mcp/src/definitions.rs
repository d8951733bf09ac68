//! The definitions of one server, as this gateway has met them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ringfence_exec::ApprovalQuestion;
use ringfence_guard::redact::visible;
use ringfence_guard::{Refusal, strict_json};
use serde_json::Value;

use crate::object::Raw;
use crate::pin::{Change, Kind, PinStore, Pins, diff, instructions};

/// Looks at definitions before a model is shown them.
pub(crate) struct Definitions {
    store: Arc<dyn PinStore>,
    server: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What no model is shown, and why, by its key.
    withheld: HashMap<String, Withheld>,
    /// What a person agreed to for as long as this gateway runs.
    agreed: HashMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
struct Withheld {
    definition: Value,
    because: String,
}

/// The most lines of a difference that stand in a question; `ringfence mcp diff` has all.
const SHOWN: usize = 12;

impl Definitions {
    pub(crate) fn new(store: Arc<dyn PinStore>, server: &str) -> Definitions {
        Definitions { store, server: server.to_owned(), state: Mutex::default() }
    }

    /// Begins to look at a list.
    pub(crate) fn look(&self, kind: Kind) -> Result<Look<'_>, String> {
        let pins = self.store.load()?;
        Ok(Look {
            own: self,
            kind,
            before: pins.clone(),
            pins,
            met: BTreeMap::new(),
            seen: HashSet::new(),
        })
    }

    /// Looks at a server's instructions, where it has any: whether they are withheld, and what a
    /// person is to be asked.
    pub(crate) fn instructions(&self, said: Option<Value>) -> Result<(bool, Option<News>), String> {
        let mut look = self.look(Kind::Instructions)?;
        let withheld = look.weighs("", instructions::definition(said));
        Ok((withheld, look.finish()?))
    }

    /// Whether any definition waits for a person.
    pub(crate) fn withholds_any(&self) -> bool {
        !self.state().withheld.is_empty()
    }

    /// The refusal of what nobody has looked at yet: its definition is withheld.
    pub(crate) fn refusal(&self, kind: Kind, name: &str) -> Option<Refusal> {
        let key = &*kind.key(name);
        let what = if kind == Kind::Tool { "tool" } else { "prompt" };
        let reason = match self.waits(key) {
            Some(because) => {
                format!("the definition of this {what} waits for a person: {because}")
            }
            None => {
                let because = self.waits(&Kind::Instructions.key(""))?;
                format!("the instructions of this server wait for a person: {because}")
            }
        };
        let name = format!("mcp__{}__{key}", self.server);
        let hint = format!(
            "Ask the user to look at it with `ringfence mcp diff {0}`, and to run `ringfence mcp accept {0}` in a terminal.",
            self.server
        );
        Some(Refusal::needs_review(&name, &reason, hint))
    }

    /// Why a definition waits, if it still does.
    fn waits(&self, key: &str) -> Option<String> {
        let withheld = self.state().withheld.get(key).cloned()?;
        let pins = self.store.load().unwrap_or_default();
        let pin = pins.get(&self.server, key);
        if pin.is_some_and(|pin| pin.pinned.as_ref() == Some(&withheld.definition)) {
            self.state().withheld.remove(key);
            return None;
        }
        Some(withheld.because)
    }

    /// A person agreed to these definitions.
    pub(crate) fn agree(&self, definitions: Vec<(String, Value)>) {
        let mut state = self.state();
        for (tool, definition) in definitions {
            if state.withheld.get(&tool).is_some_and(|own| own.definition == definition) {
                state.withheld.remove(&tool);
            }
            state.agreed.insert(tool, definition);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A list that is being looked at.
pub(crate) struct Look<'a> {
    own: &'a Definitions,
    kind: Kind,
    before: Pins,
    pins: Pins,
    /// What the list has, with what is to be looked at before it is shown.
    met: BTreeMap<String, (Value, Vec<String>)>,
    seen: HashSet<String>,
}

/// Definitions that were withheld just now.
pub(crate) struct News {
    pub(crate) question: ApprovalQuestion,
    pub(crate) definitions: Vec<(String, Value)>,
}

impl Look<'_> {
    /// Whether an entry is withheld.
    pub(crate) fn withholds(&mut self, name: &str, entry: Raw<'_>) -> bool {
        // Of two with one name, nobody knows which is called. A resource is read by its name alone.
        if !self.seen.insert(name.to_owned()) && self.kind != Kind::Resource {
            return true;
        }
        let Ok(definition) = strict_json::read(entry.get()) else { return true };
        self.weighs(name, definition)
    }

    fn weighs(&mut self, name: &str, definition: Value) -> bool {
        if self.own.state().agreed.get(&*self.kind.key(name)) == Some(&definition) {
            return false;
        }
        let because = self.pins.meet(&self.own.server, self.kind, name, &definition);
        let withheld = !because.is_empty();
        self.met.insert(name.to_owned(), (definition, because));
        withheld
    }

    /// Writes down what was met; what a person is to be asked about, where it is new.
    pub(crate) fn finish(self) -> Result<Option<News>, String> {
        let Look { own, kind, before, pins, met, .. } = self;
        if pins != before {
            let mut again = |pins: &mut Pins| {
                for (name, (definition, _)) in &met {
                    pins.meet(&own.server, kind, name, definition);
                }
            };
            own.store.change(&mut again)?;
        }
        let mut state = own.state();
        let mut news = Vec::new();
        for (name, (definition, because)) in met {
            let key = kind.key(&name).into_owned();
            if because.is_empty() {
                state.withheld.remove(&key);
                continue;
            }
            let because = because.join("; ");
            let withheld = Withheld { definition: definition.clone(), because: because.clone() };
            if state.withheld.insert(key.clone(), withheld.clone()) != Some(withheld) {
                news.push((key, definition, because));
            }
        }
        drop(state);
        Ok((!news.is_empty()).then(|| own.news(news, &pins)))
    }
}

impl Definitions {
    fn news(&self, news: Vec<(String, Value, String)>, pins: &Pins) -> News {
        let names: Vec<String> =
            news.iter().map(|(tool, ..)| format!("`{}`", visible(tool))).collect();
        let mut lines = Vec::new();
        for (tool, definition, because) in &news {
            lines.push(format!("`{}`: {because}", visible(tool)));
            let old = pins.get(&self.server, tool).and_then(|pin| pin.pinned.as_ref());
            if old.is_some() {
                lines.extend(diff(old, definition).iter().map(line));
            }
        }
        let more = lines.len() > SHOWN;
        lines.truncate(SHOWN);
        if more {
            lines.push(format!("… `ringfence mcp diff {}` shows all of it", self.server));
        }
        let exact = news.iter().map(|(tool, definition, _)| format!("{tool} {definition}"));
        let question = ApprovalQuestion {
            what: format!("show the model {}", names.join(", ")),
            pattern: None,
            exact_pattern: None,
            program: format!("the MCP server `{}`", self.server),
            why: lines.join("\n"),
            exact: exact.collect::<Vec<_>>().join("\n"),
            deed: None,
            refusal: None,
        };
        let definitions = news.into_iter().map(|(tool, definition, _)| (tool, definition));
        News { question, definitions: definitions.collect() }
    }
}

fn line(change: &Change) -> String {
    match change {
        Change::At(place) => format!("  {place}"),
        Change::Gone(line) => format!("  - {line}"),
        Change::New(line) => format!("  + {line}"),
    }
}

#[cfg(test)]
#[path = "definitions_tests.rs"]
pub(crate) mod tests;
