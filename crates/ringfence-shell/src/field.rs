//! Words of a command as a shell hands them to a program.

use ringfence_core::access::{Arg, Text, Unknown};

use crate::span::Span;

/// A word of a command after expansion, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What is known of it.
    pub text: FieldText,
    /// Where it stands.
    pub span: Span,
}

/// What is known of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldText {
    /// All of it.
    Known(Text),
    /// A pattern that becomes the names of files, or itself.
    Glob(String),
    /// Not all of it; rare, so that it may not make every word larger.
    Unknown(Box<Dynamic>),
}

/// A word that cannot be told before the line runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dynamic {
    /// What it surely begins with.
    pub prefix: String,
    /// What it surely ends with.
    pub suffix: String,
    /// As it is written.
    pub shown: String,
    /// Whether it may become several words, or none.
    pub many: bool,
    /// Whether it can only be an operand.
    pub operand: bool,
}

impl Field {
    /// A word that is known.
    pub fn known(text: impl Into<Text>, span: Span) -> Field {
        Field { text: FieldText::Known(text.into()), span }
    }

    /// A word of which nothing is known.
    pub fn unknown(shown: &str, many: bool, span: Span) -> Field {
        let shown = shown.to_owned();
        let dynamic = Dynamic { shown, many, ..Dynamic::default() };
        Field { text: FieldText::Unknown(Box::new(dynamic)), span }
    }

    /// The text, where all of it is known.
    pub fn as_known(&self) -> Option<&str> {
        match &self.text {
            FieldText::Known(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it may become several words, or none.
    pub(crate) fn is_many(&self) -> bool {
        match &self.text {
            FieldText::Known(_) => false,
            FieldText::Glob(_) => true,
            FieldText::Unknown(dynamic) => dynamic.many,
        }
    }

    /// What the word surely begins with.
    pub fn prefix(&self) -> &str {
        match &self.text {
            FieldText::Known(text) => text,
            FieldText::Glob(pattern) => {
                let end = pattern.find(['*', '?', '[', '\\']).unwrap_or(pattern.len());
                pattern.get(..end).unwrap_or_default()
            }
            FieldText::Unknown(dynamic) => &dynamic.prefix,
        }
    }

    /// The text for a person.
    pub fn shown(&self) -> &str {
        match &self.text {
            FieldText::Known(text) => text,
            FieldText::Glob(text) => text,
            FieldText::Unknown(dynamic) => &dynamic.shown,
        }
    }

    /// The word as the judge takes it; `operand` says that it can be nothing else here.
    pub fn to_arg(&self, operand: bool) -> Arg {
        match &self.text {
            FieldText::Known(text) => Arg::Known(text.clone()),
            FieldText::Glob(pattern) => {
                let shown = pattern.as_str().into();
                Arg::Unknown(Unknown { shown, operand: true, many: true })
            }
            FieldText::Unknown(dynamic) => {
                let plain = dynamic.prefix.chars().next().is_some_and(|first| first != '-');
                Arg::Unknown(Unknown {
                    shown: dynamic.shown.as_str().into(),
                    operand: operand || dynamic.operand || plain,
                    many: dynamic.many,
                })
            }
        }
    }

    /// The same word without its first bytes, which must be known.
    pub(crate) fn skip(&self, count: usize) -> Field {
        let cut = |text: &str| text.get(count..).unwrap_or_default().to_owned();
        let text = match &self.text {
            FieldText::Known(text) => {
                FieldText::Known(text.get(count..).unwrap_or_default().into())
            }
            FieldText::Glob(text) => FieldText::Glob(cut(text)),
            FieldText::Unknown(dynamic) => FieldText::Unknown(Box::new(Dynamic {
                prefix: cut(&dynamic.prefix),
                many: false,
                ..Dynamic::clone(dynamic)
            })),
        };
        Field { text, span: self.span }
    }
}
