//! Test cases: a policy, an in-memory host and an action to judge.
//!
//! A case is one JSON object in the format of `tests/corpus/README.md`. Its `policy`, if present,
//! replaces all documents. Cases never look at the real host.

mod setup;

use std::collections::BTreeSet;
use std::sync::Arc;

use ringfence_core::host::{Host, MemoryHost};
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect, Role};
use ringfence_manifest::{Errors, Format, NoLibrary, PolicyTest, Source, TestCall};
use serde_json::Value;

use crate::call::{Action, Call};
use crate::guard::Guard;
use crate::policy_builder::PolicyBuilder;
use crate::wire;

/// A parsed test case.
#[derive(Debug)]
pub struct Case {
    /// The ID that the case states.
    pub id: Value,
    /// The call to judge.
    pub call: Call,
    /// The expected verdict, if the case states one.
    pub expect: Option<Effect>,
    /// The accepted verdicts, if the case lists several.
    pub accept: BTreeSet<Effect>,
    /// Patterns or IDs of rules that must be among the decisive grounds.
    pub rules: Vec<String>,
    world: World,
}

/// Everything that a case depends on besides its action. Cases with the same world share a guard.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    policy: PolicyText,
    setup: String,
    env: String,
    cwd: Option<String>,
    root: Option<String>,
    home: Option<String>,
}

/// The text of the only document that a case is judged by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PolicyText {
    /// The document's name in messages.
    pub name: String,
    /// The document's format.
    pub format: Format,
    /// The document's text.
    pub text: String,
    /// The file that the text was read from; required if the document extends other files.
    pub location: Option<AbsPath>,
}

impl Default for PolicyText {
    /// Returns the policy that applies if no document exists.
    fn default() -> PolicyText {
        PolicyText {
            name: "no policy".to_owned(),
            format: Format::Json,
            text: r#"{"extends": ["@workspace"], "default": "ask"}"#.to_owned(),
            location: None,
        }
    }
}

/// The date used for all cases, so that rules with an end date give the same verdict every day.
const TODAY: (u16, u8, u8) = (2026, 11, 15);

impl Case {
    /// Parses a case, which may contain its own policy. The error is a message for the case's
    /// author.
    pub fn read(value: &Value) -> Result<Case, String> {
        let policy = value.get("policy").map_or_else(PolicyText::default, |policy| PolicyText {
            name: "policy".to_owned(),
            format: Format::Json,
            text: policy.to_string(),
            location: None,
        });
        Case::read_for(value, policy)
    }

    /// Parses a case and uses `policy` instead of the case's own.
    pub fn read_for(value: &Value, policy: PolicyText) -> Result<Case, String> {
        let fields = value.as_object().ok_or("a case is an object")?;
        let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
        let json = |key: &str| fields.get(key).unwrap_or(&Value::Null).to_string();
        let action = fields.get("action").ok_or("the case has no `action`")?;
        let effect = |value: &Value| value.as_str().and_then(|word| word.parse::<Effect>().ok());
        let accept = fields.get("accept").and_then(Value::as_array);
        let rules = fields.get("rules").and_then(Value::as_array);
        let rules = rules.into_iter().flatten().filter_map(Value::as_str);
        Ok(Case {
            id: fields.get("id").cloned().unwrap_or(Value::Null),
            call: wire::read_action(action)?,
            expect: fields.get("expect").and_then(effect),
            accept: accept.into_iter().flatten().filter_map(effect).collect(),
            rules: rules.map(str::to_owned).collect(),
            world: World {
                policy,
                setup: json("setup"),
                env: json("env"),
                cwd: text("cwd"),
                root: text("root"),
                home: text("home"),
            },
        })
    }

    /// Returns the case for a `[[test]]` block of a policy.
    pub fn of_test(test: &PolicyTest, policy: PolicyText) -> Case {
        let mut call = Call::new(match &test.call {
            TestCall::Line(line) => Action::Line { line: line.clone(), shell: None },
            TestCall::Tool { name, input } => {
                Action::Tool { name: name.clone(), input: input.clone() }
            }
        });
        call.agent = test.agent.as_deref().map(Into::into);
        call.cwd.clone_from(&test.cwd);
        Case {
            id: test.origin.to_string().into(),
            call,
            expect: Some(test.expect),
            accept: BTreeSet::new(),
            rules: Vec::new(),
            world: World {
                policy,
                setup: Value::Null.to_string(),
                env: Value::Null.to_string(),
                cwd: None,
                root: None,
                home: None,
            },
        }
    }

    /// Returns the accepted verdicts: `accept`, or `expect` if `accept` is empty.
    pub fn right_answers(&self) -> BTreeSet<Effect> {
        match self.accept.is_empty() {
            false => self.accept.clone(),
            true => self.expect.into_iter().collect(),
        }
    }
}

