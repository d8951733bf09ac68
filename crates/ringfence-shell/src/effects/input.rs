//! What `read`, `mapfile` and `xargs` make of a text that stands on the line.

use super::found::Found;
use super::output::Said;
use super::walk::Stdin;
use super::{MAX_ROUNDS, Walker};
use crate::argv::Reading;
use crate::ast::{AndOr, AssignmentValue, Command, Stage};
use crate::ast::{Item, LoopCommand, Script, SimpleCommand, Word};
use crate::field::{Dynamic, Field, Part};
use crate::span::Span;

/// The words that commands are given at most by `xargs`; of more, nothing is said.
const MOST_WORDS: usize = 1024;

/// The signs at which a shell takes lines apart by default.
const BLANKS: &str = " \t\n";

impl Walker<'_> {
    /// `read` and `mapfile` with an input that is their own; whether the variables are known.
    #[cold]
    pub(super) fn read_known(
        &mut self,
        reading: &Reading<'_>,
        names: &[Field],
        stdin: &Stdin,
    ) -> bool {
        let Some(entry) = reading.entries.first() else { return false };
        let own = std::mem::take(&mut self.own_input);
        match (&*entry.name, stdin) {
            ("read", Stdin::Text(text)) if own => {
                let line = text.split('\n').next().unwrap_or_default();
                reads_plainly(reading, line) && self.read_line(reading, names, line, BLANKS)
            }
            ("read", Stdin::Names(found)) => {
                let [Field { .. }] = names else { return false };
                let Some(name) = names.first().and_then(Field::as_known) else { return false };
                let Some(names) = names_of(found) else { return false };
                self.state.set(name, None);
                self.state.set_like(name, &names);
                true
            }
            ("mapfile", Stdin::Text(text)) if own && reading.has("-t") => {
                let name = names.first().map_or(Some("MAPFILE"), Field::as_known);
                let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
                let lines: Vec<String> = lines.map(str::to_owned).collect();
                let others = ["-d", "-n", "-s", "-O", "-u", "-C", "-c"];
                let Some(name) = name.filter(|_| !others.iter().any(|own| reading.has(own))) else {
                    return false;
                };
                if name == "MAPFILE" {
                    return false;
                }
                self.state.set(name, lines.first().cloned());
                self.state.set_list(name, Some(lines));
                true
            }
            _ => false,
        }
    }

    /// Sets the variables of `read` to what stands in a line.
    fn read_line(
        &mut self,
        reading: &Reading<'_>,
        names: &[Field],
        line: &str,
        apart: &str,
    ) -> bool {
        let into_list = reading.has("-a");
        let known: Option<Vec<&str>> = names.iter().map(Field::as_known).collect();
        let Some(names) = known else { return false };
        if into_list {
            let list = reading.uses.iter().find(|own| own.option == Some("-a"));
            let Some(name) = list.and_then(|own| own.fields.first()).and_then(Field::as_known)
            else {
                return false;
            };
            let words: Vec<String> = fields_of(line, apart, usize::MAX);
            self.state.set(name, words.first().cloned());
            self.state.set_list(name, Some(words));
            return true;
        }
        if names.is_empty() {
            return false;
        }
        let mut values = fields_of(line, apart, names.len()).into_iter();
        for name in names {
            self.state.set(name, Some(values.next().unwrap_or_default()));
        }
        true
    }

    /// `while read …` over a text that is known: its body runs once for each line. Whether that was
    /// looked at line by line.
    #[cold]
    pub(super) fn each_line(&mut self, command: &LoopCommand, stdin: &Stdin) -> bool {
        let Stdin::Text(text) = stdin else { return false };
        let Some((names, apart)) = read_in(&command.condition) else { return false };
        let lines: Vec<&str> = text.lines().collect();
        if self.rounds.saturating_add(lines.len()) > MAX_ROUNDS || text.contains('\\') {
            return false;
        }
        self.rounds = self.rounds.saturating_add(lines.len());
        self.script_reading(&command.condition, &Stdin::Unknown);
        let before = self.state.clone();
        for line in lines {
            let mut values = fields_of(line, &apart, names.len()).into_iter();
            for name in &names {
                self.state.set(name, Some(values.next().unwrap_or_default()));
            }
            self.body(&command.body, &Stdin::Unknown);
        }
        self.state.join(before);
        for name in &names {
            self.state.set(name, None);
        }
        true
    }
}

impl Walker<'_> {
    /// Returns what `xargs` reads.
    #[cold]
    pub(super) fn input_of_xargs(&self, reading: &Reading<'_>, stdin: &Stdin) -> Stdin {
        let told = reading.uses.iter().find(|own| matches!(own.option, Some("-a" | "--arg-file")));
        let file = match (told, stdin) {
            (Some(told), _) => told.fields.first().and_then(Field::as_known),
            (None, Stdin::File(file)) => file.as_known(),
            (None, other) => return other.clone(),
        };
        match file.map(|file| self.said_by_file(file)) {
            Some(Said::Names(names)) => Stdin::Names(names),
            Some(Said::Absent) => Stdin::Names(vec![Found { absent: true, ..Found::default() }]),
            _ => Stdin::Unknown,
        }
    }
}

