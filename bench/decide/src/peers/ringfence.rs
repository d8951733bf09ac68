//! ringfence: the rules as one document that grants, decided by the judge itself.
//!
//! Neither the danger list nor the protected files are compiled in: the other engines have no such
//! lists, and all are asked about the same rules.

use std::sync::Arc;

use ringfence_core::access::{Connect, Exec, Extent, FileAccess, FileOp, Program};
use ringfence_core::host::MemoryHost;
use ringfence_core::net::HostName;
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{
    Access, AccessKind, Context, Date, Document, Effect, Origin, Pattern, Policy, Role,
};

use crate::peer::Peer;
use crate::workload::{Query, Rule};

/// A compiled policy.
pub struct Ringfence {
    policy: Policy,
}

impl Peer for Ringfence {
    const NAME: &'static str = "ringfence";
    type Request = Access;

    fn build(rules: &[Rule]) -> Result<Ringfence, String> {
        let mut document = Document::new("bench", Role::User);
        document.default = Some(Effect::Deny);
        for (line, rule) in (1..).zip(rules) {
            let pattern = Pattern::parse(&rule.pattern).map_err(|error| error.to_string())?;
            let origin = Origin::new(Arc::clone(&document.name), line, 1);
            document.rules.push(ringfence_core::Rule::new(Effect::Allow, pattern, origin));
        }
        let project = absolute("/home/u/proj");
        let today = Date::from_unix_days(20_000);
        let context = Context::new(Some(project.clone()), absolute("/home/u"), project, today);
        Policy::compile(vec![document], Vec::new(), &context, &MemoryHost::new())
            .map(|policy| Ringfence { policy })
            .map_err(|problems| format!("{problems:?}"))
    }

    fn prepare(&self, query: &Query) -> Access {
        Access::new(match query {
            Query::Command(words) => AccessKind::Exec(Arc::new(exec(words))),
            Query::Path(path) => AccessKind::File(FileAccess {
                op: FileOp::Read,
                extent: Extent::One,
                path: FilePath::named(absolute(path)),
            }),
            Query::Host(host) => AccessKind::Connect(Connect {
                host: HostName::parse(host).expect("a host made here"),
                port: Some(443),
                addresses: Vec::new(),
            }),
        })
    }

    fn decide(&self, access: &Access) -> bool {
        self.policy.decide(access).effect == Effect::Allow
    }
}

/// A command whose program was found where the door's own `PATH` has it.
fn exec(words: &[String]) -> Exec {
    let (name, args) = words.split_first().expect("a command has a program");
    Exec {
        aliases: Vec::new(),
        program: Program {
            invoked: name.as_str().into(),
            file: Some(absolute(&format!("/usr/bin/{name}"))),
            known_as: Some(name.as_str().into()),
        },
        args: args.iter().map(|word| word.as_str().into()).collect(),
        reading: None,
        carrier: None,
        cwd: absolute("/home/u/proj"),
    }
}

fn absolute(path: &str) -> AbsPath {
    AbsPath::new(path).expect("a path made here")
}
