//! What the operands of a program are.

use std::fmt;

use super::role::Role;

/// The roles of operands, in order; one of them may stand for any number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operands {
    /// Those before the one that repeats.
    before: Vec<Role>,
    /// The one that stands for any number.
    repeated: Option<Role>,
    /// Those behind it.
    after: Vec<Role>,
}

impl Operands {
    /// Reads `text read...`, `read... write`, `code awk read...`.
    pub fn parse(text: &str) -> Result<Operands, String> {
        let mut operands = Operands::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let named = matches!(word, "code" | "code-file" | "registry");
            let whole = match words.clone().next().filter(|_| named) {
                Some(name) => {
                    words.next();
                    format!("{word} {name}")
                }
                None => word.to_owned(),
            };
            operands.push(&whole)?;
        }
        Ok(operands)
    }

    fn push(&mut self, text: &str) -> Result<(), String> {
        let unknown = || format!("`{text}` is no role");
        let repeats = text.ends_with("...") && !Role::words().any(|word| word == text);
        if let Some(role) = Role::parse(text).filter(|_| !repeats) {
            match &self.repeated {
                None => self.before.push(role),
                Some(_) => self.after.push(role),
            }
            return Ok(());
        }
        let role = text.strip_suffix("...").and_then(Role::parse).ok_or_else(unknown)?;
        if self.repeated.replace(role).is_some() {
            return Err("`...` stands twice".to_owned());
        }
        Ok(())
    }

    /// Every role that an operand may have.
    pub fn roles(&self) -> impl Iterator<Item = &Role> {
        self.before.iter().chain(&self.repeated).chain(&self.after)
    }

    /// The same without the role of the first operand.
    #[must_use]
    pub fn without_first(mut self) -> Operands {
        if !self.before.is_empty() {
            self.before.remove(0);
        }
        self
    }

    /// The same without the role of the last operand.
    #[must_use]
    pub fn without_last(mut self) -> Operands {
        if self.after.pop().is_none() && self.repeated.is_none() {
            self.before.pop();
        }
        self
    }

    /// Whether so many operands leave it to the program what it works on: none at all, or only the
    /// text before the files (`rg PATTERN`).
    pub fn leaves_default(&self, count: usize) -> bool {
        let is_text = |role: &Role| matches!(role, Role::Text | Role::Code(_));
        let files_follow = matches!(self.repeated, Some(Role::File(_)));
        let only_text = files_follow && self.before.iter().all(is_text) && self.after.is_empty();
        count == 0 || (only_text && count <= self.before.len())
    }

    /// The role of the operand `index` of `count`; `None` where there are more than expected.
    pub fn role(&self, index: usize, count: usize) -> Option<&Role> {
        if let Some(role) = self.before.get(index) {
            return Some(role);
        }
        let behind = index.saturating_sub(self.before.len());
        let others = count.saturating_sub(self.before.len());
        let repeats = others.saturating_sub(self.after.len());
        match behind < repeats {
            true => self.repeated.as_ref(),
            false => self.after.get(behind.saturating_sub(repeats)),
        }
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = self.before.iter().map(Role::to_string).collect();
        words.extend(self.repeated.iter().map(|role| format!("{role}...")));
        words.extend(self.after.iter().map(Role::to_string));
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
#[path = "operands_tests.rs"]
mod tests;
