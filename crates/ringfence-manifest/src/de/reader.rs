//! The serde side of a node.

use serde::Deserializer;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::State;
use super::access::{Entries, Items};
use super::error::ReadError;
use super::spanned::{self, WithSpan};
use crate::node::{Node, Value};

/// Reads one node; errors get its place unless a place further in is known.
#[derive(Clone, Copy)]
pub(super) struct Reader<'n, 's> {
    pub(super) node: &'n Node<'n>,
    pub(super) state: &'s State,
}

impl<'n> Reader<'n, '_> {
    fn visit<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Date(_) => Err(ReadError::invalid_type(Unexpected::Other("a date"), &visitor)),
            Value::List(items) => visitor.visit_seq(Items::new(items, self.state)),
            Value::Table(entries) => visitor.visit_map(Entries::new(entries, self.state)),
        }
    }

    fn variant(self) -> Result<&'n str, ReadError> {
        match &self.node.value {
            Value::Text(text) => Ok(text),
            _ => Err(ReadError::custom(format!("expected text, found {}", self.node.sort()))),
        }
    }
}

impl<'n> Deserializer<'n> for Reader<'n, '_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.visit(visitor).map_err(|error| error.at(self.node.span))
    }

    /// Nothing (`null`, `~`) is a value of its own: it never stands for a key that is not there.
    fn deserialize_option<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'n>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.variant()
            .and_then(|text| visitor.visit_enum(BorrowedStrDeserializer::new(text)))
            .map_err(|error| error.at(self.node.span))
    }

    fn deserialize_newtype_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if name != spanned::DATED {
            return visitor.visit_newtype_struct(self);
        }
        match &self.node.value {
            Value::Date(text) | Value::Text(text) => visitor.visit_borrowed_str(text),
            _ => self.visit(visitor),
        }
        .map_err(|error| error.at(self.node.span))
    }

    fn deserialize_struct<V: Visitor<'n>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match &self.node.value {
            _ if name == spanned::SPANNED => visitor.visit_map(WithSpan::new(self, self.node.span)),
            // serde would take a list for the values of a table's keys in their order.
            Value::List(_) => Err(ReadError::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.visit(visitor),
        }
        .map_err(|error| error.at(self.node.span))
    }

    forward_to_deserialize_any! {
        <V: Visitor<'n>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}
