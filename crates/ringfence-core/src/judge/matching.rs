//! Finding the rules that match an access.

use smallvec::SmallVec;

use super::compile::Policy;
use super::entry::{Entry, Side, Sort, has_right};
use crate::access::{
    ALL_VARIABLES, Arg, Connect, Exec, Extent, FileAccess, FileOp, McpItem, NO_WORD, What,
};
use crate::effect::Effect;
use crate::index::{EntryId, Hit, Tokens, labels};
use crate::net::{HostName, Reach};
use crate::path::{AbsPath, FilePath};
use crate::pattern::{McpSort, Pattern, Token};

/// Rules by number; an access rarely meets more than a few, and those need no memory of their own.
pub(super) type Numbers = SmallVec<[EntryId; 8]>;

/// The rules that match one aspect of an access.
#[derive(Debug, Default)]
pub(super) struct Matched {
    pub(super) grants: Numbers,
    pub(super) objections: Numbers,
    /// Rules that an unknown word could complete.
    pub(super) possible: Vec<EntryId>,
}

/// What is done with the rules that match one aspect of an access.
pub(super) type OnAspect<'f> = dyn FnMut(&mut Matched) + 'f;

impl Policy {
    /// Calls `found` with the rules that match each spelling of a file's path.
    pub(super) fn each_of_file(&self, file: &FileAccess, found: &mut OnAspect<'_>) {
        let mut each = |extent| {
            for path in file.path.spellings() {
                found(&mut self.match_file(file.op, extent, path));
            }
        };
        each(file.extent);
        // A tree is its own directory as well as all that lies below.
        if matches!(file.extent, Extent::Tree | Extent::Search | Extent::Names) {
            each(Extent::One);
        }
    }

    /// Calls `found` with the rules that match each spelling of a socket's path.
    #[cold]
    pub(super) fn each_of_socket(&self, path: &FilePath, found: &mut OnAspect<'_>) {
        path.spellings().for_each(|path| found(&mut self.match_socket(path)));
    }

    pub(super) fn match_exec(&self, exec: &Exec) -> Matched {
        let mut matched = Matched::default();
        let (grants, objections) = (&self.grants, &self.objections);
        grants.each_command(exec, Side::Grant, &mut |entry| matched.grants.push(entry));
        objections.each_command(exec, Side::Object, &mut |entry| matched.objections.push(entry));
        if exec.carrier.is_some() {
            self.each_carried(exec, &mut |entry| matched.grants.push(entry));
        }
        let is_open = |arg: &Arg| matches!(arg, Arg::Unknown(unknown) if !unknown.operand);
        if exec.args.iter().any(is_open) {
            let mut add = |entry| matched.possible.push(entry);
            grants.commands.each_possible(exec, Side::Grant, &mut add);
            objections.commands.each_possible(exec, Side::Object, &mut add);
        }
        matched
    }

    pub(super) fn match_simple(&self, what: &What) -> Matched {
        let mut matched = Matched::default();
        let sides = [
            (&self.grants, Side::Grant, &mut matched.grants),
            (&self.objections, Side::Object, &mut matched.objections),
        ];
        for (index, side, found) in sides {
            if let (What::ReadEnv(name), Side::Object) = (what, side)
                && &**name == ALL_VARIABLES
            {
                found.extend(self.denied_variables());
            }
            let mut add = |entry: EntryId| found.push(entry);
            let mut mcp = |sort: McpSort, item: &McpItem| {
                index.each_mcp(&item.server, sort, &item.item, &mut add);
            };
            match what {
                What::Listen(port) => index.each_port(*port, add),
                What::Resolve(name) => self.each_name(name, side, add),
                What::SetEnv(name) | What::ReadEnv(name) => index.variables.each_match(name, add),
                What::CallTool(tool) => index.each_tool(tool, add),
                What::Resource(item) => mcp(McpSort::Resource, item),
                What::Prompt(item) => mcp(McpSort::Prompt, item),
                What::Method(item) => mcp(McpSort::Method, item),
                What::Keychain(entry) => {
                    let name = format!("{}/{}", entry.service, entry.account);
                    index.keychain.each_match(&name, add);
                }
                What::File(_) | What::Socket(_) | What::Connect(_) | What::Exec(_) => {}
            }
        }
        matched
    }

