//! `[limits] output`, on pipes and at terminals.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use super::{ringfence, stderr, stdout};

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(output: &str) -> Project {
        let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        let project = Project { folder };
        std::fs::create_dir(project.root().join(".git")).unwrap();
        let policy = format!(
            "extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n[limits]\noutput = \"{output}\"\n"
        );
        std::fs::write(project.policy(), policy).unwrap();
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    fn policy(&self) -> PathBuf {
        self.root().join("policy.toml")
    }

    fn run(&self, line: &str) -> Output {
        let mut command = ringfence();
        command.args(["run", "--report", "report.json", "--policy"]).arg(self.policy());
        command.args(["--", "sh", "-c", line]).current_dir(self.root()).stdin(Stdio::null());
        command.output().unwrap()
    }

    /// Has somebody at a terminal, written in Python, use a shell; what was seen there.
    fn at_terminal(&self, person: &str) -> String {
        let run = format!(
            "{} run --policy {} -- ",
            env!("CARGO_BIN_EXE_ringfence"),
            self.policy().display()
        );
        let mut python = Command::new("python3");
        python.args(["-S", "-c", &format!("{TERMINAL}\n{person}")]).arg(run);
        let output = python.current_dir(self.root()).output().unwrap();
        let said = stdout(&output);
        assert!(output.status.success(), "{said}\n{}", stderr(&output));
        said
    }
}

/// A terminal with a shell in it. `see` waits for a text, `say` types one.
pub(super) const TERMINAL: &str = r#"
import os,pty,sys,time,select,fcntl,termios,struct,signal
run=sys.argv[1]
pid,fd=pty.fork()
if pid==0: os.execvp('bash',['bash','--norc','--noprofile','-i'])
seen=''
def size(rows,columns): fcntl.ioctl(fd,termios.TIOCSWINSZ,struct.pack('HHHH',rows,columns,0,0))
def see(text,seconds=60):
    global seen
    end=time.time()+seconds
    while text not in seen:
        assert time.time()<end,(text,seen)
        if select.select([fd],[],[],.1)[0]: seen+=os.read(fd,65536).decode(errors='replace')
    before,seen=seen.split(text,1)
    return before
def say(text): os.write(fd,text.encode())
size(30,90); say("PS1='$ '; stty -echo; echo re''ady\n"); see('ready'); see('$ ')
"#;

#[test]
fn a_run_that_says_too_much_is_ended() {
    let project = Project::new("1KiB");
    let output = project.run("yes");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(124), 1024));
    let said = stderr(&output);
    assert!(said.contains("ringfence: the run said more than its limit of output"), "{said}");
    let report = std::fs::read(project.root().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["limit"], "output");
}

#[test]
fn a_run_within_its_limit_is_as_without_one() {
    let output = Project::new("1KiB").run("echo said; echo complained >&2; exit 5");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("said\n", Some(5)));
    assert_eq!(stderr(&output), "complained\n");
}

#[test]
fn at_a_terminal_it_is_one() {
    Project::new("1MB").at_terminal(
        r#"
say(run+"sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size && tty > /dev/null; echo is; read x; stty size; echo got $x'\n")
see('30 90'); see('is')
size(40,100); time.sleep(.5); say('typed\n')
see('40 100'); see('got typed'); see('$ ')
say('stty -a | grep -o "icanon"; stty size\n'); see('icanon'); see('40 100')"#,
    );
}

#[test]
fn keys_and_job_control_work_at_a_terminal() {
    Project::new("1MB").at_terminal(
        r#"
say(run+"sh -c 'echo begun; sleep 100'; echo status $?\n"); see('begun'); time.sleep(.3); say('\x03'); see('status 130'); see('$ ')
say(run+"sh -c 'echo begun; read x; echo got $x'; echo status $?\n"); see('begun'); time.sleep(.3)
say('\x1a'); see('Stopped'); see('$ ')
say('stty -a | grep -o "icanon"\n'); see('icanon'); see('$ ')
say('fg\n'); time.sleep(.5); say('again\n'); see('got again'); see('$ ')
say(run+"bash --norc -i\n"); say("PS1='in''side> '\n"); see('inside> ')
say('sleep 100\n'); time.sleep(.5); say('\x1a'); see('Stopped'); say('jobs\n'); see('sleep 100'); say('kill %1; exit\n')
say('exit\n'); see('$ ')"#,
    );
}

#[test]
fn the_prompt_of_a_shell_in_the_fence_is_marked() {
    Project::new("1MB").at_terminal(
        r#"
say(run+"bash --norc -i\n"); see('(ringfence) ')
say("PS1='mi''ne> '\n"); see('(ringfence) mine> ')
say('exit\n'); see('$ ')
say(run+"sh -c 'echo prompt=$PROMPT_COMMAND='\n"); see('prompt=='); see('$ ')
say(run+"sh -i\n"); see('(ringfence) $ '); say('exit\n'); see('$ ')"#,
    );
}

#[test]
fn what_is_said_at_a_terminal_is_counted() {
    let seen = Project::new("2kB").at_terminal(
        r#"
say(run+"sh -c 'yes | tr -d \"\\n\"'; echo status $?\n"); print(len(see('ringfence: the run said'))); see('status 124'); see('$ ')
say(run+"sh -c 'yes > /dev/tty'; echo status $?\n"); see('status 124'); see('$ ')
say(run+"sh -c 'yes >&0'; echo status $?\n"); see('status 124'); see('$ ')
say(run+"sh -c 'yes > /dev/tty' < /dev/null > out 2>&1; echo status $?\n"); before=see('status 2'); assert 'y' not in before,before; see('$ ')
say('stty -a | grep -o "icanon"\n'); see('icanon')"#,
    );
    let count: usize = seen.trim().parse().unwrap();
    assert!((2000..2200).contains(&count), "{count}");
}
