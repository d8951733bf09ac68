//! From the tokens of a program to what it would do.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use ringfence_core::access::Text;

use super::super::Finding;
use super::lexer::Token;
use super::values::{below_home, literal};
use super::{Function, Knowledge, Language};

/// How many tokens the arguments of one call may have to be looked at.
const MAX_ARGUMENTS: usize = 200;

/// An argument, as far as it is constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    Text(String),
    List(Vec<String>),
    Number(String),
    Unknown,
}

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) arguments: Vec<Argument>,
    /// Whether a shell is asked for, as `shell=True` and `{shell: true}` do.
    pub(super) shell: bool,
    /// Texts that were given a meaning by the call, by the places of their tokens.
    pub(super) texts: Vec<usize>,
}

pub(super) struct Program {
    pub(super) knowledge: &'static Knowledge,
    pub(super) tokens: Vec<Token>,
    /// Names and strings that stand anywhere, so that functions can be told from namesakes, once
    /// someone has asked.
    words: OnceCell<BTreeSet<Text>>,
    /// Strings that a call gave a meaning to.
    meant: BTreeSet<usize>,
    pub(super) found: Vec<Finding>,
}

impl Program {
    pub(super) fn new(knowledge: &'static Knowledge, tokens: Vec<Token>) -> Self {
        let words = OnceCell::new();
        Self { knowledge, tokens, words, meant: BTreeSet::new(), found: Vec::new() }
    }

