//! From a line to its effects: everything that it would do, and what could not be told.
//!
//! The line is walked as a shell would run it, in every branch: directories, variables and functions
//! are followed as far as they can be told, and every simple command is read by the grammar of its
//! program. Nothing here decides.

mod activate;
mod arithmetic;
mod around_text;
mod assign;
mod budget;
mod builtin;
mod carry;
mod code;
mod code_file;
mod code_text;
mod compound;
mod dialect;
mod directory;
mod expand;
mod fields;
mod files;
mod filtered;
mod follows;
mod found;
mod git_other;
mod git_prints;
mod git_push;
mod git_remote;
mod globs;
mod ground;
mod guess;
mod holds;
mod input;
mod into;
mod invoke;
mod known;
mod launch;
mod lists;
mod loaded;
mod made;
mod net;
mod operands;
mod operator;
mod output;
mod param;
mod patched;
mod path;
mod pipe;
mod print_text;
mod printed;
mod prints;
mod redirect;
mod roles;
mod same;
mod script;
mod shebang;
mod simple;
mod starts;
mod state;
mod trap;
mod unknown;
mod uses;
mod venv;
mod versions;
mod walk;
mod written;

use std::collections::HashSet;
use std::sync::Arc;

use ringfence_core::access::{AccessScope, Cover, Exec, FileOp, Program};
use ringfence_core::host::Host;
use ringfence_core::path::{AbsPath, NameEnd};
use ringfence_core::program::Catalogue;
use ringfence_core::{Access, AccessKind, Doubt, DoubtConstruct, DoubtKind, Effect, Effects};

use crate::field::Field;
use crate::parse::{MAX_BYTES, parse};
use crate::span::Span;
use code_text::Put;
use dialect::Dialect;
use filtered::Filtered;
use globs::Globs;
use ground::Ground;
use output::Said;
use state::{Directories, State};
use trap::Trap;
use written::Ran;

/// What a line's effects depend on.
pub trait World {
    /// The host on which it runs.
    fn host(&self) -> &dyn Host;

    /// What is known about programs.
    fn catalogue(&self) -> &dyn Catalogue;

    /// The home directory.
    fn home(&self) -> &AbsPath;

    /// The program that a word names in a directory; a shell carries out its builtins itself.
    fn program(&self, invoked: &str, cwd: &AbsPath, builtin: bool) -> Program;

    /// Whether neither the agent nor what it may run can put files of any name into a directory.
    fn is_closed(&self, directory: &AbsPath) -> bool;

    /// Whether the agent can neither make nor replace this file.
    fn is_out_of_reach(&self, file: &AbsPath) -> bool;

    /// Whether a rule objects to a variable of this name being set.
    fn objects_to_variable(&self, name: &str) -> bool;

    /// The value of a variable that the policy itself names in its paths.
    fn named_variable(&self, name: &str) -> Option<String>;

    /// Whether a rule that objects names a program like this.
    fn objects_to_program(&self, name: &str) -> bool;

    /// Returns whether a rule that objects or asks names a program like this.
    fn narrows_program(&self, name: &str) -> bool {
        self.objects_to_program(name)
    }

    /// Whether anyone has a word on connections.
    fn judges_connections(&self) -> bool;

    /// Whether the tool is scoped by paths, so that every path counts.
    fn is_scoped_by_path(&self) -> bool;

    /// What becomes of a line whose program cannot be told.
    fn unanalysable(&self) -> Effect;

    /// What becomes of an operand that cannot be told.
    fn unknown_operands(&self) -> Effect;

    /// Returns whether this operation is allowed on every file there is.
    fn grants_everywhere(&self, op: FileOp, scope: &AccessScope) -> bool;
}

/// Where and for whom a line runs.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The directory.
    pub cwd: AbsPath,
    /// For whom, through which tool.
    pub scope: AccessScope,
    /// Variables that are set for it, as `NAME=VALUE`, or `NAME` where the value is not known.
    pub variables: Vec<String>,
    /// What the call does besides; what the line does comes behind it.
    pub effects: Effects,
}

