//! Resolves text that is typed into a running program.
//!
//! No event says which program reads the text, or what was typed before. The same words may be a
//! shell command, code or an answer. The text is therefore always a doubt; rules that deny it as a
//! shell line still apply.

use ringfence_core::Doubt;
use serde_json::Value;

use super::Resolver;
use super::tool_commands::is_objected_to;

/// Keys for the typed text.
const TEXTS: [&str; 9] =
    ["chars", "input", "text", "data", "keys", "stdin", "content", "line", "value"];
/// Interrupts the running program and tells it nothing else.
const CTRL_C: char = '\u{3}';

impl Resolver<'_> {
    /// Adds a doubt about typed text, and the accesses that rules object to if the text is a shell
    /// line.
    pub(super) fn typed_input(&mut self, input: &Value) {
        let mut given = TEXTS.iter().filter_map(|key| input.get(key)).filter(|own| !own.is_null());
        let text = match (given.next(), given.next()) {
            (Some(Value::String(text)), None) => text,
            _ => return self.doubt("it does not say what is typed"),
        };
        if text.chars().all(|c| c == CTRL_C) {
            return;
        }
        let reason =
            "it is unknown which program reads the typed text and what that program does with it";
        self.effects.doubts.push(Doubt::asked(reason.to_owned()));
        let before = std::mem::take(&mut self.effects);
        self.line(&without_key_names(text), None);
        let mut own = std::mem::replace(&mut self.effects, before);
        let policy = self.around.policy;
        own.accesses.retain(|access| is_objected_to(&policy.decide(access).grounds));
        self.effects.accesses.extend(own.accesses);
    }
}

/// Returns the text with key names such as `{enter}` replaced by line ends.
fn without_key_names(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        match after.split_once('}') {
            Some((key, after))
                if key.chars().all(|c| c.is_ascii_alphabetic()) && !key.is_empty() =>
            {
                plain.push('\n');
                rest = after;
            }
            _ => {
                plain.push('{');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}
