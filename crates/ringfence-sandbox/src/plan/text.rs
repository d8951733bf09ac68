//! The plan as a text for people.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

use super::{ExecPlan, Held, Judged, Plan, always};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_files(f)?;
        section(f, "programs")?;
        match self.exec {
            ExecPlan::Free => writeln!(f, "  any that can be read; nobody looks")?,
            ExecPlan::Gated => writeln!(f, "  every start is judged")?,
        }
        self.write_net(f)?;
        self.write_variables(f)?;
        self.write_limits(f)?;
        self.write_held(f)?;
        self.write_gaps(f)
    }
}

impl Plan {
    fn write_files(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "files                   r read  w write  d delete  x run  c control")?;
        let is_always = |path: &Path| always().any(|(own, ..)| Path::new(own) == path);
        let (usual, own): (Vec<_>, Vec<_>) =
            self.files.trees.iter().partition(|tree| is_always(&tree.path));
        for tree in own {
            writeln!(f, "  {}   {}", tree.rights, tree.path.display())?;
        }
        for path in &self.files.made {
            writeln!(f, "  made where missing  {}", path.display())?;
        }
        for path in &self.files.private {
            writeln!(f, "  private {}, empty at the start", path.display())?;
        }
        for path in &self.files.masks {
            writeln!(f, "  hidden  {}", path.display())?;
        }
        for path in &self.files.blank {
            writeln!(f, "  blank   {}", path.display())?;
        }
        for (path, other) in self.files.mounts.pairs() {
            writeln!(f, "  twice   {}, which is {}", path.display(), other.display())?;
        }
        let remembered = self.files.remembered.iter().map(|path| path.display().to_string());
        fill(f, "  as last time in  ", &remembered.collect::<Vec<String>>())?;
        let passed = self.files.passed.iter().map(|path| path.display().to_string());
        fill(f, "  as packages left it  ", &passed.collect::<Vec<String>>())?;
        let usual: Vec<String> = usual.iter().map(|own| own.path.display().to_string()).collect();
        fill(f, "  always  ", &usual)?;
        let judged = match self.files.judged {
            Judged::Nothing => "nothing is judged by name",
            Judged::Changes => "every change is judged by name",
            Judged::Hiding => {
                "every change is judged by name, and every opening for what rules hide"
            }
            Judged::Openings => "every opening and every change is judged by name",
        };
        writeln!(f, "  {judged}")
    }

    fn write_net(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "network")?;
        if !self.net.is_needed() {
            writeln!(f, "  none")?;
        }
        if let Some(port) = self.net.proxy {
            writeln!(f, "  proxy   127.0.0.1:{port}, which judges every name")?;
        }
        let ports = |ports: &[u16]| -> Vec<String> { ports.iter().map(u16::to_string).collect() };
        fill(f, "  carried ", &ports(&self.net.carried))?;
        fill(f, "  local   ", &ports(&self.net.local))?;
        fill(f, "  publish ", &ports(&self.net.published))?;
        for path in &self.sockets {
            writeln!(f, "  socket  {}", path.display())?;
        }
        Ok(())
    }

    fn write_variables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "variables")?;
        let names: Vec<String> = self.variables.iter().map(|(name, _)| name.clone()).collect();
        match names.is_empty() {
            true => writeln!(f, "  none"),
            false => fill(f, "  ", &names),
        }
    }

    fn write_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = &self.limits;
        let said = [
            ("time", limits.seconds.map(|number| format!("{number} s"))),
            ("memory", limits.memory.map(|number| format!("{} for each process", bytes(number)))),
            ("processes", limits.processes.map(|number| number.to_string())),
            ("a file", limits.file_size.map(bytes)),
            ("open files", limits.open_files.map(|number| format!("{number} for each process"))),
            ("output", limits.output.map(bytes)),
        ];
        if said.iter().all(|(_, limit)| limit.is_none()) {
            return Ok(());
        }
        section(f, "limits")?;
        let said = said.iter().filter_map(|(what, limit)| Some((what, limit.as_ref()?)));
        for (what, limit) in said {
            writeln!(f, "  {what:<10}  {limit}")?;
        }
        Ok(())
    }

    fn write_held(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "rules")?;
        let (many, few): (Vec<&Held>, Vec<&Held>) =
            self.held.iter().partition(|own| is_one_of_many(own));
        let rows: Vec<[String; 4]> = counted(&many).chain(few.into_iter().map(row)).collect();
        let width = |column: usize| {
            let texts = rows.iter().filter_map(|row| row.get(column));
            texts.map(|text| text.chars().count()).max().unwrap_or_default()
        };
        let widths = (width(0), width(1), width(2));
        for [says, rule, by, origin] in &rows {
            let line = format!(
                "  {says:<0$}  {rule:<1$}  {by:<2$}  {origin}",
                widths.0, widths.1, widths.2
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        let notes = self.held.iter().filter_map(|held| Some((held, held.note.as_ref()?)));
        for (held, note) in notes {
            writeln!(f, "  note: `{}` ({}): {note}", held.rule, held.origin)?;
        }
        Ok(())
    }

    fn write_gaps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.gaps.is_empty() {
            return Ok(());
        }
        section(f, "gaps")?;
        self.gaps.iter().try_for_each(|gap| writeln!(f, "  {gap}"))
    }
}

