//! An egress for tests: a policy in, a proxy's address out.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ringfence_core::access::AccessScope;
use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Role};
use ringfence_egress::{
    Asker, Egress, Inside, Limits, Lookup, Published, Refused, Resolve, Running, Tally,
};
use ringfence_guard::{Guard, PolicyBuilder};
use ringfence_manifest::{Format, NoLibrary, Source, read};

/// Names and their addresses; a name that is not listed is the test's own machine.
#[derive(Default)]
pub(crate) struct Pins {
    known: HashMap<&'static str, Vec<IpAddr>>,
    asked: Mutex<Vec<String>>,
}

impl Resolve for Pins {
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        self.asked.lock().unwrap().push(name.to_owned());
        let own = vec![IpAddr::V4(Ipv4Addr::LOCALHOST)];
        let found = self.known.get(name).cloned().unwrap_or(own);
        Box::pin(async move { Ok(found) })
    }
}

/// What a fence is made of.
pub(crate) struct Plan {
    pub(crate) policy: String,
    pub(crate) limits: Limits,
    pub(crate) asker: Option<Arc<dyn Asker>>,
    pub(crate) inside: Inside,
    pub(crate) published: Option<Published>,
    pub(crate) scope: AccessScope,
    pins: Pins,
}

impl Plan {
    pub(crate) fn new(policy: &str) -> Plan {
        Plan {
            policy: policy.to_owned(),
            limits: Limits::default(),
            asker: None,
            inside: Inside::default(),
            published: None,
            scope: AccessScope::default(),
            pins: Pins::default(),
        }
    }

    /// Gives a name these addresses.
    pub(crate) fn pin(mut self, name: &'static str, addresses: &[&str]) -> Plan {
        let addresses = addresses.iter().map(|text| text.parse().unwrap()).collect();
        self.pins.known.insert(name, addresses);
        self
    }

    pub(crate) fn start(mut self) -> Fence {
        let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = proxy.local_addr().unwrap();
        self.inside.proxy = Some(proxy);
        let tally = Arc::new(Tally::default());
        let pins = Arc::new(self.pins);
        let mut egress = Egress::new(Arc::new(guard(&self.policy)))
            .resolving_with(Arc::<Pins>::clone(&pins))
            .observed_by(Arc::<Tally>::clone(&tally))
            .in_scope(self.scope)
            .within(self.limits);
        if let Some(asker) = self.asker {
            egress = egress.asking(asker);
        }
        let running = egress.start(self.inside, self.published).unwrap();
        Fence { running, address, tally, pins }
    }
}

pub(crate) fn guard(policy: &str) -> Guard {
    let source = Source::new("policy.toml", Format::Toml, policy).unwrap();
    let loaded = read(&source, Role::User, &NoLibrary).unwrap();
    let project = AbsPath::new("/home/u/proj").unwrap();
    let home = AbsPath::new("/home/u").unwrap();
    let context = Context::new(Some(project.clone()), home, project, Date::from_unix_days(20_000));
    let host = Arc::new(MemoryHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host).unwrap();
    Guard::new(built.policy, host, context)
}

/// An egress at work.
pub(crate) struct Fence {
    pub(crate) running: Running,
    pub(crate) address: SocketAddr,
    pub(crate) tally: Arc<Tally>,
    pins: Arc<Pins>,
}

impl Fence {
    /// One that allows these patterns.
    pub(crate) fn allowing(patterns: &[&str]) -> Fence {
        Plan::new(&format!("allow = {patterns:?}")).start()
    }

    /// A connection to the proxy.
    pub(crate) fn dial(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends bytes to the proxy, and everything that comes back until it closes.
    pub(crate) fn send(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = self.dial();
        stream.write_all(bytes.as_ref()).unwrap();
        read_all(&mut stream)
    }

    /// Opens a tunnel, and what the proxy says to it.
    pub(crate) fn connect(&self, endpoint: &str) -> (TcpStream, String) {
        let mut stream = self.dial();
        write!(stream, "CONNECT {endpoint} HTTP/1.1\r\nHost: {endpoint}\r\n\r\n").unwrap();
        let head = read_head(&mut stream);
        (stream, head)
    }

    /// The names that were looked up.
    pub(crate) fn lookups(&self) -> Vec<String> {
        self.pins.asked.lock().unwrap().clone()
    }

    /// The only refusal so far, once it has been told.
    pub(crate) fn refusal(&self) -> Refused {
        for _ in 0..200 {
            if let [(refused, _)] = &self.tally.refusals()[..] {
                return refused.clone();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("not one refusal: {:?}", self.tally.refusals());
    }
}

/// Everything until the end, or until the other side breaks off.
pub(crate) fn read_all(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut part) {
        all.extend_from_slice(&part[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// The head of a message, byte by byte, so that nothing after it is lost.
pub(crate) fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// Exactly so many bytes.
pub(crate) fn read_exactly(stream: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}
