//! A server that is called, alone or behind the gateway.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Where the server is, and the policy that grants all it has.
pub(crate) struct Place {
    server: PathBuf,
    policy: PathBuf,
}

impl Place {
    pub(crate) fn open() -> Result<Place, Box<dyn Error>> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root =
            package.ancestors().nth(2).ok_or("this package lies two levels below the root")?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let server = target
            .join("agents/mcp-everything/node_modules")
            .join("@modelcontextprotocol/server-everything/dist/index.js");
        if !server.exists() {
            return Err(format!(
                "{} is not there: `cargo xtask test` installs it",
                server.display()
            )
            .into());
        }
        let policy =
            std::env::temp_dir().join(format!("ringfence-bench-mcp-{}.toml", std::process::id()));
        fs::write(&policy, "allow = [\"mcp:everything/*\", \"mcp:everything/method:**\"]\n")?;
        Ok(Place { server, policy })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left in a directory for temporary files harms nobody.
        let _ = fs::remove_file(&self.policy);
    }
}

/// A connection to the server.
pub(crate) struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    line: String,
}

impl Peer {
    /// Starts the server, behind a gateway where one is named.
    pub(crate) fn start(place: &Place, gateway: Option<&Path>) -> Result<Peer, Box<dyn Error>> {
        let mut command = match gateway {
            None => Command::new("node"),
            Some(gateway) => {
                let mut command = Command::new(gateway);
                command.args(["mcp", "--name", "everything", "--policy"]).arg(&place.policy);
                command.args(["--", "node"]);
                command
            }
        };
        command
            .arg(&place.server)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or("it has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("it has no output")?);
        let mut peer = Peer { child, input, output, last: 0, line: String::new() };
        peer.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#)?;
        peer.hear()?;
        peer.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
        peer.call(200)?;
        Ok(peer)
    }

    /// Calls `echo` so many times, one after the other.
    pub(crate) fn call(&mut self, times: usize) -> Result<(), Box<dyn Error>> {
        self.flight(1, times).map(drop)
    }

    /// Calls `echo` so many times, with several calls in flight; how many.
    pub(crate) fn flight(&mut self, width: usize, times: usize) -> Result<usize, Box<dyn Error>> {
        let (mut sent, mut heard) = (0, 0);
        while heard < times {
            while sent < times && sent - heard < width {
                self.last += 1;
                self.say(&format!(
                    r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"echo","arguments":{{"message":"hello"}}}}}}"#,
                    self.last
                ))?;
                sent += 1;
            }
            self.hear()?;
            heard += 1;
        }
        Ok(times)
    }

    /// What the process that was started holds in memory.
    pub(crate) fn kilobytes(&self) -> Result<u64, Box<dyn Error>> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let figure = line.and_then(|line| line.split_whitespace().next()).ok_or("it has ended")?;
        Ok(figure.parse()?)
    }

    fn say(&mut self, line: &str) -> Result<(), Box<dyn Error>> {
        Ok(self.input.write_all(format!("{line}\n").as_bytes())?)
    }

    /// The next answer; a wrong one stops the run.
    fn hear(&mut self) -> Result<(), Box<dyn Error>> {
        loop {
            self.line.clear();
            if self.output.read_line(&mut self.line)? == 0 {
                return Err("the server has ended".into());
            }
            let message: serde_json::Value = serde_json::from_str(&self.line)?;
            if message.get("id").is_none() || message.get("method").is_some() {
                continue;
            }
            let result = &message["result"];
            let echoed = result["content"][0]["text"] == "Echo: hello" && result["isError"] != true;
            if message["id"] == 0 || echoed {
                return Ok(());
            }
            return Err(format!("a wrong answer: {}", self.line).into());
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
