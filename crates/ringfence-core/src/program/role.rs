//! What a word of a command is.

use std::fmt;

use crate::access::Text;

/// What a word of a command is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Nothing that matters.
    Text,
    /// A path of which only the name matters.
    Name,
    /// A file.
    File(FileUse),
    /// The directory in which the program works.
    Cd,
    /// A program without arguments that could be told.
    Run,
    /// A command line for `sh -c`.
    Shell,
    /// With the words after it, a command.
    Command(CommandEnd),
    /// A file with shell commands.
    Script,
    /// Code of a language.
    Code(Text),
    /// A file with code of a language.
    CodeFile(Text),
    /// A URL.
    Url,
    /// A host, perhaps with a port or a user.
    Host,
    /// A URL, a place on another host, or a path; whether it is written.
    Place {
        /// Whether it is written.
        write: bool,
    },
    /// A remote of a repository: its name or a place.
    GitRemote,
    /// What is pushed to which branch: `main`, `HEAD:main`, `+refs/heads/main`.
    Refspec,
    /// A port or address on which it listens.
    Listen,
    /// The registry of this name is dialled.
    Registry(Text),
    /// `NAME=VALUE` or `NAME`.
    SetEnv,
    /// The name of a variable that is read.
    GetEnv,
    /// The name of a variable that is removed.
    UnsetEnv,
    /// Text, or `@FILE`.
    AtFile,
    /// A process.
    Pid,
    /// A command word of the program's own.
    Sub,
    /// Something that cannot be read.
    Doubt,
    /// A shell that is told what to start by whoever sits there.
    Starts,
    /// Another command that the same words are: it grants nothing, and rules that object meet it.
    Is,
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// It is opened or listed.
    Read,
    /// It is written or made.
    Write,
    /// It is deleted.
    Delete,
    /// It is read and written.
    Edit,
    /// It is read with all below it.
    ReadTree,
    /// It is written with all below it.
    WriteTree,
    /// It is read and written, or whatever below it a formatter knows: what a file means stays.
    Format,
    /// It is deleted with all below it.
    DeleteTree,
    /// All below it is deleted, not itself.
    DeleteBelow,
    /// It is searched with all below it.
    Search,
    /// It is listed with all below it, and none of it is opened.
    List,
    /// It is renamed away.
    Move,
    /// A link is made to it.
    Link,
}

/// Where a command among the operands ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// With the line.
    Line,
    /// With the line; `NAME=VALUE` words may stand before it.
    LineAfterAssignments,
    /// With `;` or `+`.
    Semicolon,
}

/// The roles that are one word, by name.
const PLAIN: [(&str, Role); 40] = [
    ("text", Role::Text),
    ("name", Role::Name),
    ("read", Role::File(FileUse::Read)),
    ("write", Role::File(FileUse::Write)),
    ("delete", Role::File(FileUse::Delete)),
    ("edit", Role::File(FileUse::Edit)),
    ("read-tree", Role::File(FileUse::ReadTree)),
    ("write-tree", Role::File(FileUse::WriteTree)),
    ("format-tree", Role::File(FileUse::Format)),
    ("delete-tree", Role::File(FileUse::DeleteTree)),
    ("delete-below", Role::File(FileUse::DeleteBelow)),
    ("search", Role::File(FileUse::Search)),
    ("list", Role::File(FileUse::List)),
    ("move", Role::File(FileUse::Move)),
    ("link", Role::File(FileUse::Link)),
    ("cd", Role::Cd),
    ("run", Role::Run),
    ("shell", Role::Shell),
    ("command...", Role::Command(CommandEnd::Line)),
    ("assign-command...", Role::Command(CommandEnd::LineAfterAssignments)),
    ("command;", Role::Command(CommandEnd::Semicolon)),
    ("script", Role::Script),
    ("url", Role::Url),
    ("host", Role::Host),
    ("place", Role::Place { write: false }),
    ("place-write", Role::Place { write: true }),
    ("git-remote", Role::GitRemote),
    ("refspec", Role::Refspec),
    ("listen", Role::Listen),
    ("set", Role::SetEnv),
    ("getenv", Role::GetEnv),
    ("unset", Role::UnsetEnv),
    ("at-file", Role::AtFile),
    ("pid", Role::Pid),
    ("sub", Role::Sub),
    ("doubt", Role::Doubt),
    ("starts", Role::Starts),
    ("is", Role::Is),
    // Other spellings that say the same.
    ("command", Role::Command(CommandEnd::Line)),
    ("assign-command", Role::Command(CommandEnd::LineAfterAssignments)),
];

impl Role {
    /// The role of this text: `read`, `code awk`, `registry npm`.
    pub fn parse(text: &str) -> Option<Role> {
        if let Some((_, role)) = PLAIN.iter().find(|(name, _)| *name == text) {
            return Some(role.clone());
        }
        let (kind, name) = text.split_once(' ')?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        match kind {
            "code" => Some(Role::Code(name.into())),
            "code-file" => Some(Role::CodeFile(name.into())),
            "registry" => Some(Role::Registry(name.into())),
            _ => None,
        }
    }

    /// The roles that are one word.
    pub fn words() -> impl Iterator<Item = &'static str> {
        PLAIN.iter().map(|(name, _)| *name)
    }

    /// Whether a word of this role is or names a command that is run.
    pub fn runs(&self) -> bool {
        matches!(
            self,
            Role::Run
                | Role::Shell
                | Role::Command(_)
                | Role::Script
                | Role::Code(_)
                | Role::Doubt
                | Role::Starts
        )
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Code(name) => write!(f, "code {name}"),
            Role::CodeFile(name) => write!(f, "code-file {name}"),
            Role::Registry(name) => write!(f, "registry {name}"),
            role => {
                let name = PLAIN.iter().find(|(_, own)| own == role).map(|(name, _)| *name);
                f.write_str(name.unwrap_or("text"))
            }
        }
    }
}

#[cfg(test)]
#[path = "role_tests.rs"]
mod tests;
