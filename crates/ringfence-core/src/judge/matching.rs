//! Search for the rules that match an access.

use smallvec::SmallVec;

use super::bound_table::RelativePosition;
use super::compile::Policy;
use super::entry::{EntryKind, EntryView, Side, has_right};
use super::side_index::SideIndex;
use crate::access::{
    ALL_VARIABLES, AccessKind, Arg, Connect, Exec, Extent, FileAccess, FileOp, McpItem, NO_WORD,
};
use crate::class::Class;
use crate::effect::Effect;
use crate::index::{InputToken, MatchKind, RuleNumber, TokenTrie, Tokens, WalkedPrefix, labels};
use crate::net::{AddressRange, HostName};
use crate::path::{AbsPath, FilePath};
use crate::pattern::{McpItemKind, Pattern, Token};

/// Rule numbers. Eight are stored without allocation, and few accesses match more.
pub(super) type Numbers = SmallVec<[RuleNumber; 8]>;

/// The rules that match one aspect of an access: one spelling of its path, or one address of its
/// host.
#[derive(Debug, Default)]
pub(super) struct MatchedRules {
    pub(super) grants: Numbers,
    pub(super) objections: Numbers,
    /// Rules that an unknown word could complete.
    pub(super) possible: Vec<RuleNumber>,
}

/// A function that searches one trie of file patterns.
///
/// Its arguments are the trie, the components of the path below the directory where the trie
/// starts, and the number of the trie's first rule. The components are `None` if the trie starts
/// below the path.
type TrieVisitor<'f> = dyn FnMut(&TokenTrie, Option<&[InputToken<'_>]>, RuleNumber) + 'f;

/// A function that receives the rules that match one aspect of an access.
pub(super) type AspectVisitor<'f> = dyn FnMut(&mut MatchedRules) + 'f;

impl Policy {
    /// Calls `found` with the matching rules for each spelling of a file's path.
    pub(super) fn each_file_aspect(&self, file: &FileAccess, found: &mut AspectVisitor<'_>) {
        let mut each = |extent| {
            for path in file.path.spellings() {
                found(&mut self.match_file(file.op, extent, path));
            }
        };
        each(file.extent);
        // A tree access includes the directory itself.
        if matches!(file.extent, Extent::Tree | Extent::Search | Extent::Names) {
            each(Extent::One);
        }
    }

    /// Calls `found` with the matching rules for each spelling of a socket's path.
    #[cold]
    pub(super) fn each_socket_aspect(&self, path: &FilePath, found: &mut AspectVisitor<'_>) {
        path.spellings().for_each(|path| found(&mut self.match_socket(path)));
    }

    pub(super) fn match_exec(&self, exec: &Exec) -> MatchedRules {
        let mut matched = MatchedRules::default();
        self.each_command(exec, Side::Grant, &mut |entry| matched.grants.push(entry));
        self.each_command(exec, Side::Object, &mut |entry| matched.objections.push(entry));
        if exec.carrier.is_some() {
            self.each_carrier_grant(exec, &mut |entry| matched.grants.push(entry));
        }
        let is_open = |arg: &Arg| matches!(arg, Arg::Unknown(unknown) if !unknown.operand);
        if exec.args.iter().any(is_open) {
            for side in [Side::Grant, Side::Object] {
                let own = (&self.index(side).commands, 0);
                let tables = self.tables.iter();
                let tables = tables.map(|own| (&own.table.side(side).commands, own.first));
                for (commands, first) in [own].into_iter().chain(tables) {
                    commands.each_possible(exec, side, &mut |entry| {
                        matched.possible.push(first.saturating_add(entry));
                    });
                }
            }
        }
        matched
    }

    pub(super) fn match_simple(&self, what: &AccessKind) -> MatchedRules {
        let mut matched = MatchedRules::default();
        let sides = [(Side::Grant, &mut matched.grants), (Side::Object, &mut matched.objections)];
        for (side, found) in sides {
            let index = self.index(side);
            if let (AccessKind::ReadEnv(name), Side::Object) = (what, side)
                && &**name == ALL_VARIABLES
            {
                found.extend(self.denied_variables());
            }
            let mut add = |entry: RuleNumber| found.push(entry);
            let mut mcp = |sort: McpItemKind, item: &McpItem| {
                index.each_mcp(&item.server, sort, &item.item, &mut add);
            };
            match what {
                AccessKind::Listen(port) => index.each_port(*port, add),
                AccessKind::Resolve(name) => self.each_resolution(name, side, add),
                AccessKind::SetEnv(name) | AccessKind::ReadEnv(name) => {
                    index.variables.each_match([&**name], |own, _| add(own));
                    for table in &self.tables {
                        let variables = &table.table.side(side).variables;
                        let mut add = |own: RuleNumber| add(table.first.saturating_add(own));
                        variables.each_match([&**name], |own, _| add(own));
                    }
                }
                AccessKind::CallTool(tool) => index.each_tool(tool, add),
                AccessKind::Resource(item) => mcp(McpItemKind::Resource, item),
                AccessKind::Prompt(item) => mcp(McpItemKind::Prompt, item),
                AccessKind::Method(item) => mcp(McpItemKind::Method, item),
                AccessKind::Keychain(entry) => {
                    let name = format!("{}/{}", entry.service, entry.account);
                    index.keychain.each_match([&*name], |entry, _| add(entry));
                }
                AccessKind::File(_)
                | AccessKind::Socket(_)
                | AccessKind::Connect(_)
                | AccessKind::Exec(_) => {}
            }
        }
        matched
    }

