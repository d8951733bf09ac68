//! The outermost level of a JSON object, its values as they were written.
//!
//! Readers disagree on which of two equal keys counts, and some take keys in any case for the same.
//! What was judged must be what is used, so an object with such keys is refused where it is read
//! here. What lies deeper and is judged is read by [`ringfence_guard::strict_json`].

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use smallvec::SmallVec;

/// A JSON value as it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Its text.
    pub(crate) fn get(self) -> &'a str {
        self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Raw<'a>, D::Error> {
        <&RawValue>::deserialize(reader).map(|value| Raw(value.get()))
    }
}

/// An object's fields in their order.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    fields: Fields<'a>,
}

/// Messages and what they consist of rarely have more.
type Fields<'a> = SmallVec<[(Cow<'a, str>, Raw<'a>); 4]>;

impl<'a> Object<'a> {
    /// Reads a text that is one object; the error is a sentence for its author.
    pub(crate) fn read(text: &'a str) -> Result<Object<'a>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The value of a field.
    pub(crate) fn get(&self, key: &str) -> Option<Raw<'a>> {
        self.fields.iter().find(|(own, _)| own == key).map(|(_, value)| *value)
    }

    /// The values of all fields.
    pub(crate) fn values(&self) -> impl Iterator<Item = Raw<'a>> {
        self.fields.iter().map(|(_, value)| *value)
    }

    /// Returns the value of a field that is a text.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        let Characters(text) = serde_json::from_str(self.get(key)?.get()).ok()?;
        Some(text)
    }

    /// Returns a key that some readers take for one of these, though it is spelt otherwise.
    pub(crate) fn lookalike(&self, known: &[&str]) -> Option<&str> {
        let is_odd =
            |key: &&str| !known.contains(key) && known.iter().any(|own| is_alike(own, key));
        self.fields.iter().map(|(key, _)| &**key).find(is_odd)
    }

    /// The object written anew, with another value for one field.
    pub(crate) fn with(&self, key: &str, value: &str) -> String {
        let fields = self
            .fields
            .iter()
            .map(|(own, old)| (&**own, if own == key { value } else { old.get() }));
        write(fields)
    }

    /// The object written anew, without some fields.
    pub(crate) fn without(&self, keys: &[&str]) -> String {
        let fields = self.fields.iter().filter(|(own, _)| !keys.contains(&&**own));
        write(fields.map(|(own, value)| (&**own, value.get())))
    }

    /// As `with`; the field is added where there is none.
    pub(crate) fn set(&self, key: &str, value: &str) -> String {
        if self.get(key).is_some() {
            return self.with(key, value);
        }
        let fields = self.fields.iter().map(|(own, old)| (&**own, old.get()));
        write(fields.chain([(key, value)]))
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Object<'de>, D::Error> {
        let fields = reader.deserialize_map(Entries)?;
        Ok(Object { fields })
    }
}

fn write<'t>(fields: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    let mut text = String::from("{");
    for (position, (key, value)) in fields.enumerate() {
        if position > 0 {
            text.push(',');
        }
        text.push_str(&serde_json::Value::from(key).to_string());
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

/// Returns whether readers that do not mind the case take two keys for the same: `paramſ` is `params`
/// to them.
fn is_alike(one: &str, other: &str) -> bool {
    match one.is_ascii() && other.is_ascii() {
        true => one.eq_ignore_ascii_case(other),
        false => folded(one).eq(folded(other)),
    }
}

/// Returns the characters of a key in one case.
fn folded(key: &str) -> impl Iterator<Item = char> {
    key.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(Characters(key)) = map.next_key()? {
            if fields.len() >= MOST_FIELDS {
                return Err(A::Error::custom("there are too many keys"));
            }
            if fields.iter().any(|(own, _)| is_alike(own, &key)) {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            fields.push((key, map.next_value()?));
        }
        Ok(fields)
    }
}

/// The characters of a JSON string, borrowed from the message unless an escape stands in it.
struct Characters<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Characters<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Characters<'a>, D::Error> {
        reader.deserialize_str(Borrowing).map(Characters)
    }
}

struct Borrowing;

impl<'de> Visitor<'de> for Borrowing {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// The objects that are read here have a handful of keys; each is compared with all before it.
const MOST_FIELDS: usize = 256;

#[cfg(test)]
#[path = "object_tests.rs"]
mod tests;
