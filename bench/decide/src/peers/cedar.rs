//! Cedar: one `permit` per rule, scoped to the action, with a `like` on the context.
//!
//! The subject stands in the context rather than in an attribute of the resource: that spares Cedar
//! a look-up in the entity store, which is its cheapest way to the same answer.

use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request};
use cedar_policy::{Policy, PolicyId, RestrictedExpression};

use crate::peer::Peer;
use crate::workload::{Query, Rule};

/// A parsed policy set and the authorizer over it.
pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
}

impl Peer for Cedar {
    const NAME: &'static str = "cedar-policy";
    type Request = Request;

    fn build(rules: &[Rule]) -> Result<Cedar, String> {
        let mut policies = PolicySet::new();
        for (number, rule) in rules.iter().enumerate() {
            let (class, prefix, suffix) = (rule.class.as_str(), &rule.prefix, &rule.suffix);
            let source = format!(
                r#"permit(principal, action == Action::"{class}", resource)
                   when {{ context.subject like "{prefix}*{suffix}" }};"#
            );
            let id = PolicyId::new(format!("rule{number}"));
            let policy = Policy::parse(Some(id), source).map_err(|error| error.to_string())?;
            policies.add(policy).map_err(|error| error.to_string())?;
        }
        Ok(Cedar { authorizer: Authorizer::new(), policies, entities: Entities::empty() })
    }

    fn prepare(&self, query: &Query) -> Request {
        let uid = |text: &str| text.parse::<EntityUid>().expect("an entity's name");
        let subject = RestrictedExpression::new_string(query.subject());
        let context =
            Context::from_pairs([("subject".to_owned(), subject)]).expect("a context of one pair");
        let action = uid(&format!(r#"Action::"{}""#, query.class().as_str()));
        Request::new(uid(r#"Agent::"a""#), action, uid(r#"Thing::"t""#), context, None)
            .expect("a request without a schema")
    }

    fn decide(&self, request: &Request) -> bool {
        let response = self.authorizer.is_authorized(request, &self.policies, &self.entities);
        response.decision() == Decision::Allow
    }
}
