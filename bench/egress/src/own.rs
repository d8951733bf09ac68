//! ringfence's own proxy, in a process of its own like the others.

use std::error::Error;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_egress::{Egress, Inside};
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use crate::origin::own_address;

/// Serves at this port until the process is ended.
pub fn serve(port: u16) -> Result<(), Box<dyn Error>> {
    // A policy of some size, in which one rule grants what is asked for.
    let rules: Vec<String> = (0..50).map(|n| format!("\"net:*.svc{n}.example\"")).collect();
    let text = format!(
        "allow = [\"net:{}\", {}]\ndeny = [\"net:*.evil.example\"]",
        own_address()?,
        rules.join(", ")
    );
    let loaded = read(&Source::new("policy.toml", Format::Toml, &*text)?, Role::User, &NoLibrary)?;
    let project = AbsPath::new("/home/u/proj")?;
    let context = Context::new(
        Some(project.clone()),
        AbsPath::new("/home/u")?,
        project,
        Date::from_unix_days(20_000),
    );
    let host = Arc::new(MemoryHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host)?;
    let guard = Arc::new(Guard::new(built.policy, host, context));
    let proxy = Some(TcpListener::bind(("127.0.0.1", port))?);
    let _running = Egress::new(guard).start(Inside { proxy, ..Inside::default() }, None)?;
    loop {
        thread::park();
    }
}
