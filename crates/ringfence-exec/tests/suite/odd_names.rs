//! File names that are not UTF-8, that are long in UTF-8, or that are too deep for any path. Denied
//! files under such names cannot be read, and nothing else is hidden.

use std::path::Path;
use std::process::Command as Outside;
use std::sync::Arc;

use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone;
use super::place::Place;

/// A shell script that starts in the project.
const MAKE: &str = r"
import os
def make(name):
    with open(name, 'w') as file: file.write('content')
os.makedirs('home/proj'); os.chdir('home/proj')
make('plain'); make(b'plain\xff'); make(b'zq\xff'); make(b'zq' + b'\xff' * 200)
for name in [b'd\xff', b'l' + b'\xff' * 200]:
    os.mkdir(name); make(name + b'/zq'); make(name + b'/plain')
for _ in range(25): os.mkdir('q' * 200); os.chdir('q' * 200)
make('zq')
";

const READ: &str = r"
import os
long, b = b'\xff' * 200, os.fsencode
def read(name):
    with open(name) as file: assert file.read() == 'content'
for name in ['plain', b'plain\xff', b'd\xff/plain', b'l' + long + b'/plain']: read(name)
def is_read(*names):
    try:
        for name in names[:-1]: os.chdir(name)
        read(names[-1])
        return True
    except OSError: return False
seen = [is_read(name) for name in [b'zq\xff', b'zq' + long, b'd\xff/zq', b'l' + long + b'/zq']]
seen.append(is_read(*['q' * 200] * 25, 'zq'))
";

#[test]
fn files_with_odd_names_are_hidden_and_nothing_else() {
    let name = "suite::odd_names::files_with_odd_names_are_hidden_and_nothing_else";
    everyone::as_everyone(name, |work, user| {
        let python = |line: &str, directory: &Path| {
            let mut command = Outside::new("/usr/bin/python3");
            assert!(command.args(["-c", line]).current_dir(directory).status().unwrap().success());
        };
        python(MAKE, work);
        let place = Place::new(work);
        python(&format!("{READ}assert all(seen)"), &place.root);
        let policy = "schema = 1\nextends = [\"@workspace\"]\nallow = [\"cmd:*\", \"env:*\"]\ndeny = [\"fs:r:**/zq*\"]\n";
        let guard = Arc::new(place.guard(Format::Toml, policy).unwrap());
        let program = Path::new("/usr/bin/python3");
        let fence = place.fence(&guard, program, &[]);
        let line = format!("{READ}assert not any(seen), seen");
        let argv = ["python3", "-c", &line].map(Into::into).to_vec();
        let finished = fence.run(guard.permit_typed_command(program, argv), false);
        assert_eq!(finished.ended.unwrap(), Ended::Exited(0), "as {user}");
    });
}
