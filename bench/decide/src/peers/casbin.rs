//! Casbin: one policy line per rule, compared by a function of our own.
//!
//! None of its built-in matchers says "starts with this and ends with that" without compiling a
//! regular expression at every comparison, which would be far slower still.

use casbin::function_map::OperatorFunction;
use casbin::rhai::Dynamic;
use casbin::{CoreApi, DefaultModel, Enforcer, MgmtApi, NullAdapter};

use crate::peer::Peer;
use crate::workload::{Query, Rule};

const MODEL: &str = r#"
[request_definition]
r = class, subject

[policy_definition]
p = class, prefix, suffix

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.class == p.class && between(r.subject, p.prefix, p.suffix)
"#;

/// An enforcer with its policy lines.
pub struct Casbin {
    enforcer: Enforcer,
}

impl Peer for Casbin {
    const NAME: &'static str = "casbin";
    type Request = [String; 2];

    fn build(rules: &[Rule]) -> Result<Casbin, String> {
        let lines = rules
            .iter()
            .map(|rule| {
                vec![rule.class.as_str().to_owned(), rule.prefix.clone(), rule.suffix.clone()]
            })
            .collect();
        let enforcer = pollster::block_on(async {
            let model = DefaultModel::from_str(MODEL).await?;
            let mut enforcer = Enforcer::new(model, NullAdapter).await?;
            enforcer.add_function("between", OperatorFunction::Arg3(between));
            enforcer.add_policies(lines).await?;
            Ok(enforcer)
        });
        enforcer
            .map(|enforcer| Casbin { enforcer })
            .map_err(|error: casbin::Error| error.to_string())
    }

    fn prepare(&self, query: &Query) -> [String; 2] {
        [query.class().as_str().to_owned(), query.subject()]
    }

    fn decide(&self, [class, subject]: &[String; 2]) -> bool {
        self.enforcer.enforce((class, subject)).expect("a request of two strings")
    }
}

fn between(subject: Dynamic, prefix: Dynamic, suffix: Dynamic) -> Dynamic {
    let string = |value: Dynamic| value.into_immutable_string().unwrap_or_default();
    let (subject, prefix, suffix) = (string(subject), string(prefix), string(suffix));
    (subject.starts_with(prefix.as_str()) && subject.ends_with(suffix.as_str())).into()
}