/// The deepest nesting of lines in lines, functions and scripts.
const MAX_NESTING: usize = 24;
/// The most commands that are looked at; loops over known words are gone through word by word.
const MAX_COMMANDS: usize = 20_000;
/// The most rounds of loops over known words, all told.
const MAX_ROUNDS: usize = 64;

/// Everything that a line would do in a shell; `shell` is its name, where it is not bash.
pub fn line(world: &dyn World, line: &str, shell: Option<&str>, setting: Setting) -> Effects {
    let mut walker = Walker::new(world, setting);
    walker.subscripts = arithmetic::has_subscript(line);
    if line.len() > MAX_BYTES {
        walker.over_limit("the line is longer than 1 MiB", None);
        return walker.finish();
    }
    if let Some(at) = find_hiding(line) {
        let reason = "the line has characters that hide text from the eye";
        let span = Some(Span { start: at, end: at.saturating_add(1) });
        let about = (DoubtKind::Other, DoubtConstruct::Hidden);
        walker.push_doubt_about(world.unanalysable(), about, reason, span);
    }
    if let Some(shell) = shell
        && let Err(reason) = dialect::check(shell, line)
    {
        walker.unanalysable(&reason, None);
        return walker.finish();
    }
    walker.state.dialect = shell.map(Dialect::of).unwrap_or_default();
    match parse(line) {
        Ok(script) => walker.whole(script),
        Err(error) => walker.unparsed(&error, &error.to_string(), error.span()),
    }
    walker.finish()
}

/// Whether a shell that has run this line is surely where it was before, with no command kept for
/// later that could take it elsewhere.
pub fn stays(world: &dyn World, line: &str, setting: Setting) -> bool {
    let Some(script) = parse(line).ok().filter(|_| line.len() <= MAX_BYTES) else { return false };
    let mut walker = Walker::new(world, setting);
    let before = walker.state.cwd.clone();
    walker.whole(script);
    let State { cwd, poisoned, .. } = &walker.state;
    *cwd == before && poisoned.is_none() && walker.traps.is_empty() && walker.exhausted.is_none()
}

/// Where the first character stands that hides text from the eye.
fn find_hiding(line: &str) -> Option<usize> {
    // Nearly every line is plain; many bytes at once are looked at faster than each by itself.
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let mut chunks = line.as_bytes().chunks(32);
    let is_plain = chunks.all(|chunk| chunk.iter().fold(true, |all, byte| all & plain(byte)));
    if is_plain { None } else { line.find(hides) }
}

/// Whether a character makes a person see another line than the shell: line separators and
/// directions of Unicode, and what moves the cursor.
fn hides(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        character => character.is_control(),
    }
}

/// Everything that a program would do with these words, without a shell.
pub fn argv(world: &dyn World, argv: &[String], setting: Setting) -> Effects {
    let mut walker = Walker::new(world, setting);
    let fields: Vec<Field> =
        argv.iter().map(|word| Field::known(word.as_str(), Span::default())).collect();
    walker.pinned = Some(None);
    walker.subscripts = argv.iter().any(|word| arithmetic::has_subscript(word));
    walker.spawn(&fields, &[]);
    walker.finish()
}

