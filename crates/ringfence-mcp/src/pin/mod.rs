//! Pinned definitions of tools and prompts, and what a server tells models about itself.
//!
//! What a model is told about a tool steers it as much as what the tool does. A definition is pinned
//! when it is first seen. One that differs from its pin, hides something, or takes the place of
//! another server's is withheld until a person has looked at it. Resources come and go and change
//! what is said about them, so they are not pinned; of them only what hides something is withheld.

mod diff;
mod file;
mod hidden;
pub(crate) mod instructions;
mod shadow;

use std::borrow::Cow;
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

/// What a definition is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource, or a template of some.
    Resource,
    /// A server's instructions for models; a server has them once, without a name.
    Instructions,
}

impl Kind {
    /// Its name among all that a server has: `prompt:NAME` and `resource:URI`, as rules write it, and
    /// `server:instructions`.
    pub fn key(self, name: &str) -> Cow<'_, str> {
        match self {
            Kind::Tool => Cow::Borrowed(name),
            Kind::Prompt => Cow::Owned(format!("prompt:{name}")),
            Kind::Resource => Cow::Owned(format!("resource:{name}")),
            Kind::Instructions => Cow::Borrowed("server:instructions"),
        }
    }
}

/// The pins of all servers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// By server and [key](Kind::key).
    pub servers: BTreeMap<String, BTreeMap<String, Pin>>,
}

/// What is known of one definition.
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
    pub fn meet(
        &mut self,
        server: &str,
        kind: Kind,
        name: &str,
        definition: &Value,
    ) -> Vec<String> {
        let key = kind.key(name);
        let because = self.objections(server, kind, &key, definition);
        let known = self.servers.entry(server.to_owned()).or_default();
        match (because.is_empty(), kind) {
            // What is not said any more needs nobody's look; what was pinned may come back.
            (true, Kind::Instructions) if instructions::is_none(definition) => {
                let pin = known.entry(key.into_owned()).or_default();
                pin.pinned.get_or_insert_with(|| definition.clone());
                pin.offered = None;
            }
            (true, Kind::Resource) => match known.get_mut(&*key) {
                // One that was accepted stays so; of others nothing is kept.
                Some(pin) if pin.pinned.as_ref() == Some(definition) => pin.offered = None,
                _ => drop(known.remove(&*key)),
            },
            (true, Kind::Tool | Kind::Prompt | Kind::Instructions) => {
                let pin = Pin { pinned: Some(definition.clone()), offered: None };
                known.insert(key.into_owned(), pin);
            }
            (false, _) => {
                let offer = Offer { definition: definition.clone(), because: because.clone() };
                known.entry(key.into_owned()).or_default().offered = Some(offer);
            }
        }
        because
    }

    /// What is to be looked at before a model is shown a definition.
    fn objections(&self, server: &str, kind: Kind, key: &str, definition: &Value) -> Vec<String> {
        let pinned = self.get(server, key).and_then(|pin| pin.pinned.as_ref());
        let is_said = kind != Kind::Instructions || !instructions::is_none(definition);
        if pinned == Some(definition) || !is_said {
            return Vec::new();
        }
        let hidden = hidden::find(definition).or_else(|| hidden::odd_name(kind, key));
        let (changed, shadow) = match (kind, pinned) {
            (Kind::Resource, _) => (None, None),
            (_, Some(_)) => (Some("it has changed".to_owned()), None),
            (_, None) => (None, shadow::find(self, server, kind, key, definition)),
        };
        changed.into_iter().chain(hidden).chain(shadow).collect()
    }

    /// What is known of a definition, by its [key](Kind::key).
    pub fn get(&self, server: &str, key: &str) -> Option<&Pin> {
        self.servers.get(server)?.get(key)
    }

    /// The definitions of a server that wait for a person.
    pub fn offers(&self, server: &str) -> impl Iterator<Item = (&str, &Pin, &Offer)> {
        let known = self.servers.get(server).into_iter().flatten();
        known.filter_map(|(name, pin)| Some((name.as_str(), pin, pin.offered.as_ref()?)))
    }

    /// Pins a definition that a person has looked at; whether it still waited.
    pub fn accept(&mut self, server: &str, key: &str, definition: &Value) -> bool {
        let known = self.servers.get_mut(server);
        let Some(pin) = known.and_then(|known| known.get_mut(key)) else { return false };
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
