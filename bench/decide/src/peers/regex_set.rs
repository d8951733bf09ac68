//! `regex`'s set: one anchored expression per rule, all in one automaton, over bytes.
//!
//! It is asked two questions. Whether any rule matches is the cheaper one, but a verdict carries
//! its grounds, so which rule matches is the one that a permission system has.

use regex::bytes::{RegexSet, RegexSetBuilder};
use regex::escape;

use crate::peer::Peer;
use crate::workload::{Query, Rule};

/// Room for 100,000 expressions: the default of 10 MiB ends at some thousands.
const SIZE_LIMIT: usize = 4 << 30;

/// The lazily built automaton's cache, generous too.
const CACHE_LIMIT: usize = 1 << 30;

/// All rules as one set, asked whether any of them matches.
pub struct RegexAny(RegexSet);

/// All rules as one set, asked which of them match.
pub struct RegexWhich(RegexSet);

impl Peer for RegexAny {
    const NAME: &'static str = "regex (set, any)";
    type Request = String;

    fn build(rules: &[Rule]) -> Result<RegexAny, String> {
        compile(rules).map(RegexAny)
    }

    fn prepare(&self, query: &Query) -> String {
        haystack(query)
    }

    fn decide(&self, request: &String) -> bool {
        self.0.is_match(request.as_bytes())
    }
}

impl Peer for RegexWhich {
    const NAME: &'static str = "regex (set, which)";
    type Request = String;

    fn build(rules: &[Rule]) -> Result<RegexWhich, String> {
        compile(rules).map(RegexWhich)
    }

    fn prepare(&self, query: &Query) -> String {
        haystack(query)
    }

    fn decide(&self, request: &String) -> bool {
        self.0.matches(request.as_bytes()).iter().next().is_some()
    }
}

fn compile(rules: &[Rule]) -> Result<RegexSet, String> {
    let expressions = rules.iter().map(|rule| {
        let (prefix, suffix) = (escape(&rule.prefix), escape(&rule.suffix));
        format!("^{}:{prefix}.*{suffix}$", rule.class.as_str())
    });
    RegexSetBuilder::new(expressions)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(CACHE_LIMIT)
        .unicode(false)
        .build()
        .map_err(|error| error.to_string())
}

fn haystack(query: &Query) -> String {
    format!("{}:{}", query.class().as_str(), query.subject())
}
