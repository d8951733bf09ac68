//! The corpus's command attacks, in a fence whose command line nobody judges.
//!
//! The person who types a command has granted it, so the fence for `bash -c LINE` does not judge
//! the line. Only the kernel and the exec gate, which judges each started program, protect. Each
//! attack first runs outside, where it must do harm, and then inside, where it must do none.

mod real_trees;
mod world;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use ringfence_manifest::Format;
use serde_json::Value;

use super::everyone;
use super::standard::Streams;
use world::World;

/// The time limit of an attack.
const SECONDS: u64 = 20;

#[test]
fn c151_command_attacks_do_no_harm_when_nobody_reads_the_line() {
    let name = "suite::corpus::c151_command_attacks_do_no_harm_when_nobody_reads_the_line";
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../.."].iter().collect();
    let files = [root.join("tests/corpus").join(OWN), root.join("../shared/corpus").join(MORE)];
    everyone::as_everyone_given(name, &files, |place, user| {
        let world = World::new(place);
        let mut seen: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut wrong = Vec::new();
        for case in cases() {
            let id = case["id"].as_str().unwrap().to_owned();
            let outcome = Attack::of(&world, &case).tried(&world);
            match outcome {
                Ok(()) => seen.entry("refused").or_default().push(id),
                Err(NotSo::NotRun(why)) => seen.entry(why).or_default().push(id),
                Err(NotSo::Harm(what)) => wrong.push(format!("{id}: {what}")),
            }
        }
        let refused = seen.remove("refused").unwrap_or_default().len();
        println!("as {user}: {refused} command attacks do harm outside and none inside");
        for (why, ids) in &seen {
            println!("  {} not run: {why} ({})", ids.len(), ids.join(" "));
        }
        assert!(wrong.is_empty(), "as {user}:\n{}", wrong.join("\n"));
        assert!(refused >= LEAST, "only {refused}");
    });
}

/// The corpus of this repository; a second one next to the repository is used if present.
const OWN: &str = "attacks.jsonl";
const MORE: &str = "attacks-more.jsonl";

/// The minimum number of attacks that can run with the packages that `cargo xtask test` installs.
const LEAST: usize = 80;

/// Returns the attacks that are shell lines.
fn cases() -> Vec<Value> {
    let texts = [OWN, MORE].into_iter().filter_map(everyone::given);
    let all: Vec<Value> = texts
        .flat_map(|text| {
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
        })
        .collect();
    all.into_iter().filter(|case| case["action"]["command"].is_string()).collect()
}

/// Why an attack does not count as stopped.
enum NotSo {
    /// The attack cannot run here.
    NotRun(&'static str),
    /// The attack did harm.
    Harm(String),
}

struct Attack {
    shell: String,
    line: String,
    policy: String,
    setup: Value,
}

impl Attack {
    fn of(world: &World, case: &Value) -> Attack {
        let placed = |value: &Value| -> Value {
            serde_json::from_str(&world.placed(&value.to_string())).unwrap()
        };
        let action = placed(&case["action"]);
        let mut policy = placed(&case["policy"]);
        // If the policy grants commands, system programs and the stubs can be started.
        let allow = policy["allow"].as_array_mut().unwrap();
        let readable = ["fs:r:@system/**".to_owned(), format!("fs:r:{}/**", world.stubs.display())];
        allow.extend(readable.map(Value::from));
        Attack {
            shell: action["shell"].as_str().unwrap_or("bash").to_owned(),
            line: action["command"].as_str().unwrap().to_owned(),
            policy: policy.to_string(),
            setup: placed(&case["setup"]),
        }
    }

    fn tried(&self, world: &World) -> Result<(), NotSo> {
        let Some(shell) = found(&self.shell) else {
            return Err(NotSo::NotRun("the shell is not at hand"));
        };
        world.renew(&self.setup);
        let said = self.outside(world, &shell);
        if world.harm(&said).is_empty() {
            println!("{}\n{said}", self.line);
            return Err(NotSo::NotRun("does no harm outside"));
        }
        world.renew(&self.setup);
        let said = self.inside(world, &shell);
        match world.harm(&said) {
            harm if harm.is_empty() => Ok(()),
            harm => Err(NotSo::Harm(format!("{} ({})\n{said}", harm.join(", "), self.line))),
        }
    }

    fn environment(&self, world: &World) -> Vec<(String, String)> {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", world.stubs.display());
        let home = world.place.home.display().to_string();
        let usual = [("PATH", path), ("HOME", home), ("TERM", "dumb".to_owned())];
        let usual = usual.map(|(name, value)| (name.to_owned(), value));
        let set = self.setup["env"].as_object().into_iter().flatten();
        let set = set.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        usual.into_iter().chain(set).collect()
    }

    fn outside(&self, world: &World, shell: &Path) -> String {
        let mut command = Command::new("timeout");
        command.arg(SECONDS.to_string()).arg(shell).args(["-c", &self.line]);
        command.env_clear().envs(self.environment(world)).current_dir(&world.place.root);
        let output = command.stdin(Stdio::null()).output().unwrap();
        [output.stdout, output.stderr]
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .join("")
    }

    fn inside(&self, world: &World, shell: &Path) -> String {
        let guard = Arc::new(world.place.guard(Format::Json, &self.policy).unwrap());
        let fence = world.place.fence_within(&guard, shell, &self.environment(world), SECONDS);
        let argv = [shell.to_str().unwrap(), "-c", &self.line].map(Into::into).to_vec();
        let permit = guard.permit_typed_command(shell, argv);
        let (streams, said) = Streams::silent();
        let finished = fence.run(permit, false);
        drop(streams);
        let said = said.join().unwrap();
        format!("{said}\n[{:?}]", finished.ended)
    }
}

fn found(name: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin"].iter().map(|own| Path::new(own).join(name)).find(|path| path.exists())
}