/// A heading, with an empty line above it.
fn section(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    writeln!(f, "\n{name}")
}

/// Words behind a heading, on as many lines as they need.
fn fill(f: &mut fmt::Formatter<'_>, head: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    let mut line = head.to_owned();
    for word in words {
        if line.len() > head.len() && line.len().saturating_add(word.len()) > WIDTH {
            writeln!(f, "{}", line.trim_end())?;
            line = " ".repeat(head.len());
        }
        write!(line, "{word} ")?;
    }
    writeln!(f, "{}", line.trim_end())
}

/// A size in the largest unit of which it is a whole number.
fn bytes(number: u64) -> String {
    const UNITS: [(&str, u64); 4] =
        [("GiB", 1 << 30), ("MiB", 1 << 20), ("MB", 1_000_000), ("kB", 1_000)];
    let divides = |unit: &&(&str, u64)| number.checked_rem(unit.1) == Some(0);
    let (unit, size) = UNITS.iter().find(divides).copied().unwrap_or(("B", 1));
    format!("{} {unit}", number.checked_div(size).unwrap_or(number))
}

/// The columns of a rule: what it says, the rule, what holds it, where it was written.
fn row(held: &Held) -> [String; 4] {
    [held.says.to_owned(), held.rule.clone(), by(held), held.origin.clone()]
}

fn by(held: &Held) -> String {
    let by: Vec<&str> = held.by.iter().map(|own| own.as_str()).collect();
    if by.is_empty() { "-".to_owned() } else { by.join(", ") }
}

/// Rules on commands and variables are many and held alike: they are counted.
fn is_one_of_many(held: &Held) -> bool {
    let many = ["cmd:", "env:"].iter().any(|start| held.rule.starts_with(start));
    (many || held.rule == "sh") && held.note.is_none()
}

fn counted(held: &[&Held]) -> impl Iterator<Item = [String; 4]> {
    let mut counts: BTreeMap<(&str, &str, &str, String), usize> = BTreeMap::new();
    for own in held {
        let document = own.origin.rsplit_once(':').map_or(&*own.origin, |(document, _)| document);
        let what = if own.rule.starts_with("env:") { "variables" } else { "commands" };
        let count = counts.entry((what, own.says, document, by(own))).or_default();
        *count = count.saturating_add(1);
    }
    counts.into_iter().map(|((what, says, document, by), count)| {
        let plural = if count == 1 { "rule" } else { "rules" };
        [says.to_owned(), format!("{count} {plural} on {what}"), by, document.to_owned()]
    })
}

/// Lines of words are no longer than this.
const WIDTH: usize = 96;
