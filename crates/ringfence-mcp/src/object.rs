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

/// An object's fields in their order.
#[derive(Debug)]
pub(crate) struct Object<'a>(Vec<Field<'a>>);

type Field<'a> = (Cow<'a, str>, &'a RawValue);

impl<'a> Object<'a> {
    /// Reads a text that is one object; the error is a sentence for its author.
    pub(crate) fn read(text: &'a str) -> Result<Object<'a>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The value of a field.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(own, _)| own == key).map(|(_, value)| *value)
    }

    /// The values of all fields.
    pub(crate) fn values(&self) -> impl Iterator<Item = &'a RawValue> {
        self.0.iter().map(|(_, value)| *value)
    }

    /// The value of a field that is a text.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        let json = self.get(key)?.get();
        let inside = json.strip_prefix('"')?.strip_suffix('"')?;
        match inside.contains('\\') {
            // Nothing in it is written out.
            false => Some(Cow::Borrowed(inside)),
            true => serde_json::from_str(json).ok().map(Cow::Owned),
        }
    }

    /// A key that some readers take for one of these, though it is spelt otherwise.
    pub(crate) fn lookalike(&self, known: &[&str]) -> Option<&str> {
        let is_odd = |key: &&str| !known.contains(key) && known.contains(&&*fold(key));
        self.0.iter().map(|(key, _)| &**key).find(is_odd)
    }

    /// The object written anew, with another value for one field.
    pub(crate) fn with(&self, key: &str, value: &str) -> String {
        let fields =
            self.0.iter().map(|(own, old)| (&**own, if own == key { value } else { old.get() }));
        write(fields)
    }

    /// The object written anew, without some fields.
    pub(crate) fn without(&self, keys: &[&str]) -> String {
        let fields = self.0.iter().filter(|(own, _)| !keys.contains(&&**own));
        write(fields.map(|(own, value)| (&**own, value.get())))
    }

    /// As `with`; the field is added where there is none.
    pub(crate) fn set(&self, key: &str, value: &str) -> String {
        if self.get(key).is_some() {
            return self.with(key, value);
        }
        let fields = self.0.iter().map(|(own, old)| (&**own, old.get()));
        write(fields.chain([(key, value)]))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Object<'a>, D::Error> {
        reader.deserialize_map(Fields).map(Object)
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

/// A key as readers see it that do not mind its case: `paramſ` is `params` to them.
fn fold(key: &str) -> Cow<'_, str> {
    if key.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(key);
    }
    key.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<Field<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<Field<'de>> = Vec::new();
        // As long as no key has anything to fold, keys are compared as they are.
        let mut is_plain = true;
        while let Some(Key(key)) = map.next_key()? {
            if fields.len() >= MOST_FIELDS {
                return Err(A::Error::custom("there are too many keys"));
            }
            let folded = fold(&key);
            is_plain &= matches!(folded, Cow::Borrowed(_));
            let stands_twice = match is_plain {
                true => fields.iter().any(|(own, _)| *own == key),
                false => fields.iter().any(|(own, _)| fold(own) == folded),
            };
            if stands_twice {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            fields.push((key, map.next_value()?));
        }
        Ok(fields)
    }
}

/// A key, borrowed from the message where it stands there as it is.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Key<'a>, D::Error> {
        reader.deserialize_str(Characters).map(Key)
    }
}

struct Characters;

impl<'de> Visitor<'de> for Characters {
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
