//! What zsh and dash read otherwise than bash.
//!
//! The line is parsed as bash would. Here is said where another shell may make another thing of it: of its text,
//! of the names of its commands, and of the variables that it sets. Nothing here takes a doubt back.

use ringfence_core::access::base_name;

use super::Walker;
use super::state::State;
use crate::field::Field;
use crate::span::Span;

/// How a shell reads its lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// As bash does.
    #[default]
    Bash,
    Zsh,
    /// As little as POSIX asks for: `sh` is dash in many places.
    Sh,
}

impl Dialect {
    /// That of the shell of this name.
    pub(super) fn of(name: &str) -> Dialect {
        match base_name(name) {
            name if is_zsh(name) => Dialect::Zsh,
            "sh" | "dash" | "ash" => Dialect::Sh,
            _ => Dialect::Bash,
        }
    }

    /// A shell that reads so.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Dialect::Bash => "bash",
            Dialect::Zsh => "zsh",
            Dialect::Sh => "sh",
        }
    }

    /// Whether `echo` prints a text as it is: outside bash it reads escapes.
    pub(super) fn echoes(self, text: &str) -> bool {
        let is_escape = |rest: &str| rest.starts_with(|c: char| "abcefnrtvx0\\".contains(c));
        self == Dialect::Bash
            || !text.split('\\').skip(1).any(|rest| is_escape(rest) || rest.is_empty())
    }
}

/// Shells that read the common grammar as bash does.
const COMMON: [&str; 8] = ["bash", "sh", "dash", "ash", "ksh", "mksh", "rbash", "zsh"];

/// What `zsh` carries out itself and no other shell has, or has otherwise: later words mean other
/// things, other words of the command are run, or files and variables change by other names.
const ODD_COMMANDS: [&str; 46] = [
    "-",
    "add-zsh-hook",
    "autoload",
    "bindkey",
    "compctl",
    "compdef",
    "compinit",
    "disable",
    "emulate",
    "enable",
    "float",
    "foreach",
    "functions",
    "getln",
    "integer",
    "nocorrect",
    "noglob",
    "nameref",
    "private",
    "pushln",
    "r",
    "repeat",
    "sched",
    "setopt",
    "strftime",
    "sysopen",
    "sysread",
    "syswrite",
    "unfunction",
    "unhash",
    "unsetopt",
    "vared",
    "zargs",
    "zcompile",
    "zformat",
    "zftp",
    "zle",
    "zmodload",
    "zmv",
    "zparseopts",
    "zpty",
    "zregexparse",
    "zselect",
    "zsocket",
    "zstyle",
    "ztcp",
];

/// Variables of zsh's own: what they are set to is run, or changes which words are programs.
const ODD_VARIABLES: [&str; 39] = [
    "FPATH",
    "HISTCHARS",
    "NULLCMD",
    "PROMPT4",
    "READNULLCMD",
    "ZDOTDIR",
    "aliases",
    "argv",
    "builtins",
    "cdpath",
    "chpwd_functions",
    "commands",
    "dirstack",
    "dis_aliases",
    "dis_builtins",
    "dis_functions",
    "dis_galiases",
    "dis_saliases",
    "fpath",
    "functions",
    "galiases",
    "histchars",
    "jobtexts",
    "keymaps",
    "mailpath",
    "mapfile",
    "module_path",
    "modules",
    "nameddirs",
    "options",
    "parameters",
    "path",
    "patchars",
    "precmd_functions",
    "preexec_functions",
    "saliases",
    "userdirs",
    "widgets",
    "zshexit_functions",
];

/// Whether a shell of this name, or at this path, reads as zsh does.
pub(super) fn is_zsh(shell: &str) -> bool {
    let name = base_name(shell);
    name.strip_prefix('r').unwrap_or(name).starts_with("zsh")
}

/// Whether a shell of this name reads the common grammar as bash does.
pub(super) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// Says why a line may mean another thing in its shell.
pub(super) fn check(shell: &str, line: &str) -> Result<(), String> {
    let name = base_name(shell);
    match is_common(name) || is_zsh(name) {
        false => Err(format!("`{name}` has a grammar of its own")),
        true if is_zsh(name) && is_odd(line) => {
            Err("the line may mean another thing in zsh".to_owned())
        }
        // Where there is no such sign, `&>` starts a command beside, and `$'` is a dollar.
        true if Dialect::of(name) == Dialect::Sh
            && (line.contains("&>") || line.contains("$'")) =>
        {
            Err(format!("the line may mean another thing in `{name}` than in bash"))
        }
        true => Ok(()),
    }
}

