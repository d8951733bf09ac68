//! Accesses: single resolved things that a call would do.

use std::sync::Arc;

use std::net::IpAddr;

use crate::class::Class;
use crate::net::HostName;
use crate::path::{AbsPath, FilePath, NameEnd};
use crate::rule::ToolKind;

/// A word of a command. Most are short, and are copied without taking memory.
pub use ecow::EcoString as Text;

/// One resolved thing that a call would do, and the scope in which it happens.
#[derive(Debug, Clone)]
pub struct Access {
    /// What would happen.
    pub what: What,
    /// For whom, through which tool, under which command.
    pub scope: AccessScope,
    /// Where in the call's text it comes from, in bytes.
    pub span: Option<(usize, usize)>,
}

impl Access {
    /// An access outside every scope.
    pub fn new(what: What) -> Access {
        Access { what, scope: AccessScope::default(), span: None }
    }

    /// The class this access belongs to.
    pub fn class(&self) -> Class {
        self.what.class()
    }
}

/// The things that can happen.
#[derive(Debug, Clone)]
pub enum What {
    /// A program is run.
    Exec(Arc<Exec>),
    /// A file or directory is read, written or deleted.
    File(FileAccess),
    /// A connection is made.
    Connect(Connect),
    /// A port is opened on the host's loopback.
    Listen(u16),
    /// A name is resolved.
    Resolve(HostName),
    /// A unix socket is used.
    Socket(FilePath),
    /// A variable is set or passed on.
    SetEnv(Box<str>),
    /// A variable is read, or [all of them](ALL_VARIABLES).
    ReadEnv(Box<str>),
    /// A tool is called.
    CallTool(Arc<ToolName>),
    /// An MCP resource is read.
    Resource(McpItem),
    /// An MCP prompt is fetched.
    Prompt(McpItem),
    /// An MCP method is called that has no meaning of its own here.
    Method(McpItem),
    /// A keychain entry is used.
    Keychain(KeychainEntry),
}

impl What {
    /// The class of this access.
    pub fn class(&self) -> Class {
        match self {
            What::Exec(_) => Class::Exec,
            What::File(_) => Class::Files,
            What::Connect(_) | What::Listen(_) | What::Resolve(_) => Class::Net,
            What::Socket(_) => Class::Socket,
            What::SetEnv(_) | What::ReadEnv(_) => Class::Env,
            What::CallTool(_) | What::Resource(_) | What::Prompt(_) | What::Method(_) => {
                Class::Tool
            }
            What::Keychain(_) => Class::Keychain,
        }
    }
}

/// Stands for every variable where all of them are read: only `env:*` grants that.
pub const ALL_VARIABLES: &str = "*";

/// For whom an access happens, through which tool, under which command.
#[derive(Debug, Clone, Default)]
pub struct AccessScope {
    /// The agent, as the door knows it.
    pub agent: Option<Arc<str>>,
    /// The tool that was called.
    pub tool: Option<Arc<ToolName>>,
    /// The command that this happens under.
    pub command: Option<Arc<Exec>>,
    /// Whether it may as well happen under whatever that command starts: nobody can tell, so what
    /// objects under one command objects here.
    pub whole_run: bool,
    /// Whether a grant of the command or tool covers this where nobody has a stance.
    pub cover: Cover,
    /// What the exec gate of a fence adds.
    pub gate: GateFacts,
}

/// What the exec gate of a fence knows about one access of a program's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateFacts {
    /// Whether the gate judges the access again when the program makes it. The danger list does not
    /// count before that.
    pub judged_later: bool,
    /// Whether the access belongs to another name of the start. A question that the first name raises
    /// is not asked again.
    pub by_other_name: bool,
}

/// Whether the grant of a command or MCP tool covers what it does in a class on which no
/// document has a stance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cover {
    /// The access stands for itself and needs a grant of its own.
    #[default]
    Bare,
    /// A granted command or MCP tool does it.
    Granted,
    /// It needs no grant at all, and meets only what objects: a wrapper whose inner command is
    /// judged.
    Free,
    /// Every confined run has it, so that it is allowed where no rule speaks of it.
    Given,
    /// A start of a program that needs no grant: deny rules, the danger list and some ask rules count.
    Objections(AskRules),
}

