//! One text or several.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, SeqAccess};
use serde::{Deserialize, Deserializer};

use super::forms::{FromForms, list, read_form};
use crate::de::Spanned;

/// One text, or a list of them.
#[derive(Debug, Clone)]
pub(crate) struct Texts(pub(crate) Vec<Spanned<String>>);

/// One text or several, before the place of the one is joined to it.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
enum OneOrMany {
    One(String),
    Many(Vec<Spanned<String>>),
}

impl<'de> FromForms<'de> for OneOrMany {
    const EXPECTED: &'static str = "text or a list of texts";

    fn from_text<E: Error>(text: &str) -> Result<Self, E> {
        Ok(OneOrMany::One(text.to_owned()))
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        list(items).map(OneOrMany::Many)
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_form(deserializer)
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, span } = Spanned::<OneOrMany>::deserialize(deserializer)?;
        Ok(Texts(match value {
            OneOrMany::One(value) => vec![Spanned { value, span }],
            OneOrMany::Many(texts) => texts,
        }))
    }
}

impl JsonSchema for Texts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Texts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        OneOrMany::json_schema(generator)
    }
}