/// Walks a line and collects its effects.
struct Walker<'w> {
    world: &'w dyn World,
    effects: Effects,
    scope: AccessScope,
    state: State,
    /// Variables that the tool sets for what it runs.
    given: Vec<String>,
    /// The same with their values, as far as they are known: `NAME=VALUE`.
    given_values: Vec<String>,
    /// Functions that were defined and not called so far, with what was known then.
    uncalled: Vec<(String, State)>,
    nesting: usize,
    commands: usize,
    rounds: usize,
    /// What was known where a function, a loop or a file was left.
    left: Vec<State>,
    /// How many functions and files there are that a `return` would leave.
    leavable: usize,
    /// Where the shell looked for the names that patterns became, while a program works elsewhere.
    looked_in: Option<Directories>,
    /// Whether the code of the command reads files whose names cannot be told.
    reads_unknown: bool,
    /// Every directory to which the shell has changed.
    been: Vec<Directories>,
    /// Commands that the shell keeps for later.
    traps: Vec<Trap>,
    /// Whether another command may take what is printed for names.
    handed_on: bool,
    /// How the names end of what is deleted below a directory.
    ends: NameEnd,
    /// Files that the line runs.
    ran: Vec<Ran>,
    /// Whether anyone comes back to the files that are run, to see what else has written them.
    watched: bool,
    /// What the line has done to the ground on which it stands.
    ground: Ground,
    /// Where it began.
    start: Directories,
    /// Whether the command has an input of its own, from which nothing was read before.
    own_input: bool,
    /// Whether a shell that is started next is given words that may be options.
    given_options: bool,
    /// What is printed here, where anyone takes it.
    output: Option<Said>,
    /// What the line has put into files.
    put: Vec<Put>,
    /// The variables of the functions that are being called.
    locals: Vec<Vec<String>>,
    work: usize,
    /// Whether the line has changed limits: where nothing can be started, a substitution is nothing.
    limited: bool,
    /// What is known where the shell may have left out the rest of the line.
    cut_short: Option<Box<State>>,
    /// Whether the text that is walked stands in a file.
    in_file: bool,
    /// Why the rest of the line was not looked at.
    exhausted: Option<&'static str>,
    /// Whether the line has a text that runs a command where it is evaluated.
    subscripts: bool,
    /// Up to which access files were looked at that may have such a text.
    looked_at: usize,
    /// Which names patterns take in.
    globs: Globs,
    /// What filters have made of files.
    filtered: Vec<Filtered>,
    /// Where everything is said to stand while a text inside the line is walked.
    pinned: Option<Option<Span>>,
}

