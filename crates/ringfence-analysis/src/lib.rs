//! Answers questions about whole policies: rules that can never match, that grant more than they seem
//! to, or that were probably meant differently, and how two versions of a policy differ.
//!
//! ```
//! use ringfence_analysis::{LintOptions, lint};
//! use ringfence_core::{Date, Document, Effect, Origin, Pattern, Role, Rule};
//!
//! let rule = |effect, text, line| {
//!     Ok::<_, ringfence_core::PatternError>(Rule::new(
//!         effect,
//!         Pattern::parse(text)?,
//!         Origin::new("policy.toml", line, 1),
//!     ))
//! };
//! let mut document = Document::new("policy.toml", Role::User);
//! document.rules = vec![
//!     rule(Effect::Allow, "cmd:git:push:*", 1)?,
//!     rule(Effect::Deny, "cmd:git:push", 2)?,
//! ];
//! let today = Date::from_unix_days(20_000);
//! let findings = lint(&[document], &LintOptions::new(today, &[]));
//! assert_eq!(findings[0].code, "L001");
//! # Ok::<_, ringfence_core::PatternError>(())
//! ```
//!
//! Answers rest on the patterns as they are written, compared as languages, and never on examples.
//! Where a question would cost too much it stays open, and a finding of its own says so. Nothing
//! here decides about an access.
//!
//! Limits: links, file systems that ignore case, and the meaning of options are known to the judge,
//! not here. Wherever one of them could make a finding wrong there is no finding.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod difference;
mod lint;
mod outranked;
mod programs;
mod rule_text;
mod suggest;

pub use difference::{Difference, Direction, differences};
pub use lint::{CODES, Code, Finding, LintOptions, Severity, code, lint};
pub use outranked::{OutrankedAsk, outranked_asks};
pub use rule_text::{rule_text, scope_text};
pub use suggest::{Level, Suggestion, scales};
