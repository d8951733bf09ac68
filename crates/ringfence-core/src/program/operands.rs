//! The roles of a program's operands.

use std::fmt;

use super::role::WordRole;

/// The roles of operands in order. One of them may repeat any number of times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operands {
    /// The roles before the repeated one.
    before: Vec<WordRole>,
    /// The role that repeats any number of times.
    repeated: Option<WordRole>,
    /// The roles after the repeated one.
    after: Vec<WordRole>,
    /// Properties that every command line needs, computed once.
    traits: Traits,
}

/// Properties of operands that every command line needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Traits {
    commands: bool,
    refspecs: bool,
    script: bool,
}

impl Operands {
    /// Parses `text read...`, `read... write` or `code awk read...`.
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
        let commands = operands.roles().any(|role| matches!(role, WordRole::Command(_)));
        let refspecs = operands.roles().any(|role| *role == WordRole::Refspec);
        let script = operands.expected().role(0, 1) == Some(&WordRole::Script);
        operands.traits = Traits { commands, refspecs, script };
        Ok(operands)
    }

    /// Returns whether some operand may be a command.
    pub fn may_be_command(&self) -> bool {
        self.traits.commands
    }

    /// Returns whether some operand may be a refspec.
    pub fn may_be_refspec(&self) -> bool {
        self.traits.refspecs
    }

    /// Returns whether a single operand would be a script.
    pub fn is_script(&self) -> bool {
        self.traits.script
    }

    fn push(&mut self, text: &str) -> Result<(), String> {
        let unknown = || format!("`{text}` is no role");
        let repeats = text.ends_with("...") && !WordRole::words().any(|word| word == text);
        if let Some(role) = WordRole::parse(text).filter(|_| !repeats) {
            match &self.repeated {
                None => self.before.push(role),
                Some(_) => self.after.push(role),
            }
            return Ok(());
        }
        let role = text.strip_suffix("...").and_then(WordRole::parse).ok_or_else(unknown)?;
        if self.repeated.replace(role).is_some() {
            return Err("`...` occurs twice".to_owned());
        }
        Ok(())
    }

    /// Returns every role that an operand may have.
    pub fn roles(&self) -> impl Iterator<Item = &WordRole> {
        self.before.iter().chain(&self.repeated).chain(&self.after)
    }

    /// Returns the roles for the operands of one command line.
    pub fn expected(&self) -> OperandRoles<'_> {
        let Operands { before, repeated, after, .. } = self;
        OperandRoles { before, repeated: repeated.as_ref(), after }
    }
}

/// The roles for the operands of one command line, after options have replaced some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandRoles<'o> {
    before: &'o [WordRole],
    repeated: Option<&'o WordRole>,
    after: &'o [WordRole],
}

impl<'o> OperandRoles<'o> {
    /// Returns the roles without that of the first operand.
    #[must_use]
    pub fn without_first(self) -> OperandRoles<'o> {
        OperandRoles { before: self.before.get(1..).unwrap_or_default(), ..self }
    }

    /// Returns the roles without that of the last operand.
    #[must_use]
    pub fn without_last(self) -> OperandRoles<'o> {
        match (self.after.split_last(), self.before.split_last()) {
            (Some((_, after)), _) => OperandRoles { after, ..self },
            (None, Some((_, before))) if self.repeated.is_none() => OperandRoles { before, ..self },
            _ => self,
        }
    }

    /// Returns whether a program with this many operands works on its default files: there are
    /// none, or only the text before the files (`rg PATTERN`).
    pub fn leaves_default(&self, count: usize) -> bool {
        let is_text = |role: &WordRole| matches!(role, WordRole::Text | WordRole::Code(_));
        let files_follow = match &self.repeated {
            Some(WordRole::Code(language)) => &**language == "git-object",
            other => matches!(other, Some(WordRole::File(_))),
        };
        let only_text = files_follow && self.before.iter().all(is_text) && self.after.is_empty();
        count == 0 || (only_text && count <= self.before.len())
    }

    /// Returns the role of the operand `index` of `count`; `None` if there are more operands than
    /// roles.
    pub fn role(&self, index: usize, count: usize) -> Option<&'o WordRole> {
        if let Some(role) = self.before.get(index) {
            return Some(role);
        }
        let behind = index.saturating_sub(self.before.len());
        let others = count.saturating_sub(self.before.len());
        let repeats = others.saturating_sub(self.after.len());
        match behind < repeats {
            true => self.repeated,
            false => self.after.get(behind.saturating_sub(repeats)),
        }
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected().fmt(f)
    }
}

impl fmt::Display for OperandRoles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = self.before.iter().map(WordRole::to_string).collect();
        words.extend(self.repeated.iter().map(|role| format!("{role}...")));
        words.extend(self.after.iter().map(WordRole::to_string));
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
#[path = "operands_tests.rs"]
mod tests;
