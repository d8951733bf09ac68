//! Regorus: the rules as data, one list per class, and one Rego rule over them.
//!
//! `glob.match` would compile its pattern at every comparison; `startswith` and `endswith` say the
//! same and are faster.

use ::regorus::{CompiledPolicy, Engine, Value};
use serde_json::{Map, json};

use crate::peer::Peer;
use crate::workload::{Query, Rule};

const POLICY: &str = "
package bench

default allow := false

allow if {
    some rule in data.rules[input.class]
    startswith(input.subject, rule.prefix)
    endswith(input.subject, rule.suffix)
}
";

/// A compiled policy with its data.
pub struct Regorus {
    policy: CompiledPolicy,
}

impl Peer for Regorus {
    const NAME: &'static str = "regorus";
    type Request = Value;

    fn build(rules: &[Rule]) -> Result<Regorus, String> {
        let mut lists = Map::new();
        for rule in rules {
            let list = lists.entry(rule.class.as_str()).or_insert_with(|| json!([]));
            let entry = json!({ "prefix": rule.prefix, "suffix": rule.suffix });
            list.as_array_mut().expect("made as an array").push(entry);
        }
        let data = json!({ "rules": lists }).to_string();
        compile(&data).map(|policy| Regorus { policy }).map_err(|error| error.to_string())
    }

    fn prepare(&self, query: &Query) -> Value {
        let input = json!({ "class": query.class().as_str(), "subject": query.subject() });
        Value::from_json_str(&input.to_string()).expect("JSON made here")
    }

    fn decide(&self, input: &Value) -> bool {
        let answer = self.policy.eval_with_input(input.clone()).expect("a total policy");
        answer == Value::Bool(true)
    }
}

fn compile(data: &str) -> Result<CompiledPolicy, Box<dyn std::error::Error + Send + Sync>> {
    let mut engine = Engine::new();
    engine.add_policy("bench.rego".to_owned(), POLICY.to_owned())?;
    engine.add_data_json(data)?;
    Ok(engine.compile_with_entrypoint(&"data.bench.allow".into())?)
}
