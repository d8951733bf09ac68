//! Routine actions of programs that must not be refused.

use std::path::Path;
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::place::{Place, write};

const POLICY: &str = "schema = 1\nextends = [\"@workspace\", \"@python\"]\n";

/// Returns a project with a Python virtual environment.
fn place(directory: &Path) -> Place {
    let place = Place::new(directory);
    write(&place.root.join(".venv/bin/tool"), "");
    place
}

fn run(place: &Place, policy: &str, line: &str) -> Finished {
    let guard = Arc::new(place.guard(Format::Toml, policy).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/bin/bash"), &variables);
    let argv = ["bash", "-c", line].map(Into::into).to_vec();
    fence.run(guard.permit_typed_command("/bin/bash", argv), false)
}

/// Runs a line and returns what was refused.
fn refused(place: &Place, policy: &str, line: &str) -> Vec<String> {
    let finished = run(place, policy, line);
    assert_eq!(finished.ended.unwrap(), Ended::Exited(0), "{:?}", finished.report);
    finished.report.refused.into_iter().map(|own| format!("{}: {}", own.what, own.why)).collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn an_environment_for_python_is_activated_and_left() {
    let directory = tempfile::tempdir().unwrap();
    let line = "OLD=$PATH; export PATH=\"$PWD/.venv/bin:$PATH\" VIRTUAL_ENV=\"$PWD/.venv\" \
        VIRTUAL_ENV_PROMPT='(x) ' PS1='(x) $ '; ls > out && cat out > more || exit 1; \
        export PATH=$OLD PS1='$ '; unset VIRTUAL_ENV VIRTUAL_ENV_PROMPT; ls > out";
    assert_eq!(refused(&place(directory.path()), POLICY, line), NOTHING);
}
