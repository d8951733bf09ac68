//! Accesses: the single, fully resolved actions that a call would perform.

use std::sync::Arc;

use std::net::IpAddr;

use crate::class::Class;
use crate::enforcement::Enforcement;
use crate::net::HostName;
use crate::path::{AbsPath, FilePath, NameEnd};
use crate::rule::ToolKind;

/// Text of a command word. Up to 15 bytes are stored inline, so copying a short word needs no
/// allocation.
pub use ecow::EcoString as Text;

/// One resolved action that a call would perform, with the scope in which it happens.
#[derive(Debug, Clone)]
pub struct Access {
    /// The action.
    pub what: AccessKind,
    /// The agent, tool and command on whose behalf the action happens.
    pub scope: AccessScope,
    /// The byte range of the call's text that this access was read from.
    pub span: Option<(usize, usize)>,
}

impl Access {
    /// Creates an access that is bound to no agent, tool or command.
    pub fn new(what: AccessKind) -> Access {
        Access { what, scope: AccessScope::default(), span: None }
    }

    /// Returns the class of this access.
    pub fn class(&self) -> Class {
        self.what.class()
    }
}

/// The kind of an access, with the resource that it touches.
#[derive(Debug, Clone)]
pub enum AccessKind {
    /// Runs a program.
    Exec(Arc<Exec>),
    /// Reads, writes or deletes a file or directory.
    File(FileAccess),
    /// Connects to a host.
    Connect(Connect),
    /// Opens a port on the host's loopback interface.
    Listen(u16),
    /// Resolves a host name.
    Resolve(HostName),
    /// Uses a unix socket.
    Socket(FilePath),
    /// Sets an environment variable or passes it on.
    SetEnv(Box<str>),
    /// Reads an environment variable, or [all of them](ALL_VARIABLES).
    ReadEnv(Box<str>),
    /// Calls a tool.
    CallTool(Arc<ToolName>),
    /// Reads an MCP resource.
    Resource(McpItem),
    /// Fetches an MCP prompt.
    Prompt(McpItem),
    /// Calls an MCP method that has no variant of its own here.
    Method(McpItem),
    /// Uses a keychain entry.
    Keychain(KeychainEntry),
}

impl AccessKind {
    /// Returns the class that this action belongs to.
    pub fn class(&self) -> Class {
        match self {
            AccessKind::Exec(_) => Class::Exec,
            AccessKind::File(_) => Class::Files,
            AccessKind::Connect(_) | AccessKind::Listen(_) | AccessKind::Resolve(_) => Class::Net,
            AccessKind::Socket(_) => Class::Socket,
            AccessKind::SetEnv(_) | AccessKind::ReadEnv(_) => Class::Env,
            AccessKind::CallTool(_)
            | AccessKind::Resource(_)
            | AccessKind::Prompt(_)
            | AccessKind::Method(_) => Class::Tool,
            AccessKind::Keychain(_) => Class::Keychain,
        }
    }
}

/// The name that represents all environment variables at once. Only `env:*` grants reading it.
pub const ALL_VARIABLES: &str = "*";

/// The agent, tool and command on whose behalf an access happens.
#[derive(Debug, Clone, Default)]
pub struct AccessScope {
    /// The agent's name, as the door knows it.
    pub agent: Option<Arc<str>>,
    /// The tool that the agent called.
    pub tool: Option<Arc<ToolName>>,
    /// The command that performs the access.
    pub command: Option<Arc<Exec>>,
    /// Whether any program that `command` starts may perform the access instead. Then deny and
    /// danger rules that are scoped to another command apply here as well.
    pub whole_run: bool,
    /// The rule for this access where no document has a stance on its class.
    pub cover: Cover,
    /// Facts from the exec gate of a confined run.
    pub gate: GateFacts,
    /// What holds the access besides the verdict.
    pub enforcement: Enforcement,
    /// Whether the access happens on another machine or in a container, where no fence of this
    /// machine holds it.
    pub elsewhere: bool,
}

/// Facts that the exec gate of a confined run knows about an access of a program start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateFacts {
    /// Whether the gate judges this access again when the program performs it. The danger list does
    /// not apply before that second judgement.
    pub judged_later: bool,
    /// Whether the access is the same start under another name of the program. A question to a
    /// person that the first name caused is not asked a second time.
    pub by_other_name: bool,
}