    /// Returns the index of one side, without built-in tables.
    fn index(&self, side: Side) -> &SideIndex {
        match side {
            Side::Grant => &self.grants,
            Side::Object => &self.objections,
        }
    }

    /// Calls `found` for every rule of one side that matches the command.
    pub(super) fn each_command(&self, exec: &Exec, side: Side, found: &mut dyn FnMut(RuleNumber)) {
        self.index(side).each_command(exec, side, found);
        for table in &self.tables {
            let mut found = |entry: RuleNumber| found(table.first.saturating_add(entry));
            table.table.side(side).commands.each_match(exec, side, &mut found);
        }
    }

    /// Calls `found` for the grants of the outer command whose literal words include this program:
    /// `cmd:npx:eslint:*` also grants `eslint`.
    #[cold]
    fn each_carrier_grant(&self, exec: &Exec, found: &mut dyn FnMut(RuleNumber)) {
        let Some((carrier, at)) = &exec.carrier else { return };
        self.each_command(carrier, Side::Grant, &mut |entry| {
            let Some(Pattern::Command(pattern)) = self.rule(entry).map(|own| &own.pattern) else {
                return;
            };
            // The first token is the outer program itself.
            let reaches = |tokens: &[Token]| {
                tokens.iter().take_while(|token| **token != Token::Run).count()
                    > at.saturating_add(1)
            };
            if pattern.alternatives().iter().any(|alternative| reaches(&alternative.tokens)) {
                found(entry);
            }
        });
    }

    /// Adds the allow rules and exceptions that match the outer command, if `exec` is the same
    /// command under another name.
    ///
    /// An example is `git foo`, which starts `git-foo`. If `cmd:git:*` is an exception to a deny
    /// rule on `cmd:*`, the start of `git-foo` is excepted too.
    #[cold]
    pub(super) fn add_allowances_of_command(&self, exec: &Exec, matched: &mut MatchedRules) {
        let Some((command, NO_WORD)) = &exec.carrier else { return };
        let is_leave =
            |kind: EntryKind| matches!(kind, EntryKind::Rule(Effect::Allow) | EntryKind::Except(_));
        self.each_command(command, Side::Grant, &mut |entry| {
            if self.entry(entry).is_some_and(|own| is_leave(own.kind)) {
                matched.grants.push(entry);
            }
        });
    }

    /// Returns the rules that deny some variable. Reading all variables includes reading that one.
    fn denied_variables(&self) -> impl Iterator<Item = RuleNumber> {
        (0..self.rules.next()).filter(|number| {
            let entry = self.entry(*number);
            entry.is_some_and(|own| {
                own.kind == EntryKind::Rule(Effect::Deny) && own.class == Class::Env
            })
        })
    }

