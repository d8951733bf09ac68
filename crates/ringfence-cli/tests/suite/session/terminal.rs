//! Job control in a session: as an interactive shell's user sees it.

use super::{everyone, wait_until};
use crate::suite::{stderr, stdout};

/// Types lines into an interactive shell, and prints what is shown.
const TYPIST: &str = r#"
import os, pty, select, sys, time
run = ' '.join(sys.argv[1:])
pid, fd = pty.fork()
if pid == 0:
    os.environ['PS1'] = '$ '
    os.execvp('bash', ['bash', '--norc', '--noediting', '-i'])
def shown(sign, patience=60):
    text, end = '', time.time() + patience
    while sign not in text and time.time() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try: text += os.read(fd, 4096).decode(errors='replace')
            except OSError: break
    print(text, flush=True)
    assert sign in text, sign
def type(keys, sign): os.write(fd, keys.encode()); shown(sign)
shown('$ ')
type(run + " cat\n", 'cat')
time.sleep(1)
type('one\n', 'one\r\none')
type('\x1a', 'Stopped')
type('fg\n', 'cat')
time.sleep(0.5)
type('two\n', 'two\r\ntwo')
type('\x03', '$ ')
type('echo status $?\n', 'status 130')
type(run + ' sh -c "sleep 284 & echo gone"\n', 'gone\r\n')
type('exit\n', 'exit')
print('all well')
"#;

#[test]
fn job_control_works_as_without_a_fence() {
    everyone(|scene| {
        let own = scene.run(&[]);
        let words: Vec<_> = own.get_args().map(|word| word.to_str().unwrap()).collect();
        // `runuser` gives a shell of the user's own; ringfence is the program after it.
        let (before, words) = match &scene.person {
            Some(_) => words.split_at(3),
            None => words.split_at(0),
        };
        let program = match before.is_empty() {
            true => own.get_program().to_str().unwrap(),
            false => words[0],
        };
        let words = if before.is_empty() { words } else { &words[1..] };
        let mut typist = match &scene.person {
            Some(person) => person.command("python3"),
            None => std::process::Command::new("python3"),
        };
        typist.args(["-c", TYPIST, program]).args(words).current_dir(scene.project());
        let output = typist.output().unwrap();
        let said = stdout(&output);
        assert!(said.contains("all well"), "{said}{}", stderr(&output));
        // What was left at the terminal outlives it; its exec may still be waiting for its judgement.
        wait_until("the command that was left goes on", || scene.inside("sleep 284").len() == 1);
    });
}