    /// The grants of the command that carries this one whose literals reach this program:
    /// `cmd:npx:eslint:*` grants `eslint` too.
    #[cold]
    fn each_carried(&self, exec: &Exec, found: &mut dyn FnMut(EntryId)) {
        let Some((carrier, at)) = &exec.carrier else { return };
        self.grants.each_command(carrier, Side::Grant, &mut |entry| {
            let Some(Pattern::Command(pattern)) = self.rule(entry).map(|own| &own.pattern) else {
                return;
            };
            // The program of the carrier is the first token.
            let reaches = |tokens: &[Token]| {
                tokens.iter().take_while(|token| **token != Token::Run).count()
                    > at.saturating_add(1)
            };
            if pattern.alternatives().iter().any(|alternative| reaches(&alternative.tokens)) {
                found(entry);
            }
        });
    }

    /// What lets a command through lets it through by its other name too, where that outranks a
    /// question or excepts from a denial: with an ask on `cmd:*` beside `cmd:git:*`, or a deny on
    /// `cmd:*` except `cmd:git:*`, `git foo` may be `git-foo`.
    #[cold]
    pub(super) fn add_leave_of_command(&self, exec: &Exec, matched: &mut Matched) {
        let Some((command, NO_WORD)) = &exec.carrier else { return };
        let is_leave = |sort: Sort| matches!(sort, Sort::Rule(Effect::Allow) | Sort::Except(_));
        self.grants.each_command(command, Side::Grant, &mut |entry| {
            if self.entry(entry).is_some_and(|own| is_leave(own.sort)) {
                matched.grants.push(entry);
            }
        });
    }

    /// The rules that deny some variable: whoever reads all of them reads that one too.
    fn denied_variables(&self) -> impl Iterator<Item = EntryId> {
        self.numbered().zip(0..).filter_map(|((entry, rule), number)| {
            let denies = entry.sort == Sort::Rule(Effect::Deny);
            (denies && matches!(rule.pattern, Pattern::Env(_))).then_some(number)
        })
    }

    fn match_file(&self, op: FileOp, extent: Extent, path: &AbsPath) -> Matched {
        let path = self.path_rules.folded(path);
        let start = self.landmark.start(&path);
        let names = start.names();
        let mut matched = Matched::default();
        let mut grant = |entry| {
            if self.has_right(entry, op, Side::Grant) {
                matched.grants.push(entry);
            }
        };
        match extent {
            Extent::One | Extent::Unknown => {
                self.grants.files.each_match_from(start.grants, &names, &mut |entry, hit| {
                    // `dir/**` covers reading `dir`, but not replacing it.
                    if hit == Hit::Full || op == FileOp::Read {
                        grant(entry);
                    }
                });
            }
            Extent::Tree
            | Extent::Search
            | Extent::Names
            | Extent::Below
            | Extent::Sources
            | Extent::Ending(_) => {
                self.grants.files.each_whole(start.grants, &names, &mut grant);
            }
        }
        let mut object = |entry| {
            if self.has_right(entry, op, Side::Object) {
                matched.objections.push(entry);
            }
        };
        let files = &self.objections.files;
        match extent {
            Extent::One => {
                files.each_match_from(start.objections, &names, &mut |entry, _| object(entry));
            }
            // What matches the path itself is looked at by itself.
            Extent::Names => files.each_below(start.objections, &names, &mut |entry| {
                if !self.entry(entry).is_some_and(|entry| entry.sort == Sort::Danger) {
                    object(entry);
                }
            }),
            // What matches the path itself is among them.
            _ => files.each_below(start.objections, &names, &mut object),
        }
        matched
    }

