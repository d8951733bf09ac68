//! The table of codes, for the reference and for `ringfence lint --explain`.

use super::finding::Severity;
use super::{broad, exact, opt_in, pooled, silent, time, unfinished};

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// `L001`.
    pub code: &'static str,
    /// Its name, in kebab case.
    pub name: &'static str,
    /// How much it usually matters.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Why that matters.
    pub explanation: &'static str,
    /// A document that has it.
    pub example: &'static str,
    /// The same document, set right.
    pub fixed: &'static str,
}

/// Every kind of finding: 0xx can never speak, 1xx reaches further than it looks, 2xx is exact
/// where a star was probably meant, 3xx is about danger opt-ins, 9xx about lint itself.
pub const CODES: [&Code; 28] = [
    &silent::DENIED_GRANT,
    &silent::SHADOWED_ALLOW,
    &silent::DUPLICATE_RULE,
    &silent::REDUNDANT_RULE,
    &silent::OUTSIDE_CEILING,
    &silent::IDLE_EXCEPTION,
    &silent::UNDONE_DENY,
    &silent::DANGEROUS_GRANT,
    &time::EXPIRED_RULE,
    &time::EXPIRING_RULE,
    &broad::ANY_PROGRAM,
    &broad::BROAD_PROGRAM,
    &broad::PRIVILEGED_PROGRAM,
    &broad::BROAD_WRITE,
    &broad::BROAD_READ,
    &broad::ANY_HOST,
    &broad::SHARED_DOMAIN,
    &broad::ANY_VARIABLE,
    &broad::ANY_TOOL,
    &broad::FLOATING_PATH,
    &pooled::POOLED,
    &exact::EXACT_COMMAND,
    &exact::EXACT_DIRECTORY,
    &exact::ONE_LEVEL_DENY,
    &opt_in::WIDE_OPT_IN,
    &opt_in::IDLE_OPT_IN,
    &opt_in::UNSHARED_OPT_IN,
    &unfinished::UNFINISHED,
];

/// The code of this number or name.
pub fn code(word: &str) -> Option<&'static Code> {
    CODES.into_iter().find(|code| code.code.eq_ignore_ascii_case(word) || code.name == word)
}
