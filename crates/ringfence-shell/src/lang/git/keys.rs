//! Keys of git's configuration whose value is more than a setting.

/// What the value of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A command line for a shell.
    Shell,
    /// A command line for a shell, or a truth value.
    ShellOrBool,
    /// A program, without a shell.
    Program,
    /// An alias: `!` and a command line, or words for git itself.
    Alias,
    /// A helper: `!` and a command line, a path, or the last part of a program's name.
    Helper,
    /// A command line behind `!`, or a word that does not matter.
    ShellAfterBang,
    /// The command of a proxy, perhaps with `for HOST` after it.
    GitProxy,
    /// A program of this name after `git-remote-`.
    Transport,
    /// A mail server, or a program if it is a path.
    MailServer,
    /// A directory whose programs are run.
    Hooks,
    Read,
    Write,
    ReadWrite,
    /// A file only if it looks like a path.
    ReadIfPath,
    /// A public key's hash, or a file.
    ReadUnlessHash,
    Url,
    Host,
    /// `HOST:PORT:ADDRESS`.
    Resolve,
    /// A URL, `HOST:PATH`, or a path.
    Place,
    PlaceWrite,
    /// A URL or path if it looks like one, else a name.
    PlaceIfPath,
    /// The place that stands in the key; the value is what it replaces.
    PlaceInKey,
    /// Further configuration.
    Config,
    /// Whether a kind of transport may be used.
    Protocol,
    /// Nothing that matters.
    Inert,
}

