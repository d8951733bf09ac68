//! Roles of command words.

use std::fmt;

use crate::access::Text;

/// The meaning of a command word for its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordRole {
    /// Text without an effect.
    Text,
    /// A path that is not opened; only its name matters.
    Name,
    /// A file or directory.
    File(FileUse),
    /// The directory in which the program works.
    Cd,
    /// A program that is started with unknown arguments.
    Run,
    /// A command line for `sh -c`.
    Shell,
    /// The first word of a command; the following words are its arguments.
    Command(CommandEnd),
    /// A file with shell commands.
    Script,
    /// Code in a language.
    Code(Text),
    /// A file with code in a language.
    CodeFile(Text),
    /// A URL.
    Url,
    /// A host, optionally with port or user.
    Host,
    /// A URL, a path on another host, or a local path.
    Place {
        /// Whether the program writes to it.
        write: bool,
    },
    /// A remote of a git repository: its name, URL or path.
    GitRemote,
    /// A git refspec, which says what is pushed to which branch: `main`, `HEAD:main`,
    /// `+refs/heads/main`.
    Refspec,
    /// A port or address on which the program listens.
    Listen,
    /// A package registry, by name, that the program connects to.
    Registry(Text),
    /// `NAME=VALUE` or `NAME`: a variable that is set.
    SetEnv,
    /// The name of a variable that is read.
    GetEnv,
    /// The name of a variable that is removed.
    UnsetEnv,
    /// Text without an effect; or `@FILE`, which makes the program read the text from a file.
    AtFile,
    /// A process ID.
    Pid,
    /// A command of the program's own language.
    Sub,
    /// A word that cannot be read, which makes the command a doubt.
    Doubt,
    /// A shell that reads commands interactively.
    Starts,
    /// Another command with the same effect. The command grants nothing, but its deny and danger
    /// rules apply.
    Is,
}

/// The operation on a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// Opens or lists it.
    Read,
    /// Writes or creates it.
    Write,
    /// Deletes it.
    Delete,
    /// Reads and writes it.
    Edit,
    /// Reads it with everything below it.
    ReadTree,
    /// Writes it with everything below it.
    WriteTree,
    /// Reads and writes source files in it, without changing their meaning (a code formatter).
    Format,
    /// Deletes it with everything below it.
    DeleteTree,
    /// Deletes everything below it, but not the directory itself.
    DeleteBelow,
    /// Searches it with everything below it.
    Search,
    /// Lists it with everything below it, but opens no file.
    List,
    /// Renames it away.
    Move,
    /// Creates a link to it.
    Link,
}

/// The end of a command among the operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnd {
    /// Ends at the end of the line.
    Line,
    /// Ends at the end of the line; `NAME=VALUE` words may stand before the command.
    LineAfterAssignments,
    /// Ends at `;` or `+`.
    Semicolon,
}

/// The roles that are written as one word.
const ONE_WORD_ROLES: [(&str, WordRole); 40] = [
    ("text", WordRole::Text),
    ("name", WordRole::Name),
    ("read", WordRole::File(FileUse::Read)),
    ("write", WordRole::File(FileUse::Write)),
    ("delete", WordRole::File(FileUse::Delete)),
    ("edit", WordRole::File(FileUse::Edit)),
    ("read-tree", WordRole::File(FileUse::ReadTree)),
    ("write-tree", WordRole::File(FileUse::WriteTree)),
    ("format-tree", WordRole::File(FileUse::Format)),
    ("delete-tree", WordRole::File(FileUse::DeleteTree)),
    ("delete-below", WordRole::File(FileUse::DeleteBelow)),
    ("search", WordRole::File(FileUse::Search)),
    ("list", WordRole::File(FileUse::List)),
    ("move", WordRole::File(FileUse::Move)),
    ("link", WordRole::File(FileUse::Link)),
    ("cd", WordRole::Cd),
    ("run", WordRole::Run),
    ("shell", WordRole::Shell),
    ("command...", WordRole::Command(CommandEnd::Line)),
    ("assign-command...", WordRole::Command(CommandEnd::LineAfterAssignments)),
    ("command;", WordRole::Command(CommandEnd::Semicolon)),
    ("script", WordRole::Script),
    ("url", WordRole::Url),
    ("host", WordRole::Host),
    ("place", WordRole::Place { write: false }),
    ("place-write", WordRole::Place { write: true }),
    ("git-remote", WordRole::GitRemote),
    ("refspec", WordRole::Refspec),
    ("listen", WordRole::Listen),
    ("set", WordRole::SetEnv),
    ("getenv", WordRole::GetEnv),
    ("unset", WordRole::UnsetEnv),
    ("at-file", WordRole::AtFile),
    ("pid", WordRole::Pid),
    ("sub", WordRole::Sub),
    ("doubt", WordRole::Doubt),
    ("starts", WordRole::Starts),
    ("is", WordRole::Is),
    // Other spellings of the same roles.
    ("command", WordRole::Command(CommandEnd::Line)),
    ("assign-command", WordRole::Command(CommandEnd::LineAfterAssignments)),
];

impl WordRole {
    /// Parses a role such as `read`, `code awk` or `registry npm`.
    pub fn parse(text: &str) -> Option<WordRole> {
        if let Some((_, role)) = ONE_WORD_ROLES.iter().find(|(name, _)| *name == text) {
            return Some(role.clone());
        }
        let (kind, name) = text.split_once(' ')?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        match kind {
            "code" => Some(WordRole::Code(name.into())),
            "code-file" => Some(WordRole::CodeFile(name.into())),
            "registry" => Some(WordRole::Registry(name.into())),
            _ => None,
        }
    }

    /// Returns the roles that are written as one word.
    pub fn words() -> impl Iterator<Item = &'static str> {
        ONE_WORD_ROLES.iter().map(|(name, _)| *name)
    }

    /// Returns whether a word of this role is or names a command that the program runs.
    pub fn runs(&self) -> bool {
        matches!(
            self,
            WordRole::Run
                | WordRole::Shell
                | WordRole::Command(_)
                | WordRole::Script
                | WordRole::Code(_)
                | WordRole::Doubt
                | WordRole::Starts
        )
    }
}

impl fmt::Display for WordRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordRole::Code(name) => write!(f, "code {name}"),
            WordRole::CodeFile(name) => write!(f, "code-file {name}"),
            WordRole::Registry(name) => write!(f, "registry {name}"),
            role => {
                let name =
                    ONE_WORD_ROLES.iter().find(|(_, own)| own == role).map(|(name, _)| *name);
                f.write_str(name.unwrap_or("text"))
            }
        }
    }
}

#[cfg(test)]
#[path = "role_tests.rs"]
mod tests;