    fn has_right(&self, entry: EntryId, op: FileOp, side: Side) -> bool {
        self.entry(entry).is_some_and(|entry| match entry.sort {
            // An exception takes whatever rights the rule has that it narrows.
            Sort::Except(_) => true,
            _ => has_right(entry.rights, op, side),
        })
    }

    fn match_socket(&self, path: &AbsPath) -> Matched {
        let path = self.path_rules.folded(path);
        let mut matched = Matched::default();
        self.grants.sockets.each_match(path.components(), |e, _| matched.grants.push(e));
        self.objections.sockets.each_match(path.components(), |e, _| matched.objections.push(e));
        matched
    }

    /// The host as it was named, and each address that only an explicit grant may reach.
    pub(super) fn each_of_connection(&self, connect: &Connect, found: &mut OnAspect<'_>) {
        let addresses = || connect.addresses.iter().map(|address| HostName::from(*address));
        let (host, port) = (Labelled::from(&connect.host), connect.port);
        let mut named = Matched::default();
        let mut object = |host: &Labelled<'_>| {
            self.objections.hosts.each_match(host.name, &host.labels, |entry| {
                if self.has_port(entry, port, Side::Object) {
                    named.objections.push(entry);
                }
            });
        };
        object(&host);
        addresses().for_each(|address| object(&Labelled::from(&address)));
        let may_be_wild = is_public(host.name);
        self.each_host(&host, port, |number, entry| {
            if may_be_wild || !entry.wild {
                named.grants.push(number);
            }
        });
        found(&mut named);
        for ip in connect.addresses.iter().copied() {
            let address = HostName::from(ip);
            if is_public(&address) {
                continue;
            }
            let mut by_address = Matched::default();
            let mut grant = |host: &Labelled<'_>| {
                self.each_host(host, port, |number, entry| {
                    if !entry.wild {
                        by_address.grants.push(number);
                    }
                });
            };
            if host.name.may_lead_to(ip) {
                grant(&host);
            }
            grant(&Labelled::from(&address));
            found(&mut by_address);
        }
    }

    fn each_host(
        &self,
        host: &Labelled<'_>,
        port: Option<u16>,
        mut found: impl FnMut(EntryId, &Entry),
    ) {
        self.grants.hosts.each_match(host.name, &host.labels, |number| {
            if self.has_port(number, port, Side::Grant)
                && let Some(entry) = self.entry(number)
            {
                found(number, entry);
            }
        });
    }

    /// Resolving a name is granted with any port of it, and denied only with all of them.
    fn each_name(&self, name: &HostName, side: Side, mut found: impl FnMut(EntryId)) {
        let labels = labels(name);
        match side {
            Side::Grant => self.grants.hosts.each_match(name, &labels, |entry| {
                if is_public(name) || self.entry(entry).is_some_and(|entry| !entry.wild) {
                    found(entry);
                }
            }),
            Side::Object => self.objections.hosts.each_match(name, &labels, |entry| {
                if self.port(entry).is_none() {
                    found(entry);
                }
            }),
        }
    }

    /// A port that is not known matches no grant of one port, but may be the one that is denied.
    fn has_port(&self, entry: EntryId, port: Option<u16>, side: Side) -> bool {
        match (self.port(entry), port) {
            (None, _) => true,
            (Some(own), Some(port)) => own == port,
            (Some(_), None) => side == Side::Object,
        }
    }

    fn port(&self, entry: EntryId) -> Option<u16> {
        self.entry(entry)?.port
    }
}

/// A host with its labels, which both sides are asked about.
struct Labelled<'h> {
    name: &'h HostName,
    labels: Tokens<'h>,
}

impl<'h> From<&'h HostName> for Labelled<'h> {
    fn from(name: &'h HostName) -> Labelled<'h> {
        Labelled { name, labels: labels(name) }
    }
}

/// Whether a wildcard may stand for the host, as far as that is known.
fn is_public(host: &HostName) -> bool {
    matches!(host.reach(), None | Some(Reach::Public))
}
