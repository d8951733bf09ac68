//! Programs at a terminal.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::machine::{Machine, as_everyone};

const PLAIN: &str =
    "schema = 1\nextends = [\"@workspace\"]\ndefault = \"deny\"\nallow = [\"cmd:vim:*\"]\n";
const PATIENCE: Duration = Duration::from_secs(40);

/// A terminal with a program in it.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Arc<Mutex<String>>,
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
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = shown.read(&mut bytes) {
                own.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
            }
        });
        Terminal { child, keys, screen }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this is shown; what was shown until then.
    fn shows(&self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.screen.lock().unwrap().clone();
            if let Some(at) = shown.find(text) {
                self.screen.lock().unwrap().drain(..at + text.len());
                return shown;
            }
            assert!(begun.elapsed() < PATIENCE, "`{text}` is not shown: {shown:?}");
            sleep(Duration::from_millis(20));
        }
    }

    fn ends(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap().code();
        sleep(Duration::from_millis(50));
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
        sleep(Duration::from_millis(300));
        terminal.types("\x1a");
        terminal.shows("Stopped");
        terminal.types("kill %1; wait; echo k''illed\n");
        terminal.shows("killed\r\n");
        terminal.types("sleep 100; echo after:$?\n");
        sleep(Duration::from_millis(500));
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
