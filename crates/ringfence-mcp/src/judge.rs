//! The judge of one server's messages: what they reach, and whether that may be.

use std::borrow::Cow;
use std::sync::Arc;

use ringfence_core::{AccessKind, Effect};
use ringfence_exec::ApprovalQuestion;
use ringfence_guard::{
    Action, Call, ForwardMessage, Guard, McpAction, Outcome, Part, Refusal, Unanswered,
};
use serde_json::Value;

use crate::method::{Care, Listed};
use crate::object::{Object, Raw};
use crate::outgoing::Outgoing;
use crate::pin::Kind;

/// Judges what goes to and comes from one server.
pub struct Judge {
    guard: Arc<Guard>,
    server: String,
    agent: Option<Arc<str>>,
    told: Option<Arc<Told>>,
}

/// Who is told what was refused.
pub type Told = dyn Fn(&Refusal) + Send + Sync;

/// What becomes of a message.
#[derive(Debug)]
pub(crate) enum Decision<'a> {
    /// It goes on.
    Pass(Outgoing<'a>),
    /// A person decides.
    Ask(Box<ApprovalQuestion>, Unanswered<ForwardMessage<'a>>),
    Refuse(Box<Refusal>),
}

impl Judge {
    /// A judge for the server that rules call by this name.
    pub fn new(guard: Arc<Guard>, server: &str, agent: Option<&str>) -> Judge {
        Judge { guard, server: server.to_owned(), agent: agent.map(Arc::from), told: None }
    }

    /// Tells this what is refused.
    #[must_use]
    pub fn telling(mut self, told: Arc<Told>) -> Judge {
        self.told = Some(told);
        self
    }

    /// Tells whoever wants to know what was refused.
    pub(crate) fn tell(&self, refusal: &Refusal) {
        self.told.iter().for_each(|told| told(refusal));
    }

    /// The server, as rules name it.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// Whether questions may be put to the client.
    pub(crate) fn may_elicit(&self) -> bool {
        self.guard.policy().settings().elicitation == Some(true)
    }

    /// Decides a message, given by its text, by what its method reaches.
    ///
    /// An error says why the parameters cannot be read.
    pub(crate) fn decide<'a>(
        &self,
        care: Care,
        (method, params): (&str, Option<Raw<'_>>),
        text: &'a str,
    ) -> Result<Decision<'a>, String> {
        let read = || Object::read(params.ok_or("it has no parameters")?.get());
        let action = match care {
            Care::None(exempt) => return Ok(Decision::Pass(Outgoing::exempt(exempt, text))),
            Care::Resources(exempt) => {
                let named = resources(&known(read()?, &["notifications"])?)?;
                return self.decide_each(named, Outgoing::exempt(exempt, text), text);
            }
            Care::Method => McpAction::Method(method.to_owned()),
            Care::Tool => {
                let params = known(read()?, &["name", "arguments"])?;
                McpAction::Tool { name: string(&params, "name")?, args: arguments(&params)? }
            }
            Care::Prompt => McpAction::Prompt(string(&known(read()?, &["name"])?, "name")?),
            Care::Resource => McpAction::Resource(string(&known(read()?, &["uri"])?, "uri")?),
            Care::Reference => reference(&known(read()?, &["ref"])?)?,
        };
        Ok(self.decide_action(action, text))
    }

    fn decide_each<'a>(
        &self,
        actions: Vec<McpAction>,
        without: Outgoing<'a>,
        text: &'a str,
    ) -> Result<Decision<'a>, String> {
        let mut decision = Decision::Pass(without);
        for action in actions {
            match (self.decide_action(action, text), &decision) {
                (Decision::Refuse(refusal), _) => return Ok(Decision::Refuse(refusal)),
                // Where several ask, one question stands for all only if it is the only one.
                (Decision::Ask(..), Decision::Ask(..)) => {
                    return Err("it asks for several things that must be asked about".into());
                }
                (Decision::Pass(_), Decision::Ask(..)) => {}
                (own, _) => decision = own,
            }
        }
        Ok(decision)
    }

    /// Whether an entry of a list is hidden: it is denied whatever it is called with.
    pub(crate) fn hides(&self, listed: Listed, name: &str) -> bool {
        let item = match listed.kind {
            Kind::Tool => McpAction::Tool { name: name.to_owned(), args: Value::Null },
            Kind::Prompt => McpAction::Prompt(name.to_owned()),
            Kind::Resource if listed.list == "resources" => McpAction::Resource(name.to_owned()),
            // A template names no resource yet, and instructions stand in no list.
            Kind::Resource | Kind::Instructions => return false,
        };
        let is_tool = listed.kind == Kind::Tool;
        let judgement = self.guard.consider(&self.call(item));
        // What a tool would touch depends on its arguments, and a list has none.
        let counts =
            |part: &Part<'_>| !is_tool || matches!(part.access.what, AccessKind::CallTool(_));
        let mut parts = judgement.parts().filter(counts);
        !judgement.is_observed() && parts.any(|part| part.verdict.effect == Effect::Deny)
    }

    /// Decides a method, which a message with this text asks for, by its name.
    pub(crate) fn decide_method<'a>(&self, method: &str, text: &'a str) -> Decision<'a> {
        self.decide_action(McpAction::Method(method.to_owned()), text)
    }

    fn call(&self, item: McpAction) -> Call {
        let action = Action::Mcp { server: self.server.clone(), item };
        Call { agent: self.agent.clone(), cwd: None, action }
    }

    fn decide_action<'a>(&self, item: McpAction, text: &'a str) -> Decision<'a> {
        let call = self.call(item);
        let asked = match self.guard.judge_message(&call, text) {
            Outcome::Allowed(permit) | Outcome::Observed(permit, _) => {
                return Decision::Pass(permit.into());
            }
            Outcome::Refused(judgement) => {
                return Decision::Refuse(Box::new(Refusal::new(&call, &judgement)));
            }
            Outcome::Asks(asked) => asked,
        };
        let refusal = Refusal::new(&call, asked.judgement());
        let exact = match &call.action {
            Action::Mcp { item, .. } => format!("{item:?}"),
            other => format!("{other:?}"),
        };
        let question = ApprovalQuestion {
            what: refusal.what.clone(),
            pattern: refusal.would_grant.clone(),
            exact_pattern: None,
            program: format!("the MCP server `{}`", self.server),
            why: refusal.ground.clone(),
            exact,
            deed: None,
            refusal: Some(refusal),
        };
        Decision::Ask(Box::new(question), asked)
    }
}

