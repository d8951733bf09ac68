//! A pop-up of tmux, over the pane in which the run is.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use ringfence_exec::queue::{PendingQuestion, QuestionDisplay};

/// Opens a pop-up for each question.
pub(super) struct PopUp {
    pane: OsString,
    program: PathBuf,
    /// One at a time; tmux shows no more.
    open: Mutex<()>,
}

impl PopUp {
    /// Pop-ups, if this process was started inside tmux.
    pub(super) fn here() -> Option<PopUp> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        set("TMUX")?;
        let pane = set("TMUX_PANE")?;
        Some(PopUp { pane, program: std::env::current_exe().ok()?, open: Mutex::default() })
    }

    fn command(&self, id: &str) -> Command {
        let mut command = Command::new("tmux");
        command.arg("display-popup").arg("-t").arg(&self.pane);
        command.args(["-E", "-w", "90%", "-h", "15", "-T", " ringfence "]);
        // The server of tmux may have been started elsewhere.
        if let Some(runtime) = std::env::var_os("XDG_RUNTIME_DIR") {
            let mut setting = OsString::from("XDG_RUNTIME_DIR=");
            setting.push(runtime);
            command.arg("-e").arg(setting);
        }
        command.arg("--").arg(&self.program).args(["approve", id, "--ask"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

impl QuestionDisplay for PopUp {
    fn show(&self, waiting: &PendingQuestion) {
        let _one = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(question) = waiting.question() else { return };
        // A pop-up that was closed, or that tmux cannot show, leaves the question in the queue.
        let _ = self.command(&question.id).status();
    }
}
