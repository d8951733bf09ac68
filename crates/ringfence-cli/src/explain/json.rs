//! The story for machines.

use ringfence_core::Doubt;
use ringfence_guard::Refusal;
use ringfence_guard::redact::{redact, visible};
use serde_json::{Map, Value, json};

use super::{Row, Step, Story};
use crate::show;

impl Story<'_> {
    /// The whole story. Places count bytes of the line as it was given.
    pub(crate) fn to_json(&self, refusal: Option<&Refusal>) -> Value {
        let judgement = self.judgement;
        let mut fields = Map::new();
        let mut put = |key: &str, value: Value| {
            fields.insert(key.to_owned(), value);
        };
        put("verdict", judgement.verdict.effect.as_str().into());
        put("code", show::code(&judgement.verdict).into());
        let key = if self.line.is_some() { "line" } else { "call" };
        put(key, self.source.rows.join("\n").into());
        put("commands", self.steps.iter().map(step_json).collect());
        put("doubts", judgement.doubts.iter().map(doubt_json).collect());
        if !self.unheld.is_empty() {
            put("not_held", self.unheld.clone().into());
        }
        if self.left_out > 0 {
            put("left_out", self.left_out.into());
        }
        if let Some(refusal) = refusal {
            put("refusal", refusal.to_json());
        }
        if judgement.is_observed() {
            put("mode", "observe".into());
        }
        Value::Object(fields)
    }
}

fn step_json(step: &Step<'_>) -> Value {
    json!({
        "text": Some(&step.text).filter(|text| !text.is_empty()),
        "span": step.span,
        "verdict": step.effect().as_str(),
        "effects": step.rows.iter().map(row_json).collect::<Vec<_>>(),
    })
}

fn row_json(row: &Row<'_>) -> Value {
    let part = row.part;
    json!({
        "kind": row.kind,
        "what": row.what,
        "class": part.access.class().as_str(),
        "from": row.from,
        "span": part.access.span,
        "verdict": part.verdict.effect.as_str(),
        "grounds": part.verdict.grounds.iter().map(show::ground_json).collect::<Vec<_>>(),
    })
}

fn doubt_json(doubt: &Doubt) -> Value {
    json!({
        "reason": visible(&redact(&doubt.reason)),
        "span": doubt.span,
        "effect": doubt.effect.as_str(),
    })
}
