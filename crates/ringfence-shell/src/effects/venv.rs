//! Virtual environments of Python that the line itself makes: their script to activate them says what
//! the module says, whatever the project holds.

use ringfence_core::AccessKind;
use ringfence_core::access::{Arg, Exec};
use ringfence_core::host::FileEntry;
use ringfence_core::path::{AbsPath, Follow, resolve_literal};

use super::Walker;

/// Options that put nothing into the script; `--prompt` would.
const PLAIN: [&str; 7] = [
    "--clear",
    "--copies",
    "--symlinks",
    "--system-site-packages",
    "--upgrade-deps",
    "--without-pip",
    "--seed",
];

impl Walker<'_> {
    /// Whether a script is that of a virtual environment which was not there before, and nothing but
    /// what makes it could have put another in its place.
    #[cold]
    pub(super) fn is_made_by_venv(&self, script: &AbsPath) -> bool {
        let environment = script.as_str().strip_suffix("/bin/activate");
        let Some(environment) = environment.and_then(|text| AbsPath::new(text).ok()) else {
            return false;
        };
        // The place stands in the script as it is.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
        let host = self.world.host();
        if !environment.as_str().bytes().all(is_plain)
            || host.entry(&environment) != FileEntry::Missing
            || self.may_load_others()
        {
            return false;
        }
        let mut made = false;
        for access in &self.effects.accesses {
            let AccessKind::Exec(exec) = &access.what else { continue };
            if self.makes(exec, &environment) {
                made = true;
            } else if self.may_make(exec) {
                return false;
            }
        }
        made
    }

    /// Whether a command makes the environment, and does nothing else.
    fn makes(&self, exec: &Exec, environment: &AbsPath) -> bool {
        let Some(words) = exec.args.iter().map(Arg::known).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let rest = match (&*exec.program.invoked, words.as_slice()) {
            ("python" | "python3", ["-m", "venv", rest @ ..]) if !self.has_own_venv(exec) => rest,
            ("virtualenv", rest) => rest,
            ("uv", ["venv", rest @ ..]) => rest,
            _ => return false,
        };
        let (options, places): (Vec<&str>, Vec<&str>) =
            rest.iter().partition(|word| word.starts_with('-'));
        let place = match places.as_slice() {
            [] if &*exec.program.invoked == "uv" => ".venv",
            [only] => only,
            _ => return false,
        };
        let path = resolve_literal(self.world.host(), place, &exec.cwd, Follow::Final);
        options.iter().all(|option| PLAIN.contains(option))
            && path.is_ok_and(|path| path.real == *environment)
    }

    /// Whether Python would take a module of the project for its own.
    fn has_own_venv(&self, exec: &Exec) -> bool {
        let is_there = |name: &str| {
            let path = exec.cwd.join(name);
            path.map_or(true, |path| self.world.host().entry(&path) != FileEntry::Missing)
        };
        is_there("venv.py") || is_there("venv/__init__.py")
    }

    /// Whether the line sets a variable that makes Python load other modules, or writes the script anew.
    fn may_load_others(&self) -> bool {
        self.effects.accesses.iter().any(|access| match &access.what {
            AccessKind::SetEnv(name) => {
                ["PYTHON", "UV_", "VIRTUALENV_"].iter().any(|family| name.starts_with(family))
            }
            _ => false,
        })
    }
}