/// Which grant an access needs if no document has a stance on its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cover {
    /// The access needs a grant of its own.
    #[default]
    OwnGrant,
    /// A granted command or MCP tool performs the access, so its grant covers it.
    ParentGrant,
    /// The access needs no grant; only deny, ask and danger rules apply. An example is a wrapper
    /// such as `env`, whose inner command is judged instead.
    NoGrant,
    /// Every confined run needs this access, so an access that no rule matches is allowed.
    AllowedByDefault,
    /// The start of a program that needs no grant. Deny rules and the danger list apply, and so do
    /// the given ask rules.
    ObjectionsOnly(AskRules),
}

/// The ask rules that apply to an access that needs no grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskRules {
    /// No ask rule.
    None,
    /// Only ask rules with a path in their pattern.
    WithPath,
    /// All ask rules. They identify a program as allow rules do: by its name, if the file is the
    /// one that `PATH` finds.
    LikeAllow,
    /// All ask rules. They identify a program as deny rules do: by each of its names, wherever its
    /// file is.
    ByAnyName,
}

/// The word number in [`Exec::carrier`] that marks another form of the same command, such as
/// `git-foo` for `git foo`.
pub const NO_WORD: usize = usize::MAX;

/// The start of a program: the program, its arguments and its working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exec {
    /// The program and the file it was resolved to.
    pub program: Program,
    /// Other names of the same file. An allow or ask rule may use any of them.
    pub aliases: Vec<Program>,
    /// The words after the program, with quotes removed.
    pub args: Vec<Arg>,
    /// The arguments as the program interprets them, subcommands first; `None` if its options are
    /// not known.
    pub reading: Option<Vec<WordMeaning>>,
    /// The outer command that runs this one, and the number of its word that names this program.
    /// [`NO_WORD`] means that this is the outer command itself in another form (`git-foo` for `git
    /// foo`).
    pub carrier: Option<(Arc<Exec>, usize)>,
    /// The working directory of the program.
    pub cwd: AbsPath,
}

impl Exec {
    /// Creates the start of a program without aliases, word meanings or outer command.
    pub fn new(program: Program, args: Vec<Arg>, cwd: AbsPath) -> Exec {
        Exec { program, aliases: Vec::new(), args, reading: None, carrier: None, cwd }
    }

    /// Returns the program under each name that allow and ask rules may use for it.
    pub(crate) fn granted_programs(&self) -> impl Iterator<Item = &Program> {
        std::iter::once(&self.program).chain(&self.aliases)
    }
}

/// One argument of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arg {
    /// The text of the argument.
    Known(Text),
    /// An argument whose text is known only when the line runs.
    Unknown(UnknownArg),
}

impl Arg {
    /// Returns the text if it is known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Arg::Known(text) => Some(text),
            Arg::Unknown(_) => None,
        }
    }

    /// Returns the text to show to people: the known text, or the source text of an unknown
    /// argument.
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

/// An argument whose text is known only when the line runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownArg {
    /// The source text of the word.
    pub shown: Box<str>,
    /// Whether the word can only be an operand, never an option or a subcommand.
    pub operand: bool,
    /// Whether the word may expand to several words or to none.
    pub many: bool,
}

/// The interpretation of one word by the program that receives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordMeaning {
    /// A subcommand or option, with all its spellings.
    OneOf(Arc<[Box<str>]>),
    /// The value of an option.
    Value(Arg),
    /// An operand.
    Word(Text),
    /// An operand with several names, its own name first. Deny and danger rules match any of
    /// them; allow and ask rules match only the first.
    Named(Arc<[Box<str>]>),
    /// A word whose meaning is not known before the line runs.
    Unknown(UnknownArg),
}

/// Returns the last path component of the word that names a program.
pub fn base_name(word: &str) -> &str {
    // A byte loop is faster than a search routine here, because such words are short.
    let slash = word.bytes().rposition(|byte| byte == b'/');
    slash.and_then(|at| word.get(at.saturating_add(1)..)).unwrap_or(word)
}

