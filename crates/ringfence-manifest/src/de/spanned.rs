//! Values that remember where they stand.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use ringfence_core::Date;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{BorrowedStrDeserializer, UsizeDeserializer};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::ReadError;
use crate::text::Span;

/// The names by which readers know what is asked of them.
pub(super) const SPANNED: &str = "$ringfence::spanned";
pub(super) const DATED: &str = "$ringfence::dated";
const FIELDS: [&str; 3] = ["start", "end", "value"];

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(SPANNED, &FIELDS, SpannedVisitor(PhantomData))
    }
}

struct SpannedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
    type Value = Spanned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with its place")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Spanned<T>, A::Error> {
        let mut number = || match map.next_entry::<IgnoredAny, usize>()? {
            Some((_, number)) => Ok(number),
            None => Err(A::Error::custom("a value without its place")),
        };
        let (start, end) = (number()?, number()?);
        match map.next_entry::<IgnoredAny, T>()? {
            Some((_, value)) => Ok(Spanned { value, span: Span::new(start, end) }),
            None => Err(A::Error::custom("a place without its value")),
        }
    }
}

/// A place and what stands there, as the entries of a table.
pub(super) struct WithSpan<D> {
    inner: Option<D>,
    span: Span,
    given: usize,
}

impl<D> WithSpan<D> {
    pub(super) fn new(inner: D, span: Span) -> Self {
        WithSpan { inner: Some(inner), span, given: 0 }
    }
}

impl<'n, D: Deserializer<'n, Error = ReadError>> MapAccess<'n> for WithSpan<D> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'n>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let Some(field) = FIELDS.get(self.given) else { return Ok(None) };
        self.given = self.given.saturating_add(1);
        seed.deserialize(BorrowedStrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'n>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        match (self.given, self.inner.take()) {
            (1, inner) => {
                self.inner = inner;
                seed.deserialize(UsizeDeserializer::new(self.span.start))
            }
            (2, inner) => {
                self.inner = inner;
                seed.deserialize(UsizeDeserializer::new(self.span.end))
            }
            (_, Some(inner)) => seed.deserialize(inner),
            (_, None) => Err(ReadError::custom("a value that was read before")),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A calendar date: TOML's own, or text of the form `2027-03-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dated(pub(crate) Date);

impl<'de> Deserialize<'de> for Dated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(DATED, DatedVisitor)
    }
}

struct DatedVisitor;

impl Visitor<'_> for DatedVisitor {
    type Value = Dated;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date of the form `2027-03-01`")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Dated, E> {
        text.parse().map(Dated).map_err(E::custom)
    }
}

impl JsonSchema for Dated {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}
