//! Pinned definitions of tools.
//!
//! What a model is told about a tool steers it as much as what the tool does. A definition is pinned
//! when it is first seen. One that differs from its pin, hides something, or takes the place of
//! another server's tool is withheld until a person has looked at it.

mod diff;
mod file;
mod hidden;
mod shadow;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use diff::{Change, diff};
pub use file::PinFile;

/// Where pins are kept. Errors are words for a message.
pub trait PinStore: Send + Sync {
    /// All pins.
    fn load(&self) -> Result<Pins, String>;

    /// Changes them, while nobody else does.
    fn change(&self, change: &mut dyn FnMut(&mut Pins)) -> Result<(), String>;
}

/// The pins of all servers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// By server and tool.
    pub servers: BTreeMap<String, BTreeMap<String, Pin>>,
}

/// What is known of one tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The definition that models are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<Value>,
    /// The definition that waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<Offer>,
}

/// A definition that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The definition.
    pub definition: Value,
    /// What is to be looked at, in sentences.
    pub because: Vec<String>,
}

impl Pins {
    /// Meets a definition: pins one that is new, and says what is to be looked at before a model is
    /// shown this one.
    pub fn meet(&mut self, server: &str, tool: &str, definition: &Value) -> Vec<String> {
        let pinned = self.get(server, tool).and_then(|pin| pin.pinned.clone());
        let because = match &pinned {
            Some(pinned) if pinned == definition => Vec::new(),
            Some(_) => {
                let hidden = hidden::find(definition);
                std::iter::once("it has changed".to_owned()).chain(hidden).collect()
            }
            None => {
                let mut because: Vec<String> = hidden::find(definition).into_iter().collect();
                because.extend(shadow::find(self, server, tool, definition));
                because
            }
        };
        let tools = self.servers.entry(server.to_owned()).or_default();
        let pin = tools.entry(tool.to_owned()).or_default();
        match because.is_empty() {
            true => *pin = Pin { pinned: Some(definition.clone()), offered: None },
            false => {
                let offer = Offer { definition: definition.clone(), because: because.clone() };
                pin.offered = Some(offer);
            }
        }
        because
    }

    /// What is known of a tool.
    pub fn get(&self, server: &str, tool: &str) -> Option<&Pin> {
        self.servers.get(server)?.get(tool)
    }

    /// The definitions of a server that wait for a person.
    pub fn offers(&self, server: &str) -> impl Iterator<Item = (&str, &Pin, &Offer)> {
        let tools = self.servers.get(server).into_iter().flatten();
        tools.filter_map(|(name, pin)| Some((name.as_str(), pin, pin.offered.as_ref()?)))
    }

    /// Pins a definition that a person has looked at; whether it still waited.
    pub fn accept(&mut self, server: &str, tool: &str, definition: &Value) -> bool {
        let tools = self.servers.get_mut(server);
        let Some(pin) = tools.and_then(|tools| tools.get_mut(tool)) else { return false };
        let waits = pin.offered.as_ref().is_some_and(|offer| &offer.definition == definition);
        if waits {
            *pin = Pin { pinned: Some(definition.clone()), offered: None };
        }
        waits
    }
}

#[cfg(test)]
#[path = "pin_tests.rs"]
mod tests;
