use super::read;
use crate::node::{Node, Value};
use crate::text::Format;

/// The tree in one line, with the source text of every value.
fn show(node: &Node<'_>, text: &str) -> String {
    let part = |span: crate::text::Span| text.get(span.start..span.end).unwrap_or("?").to_owned();
    match &node.value {
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| show(item, text)).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Table(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|entry| format!("{}={}", part(entry.key_span), show(&entry.node, text)))
                .collect();
            format!("{{{}}}", entries.join(" "))
        }
        Value::Text(value) => format!("text({value})<{}>", part(node.span)),
        Value::Date(value) => format!("date({value})<{}>", part(node.span)),
        value => format!("{value:?}<{}>", part(node.span)),
    }
}

fn check(format: Format, text: &str, expected: &str) {
    let shown =
        read(format, text).map(|node| show(&node, text)).map_err(|faults| format!("{faults:?}"));
    assert_eq!(shown, Ok(expected.to_owned()));
}

#[test]
fn toml_values_have_their_places() {
    check(
        Format::Toml,
        "b = \"x\\u0041\"\na = [1, 0x1f, 2.5, true, 2027-03-01]\n[t.u]\nv = { w = '' }\n[[l]]\nx = 1",
        "{b=text(xA)<\"x\\u0041\"> a=[Integer(1)<1> Integer(31)<0x1f> Float(2.5)<2.5> Bool(true)<true> \
         date(2027-03-01)<2027-03-01>] t={u={v={w=text()<''>}}} l=[{x=Integer(1)<1>}]}",
    );
}

#[test]
fn yaml_values_have_their_places() {
    check(
        Format::Yaml,
        "b: \"x\\u0041\"\n'a': [1, 2.5, true, ~, 2027-03-01, -x]\nt:\n  u: |\n    läuft\n  é: k\n",
        "{b=text(xA)<\"x\\u0041\"> 'a'=[Integer(1)<1> Float(2.5)<2.5> Bool(true)<true> Null<~> \
         text(2027-03-01)<2027-03-01> text(-x)<-x>] t={u=text(läuft\n)<läuft\n  > é=text(k)<k>}}",
    );
}

#[test]
fn json_values_have_their_places() {
    check(
        Format::Json,
        "{\"b\": \"x\\u0041\", // c\n a: [1, 2.5, true, null,], \"é\": {}}",
        "{\"b\"=text(xA)<\"x\\u0041\"> a=[Integer(1)<1> Float(2.5)<2.5> Bool(true)<true> Null<null>] \"é\"={}}",
    );
}

#[test]
fn numbers_beyond_64_bits_are_refused_or_rounded() {
    assert!(read(Format::Toml, "a = 99999999999999999999").is_err());
    check(
        Format::Json,
        "{\"a\": 99999999999999999999}",
        "{\"a\"=Float(1e20)<99999999999999999999>}",
    );
}
