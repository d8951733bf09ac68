//! Property: the guard's verdicts on drawn accesses under drawn policies equal the outcomes in a
//! fence.
//!
//! The guard decides each access; then it is made outside and inside a fence. An allowed access has
//! the same outcome inside as outside. A denied access fails and leaves the tree unchanged.
//! Documented differences are counted by their [`Class`].
//!
//! `RINGFENCE_SAME` sets the number of accesses, `RINGFENCE_SAME_SEED` the first seed.

mod access;
mod compare;
mod draw;
mod kernels;
mod talk;
mod tree;

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use ringfence_guard::Guard;
use ringfence_manifest::Format;

use access::{Access, real};
use compare::{Class, Compared};
use draw::{Dice, Drawn, Ports};
use tree::Tree;

use super::everyone;

/// The number of accesses under one policy.
const BATCH: usize = 60;
/// The number of draws after which a batch stays incomplete because accesses would affect each
/// other.
const TRIES: usize = 1_200;
/// The maximum number of differences to report.
const MOST_WRONG: usize = 8;
/// The number of accesses in an ordinary test run, for each user.
const USUAL: usize = 2_100;

#[test]
fn c151_the_same_policy_gives_the_same_answer() {
    let name = "suite::same::c151_the_same_policy_gives_the_same_answer";
    let mounts = format!("{}{}", super::kernels::MOUNTS, kernels::RUN);
    everyone::as_everyone_on(name, &mounts, |place, user| {
        kernels::make();
        let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
        let wanted = number("RINGFENCE_SAME").map_or(USUAL, |own| own as usize);
        let seed = number("RINGFENCE_SAME_SEED").unwrap_or(1);
        let mut bench = Bench::new(place);
        let mut counts = Counts::default();
        let mut policies = 0;
        let mut wrong: Vec<String> = Vec::new();
        while counts.total < wanted && wrong.len() < MOST_WRONG {
            policies += 1;
            let mut dice = Dice(seed.wrapping_mul(1_000_003).wrapping_add(policies));
            wrong.extend(bench.check(&mut dice, &mut counts).err());
        }
        println!("as {user}: {policies} policies, {counts}");
        let unheld = counts.unheld as u64;
        assert!(
            unheld * 5 < policies,
            "{unheld} of {policies} policies have rules that nothing holds"
        );
        assert!(wrong.is_empty(), "as {user}:\n{}", wrong.join("\n"));
        assert!(counts.denied * 10 >= counts.total * 3, "too few were denied: {counts}");
        assert!(counts.allowed * 10 >= counts.total * 3, "too few were allowed: {counts}");
    });
}

/// The outcomes so far.
#[derive(Debug, Default)]
struct Counts {
    total: usize,
    /// Allowed, with the same outcome inside and outside.
    allowed: usize,
    /// Denied, and refused inside although it succeeds outside.
    denied: usize,
    /// Denied, and failing outside too.
    fails: usize,
    classes: BTreeMap<Class, usize>,
    kinds: BTreeMap<access::Op, [usize; 2]>,
    /// Policies with a rule that nothing enforces.
    unheld: usize,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { total, allowed, denied, fails, .. } = self;
        write!(f, "{total} accesses: {allowed} allowed, {denied} denied, {fails} fail anyway")?;
        for (class, count) in &self.classes {
            write!(f, ", {count} {class}")?;
        }
        write!(f, "; allowed and denied by kind:")?;
        self.kinds.iter().try_for_each(|(op, [yes, no])| write!(f, " {op:?} {yes}/{no}"))
    }
}

/// Everything needed to try accesses.
struct Bench {
    tree: Tree,
    agent: PathBuf,
    environment: Vec<(String, String)>,
    ports: Ports,
}

