//! What waits at a hub, and what is known of its servers.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::join::{Join, Kind};
use crate::id::Id;

/// More resources than this are not remembered.
const MOST_RESOURCES: usize = 100_000;

#[derive(Debug)]
pub(super) struct State {
    /// The last number that was given.
    last: u64,
    members: Vec<Member>,
    /// Requests that were sent to servers, by their number.
    calls: HashMap<u64, (Call, usize)>,
    /// The numbers of each request of the client.
    waiting: HashMap<Id, Vec<u64>>,
    joins: HashMap<u64, Join>,
    /// Requests of servers, by the number that the client knows: the server, and the id it gave.
    asked: HashMap<u64, (usize, String)>,
    /// Which server has a resource.
    resources: HashMap<String, usize>,
    /// Which server has the resources that begin so.
    templates: Vec<(String, usize)>,
}

#[derive(Debug, Default)]
struct Member {
    is_gone: bool,
    /// What it can do, once it has said so.
    capabilities: Option<Map<String, Value>>,
}

/// A request that a server has.
#[derive(Debug)]
pub(super) enum Call {
    /// It stands for this one of the client.
    One(Id),
    /// It is one of several whose answers are joined.
    Part { join: u64, member: usize },
}

impl State {
    pub(super) fn new(members: usize) -> State {
        State {
            last: 0,
            members: (0..members).map(|_| Member::default()).collect(),
            calls: HashMap::new(),
            waiting: HashMap::new(),
            joins: HashMap::new(),
            asked: HashMap::new(),
            resources: HashMap::new(),
            templates: Vec::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.last = self.last.wrapping_add(1);
        self.last
    }

    /// Whether a request of the client with this id waits.
    pub(super) fn waits(&self, id: &Id) -> bool {
        self.waiting.contains_key(id)
    }

    /// Remembers a request; its number.
    pub(super) fn add(&mut self, call: Call, member: usize, client: &Id) -> u64 {
        let own = self.number();
        self.calls.insert(own, (call, member));
        self.waiting.entry(client.clone()).or_default().push(own);
        own
    }

    /// The request that an answer is for; it waits no longer.
    pub(super) fn take(&mut self, id: &Id) -> Option<Call> {
        let own: u64 = id.as_json().parse().ok()?;
        let (call, _) = self.calls.remove(&own)?;
        let client = match &call {
            Call::One(client) => Some(client.clone()),
            Call::Part { join, .. } => self.joins.get(join).map(|join| join.client().clone()),
        };
        if let Some(client) = client
            && let Some(numbers) = self.waiting.get_mut(&client)
        {
            numbers.retain(|number| *number != own);
            if numbers.is_empty() {
                self.waiting.remove(&client);
            }
        }
        Some(call)
    }

    /// The numbers of a client's request, and who has each. Its answers are still awaited by
    /// nobody but this hub.
    pub(super) fn calls_of(&mut self, client: &Id) -> Vec<(u64, usize)> {
        let numbers = self.waiting.remove(client).unwrap_or_default();
        let sent = numbers.into_iter().filter_map(|own| {
            let (call, member) = self.calls.remove(&own)?;
            if let Call::Part { join, .. } = call {
                self.joins.remove(&join);
            }
            Some((own, member))
        });
        sent.collect()
    }

    /// Begins to join answers; its number.
    pub(super) fn begin(&mut self, join: Join) -> u64 {
        let key = self.number();
        self.joins.insert(key, join);
        key
    }

    pub(super) fn join(&mut self, key: u64) -> Option<&mut Join> {
        self.joins.get_mut(&key)
    }

    pub(super) fn end(&mut self, key: u64) -> Option<Join> {
        self.joins.remove(&key)
    }

    /// The servers that can answer.
    pub(super) fn members_for(&self, kind: &Kind) -> Vec<usize> {
        let can = |member: &Member| match (kind.capability(), &member.capabilities) {
            (Some(key), Some(capabilities)) => capabilities.contains_key(key),
            // Where nothing was said before, nobody is left out.
            _ => true,
        };
        let members = self.members.iter().enumerate();
        let members = members.filter(|(_, member)| !member.is_gone && can(member));
        members.map(|(position, _)| position).collect()
    }

    pub(super) fn says(&mut self, member: usize, capabilities: Option<&Value>) {
        if let Some(own) = self.members.get_mut(member) {
            own.capabilities = capabilities.and_then(Value::as_object).cloned();
        }
    }

    pub(super) fn is_gone(&self, member: usize) -> bool {
        self.members.get(member).is_none_or(|own| own.is_gone)
    }

    pub(super) fn lose(&mut self, member: usize) {
        if let Some(own) = self.members.get_mut(member) {
            own.is_gone = true;
        }
        self.asked.retain(|_, (own, _)| *own != member);
    }

    /// Remembers what a server asks of the client; the number that the client is told.
    pub(super) fn ask(&mut self, member: usize, id: &str) -> u64 {
        let own = self.number();
        self.asked.insert(own, (member, id.to_owned()));
        own
    }

    /// Whose request the client answers.
    pub(super) fn asked(&mut self, id: &Id) -> Option<(usize, String)> {
        self.asked.remove(&id.as_json().parse().ok()?)
    }

    /// A server wants no answer any more; the number that the client was told.
    pub(super) fn forget(&mut self, member: usize, id: &str) -> Option<u64> {
        let known = self.asked.iter().find(|(_, (own, given))| *own == member && given == id);
        let own = known.map(|(own, _)| *own)?;
        self.asked.remove(&own);
        Some(own)
    }

    /// Remembers whose a resource is. The first that has it keeps it.
    pub(super) fn has_resource(&mut self, uri: String, member: usize) {
        if self.resources.len() < MOST_RESOURCES {
            self.resources.entry(uri).or_insert(member);
        }
    }

    /// Remembers whose the resources of a template are.
    pub(super) fn has_template(&mut self, template: &str, member: usize) {
        let start = template.split('{').next().unwrap_or_default().to_owned();
        let known = self.templates.iter().any(|(own, _)| *own == start);
        if !known && self.templates.len() < MOST_RESOURCES {
            self.templates.push((start, member));
        }
    }

    /// Whose a resource is: as listed, as a template says, or the only server's that has any.
    pub(super) fn owner(&self, uri: &str) -> Option<usize> {
        let listed = self.resources.get(uri).copied();
        let by_template = || {
            let fits = self.templates.iter().filter(|(start, _)| uri.starts_with(start.as_str()));
            fits.max_by_key(|(start, _)| start.len()).map(|(_, member)| *member)
        };
        let only = || match self.members_for(&Kind::List(super::join::RESOURCES)).as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        listed.or_else(by_template).or_else(only)
    }
}