    /// Whether a name or string stands anywhere.
    fn has_word(&self, word: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let words = self.tokens.iter().filter_map(|token| match token {
                Token::Word(word) => Some(word.clone()),
                Token::Str { text, .. } if text.len() < 40 => {
                    Some(text.replace("node:", "").into())
                }
                _ => None,
            });
            words.collect()
        });
        words.contains(word)
    }

    pub(super) fn findings(mut self) -> Vec<Finding> {
        for at in 0..self.tokens.len() {
            match self.tokens.get(at) {
                Some(Token::Word(word)) => {
                    let word = word.clone();
                    self.word(at, &word);
                }
                Some(Token::Op('[')) => self.subscript(at),
                Some(Token::Command { text, whole }) => {
                    let command = (text.clone(), *whole);
                    self.backquoted(command.0, command.1);
                }
                _ => {}
            }
        }
        for at in 0..self.tokens.len() {
            if !self.meant.contains(&at)
                && let Some(Token::Str { text, whole }) = self.tokens.get(at)
            {
                self.found.extend(self.callable(text));
                self.found.extend(literal(text, *whole));
            }
        }
        if self.asks_for_home() {
            self.found.extend(self.tokens.iter().filter_map(below_home));
        }
        self.found
    }

    /// Whether the home directory is asked for, to be joined with what stands in strings.
    fn asks_for_home(&self) -> bool {
        let asks = |at: usize| {
            let after = self.op(at.saturating_add(1));
            self.word_at(at).is_some_and(|word| self.knowledge.home.contains(&word))
                && (after == Some('(') || self.knowledge.bare_calls)
        };
        !self.knowledge.home.is_empty() && (0..self.tokens.len()).any(asks)
    }

    fn backquoted(&mut self, text: String, whole: bool) {
        self.found.push(match whole {
            // Julia's backquotes start no shell, but words are split alike.
            true => Finding::Shell(text),
            false => Finding::RunUnknown("a command in backquotes is computed".to_owned()),
        });
    }

    fn word(&mut self, at: usize, word: &str) {
        if self.knowledge.environment.contains(&word) {
            self.environment(at);
            return;
        }
        self.table(at, word);
        let Some(function) = self.function(word) else { return };
        if self.is_call(at) {
            self.call(at, function);
        } else if function.action.runs() && self.is_handed_on(at) {
            let reason = format!("`{word}` is handed on under another name");
            self.found.push(Finding::RunUnknown(reason));
        }
    }

    /// The function that a word means here, if it matters.
    pub(super) fn function(&self, word: &str) -> Option<Function> {
        if !self.knowledge.names.may_have(word) {
            return None;
        }
        let mut functions = self.knowledge.functions.iter();
        let is_meant = |needs: &str| needs.is_empty() || self.has_word(needs);
        functions.find(|own| own.name == word && is_meant(own.needs)).copied()
    }

    /// Whether one of these words stands anywhere.
    pub(super) fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has_word(word))
    }

    pub(super) fn op(&self, at: usize) -> Option<char> {
        match self.tokens.get(at) {
            Some(Token::Op(c)) => Some(*c),
            _ => None,
        }
    }

    pub(super) fn word_at(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Whether the word at `at` is called, or is a function handed on by its name.
    fn is_call(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.word_at(before));
        if matches!(before, Some("def" | "function" | "sub" | "fn" | "class")) {
            return false;
        }
        // A variable or key of the same name.
        let sigil = at.checked_sub(1).and_then(|before| self.op(before));
        if matches!(sigil, Some('$' | '%')) && self.knowledge.language != Language::Node {
            return false;
        }
        match self.tokens.get(at.saturating_add(1)) {
            Some(Token::Op('(')) => true,
            // An optional call, `exec?.(…)`, and R's and Julia's ways to pass it on.
            Some(Token::Op('?')) => self.op(at.saturating_add(2)) == Some('.'),
            Some(Token::Str { .. }) => {
                self.knowledge.bare_calls || self.knowledge.language == Language::Node
            }
            Some(
                Token::Word(_)
                | Token::Command { .. }
                // A plus sign only says that a list follows: `system+qw(x y)`.
                | Token::Op('[' | '$' | '@' | '{' | ':' | '+'),
            ) => self.knowledge.bare_calls,
            _ => false,
        }
    }

    /// Whether a function is given another name, or passed as a value: `import system as s`,
    /// `{exec: e}`, `map(os.system, list)`.
    fn is_handed_on(&self, at: usize) -> bool {
        let next = at.saturating_add(1);
        if !matches!(self.knowledge.language, Language::Python | Language::Node | Language::Lua) {
            return false;
        }
        let field = at.checked_sub(1).is_some_and(|before| self.op(before) == Some('.'));
        let key = self.knowledge.language == Language::Node && self.op(next) == Some(':');
        self.word_at(next) == Some("as") || key || (field && self.op(next) != Some('.'))
    }

    pub(super) fn call(&mut self, at: usize, function: Function) {
        // Perl: a block behind `eval` stands on the line itself, one behind `exec` says what runs.
        if self.knowledge.language == Language::Perl && self.op(at.saturating_add(1)) == Some('{') {
            if matches!(function.name, "system" | "exec") {
                let reason = "which program runs is computed".to_owned();
                self.found.push(Finding::RunUnknown(reason));
            }
            return;
        }
        let call = self.arguments(at.saturating_add(1));
        for text in &call.texts {
            self.meant.insert(*text);
        }
        super::actions::act(self, function.action, &call);
    }

    /// The arguments that start at `at`, with an opening bracket or without one.
    fn arguments(&self, at: usize) -> Call {
        let mut start = at;
        while matches!(self.op(start), Some('?' | '.')) {
            start = start.saturating_add(1);
        }
        let bracketed = self.op(start) == Some('(');
        let mut call = Call::default();
        let mut argument = start.saturating_add(usize::from(bracketed));
        let mut end = argument;
        let mut depth = 0_usize;
        loop {
            if end.saturating_sub(start) > MAX_ARGUMENTS {
                call.arguments.push(Argument::Unknown);
                return call;
            }
            let done = match self.tokens.get(end) {
                None => true,
                Some(Token::Newline | Token::Op(';')) if !bracketed && depth == 0 => true,
                Some(Token::Op('(' | '[' | '{')) => {
                    depth = depth.saturating_add(1);
                    false
                }
                Some(Token::Op(')' | ']' | '}')) if depth == 0 => true,
                Some(Token::Op(')' | ']' | '}')) => {
                    depth = depth.saturating_sub(1);
                    false
                }
                _ => false,
            };
            if done || (depth == 0 && self.op(end) == Some(',')) {
                self.argument(argument, end, &mut call);
                argument = end.saturating_add(1);
            }
            if done {
                return call;
            }
            end = end.saturating_add(1);
        }
    }

    /// One argument between two places.
    fn argument(&self, start: usize, end: usize, call: &mut Call) {
        let slice = self.tokens.get(start..end).unwrap_or_default();
        let first = slice.iter().position(|token| *token != Token::Newline).unwrap_or(slice.len());
        let slice = slice.get(first..).unwrap_or_default();
        let start = start.saturating_add(first);
        let asks = slice.windows(3).any(|three| {
            matches!(three, [Token::Word(key), Token::Op('=' | ':'), Token::Word(value)]
                if key == "shell" && !value.eq_ignore_ascii_case("false"))
        });
        call.shell |= asks;
        if slice.is_empty() {
            return;
        }
        let mut texts = Vec::new();
        let argument = match slice {
            // `name=value` and `name: value`.
            [Token::Word(key), Token::Op('=' | ':'), value @ ..] => {
                if !matches!(
                    key.as_str(),
                    "args" | "cmd" | "command" | "argv" | "file" | "mode" | "env"
                ) {
                    return;
                }
                self.constant(value, start.saturating_add(2), &mut texts)
            }
            [Token::Op('{'), ..] => match self.list_inside(slice, start, &mut texts) {
                Some(list) => list,
                None => return,
            },
            _ => self.constant(slice, start, &mut texts),
        };
        call.texts.extend(texts);
        call.arguments.push(argument);
    }

    /// The list of arguments in an object, `{ args: ["a", "b"] }`.
    fn list_inside(
        &self,
        slice: &[Token],
        start: usize,
        texts: &mut Vec<usize>,
    ) -> Option<Argument> {
        let key = slice.windows(2).position(|two| {
            matches!(two, [Token::Word(key), Token::Op(':')] if key == "args" || key == "cmd")
        })?;
        let open = key.saturating_add(2);
        let rest = slice.get(open..)?;
        let close = rest.iter().position(|token| *token == Token::Op(']'))?;
        Some(self.constant(rest.get(..=close)?, start.saturating_add(open), texts))
    }

    /// The constant that the tokens make.
    fn constant(&self, slice: &[Token], start: usize, texts: &mut Vec<usize>) -> Argument {
        // A list that is spread over the arguments.
        if let [Token::Op('*'), list @ ..] = slice {
            return self.constant(list, start.saturating_add(1), texts);
        }
        if let [Token::Op('[' | '('), inner @ .., Token::Op(']' | ')')] = slice {
            return self.list(inner, start.saturating_add(1), texts);
        }
        if let [Token::Num(number)] = slice {
            return Argument::Number(number.clone());
        }
        let mut text = String::new();
        let mut whole = !slice.is_empty();
        for (at, token) in slice.iter().enumerate() {
            match token {
                Token::Str { text: piece, whole: constant } => {
                    text.push_str(piece);
                    whole &= constant;
                    texts.push(start.saturating_add(at));
                }
                Token::Newline => {}
                Token::Op(c) if *c == self.knowledge.joins => {}
                _ => whole = false,
            }
        }
        if whole {
            return Argument::Text(text);
        }
        texts.clear();
        Argument::Unknown
    }

    fn list(&self, inner: &[Token], start: usize, texts: &mut Vec<usize>) -> Argument {
        let mut items = Vec::new();
        let mut at = 0;
        for item in inner.split(|token| *token == Token::Op(',')) {
            let mut own = Vec::new();
            if item.iter().any(|token| *token != Token::Newline) {
                match self.constant(item, start.saturating_add(at), &mut own) {
                    Argument::Text(text) | Argument::Number(text) => items.push(text),
                    _ => return Argument::Unknown,
                }
            }
            texts.append(&mut own);
            at = at.saturating_add(item.len()).saturating_add(1);
        }
        Argument::List(items)
    }
}
