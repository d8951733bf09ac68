//! What a policy says, sorted by what others can say.

use std::sync::Arc;

use ringfence_core::inclusion::{includes, overlaps};
use ringfence_core::pattern::{McpItemKind, McpPattern, NetTarget, PathPattern, Rights};
use ringfence_core::rule::{ToolKind, ToolScope};
use ringfence_core::{Class, Effect, Pattern, Rule, Scope};

use super::sayable::{Host, Place, Tool, is_glob, is_name, names};
use super::texts::{self, Said};
use super::{Difference, Operands, Policy, Way};
use crate::builtin;

/// A rule on commands, as others can say it.
#[derive(Debug, Clone)]
pub(super) struct Command {
    pub(super) effect: Effect,
    pub(super) said: Said,
    pub(super) rule: Rule,
}

/// A path that others can write.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) effect: Effect,
    pub(super) writes: bool,
    pub(super) place: Place,
    /// Components; `**` may stand at the end or at the start.
    pub(super) names: Vec<String>,
    pub(super) rule: Rule,
}

/// A policy that is being written for another program.
pub(super) struct Survey<'p> {
    pub(super) policy: &'p Policy<'p>,
    pub(super) operands: Operands,
    pub(super) differences: Vec<Difference>,
}

impl<'p> Survey<'p> {
    pub(super) fn new(policy: &'p Policy<'p>, operands: Operands) -> Survey<'p> {
        Survey { policy, operands, differences: Vec::new() }
    }

    pub(super) fn everywhere(&mut self, way: Way, message: &str) {
        let file: Arc<str> = Arc::clone(&self.policy.document.name);
        self.differences.push(Difference {
            file,
            line: 0,
            column: 0,
            rule: String::new(),
            way,
            message: message.to_owned(),
        });
    }

    pub(super) fn differs(&mut self, rule: &Rule, way: Way, message: &str) {
        let difference = Difference {
            file: Arc::clone(&rule.origin.document),
            line: rule.origin.line,
            column: rule.origin.column,
            rule: rule.pattern.to_string(),
            way,
            message: message.to_owned(),
        };
        if !self.differences.contains(&difference) {
            self.differences.push(difference);
        }
    }

    /// Says that a rule was left out: a question takes its place.
    pub(super) fn left_out(&mut self, rule: &Rule, message: &str) {
        let way = if rule.effect == Effect::Deny { Way::Wider } else { Way::Narrower };
        self.differs(rule, way, message);
    }

    /// The rules of a class that another program could have, whatever the tool.
    fn rules(&mut self, class: Class, kind: Option<ToolKind>) -> Vec<Rule> {
        let mut kept = Vec::new();
        for rule in &self.policy.document.rules {
            if rule.pattern.class() != class {
                continue;
            }
            let scope = &rule.scope;
            let tool = match &scope.tool {
                None => true,
                Some(ToolScope::Kind(own)) => Some(*own) == kind,
                Some(ToolScope::Name(_)) => false,
            };
            let narrow = scope.agent.is_some()
                || scope.command.is_some()
                || scope.unless.is_some()
                || scope.within.is_some();
            match (tool && !narrow, rule.effect) {
                (true, Effect::Allow) if !self.below_ceilings(rule) => {
                    self.differs(rule, Way::Narrower, "asks: a ceiling may not grant all of it");
                    kept.push(Rule { effect: Effect::Ask, ..rule.clone() });
                }
                (true, Effect::Allow) if kind.is_some_and(|kind| !self.grants_kind(kind)) => {
                    self.differs(rule, Way::Narrower, "asks: its tool is not granted by name");
                    kept.push(Rule { effect: Effect::Ask, ..rule.clone() });
                }
                (true, _) => kept.push(rule.clone()),
                // Without its scope an objection is stricter, a grant would be milder.
                (false, Effect::Ask | Effect::Deny) if tool => {
                    kept.push(rule.clone());
                    self.differs(rule, Way::Narrower, "holds everywhere: its scope cannot be said");
                }
                _ => self.left_out(rule, "left out: its scope cannot be said"),
            }
        }
        for rule in &self.policy.document.fallback {
            if rule.pattern.class() == class {
                self.differs(
                    rule,
                    Way::Narrower,
                    "left out: it holds only where nothing else speaks",
                );
            }
        }
        kept
    }

    /// Whether tools of a kind pass: a document that grants tools by name grants no others.
    fn grants_kind(&self, kind: ToolKind) -> bool {
        let rules = || self.policy.document.rules.iter();
        let names = |rule: &Rule| matches!(rule.pattern, Pattern::Tool(_));
        let grants = |rule: &Rule| {
            let any = matches!(&rule.pattern, Pattern::Tool(name) if name.is_any());
            let of_kind = match &rule.scope.tool {
                None => true,
                Some(tool) => *tool == ToolScope::Kind(kind),
            };
            rule.effect == Effect::Allow && any && of_kind
        };
        let stance = rules().any(|rule| names(rule) && rule.effect != Effect::Deny);
        !stance || rules().any(grants)
    }

    /// Whether every ceiling that speaks of its class grants all of a rule.
    fn below_ceilings(&self, rule: &Rule) -> bool {
        let class = rule.pattern.class();
        self.policy.ceilings.iter().all(|ceiling| {
            let speaks = ceiling.rules.iter().any(|own| own.pattern.class() == class)
                || ceiling.stances.iter().any(|own| own.class == class);
            let grants = |own: &Rule| {
                own.effect == Effect::Allow
                    && own.scope == Scope::default()
                    && includes(&own.pattern, &rule.pattern)
            };
            !speaks || ceiling.rules.iter().any(grants)
        })
    }

    /// The rules on commands, each with what becomes of it.
    pub(super) fn commands(&mut self) -> Vec<Command> {
        let mut commands = Vec::new();
        for rule in self.rules(Class::Exec, Some(ToolKind::Terminal)) {
            let Pattern::Command(pattern) = &rule.pattern else {
                self.shells(&rule, &mut commands);
                continue;
            };
            if !rule.except.is_empty() {
                self.differs(&rule, Way::Narrower, "its exceptions cannot be said");
            }
            for alternative in pattern.alternatives() {
                let said = texts::said(alternative, rule.effect == Effect::Deny);
                let effect = self.command_effect(&rule, &said);
                commands.push(Command { effect, said, rule: rule.clone() });
            }
        }
        commands
    }

    /// `sh`: the shells by name.
    fn shells(&self, rule: &Rule, commands: &mut Vec<Command>) {
        for name in ["sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "csh", "tcsh"] {
            let said = Said::Open(vec![name.to_owned()]);
            let effect = if rule.effect == Effect::Deny { Effect::Deny } else { Effect::Ask };
            commands.push(Command { effect, said, rule: rule.clone() });
        }
    }

    fn command_effect(&mut self, rule: &Rule, said: &Said) -> Effect {
        match (rule.effect, said) {
            (Effect::Allow, Said::Exact(words)) => {
                let effect = (self.policy.verdict)(&words.join(" "));
                if effect != Effect::Allow {
                    self.differs(rule, Way::Same, "the policy's other rules do not allow it");
                }
                effect
            }
            (Effect::Allow, Said::Open(_)) if self.operands == Operands::Trusted => {
                self.differs(rule, Way::Wider, "its operands are not judged there");
                Effect::Allow
            }
            (Effect::Allow, _) => {
                self.differs(rule, Way::Narrower, "asks: its operands are not judged there");
                Effect::Ask
            }
            (effect, _) => effect,
        }
    }

    /// Text patterns for questions about what the danger list and deny rules object to and an open
    /// rule that is trusted would let through.
    pub(super) fn covers(&self) -> Vec<String> {
        if self.operands == Operands::Asked {
            return Vec::new();
        }
        let document = &self.policy.document;
        let opted = |rule: &Rule| {
            document.danger.iter().flatten().any(|own| includes(&own.pattern, &rule.pattern))
        };
        let danger: Vec<Rule> = builtin::danger_rules()
            .into_iter()
            .filter(|rule| rule.pattern.class() == Class::Exec)
            .chain(document.dangerous.iter().cloned())
            .filter(|rule| !opted(rule))
            .collect();
        let objections = danger.iter().chain(&document.rules);
        let allows = || document.rules.iter().filter(|rule| rule.effect == Effect::Allow);
        let mut covers = Vec::new();
        for rule in objections.filter(|rule| rule.effect == Effect::Deny) {
            let Pattern::Command(pattern) = &rule.pattern else { continue };
            if !allows().any(|allow| overlaps(&allow.pattern, &rule.pattern)) {
                continue;
            }
            for alternative in pattern.alternatives() {
                covers.push(texts::cover(alternative).unwrap_or_else(|| "*".to_owned()));
            }
        }
        covers.sort();
        covers.dedup();
        covers
    }

    /// The rules on files that file tools meet, the danger list and what is protected among them.
    pub(super) fn paths(&mut self) -> Vec<Path> {
        let mut rules = self.rules(Class::Files, Some(ToolKind::File));
        let document = &self.policy.document;
        let opted = |rule: &Rule| {
            document.danger.iter().flatten().any(|own| includes(&own.pattern, &rule.pattern))
        };
        let danger: Vec<Rule> = builtin::danger_rules()
            .into_iter()
            .filter(|rule| rule.pattern.class() == Class::Files)
            .chain(document.dangerous.iter().cloned())
            .filter(|rule| !opted(rule))
            .collect();
        rules.extend(danger);
        let mut protected = builtin::protected_document();
        protected.expand_tables();
        rules.extend(protected.rules);
        let mut paths = Vec::new();
        let mut unsaid = Vec::new();
        for rule in &rules {
            let Pattern::File(rights, path) = &rule.pattern else { continue };
            self.path(rule, *rights, path, &mut paths, &mut unsaid);
        }
        self.give_way(&mut paths, &unsaid);
        paths
    }

    fn path(
        &mut self,
        rule: &Rule,
        rights: Rights,
        path: &PathPattern,
        paths: &mut Vec<Path>,
        unsaid: &mut Vec<Rule>,
    ) {
        if !rule.except.is_empty() {
            self.differs(rule, Way::Narrower, "its exceptions cannot be said");
        }
        if rights == Rights::DELETE {
            return self.differs(rule, Way::Same, "left out: file tools there do not delete");
        }
        for alternative in path.alternatives() {
            let Some((place, names)) = names(alternative) else {
                if rule.effect == Effect::Allow {
                    self.left_out(rule, "left out: where it starts cannot be said there");
                } else {
                    unsaid.push(rule.clone());
                }
                continue;
            };
            // What an allow writes it may read, unless what asks about writing asks about that too.
            let reads = rights.read
                || (rights.write && rule.effect == Effect::Allow && !self.is_asked_about(rule));
            for (given, writes) in [(reads, false), (rights.write, true)] {
                if given {
                    let (effect, names) = (rule.effect, names.clone());
                    paths.push(Path { effect, writes, place, names, rule: rule.clone() });
                }
            }
        }
    }

    /// Whether an ask on writing, which is one on reading where nobody allows just that, meets a rule
    /// that does not outrank it.
    fn is_asked_about(&mut self, allow: &Rule) -> bool {
        let outranks = |ask: &Rule| {
            includes(&ask.pattern, &allow.pattern) && !includes(&allow.pattern, &ask.pattern)
        };
        let asks = |rule: &Rule| {
            let implied = matches!(&rule.pattern, Pattern::File(own, _) if own.write && !own.read);
            rule.effect == Effect::Ask && implied
        };
        let asked = self
            .policy
            .document
            .rules
            .iter()
            .any(|ask| asks(ask) && overlaps(&ask.pattern, &allow.pattern) && !outranks(ask));
        if asked {
            self.differs(allow, Way::Narrower, "reading is left out: an ask rule meets it");
        }
        asked
    }

    /// A grant that meets an objection which cannot be said becomes a question.
    fn give_way(&mut self, paths: &mut [Path], unsaid: &[Rule]) {
        for rule in unsaid {
            let mut met = false;
            for path in paths.iter_mut().filter(|path| path.effect == Effect::Allow) {
                if overlaps(&path.rule.pattern, &rule.pattern) {
                    path.effect = Effect::Ask;
                    met = true;
                }
            }
            if met {
                self.differs(rule, Way::Narrower, "cannot be said: the grants that it meets ask");
            }
        }
    }

    /// The hosts that a fetching tool may go to: effect, name, and whether what is under it counts.
    pub(super) fn hosts(&mut self) -> Vec<(Effect, Host, Rule)> {
        let mut hosts = Vec::new();
        for rule in self.rules(Class::Net, Some(ToolKind::Web)) {
            let Pattern::Net(net) = &rule.pattern else { continue };
            let host = match &net.target {
                NetTarget::Any => Host::Any,
                NetTarget::Exact(name) => Host::Exact(name.to_string()),
                NetTarget::Under(name) => Host::Under(name.to_string()),
                NetTarget::Network(_) | NetTarget::Registry(_) => {
                    self.left_out(&rule, "left out: networks and registries cannot be said");
                    continue;
                }
            };
            match (rule.effect, net.port, &host) {
                (Effect::Allow, Some(_), _) => {
                    self.left_out(&rule, "left out: ports cannot be said");
                }
                (Effect::Allow, None, Host::Any) => {
                    self.left_out(&rule, "left out: there it would take in private addresses");
                }
                (Effect::Ask | Effect::Deny, Some(_), _) => {
                    self.differs(&rule, Way::Narrower, "holds for every port");
                    hosts.push((rule.effect, host, rule.clone()));
                }
                _ => hosts.push((rule.effect, host, rule.clone())),
            }
        }
        hosts
    }

    /// The tools of MCP servers, and others by name.
    pub(super) fn tools(&mut self) -> Vec<(Effect, Tool, Rule)> {
        let mut tools = Vec::new();
        for rule in self.rules(Class::Tool, None) {
            let tool = match &rule.pattern {
                Pattern::Mcp(McpPattern { server, sort: McpItemKind::Tool, item }) => {
                    match (server.as_str(), item.as_str()) {
                        (server, item) if is_name(server) && is_glob(item) => {
                            Some(Tool::Mcp(server.to_owned(), item.to_owned()))
                        }
                        _ => None,
                    }
                }
                Pattern::Tool(name) if is_name(name.as_str()) => {
                    Some(Tool::Named(name.as_str().to_owned()))
                }
                _ => None,
            };
            match tool {
                Some(tool) => tools.push((rule.effect, tool, rule.clone())),
                None => self.left_out(&rule, "left out: it cannot be said there"),
            }
        }
        tools
    }

    /// Says what no other format has.
    pub(super) fn rest(&mut self) {
        let rules: Vec<Rule> = self.policy.document.rules.clone();
        for rule in &rules {
            if matches!(rule.pattern.class(), Class::Socket | Class::Env | Class::Keychain)
                || matches!(rule.pattern, Pattern::Listen(_))
            {
                self.left_out(rule, "left out: nothing there speaks of it");
            }
        }
        self.everywhere(
            Way::Wider,
            "what commands do is not judged there, nor is it held by the kernel",
        );
    }
}

/// Says that a rule became a question about every command that starts alike.
pub(super) fn left_to_a_question(survey: &mut Survey<'_>, command: &Command) {
    let way = if command.effect == Effect::Deny { Way::Wider } else { Way::Narrower };
    survey.differs(&command.rule, way, "asks, as it does about every command that starts alike");
}