/// Whether a text may mean another thing in zsh: `=cmd`, `>! FILE`, `<1-9>`, glob qualifiers, short
/// loops, global aliases.
fn is_odd(line: &str) -> bool {
    let odd_word = line
        .split([' ', '\t', '\n', ';', '&', '|', '(', '`', '{'])
        .any(|word| word.starts_with('=') && !matches!(word, "=" | "==" | "=~"));
    let odd_text = [
        "(#", "(e:", "${(", "${=", "${~", "${^", "$=", "$~", "$^", "repeat ", "foreach ", "always",
        ">!", ">&!", "*(", "?(", "](", "@(",
    ];
    let odd_words = ["alias", "setopt", "zmodload", "autoload", "noglob", "nocorrect"];
    let has_word = |wanted: &str| {
        line.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == wanted)
    };
    odd_word
        || has_range(line)
        || has_subscript(line)
        || odd_text.iter().any(|text| line.contains(text))
        || odd_words.iter().any(|word| has_word(word))
}

/// `<1-9>`, a pattern for numbers.
fn has_range(line: &str) -> bool {
    line.split('<').skip(1).any(|behind| {
        let inside = behind.split_once('>').map_or("", |(inside, _)| inside);
        inside.contains('-') && inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    })
}

/// `$name[1]`, an element or a letter; in bash the bracket begins a pattern.
fn has_subscript(line: &str) -> bool {
    line.split('$').skip(1).any(|behind| {
        let rest = behind.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        rest.len() < behind.len() && rest.starts_with('[')
    })
}

impl State {
    /// A variable is set: in zsh, some make later words mean other things, and `x==rm` sets the path
    /// of a program.
    pub(super) fn note_zsh(&mut self, name: &str, value: Option<&str>) {
        if self.dialect != Dialect::Zsh {
            return;
        }
        if ODD_VARIABLES.contains(&name) || value.is_some_and(|value| value.starts_with('=')) {
            let reason = format!("the line sets `{name}`, after which zsh may run other things");
            self.poisoned = Some(reason.into());
        }
    }

    /// A new shell has what programs are given.
    pub(super) fn becomes(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let odd = ODD_VARIABLES.iter().find(|name| self.variables.contains_key(name));
        if let Some(name) = odd {
            self.note_zsh(name, None);
        }
    }
}

impl Walker<'_> {
    /// How the shell reads that is started here.
    pub(super) fn starts_dialect(&self) -> Dialect {
        let command = self.scope.command.as_ref();
        let names = command.into_iter().flat_map(|exec| exec.program.names());
        names.map(Dialect::of).find(|own| *own != Dialect::Bash).unwrap_or_default()
    }

    /// A command that zsh carries out itself, in ways of its own.
    #[cold]
    pub(super) fn check_zsh_command(&mut self, name: &str, args: &[Field], span: Span) {
        let is_option = |arg: &&Field| arg.as_known().is_some_and(|text| text.starts_with('-'));
        let has_letter = |letters: &[char]| {
            let text = |arg: &Field| arg.prefix().starts_with(['-', '+']);
            args.iter().any(|arg| text(arg) && arg.prefix().contains(letters))
        };
        let operands = args.iter().filter(|arg| !is_option(arg)).count();
        let is_odd = match name {
            "hash" => operands > 0,
            // `cd OLD NEW` goes where the one stands for the other in the name of the directory.
            "cd" | "chdir" | "pushd" => operands > 1,
            "set" => has_letter(&['A']),
            "print" => has_letter(&['v', 'P', 'S', 'z', 'C']),
            name => ODD_COMMANDS.contains(&name) || name.starts_with("zf_"),
        };
        if is_odd {
            let reason = format!("can't tell what `{name}`, which is zsh's own, leads to");
            self.unanalysable(&reason, Some(span));
        }
    }

    /// A redirection without a command runs one in zsh, which a variable names.
    #[cold]
    pub(super) fn check_null_command(&mut self, span: Span) {
        if let Some(reason) = self.state.poisoned.clone() {
            self.unanalysable(&reason, Some(span));
        }
    }
}
