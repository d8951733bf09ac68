//! Connects the egress to the sockets inside a run.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use ringfence_core::access::AccessScope;
use ringfence_egress::{
    Answer, Asker, Dial, Egress, Inside, Limits, Observer, Published, Question, Refused, Running,
};
use ringfence_guard::Guard;
use ringfence_sandbox::plan::NetPlan;
use ringfence_sandbox::{Line, Sockets};

use crate::ask::{self, Approver};
use crate::ports::PublishedPorts;
use crate::report::{self, Collector};
use crate::time::now;

/// The time limit for approvers without a limit of their own.
const LONGEST_ANSWER: Duration = Duration::from_secs(3600);

/// The network part of a plan, and the scope in which connections are judged.
pub(crate) struct WayOut {
    pub(crate) plan: NetPlan,
    pub(crate) scope: AccessScope,
    /// The ports that are open on the host for the run.
    pub(crate) ports: PublishedPorts,
}

impl WayOut {
    /// Starts the egress on the sockets inside the run. Returns `None` if the plan allows no
    /// connections.
    pub(crate) fn start(
        self,
        guard: Arc<Guard>,
        approver: Arc<dyn Approver>,
        collector: Arc<Collector>,
        sockets: Sockets,
        line: &Line,
    ) -> io::Result<Option<Running>> {
        if !self.plan.is_needed() {
            return Ok(None);
        }
        let inside =
            Inside { proxy: sockets.proxy, carried: sockets.taken, resolver: sockets.resolver };
        let ports = self.ports.open;
        let dial = || Arc::new(Inward(line.clone()));
        let published = (!ports.is_empty()).then(|| Published { ports, dial: dial() });
        // The approver has its own time limit.
        let limits = Limits { answer: LONGEST_ANSWER, ..Limits::default() };
        let egress = Egress::new(guard)
            .in_scope(self.scope)
            .within(limits)
            .asking(asker(approver))
            .observed_by(Arc::new(Observe(collector)));
        egress.start(inside, published).map(Some)
    }
}

struct Inward(Line);

impl Dial for Inward {
    fn dial(&self, port: u16) -> io::Result<TcpStream> {
        self.0.dial(port)
    }
}

/// Returns an asker that passes questions about connections to an approver.
pub fn asker(approver: Arc<dyn Approver>) -> Arc<dyn Asker> {
    Arc::new(Ask(approver))
}

struct Ask(Arc<dyn Approver>);

impl Asker for Ask {
    fn ask(&self, question: &Question) -> Answer {
        let asked = ask::ApprovalQuestion {
            what: format!("connect to {}:{}", question.host, question.port),
            pattern: Some(question.pattern()),
            exact_pattern: None,
            why: question.refusal.ground.clone(),
            // Private addresses were not known when the name was asked about.
            exact: format!("{:?}", question.addresses),
            program: String::new(),
            deed: Some(question.pattern()),
            refusal: Some(question.refusal.clone()),
        };
        match self.0.ask(&asked) {
            ask::ApprovalAnswer::No => Answer::No,
            ask::ApprovalAnswer::Once => Answer::Once,
            ask::ApprovalAnswer::Session => Answer::Run,
        }
    }
}

struct Observe(Arc<Collector>);

impl Observer for Observe {
    fn refused(&self, refused: &Refused) {
        let what = match refused.port {
            Some(port) => format!("connect to {}:{port}", refused.host),
            None => format!("resolve {}", refused.host),
        };
        let why = refused.verdict.decisive().next().map(ToString::to_string);
        self.0.add(report::RefusedAction {
            what,
            program: String::new(),
            times: 1,
            first: now(),
            why: why.unwrap_or_default(),
            grant: refused.grant.clone(),
            list: "allow".into(),
            lacks_grant: false,
            observed: !refused.enforced,
            habit: false,
        });
    }
}
