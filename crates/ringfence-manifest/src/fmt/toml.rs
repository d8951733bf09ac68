//! TOML with normal spacing.

use toml_edit::{Array, DocumentMut, InlineTable, Item, KeyMut, RawString, Table, Value};

use super::lines::{Between, Line, between, squeeze, without_first_blank, write};
use super::{FEW, WIDTH};

const INDENT: usize = 4;

pub(super) fn fmt(text: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let mut first = true;
    table(document.as_table_mut(), &mut first);
    let trailing = lines_of(document.trailing());
    let trailing = if first { without_first_blank(trailing) } else { trailing };
    document.set_trailing(write(&without_last_blank(trailing), ""));
    let mut text = document.to_string();
    text.truncate(text.trim_end().len());
    if !text.is_empty() {
        text.push('\n');
    }
    Some(text)
}

/// The entries of a table; `first` says whether nothing stands above them.
fn table(table: &mut Table, first: &mut bool) {
    for (mut key, item) in table.iter_mut() {
        key.dotted_decor_mut().clear();
        match item {
            Item::Value(value) => {
                entry(&mut key, value, first);
                *first = false;
            }
            Item::Table(inner) if inner.is_dotted() => self::table(inner, first),
            Item::Table(inner) => {
                key.leaf_decor_mut().clear();
                header(inner, first);
            }
            Item::ArrayOfTables(tables) => {
                key.leaf_decor_mut().clear();
                tables.iter_mut().for_each(|inner| header(inner, first));
            }
            Item::None => {}
        }
    }
}

fn entry(key: &mut KeyMut<'_>, value: &mut Value, first: &bool) {
    let above = squeeze(lines_of(key.leaf_decor().prefix().unwrap_or(&RawString::default())));
    let above = if *first { without_first_blank(above) } else { above };
    let decor = key.leaf_decor_mut();
    decor.set_prefix(write(&above, ""));
    decor.set_suffix(" ");
    let after = comment_after(value.decor().suffix());
    value.decor_mut().set_prefix(" ");
    value.decor_mut().set_suffix(after);
    let used = key.display_repr().chars().count().saturating_add(3);
    layout(value, 0, used);
}

/// A table with a header: one blank line above it and its comments.
fn header(inner: &mut Table, first: &mut bool) {
    if !inner.is_implicit() {
        let empty = RawString::default();
        let above = squeeze(lines_of(inner.decor().prefix().unwrap_or(&empty)));
        let mut above = without_first_blank(above);
        if !*first {
            above.insert(0, Line::Blank);
        }
        let after = comment_after(inner.decor().suffix());
        inner.decor_mut().set_prefix(write(&above, ""));
        inner.decor_mut().set_suffix(after);
        *first = true;
    }
    table(inner, first);
    *first = false;
}

/// The comments and blank lines above an entry or header.
fn lines_of(text: &RawString) -> Vec<Line> {
    // The line before has ended already, so nothing can stand on it.
    between(&format!("\n{}", text.as_str().unwrap_or(""))).above
}

fn without_last_blank(mut lines: Vec<Line>) -> Vec<Line> {
    while lines.pop_if(|line| *line == Line::Blank).is_some() {}
    squeeze(lines)
}

fn comment_after(text: Option<&RawString>) -> String {
    match text.and_then(RawString::as_str).unwrap_or("").trim() {
        "" => String::new(),
        comment => format!(" {comment}"),
    }
}

/// Lays out a value that begins so many columns into its line.
fn layout(value: &mut Value, indent: usize, used: usize) {
    match value {
        Value::Array(array) => layout_array(array, indent, used),
        Value::InlineTable(table) => layout_inline(table),
        _ => {}
    }
}

fn layout_array(array: &mut Array, indent: usize, used: usize) {
    let inner = indent.saturating_add(INDENT);
    let (gaps, end) = gaps(array);
    for value in array.iter_mut() {
        value.decor_mut().set_prefix("");
        value.decor_mut().set_suffix("");
        layout(value, inner, inner);
    }
    let values: Vec<String> = array.iter().map(ToString::to_string).collect();
    let commented = end.after.is_some()
        || end
            .above
            .iter()
            .chain(gaps.iter().flat_map(|gap| &gap.above))
            .any(|l| *l != Line::Blank)
        || gaps.iter().any(|gap| gap.after.is_some());
    let width = values.iter().fold(used.saturating_add(2), |sum, value| {
        sum.saturating_add(value.chars().count()).saturating_add(2)
    });
    let tall = values.iter().any(|value| value.contains('\n'));
    if commented || tall || values.len() > FEW || width > WIDTH.saturating_add(2) {
        stack(array, inner, gaps, end);
    } else {
        array.iter_mut().skip(1).for_each(|value| value.decor_mut().set_prefix(" "));
        array.set_trailing_comma(false);
        array.set_trailing("");
    }
}

