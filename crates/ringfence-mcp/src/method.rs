//! The protocol's methods, 2024-11-05 to 2026-07-28, and what each of them reaches.
//!
//! A method that is not here is judged by its name (`mcp:SERVER/method:NAME`).

use crate::pin::Kind;

/// What must be asked of the policy before a message is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// Nothing: it starts, ends, lists or follows what was judged.
    None(Exempt),
    /// The tool that it names, with its arguments.
    Tool,
    /// The resource that it names.
    Resource,
    /// The resources that it names; nothing if it names none.
    Resources(Exempt),
    /// The prompt that it names.
    Prompt,
    /// The prompt or resource that it refers to.
    Reference,
    /// The method itself.
    Method,
}

/// Proof that a message needs no judgement by its method. This table alone makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exempt(());

const NONE: Care = Care::None(Exempt(()));

/// What a client may ask of a server.
pub(crate) fn from_client(method: &str) -> Care {
    match method {
        "tools/call" => Care::Tool,
        "resources/read" | "resources/subscribe" => Care::Resource,
        "subscriptions/listen" => Care::Resources(Exempt(())),
        "prompts/get" => Care::Prompt,
        "completion/complete" => Care::Reference,
        "initialize" | "server/discover" | "ping" | "logging/setLevel" => NONE,
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => NONE,
        "resources/unsubscribe" => NONE,
        // Tasks come from calls that were judged.
        "tasks/get" | "tasks/list" | "tasks/result" | "tasks/update" | "tasks/cancel" => NONE,
        "notifications/initialized" | "notifications/cancelled" | "notifications/progress" => NONE,
        "notifications/roots/list_changed" | "notifications/elicitation/response" => NONE,
        "notifications/tasks/status" | "notifications/tasks" => NONE,
        _ => Care::Method,
    }
}

/// What a server may ask of a client. Speaking to the model or to the person in the server's name
/// is judged by the method.
pub(crate) fn from_server(method: &str) -> Care {
    match method {
        "ping" | "roots/list" => NONE,
        "tasks/get" | "tasks/list" | "tasks/result" | "tasks/cancel" => NONE,
        "notifications/cancelled" | "notifications/progress" | "notifications/message" => NONE,
        "notifications/tools/list_changed"
        | "notifications/prompts/list_changed"
        | "notifications/resources/list_changed"
        | "notifications/resources/updated"
        | "notifications/subscriptions/acknowledged"
        | "notifications/elicitation/complete"
        | "notifications/tasks/status"
        | "notifications/tasks" => NONE,
        _ => Care::Method,
    }
}

/// What the answer to a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Who the server is, and what it can do; a session begins.
    Greeting,
    /// The same, without a session.
    Discovery,
    /// Whatever comes, for as long as the client wants to hear it.
    Stream,
    /// What a tool says.
    Tool,
    /// A list, from which entries may be hidden.
    List(Listed),
    /// Anything else.
    Other,
}

impl Answer {
    pub(crate) fn to(method: &str) -> Answer {
        match method {
            "initialize" => Answer::Greeting,
            "server/discover" => Answer::Discovery,
            "subscriptions/listen" => Answer::Stream,
            "tools/call" => Answer::Tool,
            "tools/list" => Answer::List(Listed { kind: Kind::Tool, list: "tools", name: "name" }),
            "prompts/list" => {
                Answer::List(Listed { kind: Kind::Prompt, list: "prompts", name: "name" })
            }
            "resources/list" => {
                Answer::List(Listed { kind: Kind::Resource, list: "resources", name: "uri" })
            }
            "resources/templates/list" => {
                let (list, name) = ("resourceTemplates", "uriTemplate");
                Answer::List(Listed { kind: Kind::Resource, list, name })
            }
            _ => Answer::Other,
        }
    }
}

/// Where the entries of a list stand, and what names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) kind: Kind,
    pub(crate) list: &'static str,
    pub(crate) name: &'static str,
}
