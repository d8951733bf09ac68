//! Patterns of rules, in the flat notation and in Seal's.

use std::str;

use ringfence_core::Pattern;
use ringfence_core::pattern::{CommandPattern, Token};

/// A pattern: what is printed is read as the same pattern, and an error can be told.
pub fn pattern(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    flat(text);
    seal(text);
}

fn flat(text: &str) {
    match Pattern::parse(text) {
        Ok(pattern) => assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern)),
        Err(error) => {
            let _ = (error.to_string(), error.remedy());
        }
    }
}

/// Seal's notation prints as the flat one, with the same words.
fn seal(text: &str) {
    match CommandPattern::parse_seal(text) {
        Ok(pattern) => {
            let printed = pattern.to_string();
            let again = CommandPattern::parse(&printed);
            let words = again.as_ref().map(tokens);
            assert_eq!(words, Ok(tokens(&pattern)), "printed as `{printed}`");
        }
        Err(error) => {
            let _ = error.to_string();
        }
    }
}

/// The words of each alternative. Their endings are left out: the flat notation cannot say of one
/// word alone that it is exact in an allow rule and open in a deny rule.
fn tokens(pattern: &CommandPattern) -> Vec<&[Token]> {
    pattern.alternatives().iter().map(|alternative| alternative.tokens.as_slice()).collect()
}
