//! JSON with comments.

use super::{comments, quoted};
use crate::fmt::out::{Out, Pair};
use crate::text::Format;

pub(super) fn table(text: &mut String, pairs: &[Pair]) {
    text.push_str("{\n");
    for (at, pair) in pairs.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ",\n" });
        text.push_str(&quoted(&pair.key));
        text.push_str(": ");
        value(text, &pair.value);
    }
    text.push_str("\n}\n");
}

fn value(text: &mut String, value: &Out) {
    match value {
        Out::Text(value) | Out::Date(value) => text.push_str(&quoted(value)),
        Out::Bool(flag) => text.push_str(&flag.to_string()),
        Out::Number(number) => text.push_str(&number.to_string()),
        Out::Json(value) => text.push_str(&value.to_string()),
        Out::Table(pairs) => table(text, pairs),
        Out::List(items) => {
            text.push_str("[\n");
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ",\n" });
                comments(text, Format::Json, &item.above, "");
                self::value(text, &item.value);
            }
            text.push_str("\n]");
        }
    }
}
