//! The proxies, each a process of its own with the least configuration that does the work.

use std::error::Error;
use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Which proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// This repository's.
    Ringfence,
    /// Debian's tinyproxy.
    Tinyproxy,
    /// Debian's squid.
    Squid,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Ringfence, Kind::Tinyproxy, Kind::Squid];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ringfence => "ringfence",
            Kind::Tinyproxy => "tinyproxy",
            Kind::Squid => "squid",
        }
    }

    fn command(self, port: u16, scratch: &PathBuf) -> io::Result<Command> {
        let file = scratch.join("proxy.conf");
        let (program, text, arguments): (&str, String, &[&str]) = match self {
            Kind::Ringfence => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["--serve", &port.to_string()]);
                return Ok(command);
            }
            Kind::Tinyproxy => (
                "tinyproxy",
                format!(
                    "Port {port}\nListen 127.0.0.1\nTimeout 600\nMaxClients 200\nLogLevel Critical\nDisableViaHeader Yes\n"
                ),
                &["-d", "-c"],
            ),
            Kind::Squid => (
                "squid",
                format!(
                    "http_port 127.0.0.1:{port}\nhttp_access allow all\ncache deny all\ncache_mem 0 MB\n\
                     access_log none\ncache_log /dev/null\ncache_store_log none\npid_filename none\n\
                     netdb_filename none\npinger_enable off\nvia off\nforwarded_for delete\n\
                     coredump_dir {}\nmax_filedescriptors 1024\n",
                    scratch.display()
                ),
                &["-N", "-f"],
            ),
        };
        fs::write(&file, text)?;
        let mut command = Command::new(program);
        command.args(arguments).arg(&file);
        Ok(command)
    }
}

/// A proxy at work; it is ended when this is dropped.
pub struct Proxy {
    /// Which it is.
    pub kind: Kind,
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
    scratch: PathBuf,
}

impl Proxy {
    /// Starts one and waits until it listens.
    pub fn start(kind: Kind) -> Result<Proxy, Box<dyn Error>> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let scratch = std::env::temp_dir().join(format!(
            "ringfence-egress-{}-{}",
            kind.name(),
            std::process::id()
        ));
        fs::create_dir_all(&scratch)?;
        let mut command = kind.command(port, &scratch)?;
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| {
            format!("{}: {error}\nhint: apt-get install tinyproxy squid", kind.name())
        })?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let proxy = Proxy { kind, address, child, scratch };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            if begun.elapsed() > Duration::from_secs(20) {
                return Err(format!("{} does not listen", kind.name()).into());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(proxy)
    }

    /// The processor time that it has used, in seconds.
    pub fn processor_time(&self) -> Result<f64, Box<dyn Error>> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("no such form")?;
        let ticks =
            |at: usize| fields.split(' ').nth(at).and_then(|field| field.parse::<f64>().ok());
        // In hundredths of a second on every Linux.
        Ok((ticks(11).ok_or("no user time")? + ticks(12).ok_or("no system time")?) / 100.0)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.scratch);
    }
}