/// Section, last part of the key, role. Parts between them do not matter, and `*` is any last part.
pub(super) const KEYS: &[(&str, &str, Role)] = &[
    ("alias", "*", Role::Alias),
    ("blame", "ignorerevsfile", Role::Read),
    ("branch", "pushremote", Role::PlaceIfPath),
    ("branch", "remote", Role::PlaceIfPath),
    ("browser", "cmd", Role::Shell),
    ("browser", "path", Role::Program),
    ("bundle", "uri", Role::Place),
    ("color", "*", Role::Inert),
    ("commit", "template", Role::Read),
    ("core", "alternaterefscommand", Role::Shell),
    ("core", "askpass", Role::Program),
    ("core", "attributesfile", Role::Read),
    ("core", "editor", Role::Shell),
    ("core", "excludesfile", Role::Read),
    ("core", "fsmonitor", Role::ShellOrBool),
    ("core", "gitproxy", Role::GitProxy),
    ("core", "hookspath", Role::Hooks),
    ("core", "pager", Role::ShellOrBool),
    ("core", "sshcommand", Role::Shell),
    ("core", "virtualfilesystem", Role::ShellOrBool),
    ("core", "worktree", Role::ReadWrite),
    ("credential", "helper", Role::Helper),
    ("diff", "command", Role::Shell),
    ("diff", "external", Role::Shell),
    ("diff", "guitool", Role::Program),
    ("diff", "orderfile", Role::Read),
    ("diff", "textconv", Role::Shell),
    ("diff", "tool", Role::Program),
    ("difftool", "cmd", Role::Shell),
    ("difftool", "path", Role::Program),
    ("fetch", "bundleuri", Role::Place),
    ("filter", "clean", Role::Shell),
    ("filter", "process", Role::Shell),
    ("filter", "smudge", Role::Shell),
    ("format", "outputdirectory", Role::Write),
    ("format", "signaturefile", Role::Read),
    ("fsmonitor", "socketdir", Role::Write),
    ("gc", "recentobjectshook", Role::Shell),
    ("gitcvs", "logfile", Role::Write),
    ("gpg", "allowedsignersfile", Role::Read),
    ("gpg", "defaultkeycommand", Role::Shell),
    ("gpg", "program", Role::Program),
    ("gpg", "revocationfile", Role::Read),
    ("guitool", "cmd", Role::Shell),
    ("help", "browser", Role::Program),
    ("help", "htmlpath", Role::ReadIfPath),
    ("hook", "command", Role::Shell),
    ("http", "cookiefile", Role::ReadWrite),
    ("http", "curloptresolve", Role::Resolve),
    ("http", "pinnedpubkey", Role::ReadUnlessHash),
    ("http", "proxy", Role::Url),
    ("http", "proxysslcainfo", Role::Read),
    ("http", "proxysslcert", Role::Read),
    ("http", "proxysslkey", Role::Read),
    ("http", "sslcainfo", Role::Read),
    ("http", "sslcapath", Role::Read),
    ("http", "sslcert", Role::Read),
    ("http", "sslkey", Role::Read),
    ("imap", "host", Role::Host),
    ("imap", "tunnel", Role::Shell),
    ("include", "path", Role::Config),
    ("includeif", "path", Role::Config),
    ("init", "templatedir", Role::Hooks),
    ("instaweb", "browser", Role::Program),
    ("instaweb", "httpd", Role::Shell),
    ("instaweb", "modulepath", Role::Program),
    ("interactive", "difffilter", Role::Shell),
    ("lfs", "clean", Role::Shell),
    ("lfs", "path", Role::Program),
    ("lfs", "pushurl", Role::PlaceWrite),
    ("lfs", "smudge", Role::Shell),
    ("lfs", "storage", Role::ReadWrite),
    ("lfs", "url", Role::Place),
    ("mailmap", "file", Role::Read),
    ("man", "cmd", Role::Shell),
    ("man", "path", Role::Program),
    ("man", "viewer", Role::Program),
    ("merge", "driver", Role::Shell),
    ("merge", "guitool", Role::Program),
    ("merge", "tool", Role::Program),
    ("mergetool", "cmd", Role::Shell),
    ("mergetool", "path", Role::Program),
    ("notes", "*", Role::Inert),
    ("pager", "*", Role::ShellOrBool),
    ("protocol", "allow", Role::Protocol),
    ("rebase", "reschedulefailedexec", Role::Inert),
    ("remote", "lfsurl", Role::Place),
    ("remote", "proxy", Role::Url),
    ("remote", "pushdefault", Role::PlaceIfPath),
    ("remote", "pushurl", Role::PlaceWrite),
    ("remote", "receivepack", Role::Shell),
    ("remote", "uploadpack", Role::Shell),
    ("remote", "url", Role::Place),
    ("remote", "vcs", Role::Transport),
    ("sendemail", "aliasesfile", Role::Read),
    ("sendemail", "cccmd", Role::Shell),
    ("sendemail", "file", Role::Read),
    ("sendemail", "headercmd", Role::Shell),
    ("sendemail", "sendmailcmd", Role::Shell),
    ("sendemail", "smtpserver", Role::MailServer),
    ("sendemail", "smtpsslcertpath", Role::Read),
    ("sendemail", "tocmd", Role::Shell),
    ("sequence", "editor", Role::Shell),
    ("submodule", "path", Role::Inert),
    ("submodule", "update", Role::ShellAfterBang),
    ("submodule", "url", Role::Place),
    ("svn-remote", "pushurl", Role::PlaceWrite),
    ("svn-remote", "url", Role::Place),
    ("tar", "command", Role::Shell),
    ("trace2", "eventtarget", Role::Write),
    ("trace2", "normaltarget", Role::Write),
    ("trace2", "perftarget", Role::Write),
    ("trailer", "cmd", Role::Shell),
    ("trailer", "command", Role::Shell),
    ("transfer", "bundleuri", Role::PlaceIfPath),
    ("uploadpack", "packobjectshook", Role::Shell),
    ("url", "insteadof", Role::PlaceInKey),
    ("url", "pushinsteadof", Role::PlaceInKey),
    ("user", "signingkey", Role::ReadIfPath),
    ("web", "browser", Role::Program),
];

/// Sections with keys that only look like programs.
const QUIET: [&str; 4] = ["advice", "fsck", "receive", "completion"];

/// How the last part of a key ends that names a program.
const PROGRAMS: [&str; 15] = [
    "cmd",
    "command",
    "program",
    "helper",
    "exec",
    "hook",
    "hooks",
    "hookspath",
    "editor",
    "pager",
    "askpass",
    "script",
    "shell",
    "textconv",
    "prog",
];

/// The role of a key's value; `None` if the key looks like a program's but is not known.
pub(super) fn role(section: &str, name: &str) -> Option<Role> {
    let known = KEYS
        .iter()
        .find(|(known, last, _)| *known == section && (*last == name || *last == "*"))
        .map(|(_, _, role)| *role);
    if known.is_some() {
        return known;
    }
    let looks = !QUIET.contains(&section) && PROGRAMS.iter().any(|end| name.ends_with(end));
    (!looks).then_some(Role::Inert)
}