/// A program: the word that invoked it and the file that would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The word that invoked the program.
    pub invoked: Text,
    /// The file that would run, if it was found.
    pub file: Option<AbsPath>,
    /// The name that allow and ask rules match. Set only if the file is the one that the door's own
    /// `PATH` finds, in a directory that the agent may not write.
    pub known_as: Option<Text>,
}

impl Program {
    /// Returns the base names that deny and danger rules match against. They come from the invoking
    /// word and from the file, each with and without a version suffix (`python3.11`, `python3`,
    /// `python`).
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let invoked = Some(base_name(&self.invoked));
        let resolved = self.file.as_ref().map(AbsPath::file_name);
        let other = invoked.and_then(builtin_synonym);
        let names = invoked.into_iter().chain(resolved.filter(move |name| Some(*name) != invoked));
        let names = names.chain(other);
        names.flat_map(|name| std::iter::successors(Some(name), |name| less_version(name)))
    }

    /// Calls `found` with each of the [names](Program::names). Few names have a version suffix.
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

/// Returns the other name of a shell builtin that has two names.
pub(crate) fn builtin_synonym(name: &str) -> Option<&'static str> {
    match name {
        "." => Some("source"),
        "source" => Some("."),
        _ => None,
    }
}

/// Calls `found` with the name of a program, and again with each version suffix removed.
fn each_version(name: &str, found: &mut dyn FnMut(&str)) {
    found(name);
    if name.as_bytes().last().is_some_and(u8::is_ascii_digit) {
        std::iter::successors(less_version(name), |name| less_version(name)).for_each(found);
    }
}

/// Returns a program's name without the last number of its version suffix: `python3` for
/// `python3.11`, `gcc` for `gcc-12`.
fn less_version(name: &str) -> Option<&str> {
    if !name.as_bytes().last()?.is_ascii_digit() {
        return None;
    }
    let cut = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let cut = cut.strip_suffix(['.', '-']).unwrap_or(cut);
    // A single letter with a number (`b2`), or a number alone, is a complete name.
    (cut.len() > 1).then_some(cut)
}

/// An operation on a file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAccess {
    /// The operation.
    pub op: FileOp,
    /// How far the operation reaches below the path.
    pub extent: Extent,
    /// The path as requested and as resolved.
    pub path: FilePath,
}

/// The operation on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileOp {
    /// Opens a file or lists a directory.
    Read,
    /// Writes, creates or changes a file.
    Write,
    /// Deletes a file or renames it away.
    Delete,
}

/// How far below its path a file access reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The path only.
    One,
    /// The path, and possibly entries below it. An allow or ask rule needs to match only the
    /// path; a deny or danger rule may match below it as well.
    Unknown,
    /// The path and everything below it.
    Tree,
    /// Like `Tree`, for commands that search or list. Floating danger rules (`**/x`) do not apply.
    Search,
    /// Like `Search`, for commands that open no file and print only names. Danger rules apply only
    /// if they match the path itself.
    Names,
    /// Some unknown entry below the path.
    Below,
    /// Like `Below`, for code formatters: they change no meaning and skip directories that are not
    /// theirs. Floating danger rules (`**/x`) do not apply.
    Sources,
    /// Like `Below`, with a known end of the file name, or a known name of a directory between the
    /// path and the entry.
    Ending(NameEnd),
}

/// A network connection to a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connect {
    /// The requested host name or address.
    pub host: HostName,
    /// The port, if it is known.
    pub port: Option<u16>,
    /// The known addresses of the host name. Each of them is judged as well.
    pub addresses: Vec<IpAddr>,
}

impl Connect {
    /// Returns the first known address that a grant of the host name does not cover.
    pub fn unexpected_address(&self) -> Option<IpAddr> {
        self.addresses.iter().copied().find(|ip| !self.host.may_lead_to(*ip))
    }
}

/// The name of a tool that an agent can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolName {
    /// The name that the agent uses; `mcp__SERVER__TOOL` for MCP tools.
    pub wire: Box<str>,
    /// Server and tool name, for MCP tools.
    pub mcp: Option<McpItem>,
    /// The kind of the tool, if ringfence knows the tool.
    pub kind: Option<ToolKind>,
}

/// An item of an MCP server: a tool, resource, prompt or method.
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
