//! Who has the terminal: a run that is not in front, or not shown on it, has no way to it.

use super::machine::{Machine, as_everyone};
use crate::suite::output::TERMINAL;

const PLAIN: &str =
    "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\nallow = [\"cmd:*\"]\n";

/// Has somebody at a terminal, written in Python, use a shell. `run` is the start of a run's line.
fn at_terminal(machine: &Machine, person: &str) {
    let run = format!("{} ", machine.inside(&[]).join(" "));
    let script = format!("{TERMINAL}\n{person}");
    let words = ["/usr/bin/python3", "-S", "-c", &script, &run].map(str::to_owned);
    let output = machine.run(&words);
    let (said, complaint) = (super::super::stdout(&output), super::super::stderr(&output));
    assert!(output.status.success(), "{}: {said}\n{complaint}", machine.name);
}

/// Tries every way to the terminal, and writes down what it read there and what it could do.
const THIEF: &str = r#"
import os,sys,signal,fcntl,termios,threading,time
for s in (signal.SIGTTIN,signal.SIGTTOU,signal.SIGTSTP,signal.SIGHUP): signal.signal(s,signal.SIG_IGN)
if len(sys.argv)>1: signal.signal(signal.SIGTSTP,signal.SIG_DFL); os.kill(os.getpid(),signal.SIGTSTP)
log=os.open('stolen',os.O_CREAT|os.O_WRONLY|os.O_APPEND,0o600)
def note(text): os.write(log,text.encode()+b'\n')
fds=[0,1,2]
for path in ('/dev/tty','/proc/self/fd/0','/proc/self/fd/1'):
    try:
        fds.append(os.open(path,os.O_RDWR|os.O_NOCTTY))
        if path=='/dev/tty': note('opened /dev/tty')
    except OSError: pass
def read(fd):
    while True:
        try: got=os.read(fd,100)
        except OSError: time.sleep(.05); continue
        if not got: return
        note('read '+repr(got))
def take():
    for fd in fds:
        try: os.tcsetpgrp(fd,os.getpgrp())
        except OSError: pass
        for request in (termios.TIOCSCTTY,):
            try: fcntl.ioctl(fd,request,1)
            except OSError: pass
        try: fcntl.ioctl(fd,termios.TIOCSTI,b'x')
        except OSError: pass
take()
if os.fork()==0:
    os.setsid(); take()
for fd in fds: threading.Thread(target=read,args=(fd,),daemon=True).start()
note('begun')
time.sleep(6)
"#;

/// What is typed to the shell is the shell's.
const TYPES: &str = r#"
def begun():
    end=time.time()+60
    while not os.path.exists('stolen') or 'begun' not in open('stolen').read():
        assert time.time()<end,seen
        time.sleep(.05)
def typed_to_the_shell():
    for i in range(10):
        say("echo s''ecret%d\n"%i); see('secret%d'%i); see('$ ')
        time.sleep(.1)
    stolen=open('stolen').read()
    assert 'ecret' not in stolen,stolen
"#;

#[test]
fn a_run_in_the_background_neither_reads_nor_takes_the_terminal() {
    as_everyone(PLAIN, |machine: &Machine| {
        machine.write("thief.py", THIEF);
        at_terminal(
            machine,
            &format!(
                "{TYPES}
say(run+'/usr/bin/python3 -S thief.py &\\n'); begun(); typed_to_the_shell()
assert 'opened' not in open('stolen').read()"
            ),
        );
    });
}

#[test]
fn a_run_that_was_put_into_the_background_neither_reads_nor_takes_the_terminal() {
    as_everyone(PLAIN, |machine: &Machine| {
        machine.write("thief.py", THIEF);
        at_terminal(
            machine,
            &format!(
                "{TYPES}
say(run+'/usr/bin/python3 -S thief.py stops\\n'); see('Stopped'); see('$ ')
say('bg\\n'); begun(); typed_to_the_shell()"
            ),
        );
    });
}

#[test]
fn a_run_whose_streams_lead_elsewhere_has_no_terminal() {
    as_everyone(PLAIN, |machine: &Machine| {
        machine.write("thief.py", THIEF);
        at_terminal(
            machine,
            &format!(
                "{TYPES}
say(run+'/usr/bin/python3 -S thief.py < /dev/null > out 2>&1\\n'); begun()
say('typed ahead\\n'); see('typed: command not found'); see('$ ')
stolen=open('stolen').read()
assert set(stolen.split())==set(['begun']),stolen"
            ),
        );
    });
}

#[test]
fn a_run_of_another_session_does_not_read_what_is_typed() {
    as_everyone(PLAIN, |machine: &Machine| {
        machine.write("thief.py", THIEF);
        at_terminal(
            machine,
            &format!(
                "{TYPES}
say('setsid '+run+'/usr/bin/python3 -S thief.py &\\n'); begun(); typed_to_the_shell()
assert 'opened' not in open('stolen').read()"
            ),
        );
    });
}

#[test]
fn a_run_comes_to_the_foreground_and_is_typed_to() {
    as_everyone(PLAIN, |machine: &Machine| {
        at_terminal(
            machine,
            r#"
say(run+"sh -c 'echo beg''un; read x; echo got $x'&\n"); see('begun')
say("echo sh''ell\n"); see('shell')
say('fg\n'); see('sh -c'); time.sleep(.5); say('typed\n'); see('got typed'); see('$ ')
say(run+"sh -c 'echo beg''un; sleep 100' &\n"); see('begun'); say('fg\n'); see('sh -c'); time.sleep(.5); say('\x03'); see('$ ')
say("echo status $?\n"); see('status 130'); see('$ ')
say(run+"sh -c 'echo beg''un; read x; echo got $x'\n"); see('begun'); time.sleep(.3)
say('\x1a'); see('Stopped'); see('$ '); say('bg\n'); see('$ '); say("echo sh''ell\n"); see('shell'); see('$ ')
say('fg\n'); see('sh -c'); time.sleep(.5); say('again\n'); see('got again'); see('$ ')
say("stty -a | grep -o ' icanon'\n"); see('icanon'); see('$ ')"#,
        );
    });
}

#[test]
fn a_run_in_a_pipeline_leaves_the_keys_to_the_pager() {
    as_everyone(PLAIN, |machine: &Machine| {
        at_terminal(
            machine,
            r#"
say(run+"sh -c 'seq 3000; sleep 3' | less\n"); see('28\r\n'); time.sleep(.5); say(' '); see('57\r\n'); say('q'); see('$ ')
say(run+"sh -c 'read x; echo got $x' | cat\n"); time.sleep(1); say('typed\n'); see('got typed'); see('$ ')
say(run+"sh -c 'echo beg''un >&2; sleep 100' | cat\n"); see('begun'); time.sleep(.3); say('\x03'); see('$ ')
say("echo status ${PIPESTATUS[0]}\n"); see('status 130'); see('$ ')
say("seq 3000 | "+run+"less\n"); see('28\r\n'); time.sleep(.5); say(' '); see('57\r\n'); say('q'); see('$ ')
say(run+"sh -c 'stty size; read x; echo got $x' > out\n"); time.sleep(1); say('typed\n'); see('$ '); say('cat out\n'); see('30 90'); see('got typed'); see('$ ')
say("stty -a | grep -o ' icanon'\n"); see('icanon'); see('$ ')"#,
        );
    });
}