    fn match_file(&self, op: FileOp, extent: Extent, path: &AbsPath) -> MatchedRules {
        let path = self.path_rules.folded(path);
        let names: Tokens<'_> = path.components().map(InputToken::Word).collect();
        let mut matched = MatchedRules::default();
        self.each_trie(Side::Grant, &path, &names, &mut |trie, names, first| {
            let mut grant = |entry: RuleNumber| {
                let entry = first.saturating_add(entry);
                if self.has_right(entry, op, Side::Grant) {
                    matched.grants.push(entry);
                }
            };
            let Some(names) = names else { return };
            match extent {
                Extent::One | Extent::Unknown => {
                    trie.each_match_from(&WalkedPrefix::default(), names, &mut |entry, hit| {
                        // `dir/**` grants reading `dir`, but not replacing it.
                        if hit == MatchKind::Full || op == FileOp::Read {
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
                    trie.each_covering(&WalkedPrefix::default(), names, &mut grant)
                }
            }
        });
        self.each_trie(Side::Object, &path, &names, &mut |trie, names, first| {
            let mut object = |entry: RuleNumber| {
                let entry = first.saturating_add(entry);
                if self.has_right(entry, op, Side::Object) {
                    matched.objections.push(entry);
                }
            };
            let start = WalkedPrefix::default();
            // If the path is above an anchor, every pattern of that anchor lies below the path.
            match (extent, names) {
                (Extent::One, None) => {}
                (Extent::One, Some(names)) => {
                    trie.each_match_from(&start, names, &mut |entry, _| object(entry));
                }
                // Danger rules are matched against the path itself in a separate pass.
                (Extent::Names, _) => {
                    trie.each_below(&start, names.unwrap_or_default(), &mut |own| {
                        let entry = self.entry(first.saturating_add(own));
                        if !entry.is_some_and(|entry| entry.kind == EntryKind::Danger) {
                            object(own);
                        }
                    })
                }
                // This also reports the patterns that match the path itself.
                _ => trie.each_below(&start, names.unwrap_or_default(), &mut object),
            }
        });
        matched
    }

    /// Calls `look` with each trie of file patterns that may match the path or an entry below it.
    fn each_trie(
        &self,
        side: Side,
        path: &AbsPath,
        names: &[InputToken<'_>],
        look: &mut TrieVisitor<'_>,
    ) {
        look(&self.index(side).files, Some(names), 0);
        for table in &self.tables {
            for anchor in table.anchors.iter().filter(|anchor| anchor.side == side) {
                match anchor.position_of(path) {
                    Some(RelativePosition::Below(depth)) => {
                        look(anchor.files(), names.get(depth..), table.first)
                    }
                    Some(RelativePosition::Above) => look(anchor.files(), None, table.first),
                    None => {}
                }
            }
        }
    }

    fn has_right(&self, entry: RuleNumber, op: FileOp, side: Side) -> bool {
        self.entry(entry).is_some_and(|entry| match entry.kind {
            // An exception applies to all rights of the rule that it narrows.
            EntryKind::Except(_) => true,
            _ => has_right(entry.rights, op, side),
        })
    }

    fn match_socket(&self, path: &AbsPath) -> MatchedRules {
        let path = self.path_rules.folded(path);
        let mut matched = MatchedRules::default();
        self.grants.sockets.each_match(path.components(), |e, _| matched.grants.push(e));
        self.objections.sockets.each_match(path.components(), |e, _| matched.objections.push(e));
        matched
    }

    /// Calls `found` with the rules that match the named host, and then for each known address that
    /// needs an explicit grant.
    pub(super) fn each_connection_aspect(&self, connect: &Connect, found: &mut AspectVisitor<'_>) {
        let addresses = || connect.addresses.iter().map(|address| HostName::from(*address));
        let (host, port) = (LabelledHost::from(&connect.host), connect.port);
        let mut named = MatchedRules::default();
        let mut object = |host: &LabelledHost<'_>| {
            self.objections.hosts.each_match(host.name, &host.labels, |entry| {
                if self.has_port(entry, port, Side::Object) {
                    named.objections.push(entry);
                }
            });
        };
        object(&host);
        addresses().for_each(|address| object(&LabelledHost::from(&address)));
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
            let mut by_address = MatchedRules::default();
            let mut grant = |host: &LabelledHost<'_>| {
                self.each_host(host, port, |number, entry| {
                    if !entry.wild {
                        by_address.grants.push(number);
                    }
                });
            };
            if host.name.may_lead_to(ip) {
                grant(&host);
            }
            grant(&LabelledHost::from(&address));
            found(&mut by_address);
        }
    }

    fn each_host(
        &self,
        host: &LabelledHost<'_>,
        port: Option<u16>,
        mut found: impl FnMut(RuleNumber, EntryView<'_>),
    ) {
        self.grants.hosts.each_match(host.name, &host.labels, |number| {
            if self.has_port(number, port, Side::Grant)
                && let Some(entry) = self.entry(number)
            {
                found(number, entry);
            }
        });
    }

    /// Calls `found` for the rules that match resolving a name. A grant of any port grants it; a
    /// deny rule for a single port does not deny it.
    fn each_resolution(&self, name: &HostName, side: Side, mut found: impl FnMut(RuleNumber)) {
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

    /// Returns whether a rule applies to a port. An unknown port matches no grant of a single port,
    /// but may be the denied port.
    fn has_port(&self, entry: RuleNumber, port: Option<u16>, side: Side) -> bool {
        match (self.port(entry), port) {
            (None, _) => true,
            (Some(own), Some(port)) => own == port,
            (Some(_), None) => side == Side::Object,
        }
    }

    fn port(&self, entry: RuleNumber) -> Option<u16> {
        self.entry(entry)?.port
    }
}

/// A host with its labels, which are split once for both sides.
struct LabelledHost<'h> {
    name: &'h HostName,
    labels: Tokens<'h>,
}

impl<'h> From<&'h HostName> for LabelledHost<'h> {
    fn from(name: &'h HostName) -> LabelledHost<'h> {
        LabelledHost { name, labels: labels(name) }
    }
}

/// Returns whether a wildcard may match the host, as far as the host's address range is known.
fn is_public(host: &HostName) -> bool {
    matches!(host.reach(), None | Some(AddressRange::Public))
}
