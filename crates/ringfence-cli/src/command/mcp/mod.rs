//! `ringfence mcp`: a gateway in front of an MCP server.

mod config;
mod name;
mod pins;
mod start;

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ringfence_core::Effect;
use ringfence_core::access::AccessScope;
use ringfence_egress::{Egress, Limits};
use ringfence_exec::Approver;
use ringfence_exec::queue::QueueTimeouts;
use ringfence_exec::refusal_log::{LogEntry, RefusingDoor};
use ringfence_guard::redact::visible;
use ringfence_guard::world::RealHost;
use ringfence_guard::{Action, Call, Guard};
use ringfence_mcp::http::{self, Service};
use ringfence_mcp::pin::PinFile;
use ringfence_mcp::remote::{Address, HeaderMap, Net, Remote};
use ringfence_mcp::stdio::{self, Ended};
use ringfence_mcp::{Behind, Desk, Endpoint, Gateway, Judge, Reach, SILENCE, Told};

use crate::args::McpArgs;
use crate::args::mcp::McpVerb;
use crate::asking::{self, Manner};
use crate::command::run::{NOT_FOUND, find};
use crate::diary;
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;
use config::{Listed, Place};
use start::Start;

/// How long a call waits for a person. Clients give up after a minute unless they are told
/// otherwise, and then a refusal that says what to do would come too late.
const PATIENCE: Duration = Duration::from_secs(45);

pub(crate) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    match &args.verb {
        None => serve(args),
        Some(McpVerb::Pin(args)) => pins::pin(args),
        Some(McpVerb::Diff { server }) => pins::diff(server.as_deref()),
        Some(McpVerb::Accept { server, tools }) => pins::accept(server, tools),
    }
}

fn serve(args: &McpArgs) -> Result<Exit, Failure> {
    let policies = &args.files.policies;
    let agent = door::known_agent(policies, args.agent.as_deref())?;
    let guard = Arc::new(door::open(policies)?);
    let (endpoint, listed) = match &args.config {
        Some(path) => {
            let root = guard.context().root.as_ref().map(|own| Path::new(own.as_str()));
            let listed = config::read(path, root)?;
            warn_of_writers(path, &guard);
            (Endpoint::Several, listed)
        }
        None => {
            let name = name::choose(args.name.as_deref(), &args.server)?;
            show::say(&format!("ringfence: rules for this server are written mcp:{name}/TOOL"));
            let place = match &args.url {
                Some(url) => Place::There(address(url)?, HeaderMap::new()),
                None => Place::Here(args.server.clone()),
            };
            (Endpoint::One, vec![Listed { name, place, silence: None }])
        }
    };
    let times = QueueTimeouts { limit: PATIENCE, ..QueueTimeouts::default() };
    let manner = Manner { policies, times, waits: args.ask };
    for server in &listed {
        if let Place::Here(words) = &server.place
            && find(words)?.is_none()
        {
            return Ok(Exit::As(NOT_FOUND));
        }
    }
    let shown: Vec<OsString> = match args.server.is_empty() {
        true => std::env::args_os().collect(),
        false => args.server.clone(),
    };
    let queue = Arc::new(asking::queue(&RealHost::new(), &shown, &manner)?);
    let approver = Arc::clone(&queue) as Arc<dyn Approver>;
    let desk = Desk::new(Arc::clone(&approver));
    let desk = Arc::new(desk.protecting_files(asking::shelf()?, asking::run(&shown, policies)?));
    let is_remote = |server: &Listed| matches!(server.place, Place::There(..));
    let net = listed.iter().any(is_remote).then(Net::new).transpose();
    let net = net.map_err(|error| Failure::new(format!("no server can be reached: {error}")))?;
    let behind = Behinds {
        net,
        listed,
        policies: policies.clone(),
        guard,
        agent: agent.map(str::to_owned),
        pins: Arc::new(pins::file()?),
        approver,
        silence: args.silence.map_or(SILENCE, |own| Duration::from_secs(own.get().into())),
    };
    let exit = match &args.http {
        Some(address) => over_http(address, endpoint, behind, desk),
        None => over_stdio(endpoint, &behind, desk),
    };
    queue.close();
    exit
}

fn over_stdio(endpoint: Endpoint, behind: &Behinds, desk: Arc<Desk>) -> Result<Exit, Failure> {
    match stdio::serve(endpoint, behind.start()?, desk, Arc::new(note)) {
        Ok(Ended::ByClient) => Ok(Exit::Allow),
        Ok(Ended::ByServer(how)) => {
            show::say(&format!("ringfence: the server ended first: {how}"));
            Ok(Exit::Failed)
        }
        Err(error) => Err(Failure::new(format!("the gateway cannot be started: {error}"))),
    }
}

