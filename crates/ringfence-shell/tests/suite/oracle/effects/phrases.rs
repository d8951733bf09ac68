//! Simple commands of the lines: moves, settings, texts that shells read, carriers, tools.

use super::grammar::EffectGrammar;

/// What carries another command.
const CARRIERS: &str = include_str!("phrases/carriers.txt");

/// Programs that touch files.
const TOOLS: &str = include_str!("phrases/tools.txt");

/// Finders.
const FINDERS: &str = include_str!("phrases/finders.txt");

/// What moves about and sets.
const MOVES: &str = include_str!("phrases/moves.txt");

const SETTINGS: &str = include_str!("phrases/settings.txt");

impl EffectGrammar {
    /// One of the lines of a text.
    fn one_of(&mut self, lines: &str) -> String {
        let lines: Vec<&str> = lines.lines().collect();
        self.pick(&lines)
    }

    pub(super) fn simple(&mut self, depth: usize) -> String {
        let text = match self.random.below(24) {
            0..6 => self.call(depth),
            6 => self.assigned(depth),
            7 => format!("{}={}", self.name(), self.word(depth)),
            8 => {
                let keyword =
                    self.pick(&["export", "declare -x", "readonly", "declare", "typeset"]);
                format!("{keyword} {}={}", self.name(), self.word(depth))
            }
            9..12 => self.one_of(MOVES),
            12..14 => self.one_of(SETTINGS),
            14..17 => format!("{} {}", self.one_of(CARRIERS), self.carried(depth)),
            17 => format!(
                "{} {} {}",
                self.one_of(FINDERS),
                self.call(0),
                self.pick(&["{} \\;", "{} +", "\\;", "x{}y ';'"])
            ),
            18..20 => format!("{} {}", self.one_of(TOOLS), self.files(depth)),
            20 | 21 => self.shell_text(depth),
            22 => self.pick(&["f a", "g", "f \"$x\" b", "f", "f *"]),
            _ => self.fed(depth),
        };
        if self.random.percent(14) { format!("{text} {}", self.redirect(depth)) } else { text }
    }

    fn assigned(&mut self, depth: usize) -> String {
        format!("{}={} {}", self.name(), self.word(depth), self.call(depth))
    }

    fn carried(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0 => format!("{} {}", self.one_of(CARRIERS), self.call(depth)),
            1 => self.shell_text(depth),
            2 => format!("{} {}", self.one_of(TOOLS), self.files(0)),
            3 => format!("A=in {}", self.call(depth)),
            4 => format!("-- {}", self.call(depth)),
            _ => self.call(depth),
        }
    }

    fn files(&mut self, depth: usize) -> String {
        let count = *self.random.pick(&[0, 1, 1, 2, 2, 3]);
        let mut words = Vec::new();
        for _ in 0..count {
            words.push(if self.random.percent(15) {
                self.word(depth)
            } else {
                self.pick(&[
                    "a", "b", "f", "out", "sub", "sub/g", "sub/", "link", "lf", "/tmp/t1", "new",
                    "../notes", "link/g", "s*", "sub/*", "~/notes", "/tmp", ".", "--", "list",
                    "away", "away/t1",
                ])
            });
        }
        words.join(" ")
    }

    /// A text for a shell.
    fn shell_text(&mut self, depth: usize) -> String {
        let inner = self.list(depth.saturating_sub(1));
        let quoted = format!("'{}'", inner.replace('\'', r"'\''"));
        match self.random.below(15) {
            0 | 1 => format!("eval {quoted}"),
            2 => format!("eval {inner}"),
            3 | 4 => format!("bash -c {quoted} {}", self.words(depth, 2)),
            5 => format!("sh -c {quoted}"),
            6 => format!("bash <<< {quoted}"),
            7 => format!("bash {}<<'EOF'\n{inner}\nEOF\n:", self.pick(&["", "-s a b ", "- "])),
            8 => format!("sh <<EOF\n{inner}\nEOF\n:"),
            9 => format!("echo {quoted} | bash"),
            10 => self.pick(&[
                ". ./s.sh",
                "source s.sh",
                "source ./s.sh arg",
                "bash s.sh q",
                "sh s.sh",
                "./run.sh r",
                "bash < s.sh",
                "cat s.sh | bash",
                ". s.sh > out",
                "bash -x s.sh",
                "bash run.sh",
                "/home/u/proj/run.sh z",
                "sub/../run.sh",
                ". ~/.env",
                "bash -c 'c1'",
                "bash --rcfile b -i -c c1",
                "bash --init-file b",
                "BASH_ENV=s.sh bash -c c1",
            ]),
            11 => format!(
                "bash -{}c {quoted}",
                self.pick(&["e", "u", "x", "l", "f", "p", "O extglob -"])
            ),
            12 => format!("env bash -c {quoted}"),
            13 => format!("timeout 2 sh -c {quoted} n {}", self.words(0, 2)),
            _ => format!("printf '%s\\n' {quoted} | sh"),
        }
    }

    /// A carrier that reads the words of another command.
    fn fed(&mut self, depth: usize) -> String {
        let from =
            self.pick(&["c1", "printf '%s\\n' p q", "echo r s", "cat list", "echo -x", "ls"]);
        let how = self.pick(&[
            "xargs",
            "xargs -n1",
            "xargs -I{}",
            "xargs -I % ",
            "xargs -0",
            "xargs -n 1 -P 2",
            "xargs -L 1",
            "xargs env",
            "xargs -r nice",
            "xargs -i",
            "xargs -I{} sh -c 'c5 {}' --",
            "xargs -t -n 2",
        ]);
        let end = self.pick(&["", "", " {}", " %", " 'a{}b'"]);
        format!("{from} | {how} {}{end}", self.call(depth))
    }
}
