//! Programs at a terminal.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::machine::{Machine, as_everyone};

const PLAIN: &str =
    "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\nallow = [\"cmd:vim:*\"]\n";
const PATIENCE: Duration = Duration::from_secs(90);

/// A terminal with a program in it.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    fn new(machine: &Machine, words: &[&str]) -> Terminal {
        let line = machine.inside(words).join(" ");
        let words = ["script", "--quiet", "--return", "--command", &line, "/dev/null"];
        let mut child = machine.started(&words.map(str::to_owned), Stdio::piped());
        let keys = child.stdin.take().unwrap();
        let mut shown = child.stdout.take().unwrap();
        let screen = Arc::new(Mutex::new(String::new()));
        let own = Arc::clone(&screen);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = shown.read(&mut bytes) {
                own.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
            }
        });
        Terminal { child, keys, screen, reader }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this is shown; what was shown until then.
    fn shows(&self, text: &str) -> String {
        self.shows_within(text, PATIENCE)
            .unwrap_or_else(|shown| panic!("`{text}` is not shown: {shown:?}"))
    }

    /// Presses a key until this is shown: whoever is told may not be there yet.
    fn presses(&mut self, key: &str, text: &str) {
        let begun = Instant::now();
        loop {
            self.types(key);
            match self.shows_within(text, Duration::from_secs(1)) {
                Ok(_) => return,
                Err(shown) => assert!(begun.elapsed() < PATIENCE, "no `{text}`: {shown:?}"),
            }
        }
    }

    /// What was shown until this is, or all that is shown instead.
    fn shows_within(&self, text: &str, patience: Duration) -> Result<String, String> {
        let begun = Instant::now();
        loop {
            let shown = self.screen.lock().unwrap().clone();
            if let Some(at) = shown.find(text) {
                self.screen.lock().unwrap().drain(..at + text.len());
                return Ok(shown);
            }
            if begun.elapsed() > patience {
                return Err(shown);
            }
            sleep(Duration::from_millis(20));
        }
    }

    fn ends(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap().code();
        self.reader.join().unwrap();
        let shown = self.screen.lock().unwrap().clone();
        (status, shown)
    }
}

#[test]
fn bash_has_its_terminal_and_jobs() {
    as_everyone(PLAIN, |machine: &Machine| {
        std::fs::write(machine.home().join(".bashrc"), "alias hello='echo hi'\n").unwrap();
        let mut terminal = Terminal::new(machine, &["bash"]);
        terminal.types("echo r''eady\n");
        let start = terminal.shows("ready\r\n");
        for frown in ["Permission denied", "no job control", "cannot set terminal", "refused"] {
            assert!(!start.contains(frown), "{}: {start:?}", machine.name);
        }
        terminal.types("sleep 100 &\n");
        terminal.types("jobs; echo l''isted\n");
        let listed = terminal.shows("listed\r\n");
        assert!(listed.contains("Running") && listed.contains("sleep 100"), "{listed:?}");
        terminal.types("fg\n");
        terminal.shows("sleep 100\r\n");
        terminal.presses("\x1a", "Stopped");
        terminal.types("kill %1; wait; echo k''illed\n");
        terminal.shows("killed\r\n");
        terminal.types("(echo r''unning; sleep 100); echo after:$?\n");
        terminal.shows("running\r\n");
        terminal.types("\x03");
        terminal.types("echo i''nterrupted $?\n");
        terminal.shows("interrupted 130");
        terminal.types("exit 7\n");
        let (status, shown) = terminal.ends();
        assert_eq!(status, Some(7), "{}: {shown:?}", machine.name);
        assert!(!shown.contains("refused"), "{}: {shown:?}", machine.name);
    });
}

#[test]
fn an_editor_writes_a_file() {
    as_everyone(PLAIN, |machine: &Machine| {
        let mut terminal = Terminal::new(machine, &["vim", "notes.txt"]);
        terminal.shows("notes.txt");
        terminal.types("ihello\x1b:wq\r");
        let (status, shown) = terminal.ends();
        assert_eq!(status, Some(0), "{}: {shown:?}", machine.name);
        assert!(!shown.contains("refused"), "{}: {shown:?}", machine.name);
        assert_eq!(machine.read("notes.txt"), "hello\n");
    });
}

/// What tmux tells its panes needs no grant, and its shells are judged as any other.
#[test]
fn tmux_has_sessions_panes_and_clients() {
    let policy = "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\n\
                  allow = [\"cmd:tmux:*\", \"cmd:bash:*\"]\n";
    as_everyone(policy, |machine: &Machine| {
        let mut terminal = Terminal::new(machine, &["bash", "--norc"]);
        terminal.types("tmux -f /dev/null new -s inner\n");
        terminal.shows("[inner] 0:");
        terminal.types("echo f''irst $TMUX_PANE; tty\n");
        terminal.shows("first %0");
        terminal.shows("/dev/pts/0");
        terminal.types("\x02\"");
        terminal.types("sleep 0.3; echo s''econd $TMUX_PANE\n");
        terminal.shows("second %1");
        terminal.types("\x02d");
        terminal.shows("[detached (from session inner)]");
        terminal.types("tmux list-panes -s | wc -l\n");
        terminal.shows("2\r\n");
        // Whoever attaches throws away what the terminal was told and has not shown yet.
        terminal.types("tmux attach\n");
        terminal.shows("second %1");
        terminal.types("tmux kill-server\n");
        terminal.shows("[server exited]");
        terminal.types("mount --version; exit 7\n");
        let (status, shown) = terminal.ends();
        assert_eq!(status, Some(7), "{}: {shown:?}", machine.name);
        // The one thing that was refused is the one that nothing grants.
        assert!(shown.contains("1 refused") && shown.contains("mount"), "{shown:?}");
    });
}

/// A shell in a shell is no doubt here: whatever it is told to start is judged by itself.
#[test]
fn a_shell_reads_from_a_pipe() {
    let policy = "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\n\
                  allow = [\"cmd:bash:*\"]\n";
    as_everyone(policy, |machine: &Machine| {
        assert_eq!(machine.works("echo 'echo one; uname -s' | bash"), "one\nLinux\n");
        machine.works("ls /proc/self/fd /dev/pts > /dev/null && cat /proc/self/status > /dev/null");
        let words = machine.inside(&["bash", "-c", "echo 'curl --version' | bash"]);
        let complaint = super::super::stderr(&machine.run(&words));
        assert!(complaint.contains("refused") && complaint.contains("curl"), "{complaint}");
    });
}