fn over_http(
    address: &str,
    endpoint: Endpoint,
    behind: Behinds,
    desk: Arc<Desk>,
) -> Result<Exit, Failure> {
    let cannot = |error: std::io::Error| Failure::new(format!("nobody can be served: {error}"));
    let listener = TcpListener::bind(http_address(address)?).map_err(cannot)?;
    let here = listener.local_addr().map_err(cannot)?;
    show::say(&format!("ringfence: serving http://{here}/mcp"));
    let start = Box::new(move || behind.start().map_err(|failure| failure.message));
    http::serve(listener, Service { endpoint, start, desk, notes: Arc::new(note) })
        .map_err(cannot)?;
    Ok(Exit::Allow)
}

/// Says so where the policy lets agents write the list of servers: it names programs that are started.
fn warn_of_writers(path: &Path, guard: &Guard) {
    let Some(path) = path.canonicalize().ok().and_then(|own| own.to_str().map(str::to_owned))
    else {
        return;
    };
    let write = Call::new(Action::Access { text: format!("fs:w:{path}") });
    if guard.consider(&write).verdict.effect == Effect::Allow {
        let path = visible(&path);
        show::say(&format!(
            "note: the policy lets agents write {path}, which says what programs are started here\n\
             hint: keep it outside of the project, or add deny = [\"fs:w:{path}\"]"
        ));
    }
}

/// The address of a server.
fn address(url: &str) -> Result<Address, Failure> {
    let broken =
        |reason| Failure::new(format!("`{}` is no address of a server: {reason}", visible(url)));
    Address::parse(url).map_err(broken)
}

/// An address of this machine. The endpoint knows no passwords, so it is for no other.
fn http_address(text: &str) -> Result<SocketAddr, Failure> {
    let port = text.strip_prefix(':').unwrap_or(text).parse::<u16>().ok();
    let address = port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let text = text.replace("localhost", "127.0.0.1");
    match address.or_else(|| text.parse().ok()) {
        Some(address) if address.ip().is_loopback() => Ok(address),
        Some(address) => {
            Err(Failure::new(format!("`{address}` is no address of this machine alone"))
                .hint("use 127.0.0.1 or [::1]: whoever reaches the endpoint may use it"))
        }
        None => Err(Failure::new(format!("`{}` is no address", visible(&text)))
            .hint("write it as 127.0.0.1:7000")),
    }
}

/// The servers, and all that their gateways need.
struct Behinds {
    listed: Vec<Listed>,
    policies: Vec<PathBuf>,
    guard: Arc<Guard>,
    agent: Option<String>,
    pins: Arc<PinFile>,
    approver: Arc<dyn Approver>,
    /// How long servers may say nothing, where the file does not say it.
    silence: Duration,
    /// Where servers are reached, if any of them is.
    net: Option<Arc<Net>>,
}

impl Behinds {
    /// Starts all of them.
    fn start(&self) -> Result<Vec<Behind>, Failure> {
        let start = |Listed { name, place, silence }: &Listed| {
            let judge = Judge::new(Arc::clone(&self.guard), name, self.agent.as_deref());
            let judge = judge.telling(write_down(name));
            let gateway = Gateway::new(judge).pinning(self.pins.clone());
            let approver = Arc::clone(&self.approver);
            let (policies, guard) = (&self.policies, &*self.guard);
            let server = match place {
                Place::Here(words) => {
                    Reach::Process(start::start(Start { name, words, policies, guard, approver })?)
                }
                Place::There(address, head) => {
                    Reach::Remote(self.reach(name, address.clone(), head.clone())?)
                }
            };
            let silence = silence.unwrap_or(self.silence);
            Ok(Behind { name: name.clone(), gateway, server, silence })
        };
        self.listed.iter().map(start).collect()
    }

    /// A server that is reached over HTTP. Its connections are judged by its section, where the
    /// policy has one, else by the policy.
    fn reach(&self, name: &str, address: Address, head: HeaderMap) -> Result<Remote, Failure> {
        let net = self.net.clone().ok_or_else(|| Failure::new("no server can be reached"))?;
        let guard = match door::open_for_server(&self.policies, name)? {
            Some(guard) => Arc::new(guard),
            None => Arc::clone(&self.guard),
        };
        let agent = self.agent.as_deref().map(Arc::from);
        let scope = AccessScope { agent, ..AccessScope::default() };
        let limits = Limits { answer: PATIENCE, ..Limits::default() };
        let asker = ringfence_exec::asker(Arc::clone(&self.approver));
        let egress = Egress::new(guard).in_scope(scope).within(limits).asking(asker);
        Ok(Remote::new(address, head, egress.dialer(), net))
    }
}

/// Writes down what is refused at a server, for `ringfence log`.
fn write_down(server: &str) -> Arc<Told> {
    let who = format!("the MCP server `{server}`");
    let directory = std::env::current_dir().unwrap_or_default().display().to_string();
    Arc::new(move |refusal| {
        diary::note([LogEntry::of(refusal, RefusingDoor::Mcp, &who, &directory)])
    })
}

/// Says something in the log, line by line.
fn note(text: &str) {
    text.lines().for_each(|line| show::say(&format!("ringfence: {}", visible(line))));
}