impl Bench {
    fn new(place: &Path) -> Bench {
        let base = place.join("base");
        std::fs::create_dir(&base).unwrap();
        let tree = Tree::new(&base);
        let home = tree.place.home.display().to_string();
        let environment = [
            ("PATH", "/usr/bin:/bin"),
            ("HOME", &home),
            ("LANG", "C"),
            ("TZ", "UTC"),
            ("OWN_TOKEN", "token"),
            ("OWN_NAME", "name"),
            ("BASH_ENV", "/nowhere"),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let ports = Ports { dialled: [greeter(), greeter()], free: [free(), free()] };
        Bench { tree, agent: compiled(place), environment: environment.to_vec(), ports }
    }

    /// Draws a policy and accesses, and compares. The error is the difference and the smallest
    /// policy that shows it.
    fn check(&mut self, dice: &mut Dice, counts: &mut Counts) -> Result<(), String> {
        self.tree.renew();
        let drawn = draw::policy(dice, &self.tree.base.join("srv"), self.ports);
        let Ok(guard) = self.guard(&drawn) else { return Ok(()) };
        // A rule that nothing enforces is not in the plan; `run` would stop here.
        if !self.tree.place.fence(&guard, &self.agent, &self.environment).plan().gaps.is_empty() {
            counts.unheld += 1;
            return Ok(());
        }
        let accesses = self.batch(dice);
        let all = self
            .compare(&guard, &accesses)
            .map_err(|error| format!("{error}\nunder\n{}", drawn.text()))?;
        for (access, one) in accesses.iter().zip(&all) {
            counts.add(access, one);
        }
        let mut wrong = accesses.iter().zip(&all).filter(|(_, one)| one.wrong.is_some());
        match wrong.next() {
            Some((access, Compared { wrong: Some(what), .. })) => {
                let (small, access) = self.shrunk(drawn, &accesses, access);
                Err(format!("{access}\n{what}\nunder\n{}", small.text()))
            }
            _ => Ok(()),
        }
    }

    fn guard(&self, drawn: &Drawn) -> Result<Arc<Guard>, String> {
        self.tree.place.guard(Format::Toml, &drawn.text()).map(Arc::new)
    }

    /// Draws accesses that do not affect each other.
    fn batch(&self, dice: &mut Dice) -> Vec<Access> {
        let existing = self.tree.existing();
        let mut batch: Vec<Access> = Vec::new();
        let mut touched: Vec<(PathBuf, bool)> = Vec::new();
        for _ in 0..TRIES {
            if batch.len() == BATCH {
                break;
            }
            let access = draw::access(dice, &self.tree, &existing, self.ports);
            let own: Vec<PathBuf> = access.touches();
            // Outside, nothing prevents an access, so it must stay within the tree.
            let is_ours = own.iter().all(|path| real(path, true).starts_with(&self.tree.base));
            let is_ours = is_ours || access.is_kernels() && !access.is_felt();
            assert!(is_ours, "{access} leads out of the tree");
            let changes = access.is_felt();
            let meets = |one: &Path, two: &Path| one.starts_with(two) || two.starts_with(one);
            let is_met = touched.iter().any(|(path, changed)| {
                (changes || *changed) && own.iter().any(|own| meets(own, path))
            });
            if !is_met {
                touched.extend(own.into_iter().map(|path| (path, changes)));
                batch.push(access);
            }
        }
        batch
    }

    /// Decides the accesses, makes them inside and outside, and compares.
    fn compare(
        &mut self,
        guard: &Arc<Guard>,
        accesses: &[Access],
    ) -> Result<Vec<Compared>, String> {
        let fence = self.tree.place.fence(guard, &self.agent, &self.environment);
        let expected: Vec<_> = accesses.iter().map(|access| access.decide(guard)).collect();
        let reasons: Vec<_> =
            accesses.iter().map(|access| compare::reasons(access, guard)).collect();
        let inside = talk::inside((guard, &fence), &self.agent, accesses)?;
        let after = self.tree.snapshot();
        let outside = self.outside(accesses);
        let done = accesses.iter().zip(&inside).filter(|(_, own)| own.errno == 0);
        let done: Vec<Access> = done.map(|(access, _)| access.clone()).collect();
        self.outside(&done);
        let wanted = self.tree.snapshot();
        let mut compared = Vec::new();
        for (at, access) in accesses.iter().enumerate() {
            let outcomes = (&inside[at], &outside[at]);
            compared.push(compare::compare(access, expected[at], outcomes, &reasons[at]));
        }
        let is_right = compared.iter().all(|one| one.wrong.is_none());
        if is_right && after != wanted {
            let differ = |(path, what): (&PathBuf, &String)| {
                (after.get(path) != wanted.get(path)).then(|| format!("{}: {what}", path.display()))
            };
            let left: Vec<_> = after.iter().filter_map(differ).collect();
            let right: Vec<_> = wanted.iter().filter_map(differ).collect();
            let lines: Vec<String> = accesses.iter().map(ToString::to_string).collect();
            return Err(format!("inside left {left:?}, outside {right:?}\n{}", lines.join("\n")));
        }
        Ok(compared)
    }

    fn outside(&mut self, accesses: &[Access]) -> Vec<talk::Outcome> {
        self.tree.renew();
        talk::outside(&self.agent, &self.tree.place.root, &self.environment, accesses)
    }

    /// Returns the same difference with fewer rules and only this access.
    fn shrunk(&mut self, mut drawn: Drawn, all: &[Access], access: &Access) -> (Drawn, String) {
        let mut is_wrong = |drawn: &Drawn, accesses: &[Access]| {
            self.tree.renew();
            let guard = self.guard(drawn);
            let compared = guard.and_then(|guard| self.compare(&guard, accesses));
            compared.is_ok_and(|all| all.iter().any(|one| one.wrong.is_some()))
        };
        let alone = std::slice::from_ref(access);
        if !is_wrong(&drawn, alone) {
            let lines: Vec<String> = all.iter().map(ToString::to_string).collect();
            return (drawn, format!("{access}\nonly together with\n{}", lines.join("\n")));
        }
        let mut at = 0;
        while at < drawn.rules.len() {
            let mut fewer = drawn.clone();
            fewer.rules.remove(at);
            match is_wrong(&fewer, alone) {
                true => drawn = fewer,
                false => at += 1,
            }
        }
        (drawn, access.to_string())
    }
}

impl Counts {
    fn add(&mut self, access: &Access, one: &Compared) {
        self.total += 1;
        let kind = self.kinds.entry(access.op).or_default();
        match one.class {
            Some(class) => *self.classes.entry(class).or_default() += 1,
            None if one.allowed => {
                self.allowed += 1;
                kind[0] += 1;
            }
            None if one.works_outside => {
                self.denied += 1;
                kind[1] += 1;
            }
            None => self.fails += 1,
        }
    }
}

/// Compiles the test agent in a directory that no policy mentions.
fn compiled(place: &Path) -> PathBuf {
    let (source, program) = (place.join("agent.c"), place.join("agent"));
    std::fs::write(&source, include_str!("agent.c")).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O1", "-static", "-o"]).args([&program, &source]);
    let output = compiler.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Returns a port on which a thread greets every connection.
fn greeter() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(format!("port {port}").as_bytes());
        }
    });
    port
}

/// Returns a free port.
fn free() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