/// Which ask rules count for an access that needs no grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskRules {
    /// None of them.
    None,
    /// Those with a path in their pattern.
    WithPath,
    /// All of them. They know a program as allow rules do: by its name, where `PATH` finds its file.
    LikeAllow,
    /// All of them. They know a program as deny rules do: by each of its names, wherever its file is.
    ByAnyName,
}

/// No word of a command names the program that it starts.
pub const NO_WORD: usize = usize::MAX;

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exec {
    /// The program and how it was found.
    pub program: Program,
    /// Other names of the same file. Allow and ask rules may know the program by any of them.
    pub aliases: Vec<Program>,
    /// The words after the program, quotes removed.
    pub args: Vec<Arg>,
    /// What the words mean, where the program's options are known: subcommands first.
    pub reading: Option<Vec<Meant>>,
    /// The command that carries this one, and which of its words names this program; [`NO_WORD`]
    /// where it is known by another name.
    pub carrier: Option<(Arc<Exec>, usize)>,
    /// The directory it runs in.
    pub cwd: AbsPath,
}

impl Exec {
    /// A program with arguments that are known, and nothing else known about them.
    pub fn new(program: Program, args: Vec<Arg>, cwd: AbsPath) -> Exec {
        Exec { program, aliases: Vec::new(), args, reading: None, carrier: None, cwd }
    }

    /// Returns the program by each of the names under which allow and ask rules may know it.
    pub(crate) fn granted_programs(&self) -> impl Iterator<Item = &Program> {
        std::iter::once(&self.program).chain(&self.aliases)
    }
}

/// A word after a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// Its text.
    Known(Text),
    /// It cannot be told before the line runs.
    Unknown(Unknown),
}

impl Arg {
    /// The text, where it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Arg::Known(text) => Some(text),
            Arg::Unknown(_) => None,
        }
    }

    /// The text, or what stands in its place.
    pub fn shown(&self) -> &str {
        match self {
            Arg::Known(text) => text,
            Arg::Unknown(unknown) => &unknown.shown,
        }
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Known(text.into())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Known(text.into())
    }
}

/// A word that cannot be told before the line runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// As it is written.
    pub shown: Box<str>,
    /// Whether it can only be an operand.
    pub operand: bool,
    /// Whether it may become several words, or none.
    pub many: bool,
}

/// What a word of a command means to its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// A subcommand or an option, in all its spellings.
    OneOf(Arc<[Box<str>]>),
    /// The value of an option.
    Value(Arg),
    /// An operand.
    Word(Text),
    /// An operand that has further names, which only what objects goes by; its own comes first.
    Named(Arc<[Box<str>]>),
    /// It cannot be told.
    Unknown(Unknown),
}

/// The last component of the word that names a program.
pub fn base_name(word: &str) -> &str {
    // Such words are short: looking at each byte is quicker than to search.
    let slash = word.bytes().rposition(|byte| byte == b'/');
    slash.and_then(|at| word.get(at.saturating_add(1)..)).unwrap_or(word)
}

/// A program: as it was invoked, and what that means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The word that named it.
    pub invoked: Text,
    /// The file that would run, where it could be found.
    pub file: Option<AbsPath>,
    /// The name under which allow and ask rules know it: set only if the file is the one that the
    /// door's own `PATH` gives, in a directory that the agent may not write.
    pub known_as: Option<Text>,
}

