//! `[[test]]`: calls with the verdict that a policy gives them.

use ringfence_core::{Effect, Origin};

use super::context::Context;
use super::permissions::effect;
use crate::de::Spanned;
use crate::raw::RawTest;
use crate::text::Fault;

/// A call and the verdict that its policy gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyTest {
    /// The call.
    pub call: TestCall,
    /// The agent that calls, if it matters.
    pub agent: Option<String>,
    /// The directory in which it calls, if it is not the root.
    pub cwd: Option<String>,
    /// The verdict.
    pub expect: Effect,
    /// Where the test was written.
    pub origin: Origin,
}

/// What a test calls.
#[derive(Debug, Clone, PartialEq)]
pub enum TestCall {
    /// A command line.
    Line(String),
    /// A tool with its input.
    Tool {
        /// The tool's name.
        name: String,
        /// Its input; an empty object if none was given.
        input: serde_json::Value,
    },
}

pub(super) fn lower(cx: &mut Context<'_>, tests: Vec<Spanned<RawTest>>) -> Vec<PolicyTest> {
    tests.into_iter().filter_map(|test| lower_one(cx, test)).collect()
}

fn lower_one(cx: &mut Context<'_>, test: Spanned<RawTest>) -> Option<PolicyTest> {
    let Spanned { value: raw, span } = test;
    let call = match (raw.call, raw.tool, raw.input) {
        (Some(line), None, None) => TestCall::Line(line),
        (None, Some(name), input) => {
            let empty = || serde_json::Value::Object(serde_json::Map::new());
            TestCall::Tool { name, input: input.unwrap_or_else(empty) }
        }
        (Some(_), _, _) => {
            cx.fault(Fault::new(span, "a test has `call`, or `tool` with `input`, not both"));
            return None;
        }
        (None, None, _) => {
            let hint = "write `call = \"git push\"`, or `tool` and `input`";
            cx.fault(Fault::new(span, "a test needs a call").hint(hint));
            return None;
        }
    };
    Some(PolicyTest {
        call,
        agent: raw.agent,
        cwd: raw.cwd,
        expect: effect(raw.expect),
        origin: cx.origin(span),
    })
}