/// What stands before each value of an array, and before its end.
fn gaps(array: &Array) -> (Vec<Between>, Between) {
    let text = |raw: Option<&RawString>| raw.and_then(RawString::as_str).unwrap_or("").to_owned();
    let mut gaps = Vec::new();
    let mut pending = String::new();
    for value in array.iter() {
        pending.push_str(&text(value.decor().prefix()));
        gaps.push(between(&pending));
        // What stands before a comma is told together with what stands behind it.
        pending = text(value.decor().suffix());
    }
    pending.push_str(&text(Some(array.trailing())));
    pending.push('\n');
    (gaps, between(&pending))
}

/// One value per line.
fn stack(array: &mut Array, indent: usize, gaps: Vec<Between>, end: Between) {
    let margin = " ".repeat(indent);
    let outer = " ".repeat(indent.saturating_sub(INDENT));
    let mut first = true;
    for (value, gap) in array.iter_mut().zip(gaps) {
        let (after, mut above) = (gap.after, squeeze(gap.above));
        let mut prefix = String::new();
        match after {
            // A comment behind the bracket stands above the first value.
            Some(comment) if first => above.insert(0, Line::Comment(comment)),
            Some(comment) => prefix = format!(" {comment}"),
            None => {}
        }
        let above = if first { without_first_blank(above) } else { above };
        let prefix = format!("{prefix}\n{}{margin}", write(&above, &margin));
        value.decor_mut().set_prefix(prefix);
        first = false;
    }
    let mut above = without_last_blank(end.above);
    let mut trailing = String::new();
    match end.after {
        Some(comment) if first => above.insert(0, Line::Comment(comment)),
        Some(comment) => trailing = format!(" {comment}"),
        None => {}
    }
    array.set_trailing_comma(true);
    array.set_trailing(format!("{trailing}\n{}{outer}", write(&above, &margin)));
}

/// A table in one line; one with comments or line breaks stays as it is.
fn layout_inline(table: &mut InlineTable) {
    if !is_plain(table) {
        return;
    }
    let count = table.get_values().len();
    let mut at = 0usize;
    layout_members(table, &mut at, count);
    table.set_trailing_comma(false);
    table.set_trailing("");
}

/// Whether nothing but blanks stands between the parts of a table.
fn is_plain(table: &InlineTable) -> bool {
    let blank = |raw: Option<&RawString>| {
        raw.and_then(RawString::as_str).is_none_or(|text| !text.contains(['\n', '#']))
    };
    let values = table.get_values();
    let members = values.iter().all(|(path, value)| {
        let keys = path.iter().all(|key| {
            let decors = [key.leaf_decor(), key.dotted_decor()];
            decors.into_iter().all(|decor| blank(decor.prefix()) && blank(decor.suffix()))
        });
        keys && is_plain_value(value, blank)
    });
    members && blank(Some(table.trailing()))
}

fn is_plain_value(value: &Value, blank: impl Fn(Option<&RawString>) -> bool + Copy) -> bool {
    let inner = match value {
        Value::Array(array) => {
            blank(Some(array.trailing())) && array.iter().all(|value| is_plain_value(value, blank))
        }
        Value::InlineTable(inner) => is_plain(inner),
        _ => true,
    };
    inner && blank(value.decor().prefix()) && blank(value.decor().suffix())
}

fn layout_members(table: &mut InlineTable, at: &mut usize, count: usize) {
    for (mut key, value) in table.iter_mut() {
        key.dotted_decor_mut().clear();
        if let Value::InlineTable(inner) = value
            && inner.is_dotted()
        {
            layout_members(inner, at, count);
            continue;
        }
        *at = at.saturating_add(1);
        key.leaf_decor_mut().set_prefix(" ");
        key.leaf_decor_mut().set_suffix(" ");
        one_line(value);
        value.decor_mut().set_prefix(" ");
        value.decor_mut().set_suffix(if *at == count { " " } else { "" });
    }
}

fn one_line(value: &mut Value) {
    match value {
        Value::Array(array) => {
            for (at, value) in array.iter_mut().enumerate() {
                one_line(value);
                value.decor_mut().set_prefix(if at == 0 { "" } else { " " });
                value.decor_mut().set_suffix("");
            }
            array.set_trailing_comma(false);
            array.set_trailing("");
        }
        Value::InlineTable(table) => layout_inline(table),
        _ => {}
    }
}