impl Program {
    /// Every base name under which deny and danger rules know the program: as it was invoked and
    /// as it was found, each with and without the version at its end.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let invoked = Some(base_name(&self.invoked));
        let resolved = self.file.as_ref().map(AbsPath::file_name);
        let other = invoked.and_then(builtin_synonym);
        let names = invoked.into_iter().chain(resolved.filter(move |name| Some(*name) != invoked));
        let names = names.chain(other);
        names.flat_map(|name| std::iter::successors(Some(name), |name| less_version(name)))
    }

    /// Calls `found` with each of its [names](Program::names). Nearly none has a version.
    pub(crate) fn each_name(&self, found: &mut dyn FnMut(&str)) {
        let invoked = base_name(&self.invoked);
        each_version(invoked, found);
        builtin_synonym(invoked).into_iter().for_each(&mut *found);
        if let Some(file) = &self.file {
            let resolved = file.file_name();
            if resolved != invoked {
                each_version(resolved, found);
            }
        }
    }
}

/// Returns the other name of a builtin that has two.
pub(crate) fn builtin_synonym(name: &str) -> Option<&'static str> {
    match name {
        "." => Some("source"),
        "source" => Some("."),
        _ => None,
    }
}

/// A program's name, with and without the version at its end.
fn each_version(name: &str, found: &mut dyn FnMut(&str)) {
    found(name);
    if name.as_bytes().last().is_some_and(u8::is_ascii_digit) {
        std::iter::successors(less_version(name), |name| less_version(name)).for_each(found);
    }
}

/// A program's name without the last number of a version at its end: `python3` for `python3.11`,
/// `gcc` for `gcc-12`.
fn less_version(name: &str) -> Option<&str> {
    if !name.as_bytes().last()?.is_ascii_digit() {
        return None;
    }
    let cut = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let cut = cut.strip_suffix(['.', '-']).unwrap_or(cut);
    // One letter with a number is a name of its own, and so is a number.
    (cut.len() > 1).then_some(cut)
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAccess {
    /// Read, write or delete.
    pub op: FileOp,
    /// The path alone, or everything below it as well.
    pub extent: Extent,
    /// The path as asked for and as it really is.
    pub path: FilePath,
}

/// The operations on files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileOp {
    /// Opening or listing.
    Read,
    /// Writing, creating, changing.
    Write,
    /// Deleting or renaming away.
    Delete,
}

/// How far a file access reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The path itself.
    One,
    /// The path, of which it is not known whether anything lies below it: what grants needs to
    /// match the path, what objects may match below it too.
    Unknown,
    /// The path and everything below it.
    Tree,
    /// As `Tree`, for commands that search and list: danger's floating rules do not hold them up.
    Search,
    /// As `Search`, for commands that open no file and tell names alone: danger's rules hold them
    /// up only where the path itself meets them.
    Names,
    /// Something below the path, of which it is not known which.
    Below,
    /// As `Below`, for formatters, which change no meaning and know the places that are not theirs:
    /// danger's floating rules do not hold them up.
    Sources,
    /// As `Below`, of which it is known how its name ends, or the name of a directory that it lies in
    /// below the path.
    Ending(NameEnd),
}

/// A connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connect {
    /// The name or address asked for.
    pub host: HostName,
    /// The port, where it is known.
    pub port: Option<u16>,
    /// The addresses that the name is known to have; each is judged too.
    pub addresses: Vec<IpAddr>,
}

impl Connect {
    /// Returns the first known address to which a grant of the name does not lead.
    pub fn unexpected_address(&self) -> Option<IpAddr> {
        self.addresses.iter().copied().find(|ip| !self.host.may_lead_to(*ip))
    }
}

/// The name of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolName {
    /// The name as the agent says it; `mcp__SERVER__TOOL` for MCP tools.
    pub wire: Box<str>,
    /// Server and tool, for MCP tools.
    pub mcp: Option<McpItem>,
    /// The kind, where the tool is one that ringfence knows.
    pub kind: Option<ToolKind>,
}

/// Something that an MCP server has: a tool, resource, prompt or method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpItem {
    /// The server's name.
    pub server: Box<str>,
    /// The item's name or URI.
    pub item: Box<str>,
}

/// A keychain entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeychainEntry {
    /// The service.
    pub service: Box<str>,
    /// The account.
    pub account: Box<str>,
}