#[cfg(test)]
impl Case {
    /// Returns the in-memory host and the context that the case describes.
    pub(crate) fn described(&self) -> (MemoryHost, Context) {
        self.world.described().expect("the world of a case can be described")
    }

    /// Returns the policy text of the case.
    pub(crate) fn policy(&self) -> &PolicyText {
        &self.world.policy
    }
}

/// Runs cases and compiles each distinct policy once.
#[derive(Default)]
pub struct Cases {
    guards: std::collections::HashMap<World, Result<Arc<Guard>, String>>,
}

impl Cases {
    /// The maximum number of cached guards.
    const KEPT: usize = 256;

    /// Returns the guard for a case. The error is a message for the case's author.
    pub fn guard(&mut self, case: &Case) -> Result<Arc<Guard>, String> {
        if self.guards.len() >= Cases::KEPT && !self.guards.contains_key(&case.world) {
            self.guards.clear();
        }
        let world = case.world.clone();
        self.guards.entry(world).or_insert_with_key(|world| world.guard().map(Arc::new)).clone()
    }
}

impl Cases {
    /// Compares the verdict with the expected one. Returns a message if they differ, `None` if the
    /// case passes.
    pub fn mismatch(&mut self, case: &Case) -> Option<String> {
        let verdict = match self.guard(case) {
            Ok(guard) => guard.consider(&case.call).verdict,
            Err(error) => return Some(error),
        };
        let right = case.right_answers();
        if right.is_empty() {
            return Some("the case states no expected verdict".to_owned());
        }
        let grounds: Vec<String> = verdict.decisive().map(ToString::to_string).collect();
        let grounds = grounds.join("; ");
        if !right.contains(&verdict.effect) {
            let right: Vec<&str> = right.iter().map(|effect| effect.as_str()).collect();
            let right = right.join(" or ");
            return Some(format!("expected {right}, got {}: {grounds}", verdict.effect));
        }
        let decided = |rule: &&String| {
            verdict.decisive().filter_map(|ground| ground.rule()).any(|own| {
                own.pattern.to_string() == **rule || own.note.id.as_deref() == Some(rule)
            })
        };
        let silent = case.rules.iter().find(|rule| !decided(rule))?;
        Some(format!("the rule `{silent}` did not decide: {grounds}"))
    }
}

impl World {
    fn guard(&self) -> Result<Guard, String> {
        let (host, context) = self.described()?;
        described_guard(&self.policy, context, Arc::new(host))
    }

    /// Returns the in-memory host and the context.
    fn described(&self) -> Result<(MemoryHost, Context), String> {
        let host = setup::host(&self.setup, &self.env)?;
        let place = |text: &Option<String>, usual: &str| {
            AbsPath::new(text.as_deref().unwrap_or(usual)).map_err(|error| error.to_string())
        };
        let home = place(&self.home, "/home/u")?;
        let root = place(&self.root, "/home/u/proj")?;
        let cwd = match &self.cwd {
            Some(cwd) => root.join(cwd).map_err(|error| error.to_string())?,
            None => root.clone(),
        };
        let (year, month, day) = TODAY;
        let today = Date::new(year, month, day).unwrap_or(Date::from_unix_days(0));
        Ok((host, Context::new(Some(root), home, cwd, today)))
    }
}

/// Returns a guard that judges by one document alone, on the given host.
pub fn described_guard(
    policy: &PolicyText,
    context: Context,
    host: Arc<dyn Host>,
) -> Result<Guard, String> {
    let source = Source::new(policy.name.as_str(), policy.format, policy.text.as_str());
    let source = source.map_err(|errors| in_words(&errors))?;
    let builder = match &policy.location {
        Some(path) => {
            let read = crate::world::read_policy(path, &policy.name, Role::Named);
            let read = read.map_err(|error| error.to_string())?;
            // The file is read from the real file system, not from the case's host.
            PolicyBuilder::new().loaded(read.loaded)
        }
        None => {
            let loaded = ringfence_manifest::read_with_tables(&source, Role::Named, &NoLibrary);
            PolicyBuilder::new().loaded(loaded.map_err(|errors| in_words(&errors))?)
        }
    };
    let built = builder.build(&context, &*host);
    let built = built.map_err(|error| error.to_string().replace('\n', "; "))?;
    Ok(Guard::new(built.policy, host, context))
}

/// Formats errors on one line, each with its hint.
fn in_words(errors: &Errors) -> String {
    let errors = errors.iter().map(|error| match error.hint() {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    });
    errors.collect::<Vec<_>>().join("; ")
}

/// Runs a policy's own tests and returns a message for each one that fails.
pub fn failing_tests(tests: &[PolicyTest], policy: &PolicyText) -> Vec<String> {
    let mut cases = Cases::default();
    let mismatch = |test: &PolicyTest| {
        let case = Case::of_test(test, policy.clone());
        cases.mismatch(&case).map(|mismatch| format!("{}: {mismatch}", test.origin))
    };
    tests.iter().filter_map(mismatch).collect()
}
