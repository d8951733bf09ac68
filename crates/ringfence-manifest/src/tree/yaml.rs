//! YAML to tree: one document, no tags, no merge keys, aliases within a budget.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError};

use crate::node::{Entry, MAX_DEPTH, MAX_VALUES, Node, Value, check_keys, too_deep, too_many};
use crate::text::{Fault, Span};

/// The most nodes that all aliases of a document may repeat.
const MAX_REPEATED: usize = 100_000;

pub(super) fn read(text: &str) -> Result<Node<'_>, Fault> {
    let options = granit_parser::options! {
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder::default();
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| scan_fault(&error, text))?;
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(start);
        let place = Span::new(start, end);
        if let Some(tag) = span.tag_span() {
            let start = tag.start.byte_offset().unwrap_or(start);
            return Err(Fault::new(start..start, "has a tag").hint("write the value without it"));
        }
        builder.take(event, place)?;
    }
    Ok(builder.root.unwrap_or(Node::new(Value::Table(Vec::new()), 0..0)))
}

/// Where the comments of a YAML text are; none if it does not parse.
pub(crate) fn comments(text: &str) -> Vec<Span> {
    let options = granit_parser::options! { max_buffered_comment_events: text.len() };
    let mut comments = Vec::new();
    for next in Parser::new_from_str_with_options(text, options) {
        let Ok((event, span)) = next else { return Vec::new() };
        let ends = (span.start.byte_offset(), span.end.byte_offset());
        if let (Event::Comment(..), (Some(start), Some(end))) = (event, ends) {
            comments.push(Span::new(start, end));
        }
    }
    comments
}

fn scan_fault(error: &ScanError, text: &str) -> Fault {
    let at = error.marker().byte_offset().unwrap_or(text.len());
    let message = error.info();
    match message.contains("nesting") || message.contains("recursion") {
        true => too_deep(at..at),
        false => Fault::new(at..at, message),
    }
}

/// A tree in the making.
#[derive(Default)]
struct Builder<'t> {
    open: Vec<Open<'t>>,
    root: Option<Node<'t>>,
    documents: usize,
    anchors: HashMap<usize, Node<'t>>,
    repeated: usize,
    values: usize,
}

/// A list or table whose end has not come yet.
struct Open<'t> {
    sort: Sort<'t>,
    start: usize,
    anchor: usize,
}

enum Sort<'t> {
    List(Vec<Node<'t>>),
    Table { entries: Vec<Entry<'t>>, key: Option<(Cow<'t, str>, Span)> },
}

impl<'t> Builder<'t> {
    fn take(&mut self, event: Event<'t>, span: Span) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(..) => return self.start_document(span),
            Event::Scalar(text, style, anchor, _) => {
                let value = match style {
                    ScalarStyle::Plain => plain(text),
                    _ => Value::Text(text),
                };
                return self.place(Node::new(value, span), anchor);
            }
            Event::Alias(id) => return self.repeat(id, span),
            Event::SequenceStart(_, anchor, _) => {
                self.open.push(Open { sort: Sort::List(Vec::new()), start: span.start, anchor });
            }
            Event::MappingStart(_, anchor, _) => {
                let sort = Sort::Table { entries: Vec::new(), key: None };
                self.open.push(Open { sort, start: span.start, anchor });
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
            _ => {}
        }
        if self.open.len() > MAX_DEPTH { Err(too_deep(span)) } else { Ok(()) }
    }

    fn start_document(&mut self, span: Span) -> Result<(), Fault> {
        self.documents = self.documents.saturating_add(1);
        match self.documents {
            1 => Ok(()),
            _ => Err(Fault::new(span, "a second document starts here")
                .hint("a policy is one document: drop the `---`")),
        }
    }

    fn close(&mut self, span: Span) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let value = match open.sort {
            Sort::List(items) => Value::List(items),
            Sort::Table { entries, .. } => {
                check_keys(&entries)?;
                Value::Table(entries)
            }
        };
        self.place(Node::new(value, Span::new(open.start, span.end)), open.anchor)
    }

    fn repeat(&mut self, anchor: usize, span: Span) -> Result<(), Fault> {
        let Some(node) = self.anchors.get(&anchor) else {
            return Err(Fault::new(span, "is an alias of something that holds it"));
        };
        let (nodes, height) = measure(node);
        if height.saturating_add(self.open.len()) > MAX_DEPTH {
            return Err(too_deep(span));
        }
        let node = node.clone();
        self.count(nodes, span)?;
        self.place(node, 0)
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), Fault> {
        self.repeated = self.repeated.saturating_add(nodes);
        if self.repeated > MAX_REPEATED {
            let message = format!("aliases repeat more than {MAX_REPEATED} values");
            return Err(Fault::new(span, message));
        }
        Ok(())
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: Node<'t>, anchor: usize) -> Result<(), Fault> {
        self.values = self.values.saturating_add(1);
        // Keys are counted as well.
        if self.values > MAX_VALUES.saturating_mul(2) {
            return Err(too_many(node.span));
        }
        if anchor != 0 {
            // A copy for later aliases costs as much as one alias.
            self.count(measure(&node).0, node.span)?;
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { sort: Sort::List(items), .. }) => items.push(node),
            Some(Open { sort: Sort::Table { entries, key }, .. }) => match key.take() {
                None => *key = Some(as_key(node)?),
                Some((key, key_span)) => entries.push(Entry { key, key_span, node }),
            },
        }
        Ok(())
    }
}

fn as_key(node: Node<'_>) -> Result<(Cow<'_, str>, Span), Fault> {
    match node.value {
        Value::Text(text) if text == "<<" => {
            Err(Fault::new(node.span, "merge keys are not read").hint("write the keys out"))
        }
        Value::Text(text) => Ok((text, node.span)),
        _ => Err(Fault::new(node.span, format!("a key is text, not {}", node.sort()))
            .hint("put it in quotes")),
    }
}

/// What a scalar without quotes means. `yes`, `no`, `on`, `off` are text.
fn plain(text: Cow<'_, str>) -> Value<'_> {
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        if let Ok(number) = text.parse() {
            return Value::Integer(number);
        }
        if let Ok(number) = text.parse() {
            return Value::Float(number);
        }
    }
    Value::Text(text)
}

/// The number of nodes in a tree, and its height.
fn measure(node: &Node<'_>) -> (usize, usize) {
    let children = |parts: &mut dyn Iterator<Item = (usize, usize)>| {
        parts.fold((1usize, 1usize), |(nodes, height), (more, high)| {
            (nodes.saturating_add(more), height.max(high.saturating_add(1)))
        })
    };
    match &node.value {
        Value::List(items) => children(&mut items.iter().map(measure)),
        Value::Table(entries) => children(&mut entries.iter().map(|entry| measure(&entry.node))),
        _ => (1, 0),
    }
}
