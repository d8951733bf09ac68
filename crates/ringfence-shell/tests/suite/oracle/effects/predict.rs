//! The world in which effects are predicted: the root as it is described, with no policy.

use ringfence_core::access::{AccessScope, FileOp, Program};
use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::{AbsPath, Follow, resolve_literal};
use ringfence_core::program::Catalogue;
use ringfence_core::{Effect, Effects};
use ringfence_manifest::catalogue::BuiltIn;
use ringfence_shell::effects::{self, Setting, World};

use super::home::{START, describe};

struct Described {
    host: MemoryHost,
    home: AbsPath,
}

impl World for Described {
    fn named_variable(&self, _: &str) -> Option<String> {
        None
    }

    fn host(&self) -> &dyn Host {
        &self.host
    }

    fn catalogue(&self) -> &dyn Catalogue {
        BuiltIn::shared()
    }

    fn home(&self) -> &AbsPath {
        &self.home
    }

    fn program(&self, invoked: &str, cwd: &AbsPath, _: bool) -> Program {
        let file = match invoked.contains('/') {
            true => resolve_literal(&self.host, invoked, cwd, Follow::Final).ok(),
            false => None,
        };
        let file = file.map(|path| path.real);
        Program { invoked: invoked.into(), file, known_as: Some(invoked.into()) }
    }

    fn is_out_of_reach(&self, _file: &AbsPath) -> bool {
        false
    }

    fn is_closed(&self, _directory: &AbsPath) -> bool {
        false
    }

    fn objects_to_variable(&self, _: &str) -> bool {
        false
    }

    fn objects_to_program(&self, _: &str) -> bool {
        false
    }

    fn judges_connections(&self) -> bool {
        true
    }

    fn is_scoped_by_path(&self) -> bool {
        false
    }

    fn unanalysable(&self) -> Effect {
        Effect::Deny
    }

    fn grants_everywhere(&self, _: FileOp, _: &AccessScope) -> bool {
        false
    }

    fn unknown_operands(&self) -> Effect {
        Effect::Ask
    }
}

/// What the line is expected to do, at most.
pub(super) fn predict(line: &str) -> Effects {
    let home = AbsPath::new("/home/u").unwrap();
    let world = Described { host: describe(), home };
    let cwd = AbsPath::new(START).unwrap();
    let (scope, effects) = (AccessScope::default(), Effects::default());
    let setting = Setting { cwd, scope, variables: Vec::new(), effects };
    effects::line(&world, line, None, setting)
}