impl<'w> Walker<'w> {
    fn new(world: &'w dyn World, setting: Setting) -> Walker<'w> {
        let state = State::new(setting.cwd);
        Walker {
            world,
            effects: setting.effects,
            scope: setting.scope,
            start: state.cwd.clone(),
            ground: Ground::default(),
            state,
            given: setting.variables.iter().map(|own| name_of_setting(own)).collect(),
            given_values: setting.variables,
            uncalled: Vec::new(),
            nesting: 0,
            commands: 0,
            rounds: 0,
            left: Vec::new(),
            leavable: 0,
            looked_in: None,
            reads_unknown: false,
            been: Vec::new(),
            traps: Vec::new(),
            handed_on: false,
            ends: NameEnd::default(),
            ran: Vec::new(),
            watched: false,
            own_input: false,
            given_options: false,
            output: None,
            put: Vec::new(),
            locals: Vec::new(),
            work: 0,
            limited: false,
            cut_short: None,
            in_file: false,
            exhausted: None,
            subscripts: false,
            looked_at: 0,
            globs: Globs::default(),
            filtered: Vec::new(),
            pinned: None,
        }
    }

    fn finish(&mut self) -> Effects {
        self.look_at_traps();
        self.look_at_uncalled();
        // Last, so that nothing that takes effects back takes this.
        if let Some(reason) = self.exhausted {
            self.over_limit(reason, None);
        }
        if self.effects.doubts.len() > 1 {
            keep_once(&mut self.effects.doubts);
        }
        std::mem::take(&mut self.effects)
    }

    fn add(&mut self, what: AccessKind, span: Span) {
        let span = self.place(span);
        let scope = self.scope.clone();
        self.effects.accesses.push(Access { what, scope, span });
    }

    /// What follows is done by this command; what was before, to come back to.
    fn enter(&mut self, command: Option<Arc<Exec>>, cover: Cover) -> (Option<Arc<Exec>>, Cover) {
        let command = std::mem::replace(&mut self.scope.command, command);
        (command, std::mem::replace(&mut self.scope.cover, cover))
    }

    fn come_back(&mut self, (command, cover): (Option<Arc<Exec>>, Cover)) {
        self.scope.command = command;
        self.scope.cover = cover;
    }

    /// Where something stands in the text of the call.
    fn place(&self, span: Span) -> Option<(usize, usize)> {
        let span = match self.pinned {
            Some(pinned) => pinned?,
            None => span,
        };
        Some((span.start, span.end))
    }

    // Doubts are rare; what leads to one is kept out of the way of what every line goes through.

    /// It cannot be told which program would run.
    #[cold]
    fn unanalysable(&mut self, reason: &str, span: Option<Span>) {
        let effect = self.world.unanalysable();
        self.push_doubt(effect, DoubtKind::Program, reason, span);
    }

    /// It cannot be told what a shell will be told to start.
    #[cold]
    fn unknown_starts(&mut self, reason: &str, span: Span, construct: DoubtConstruct) {
        let effect = self.world.unanalysable();
        self.push_doubt_about(effect, (DoubtKind::LaterStarts, construct), reason, Some(span));
    }

    /// It cannot be told what a program will read that runs what it reads.
    #[cold]
    fn unknown_input(&mut self, reason: &str, span: Span) {
        let effect = self.world.unanalysable();
        let about = (DoubtKind::Program, DoubtConstruct::Input);
        self.push_doubt_about(effect, about, reason, Some(span));
    }

    /// An operand cannot be told.
    #[cold]
    fn unknown_operand(&mut self, reason: &str, span: Span) {
        let effect = self.world.unknown_operands();
        if effect != Effect::Allow {
            self.push_doubt(effect, DoubtKind::Other, reason, Some(span));
        }
    }

    /// Something cannot be told that a person can settle: a place that is touched.
    #[cold]
    fn ask(&mut self, reason: &str, span: Span) {
        self.push_doubt(Effect::Ask, DoubtKind::Place, reason, Some(span));
    }

    /// Something cannot be told that a person can settle, and that no fence holds.
    #[cold]
    fn ask_despite_fence(&mut self, reason: &str, span: Span) {
        self.push_doubt(Effect::Ask, DoubtKind::Other, reason, Some(span));
    }

    #[cold]
    fn deny(&mut self, reason: &str, span: Span) {
        self.push_doubt(Effect::Deny, DoubtKind::Other, reason, Some(span));
    }

    #[cold]
    fn push_doubt(&mut self, effect: Effect, kind: DoubtKind, reason: &str, span: Option<Span>) {
        self.push_doubt_about(effect, (kind, DoubtConstruct::Text), reason, span);
    }

    #[cold]
    fn push_doubt_about(
        &mut self,
        effect: Effect,
        (kind, construct): (DoubtKind, DoubtConstruct),
        reason: &str,
        span: Option<Span>,
    ) {
        let span = span.and_then(|span| self.place(span));
        // A tool that is scoped by paths is held to what can be read, with a fence or without.
        let kind = match kind {
            DoubtKind::Program | DoubtKind::Place if self.world.is_scoped_by_path() => {
                DoubtKind::Other
            }
            kind => kind,
        };
        self.effects.doubts.push(Doubt { effect, reason: reason.into(), span, kind, construct });
    }

    /// Goes one level deeper, if that is not too deep.
    fn nested(&mut self, span: Span, step: impl FnOnce(&mut Self)) {
        if self.nesting >= MAX_NESTING {
            return self.over_limit("it is nested too deeply", Some(span));
        }
        self.nesting = self.nesting.saturating_add(1);
        step(self);
        self.nesting = self.nesting.saturating_sub(1);
    }
}

/// Keeps each doubt once; a loop may have come upon it many times.
#[cold]
fn keep_once(doubts: &mut Vec<Doubt>) {
    let mut seen = HashSet::new();
    doubts.retain(|doubt| seen.insert(doubt.clone()));
}

/// Returns the name in `NAME=VALUE`.
fn name_of_setting(setting: &str) -> String {
    setting.split('=').next().unwrap_or(setting).to_owned()
}
