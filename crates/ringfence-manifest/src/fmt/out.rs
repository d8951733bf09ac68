//! A document that is about to be written.

/// A value to write.
#[derive(Debug, Clone)]
pub(crate) enum Out {
    Text(String),
    Bool(bool),
    Number(i64),
    /// A date, which TOML writes without quotes.
    Date(String),
    /// A test's input.
    Json(serde_json::Value),
    List(Vec<Item>),
    Table(Vec<Pair>),
}

/// An entry of a list, with the comments above it.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) above: Vec<String>,
    pub(crate) value: Out,
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) key: String,
    pub(crate) value: Out,
}

impl Out {
    pub(crate) fn text(text: impl Into<String>) -> Out {
        Out::Text(text.into())
    }

    /// A list of texts; one alone stands without brackets.
    pub(crate) fn texts(texts: impl IntoIterator<Item = String>) -> Out {
        let mut texts: Vec<String> = texts.into_iter().collect();
        match (texts.pop(), texts.is_empty()) {
            (Some(only), true) => Out::Text(only),
            (last, _) => {
                texts.extend(last);
                Out::list(texts.into_iter().map(Out::Text))
            }
        }
    }

    pub(crate) fn list(values: impl IntoIterator<Item = Out>) -> Out {
        let item = |value| Item { above: Vec::new(), value };
        Out::List(values.into_iter().map(item).collect())
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Out::List(items) => items.is_empty(),
            Out::Table(pairs) => pairs.is_empty(),
            _ => false,
        }
    }
}

impl Pair {
    pub(crate) fn new(key: impl Into<String>, value: Out) -> Pair {
        Pair { key: key.into(), value }
    }
}
