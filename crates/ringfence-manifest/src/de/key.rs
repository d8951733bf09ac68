//! The serde side of a key.

use serde::Deserializer;
use serde::de::Visitor;
use serde::de::value::BorrowedStrDeserializer;
use serde::forward_to_deserialize_any;

use super::error::ReadError;
use super::spanned::{self, WithSpan};
use crate::text::Span;

/// Reads one key.
#[derive(Clone, Copy)]
pub(super) struct KeyReader<'n> {
    pub(super) key: &'n str,
    pub(super) span: Span,
}

impl<'n> Deserializer<'n> for KeyReader<'n> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_borrowed_str(self.key)
    }

    fn deserialize_enum<V: Visitor<'n>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.key))
    }

    fn deserialize_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match name {
            spanned::SPANNED => visitor.visit_map(WithSpan::new(self, self.span)),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'n>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}
