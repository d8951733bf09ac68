//! Values that may be written in more than one form.
//!
//! serde's own untagged enums try one form after the other and forget where they stood; these
//! look at the value once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::de::Spanned;

/// Text, or a table that says more.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum TextOr<T> {
    /// The short form.
    Text(String),
    /// The long form.
    // Apart, because it is large and rare.
    Table(Box<T>),
}

/// A list of rules, or a table of sections.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum ListOr<L, T> {
    /// Rules, one after the other.
    List(Vec<L>),
    /// Sections.
    Table(T),
}

/// Everything, a list of rules, or a table of names or sections.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum AllOr<L, T> {
    /// `true`: everything.
    All(#[schemars(with = "True")] ()),
    /// Rules, one after the other.
    List(Vec<L>),
    /// Names or sections.
    Table(T),
}

/// The shape of `true`.
struct True;

impl JsonSchema for True {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "True".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "const": true })
    }
}

/// Text, a table that says more, or a list.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum AnyForm<T, L> {
    /// The short form.
    Text(String),
    /// The long form.
    // Apart, because it is large and rare.
    Table(Box<T>),
    /// Several that belong together.
    List(Vec<L>),
}

/// A table whose keys are names; each name keeps its place.
#[derive(Debug, Clone)]
pub(crate) struct Names<V>(pub(crate) Vec<(Spanned<String>, V)>);

/// How a value is made from each form in which it may be written.
pub(super) trait FromForms<'de>: Sized {
    const EXPECTED: &'static str;

    fn from_flag<E: Error>(flag: bool) -> Result<Self, E> {
        Err(E::invalid_type(Unexpected::Bool(flag), &Self::EXPECTED))
    }

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        Err(E::invalid_type(Unexpected::Str(text), &Self::EXPECTED))
    }

    fn from_list<A: SeqAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, &Self::EXPECTED))
    }

    fn from_table<A: MapAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Map, &Self::EXPECTED))
    }
}

struct FormVisitor<V>(PhantomData<V>);

impl<'de, V: FromForms<'de>> Visitor<'de> for FormVisitor<V> {
    type Value = V;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(V::EXPECTED)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<V, E> {
        V::from_flag(flag)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V, E> {
        V::from_text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V, A::Error> {
        V::from_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<V, A::Error> {
        V::from_table(table)
    }
}

pub(super) fn read_form<'de, V: FromForms<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<V, D::Error> {
    deserializer.deserialize_any(FormVisitor(PhantomData))
}

pub(super) fn list<'de, L: Deserialize<'de>, A: SeqAccess<'de>>(
    items: A,
) -> Result<Vec<L>, A::Error> {
    Vec::deserialize(SeqAccessDeserializer::new(items))
}

fn table<'de, T: Deserialize<'de>, A: MapAccess<'de>>(entries: A) -> Result<T, A::Error> {
    T::deserialize(MapAccessDeserializer::new(entries))
}

impl<'de, T: Deserialize<'de>> FromForms<'de> for TextOr<T> {
    const EXPECTED: &'static str = "text or a table";

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        Ok(TextOr::Text(text.to_owned()))
    }

    fn from_table<A: MapAccess<'de>>(entries: A) -> Result<Self, A::Error> {
        table(entries).map(Box::new).map(TextOr::Table)
    }
}

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> FromForms<'de> for ListOr<L, T> {
    const EXPECTED: &'static str = "a list or a table of sections";

    fn from_list<A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        list(items).map(ListOr::List)
    }

    fn from_table<A: MapAccess<'de>>(entries: A) -> Result<Self, A::Error> {
        table(entries).map(ListOr::Table)
    }
}

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> FromForms<'de> for AllOr<L, T> {
    const EXPECTED: &'static str = "a list, a table or `true`";

    fn from_flag<E: Error>(flag: bool) -> Result<Self, E> {
        match flag {
            true => Ok(AllOr::All(())),
            false => Err(E::invalid_type(Unexpected::Bool(flag), &Self::EXPECTED)),
        }
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        list(items).map(AllOr::List)
    }

    fn from_table<A: MapAccess<'de>>(entries: A) -> Result<Self, A::Error> {
        table(entries).map(AllOr::Table)
    }
}

impl<'de, T: Deserialize<'de>, L: Deserialize<'de>> FromForms<'de> for AnyForm<T, L> {
    const EXPECTED: &'static str = "text, a table or a list";

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        Ok(AnyForm::Text(text.to_owned()))
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        list(items).map(AnyForm::List)
    }

    fn from_table<A: MapAccess<'de>>(entries: A) -> Result<Self, A::Error> {
        table(entries).map(Box::new).map(AnyForm::Table)
    }
}

impl<'de, V: Deserialize<'de>> FromForms<'de> for Names<V> {
    const EXPECTED: &'static str = "a table";

    fn from_table<A: MapAccess<'de>>(mut entries: A) -> Result<Self, A::Error> {
        let mut names = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            names.push(entry);
        }
        Ok(Names(names))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for ListOr<L, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for AllOr<L, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Names<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<'de, T: Deserialize<'de>, L: Deserialize<'de>> Deserialize<'de> for AnyForm<T, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<V: JsonSchema> JsonSchema for Names<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("TableOf{}", V::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, V>::json_schema(generator)
    }
}