/// The object, unless it has a key that some readers take for one of these.
fn known<'a>(object: Object<'a>, keys: &[&str]) -> Result<Object<'a>, String> {
    match object.lookalike(keys) {
        Some(key) => Err(unknown(key)),
        None => Ok(object),
    }
}

#[cold]
fn unknown(key: &str) -> String {
    format!("`{}` is no key of its parameters", visible(key))
}

fn visible(text: &str) -> String {
    ringfence_guard::redact::visible(text).into_owned()
}

fn string(object: &Object<'_>, key: &str) -> Result<String, String> {
    object.text(key).map(Cow::into_owned).ok_or_else(|| format!("`{key}` is no text"))
}

/// The arguments of a call, in which every key stands once at every depth.
fn arguments(params: &Object<'_>) -> Result<Value, String> {
    let Some(raw) = params.get("arguments") else { return Ok(Value::Null) };
    ringfence_guard::strict_json::read(raw.get())
}

/// The resources that a client wants to hear of.
fn resources(params: &Object<'_>) -> Result<Vec<McpAction>, String> {
    let Some(wanted) = params.get("notifications") else { return Ok(Vec::new()) };
    let wanted = known(Object::read(wanted.get())?, &["resourceSubscriptions"])?;
    let Some(uris) = wanted.get("resourceSubscriptions") else { return Ok(Vec::new()) };
    let uris: Vec<String> = serde_json::from_str(uris.get()).map_err(|error| error.to_string())?;
    Ok(uris.into_iter().map(McpAction::Resource).collect())
}

/// What is to be completed: a prompt's argument, or a part of a resource's name.
fn reference(params: &Object<'_>) -> Result<McpAction, String> {
    let raw = params.get("ref").ok_or("`ref` is not there")?;
    let reference = known(Object::read(raw.get())?, &["type", "name", "uri"])?;
    match &*string(&reference, "type")? {
        "ref/prompt" => Ok(McpAction::Prompt(string(&reference, "name")?)),
        "ref/resource" => Ok(McpAction::Resource(string(&reference, "uri")?)),
        other => Err(format!("`{}` is no kind of reference", visible(other))),
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