/// What is known of each of these names.
fn names_of(found: &[Found]) -> Option<Dynamic> {
    let here = found.iter().all(|own| own.here || own.below.starts_with("./"));
    let same = found.first().filter(|first| found.iter().all(|own| own == *first));
    let (prefix, here) = match same {
        Some(own) if own.here => (String::new(), true),
        Some(own) if !own.below.is_empty() => (own.below.clone(), false),
        _ if here => (String::new(), true),
        _ => return None,
    };
    let flat = found.iter().all(|own| own.flat);
    let part = if flat { Part::Name } else { Part::Below };
    Some(Dynamic { prefix, no_option: here, part, ..Dynamic::default() })
}

/// Whether `read` takes a line as it is.
fn reads_plainly(reading: &Reading<'_>, line: &str) -> bool {
    const OTHERWISE: [&str; 8] = ["-d", "-n", "-N", "-t", "-u", "-i", "-e", "-E"];
    (reading.has("-r") || !line.contains('\\'))
        && !OTHERWISE.iter().any(|option| reading.has(option))
}

/// Takes a line apart into so many words; the last takes what is left.
fn fields_of(line: &str, apart: &str, most: usize) -> Vec<String> {
    if apart.is_empty() {
        return vec![line.to_owned()];
    }
    let is_apart = |c: char| apart.contains(c);
    let is_blank = |c: char| c.is_ascii_whitespace() && is_apart(c);
    let mut rest = line.trim_matches(is_blank);
    let mut words = Vec::new();
    while !rest.is_empty() {
        if words.len().saturating_add(1) >= most {
            words.push(rest.to_owned());
            break;
        }
        let end = rest.find(is_apart).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        words.push(word.to_owned());
        let after = after.trim_start_matches(is_blank);
        let sign = after.chars().next().filter(|c| is_apart(*c));
        let after = sign.map_or(after, |sign| after.get(sign.len_utf8()..).unwrap_or_default());
        rest = after.trim_start_matches(is_blank);
    }
    words
}

/// The variables that the condition of a loop reads a line into, and where it takes the line apart.
fn read_in(condition: &Script) -> Option<(Vec<String>, String)> {
    let [Item { list: AndOr { first, rest, .. }, .. }] = condition.items.as_slice() else {
        return None;
    };
    let [Stage { command: Command::Simple(only), .. }] = first.stages.as_slice() else {
        return None;
    };
    let SimpleCommand { words, redirects, assignments, .. } = only;
    if !rest.is_empty() || first.negated || !redirects.is_empty() {
        return None;
    }
    let apart = match assignments.as_slice() {
        [] => BLANKS.to_owned(),
        [set] if set.name == "IFS" && !set.append => match &set.value {
            AssignmentValue::Scalar(word) => word.as_static()?.into_owned(),
            AssignmentValue::Array(_) => return None,
        },
        _ => return None,
    };
    let words: Vec<_> = words.iter().map(Word::as_static).collect::<Option<_>>()?;
    let (program, words) = words.split_first()?;
    let names = match words {
        [first, names @ ..] if **first == *"-r" => names,
        names => names,
    };
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let all = !names.is_empty() && names.iter().all(|name| is_name(name));
    (**program == *"read" && all)
        .then(|| (names.iter().map(|name| name.to_string()).collect(), apart))
}

/// Returns the commands that `xargs` makes of a text: the words behind those that it has already, or
/// the text that is put in place of its mark. `None` where that cannot be told.
pub(super) fn fed_words(reading: &Reading<'_>, text: &str, span: Span) -> Option<Vec<Vec<Field>>> {
    const OTHERWISE: [&str; 5] = ["-a", "-d", "-E", "-J", "-e"];
    if OTHERWISE.iter().any(|name| reading.has(name)) {
        return None;
    }
    let replaces = ["-I", "-i", "--replace"].iter().any(|name| reading.has(name));
    let pieces: Vec<String> = match (reading.has("-0"), replaces) {
        (true, _) => text.split('\0').filter(|own| !own.is_empty()).map(str::to_owned).collect(),
        (false, true) => text.lines().map(|line| line.trim_start().to_owned()).collect(),
        (false, false) => words_of(text)?,
    };
    if pieces.len() > MOST_WORDS || replaces && text.contains(['"', '\'', '\\']) {
        return None;
    }
    let field = |piece: &String| Field::known(piece.as_str(), span);
    if replaces {
        return Some(pieces.iter().map(|piece| vec![field(piece)]).collect());
    }
    let count = ["-n", "-L", "--max-args", "--max-lines"].iter().any(|name| reading.has(name));
    Some(match count {
        // How many stand together is another number: each by itself, and all of them.
        true => {
            let alone = pieces.iter().map(|piece| vec![field(piece)]);
            alone.chain([pieces.iter().map(field).collect()]).collect()
        }
        false => vec![pieces.iter().map(field).collect()],
    })
}

/// The words of a text as `xargs` takes it apart.
fn words_of(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(sign) = chars.next() {
        match sign {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' | '"' => {
                let own = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        end if end == sign => break,
                        '\n' => return None,
                        other => own.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}
