//! Lines that move about, set variables, redirect and call: the structure.

use super::super::random::Random;

/// Programs that only record.
pub(super) const PROGRAMS: &[&str] = &["c1", "c2", "c3", "c4", "c5", "c6"];

const NAMES: &[&str] = &["x", "y", "E1", "E2", "Z"];

/// Draws lines.
pub(super) struct EffectGrammar {
    pub(super) random: Random,
}

impl EffectGrammar {
    pub(super) fn new(seed: u64) -> EffectGrammar {
        EffectGrammar { random: Random::new(seed) }
    }

    pub(super) fn pick(&mut self, all: &[&str]) -> String {
        (*self.random.pick(all)).to_owned()
    }

    pub(super) fn name(&mut self) -> String {
        self.pick(NAMES)
    }

    /// A line.
    pub(super) fn line(&mut self) -> String {
        let depth = *self.random.pick(&[1, 1, 2, 2, 3]);
        self.list(depth)
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        let mut text = self.pipeline(depth);
        while self.random.percent(55) {
            text += &self.pick(&[" && ", " || ", "; ", "; ", "; ", "\n", " & "]);
            text += &self.pipeline(depth);
        }
        text
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut text = self.pick(&["", "", "", "", "", "", "", "! ", "time "]);
        text += &self.command(depth);
        while self.random.percent(12) {
            text += &self.pick(&[" | ", " | ", " |& "]);
            text += &self.command(depth);
        }
        text
    }

    fn command(&mut self, depth: usize) -> String {
        let Some(inner) = depth.checked_sub(1) else { return self.simple(0) };
        if self.random.percent(70) {
            return self.simple(depth);
        }
        let body = self.list(inner);
        let text = match self.random.below(12) {
            0 => format!("( {body} )"),
            1 => format!("{{ {body}\n}}"),
            2 => format!("if {body}\nthen {}\nfi", self.list(inner)),
            3 => format!(
                "if {}\nthen {body}\nelif {}\nthen {}\nelse {}\nfi",
                self.simple(0),
                self.simple(0),
                self.list(inner),
                self.list(inner)
            ),
            4 => format!(
                "{} {}\ndo {body}\n{}\ndone",
                self.pick(&["while", "until"]),
                self.simple(0),
                self.pick(&["break", "break", "(( i++ > 1 )) && break"])
            ),
            5 | 6 => {
                let words = self.words(inner, 3);
                let name = self.name();
                format!("for {name} in {words}\ndo {body}\n{}\ndone", self.pick(&["", "", "break"]))
            }
            7 => format!("for ((i=0;i<2;i++)); do {body}\ndone"),
            8 => format!(
                "case {} in {}) {body}\n;{} {}) {}\n;; esac",
                self.word(inner),
                self.pick(&["a", "*", "x|y", "\"$x\""]),
                self.pick(&[";", "&", ";&"]),
                self.pick(&["*", "b", "a*"]),
                self.list(inner)
            ),
            9 | 10 => self.function(inner, &body),
            _ => format!("[[ {} == {} ]]", self.word(inner), self.word(inner)),
        };
        if self.random.percent(20) { format!("{text} {}", self.redirect(inner)) } else { text }
    }

    fn function(&mut self, depth: usize, body: &str) -> String {
        let name = self.pick(&["f", "g", "c1", "c2", "cd", "env"]);
        let rest = self.pick(&["", "; return", "; local x=loc; c6 \"$x\"", "; shift; c5 \"$@\""]);
        let mut text = format!("{name}() {{ {body}\n{} }}", rest.trim_start_matches("; "));
        if rest.is_empty() {
            text = format!("{name}() {{ {body}\n}}");
        }
        if self.random.percent(80) {
            let words = self.words(depth, 2);
            text += &format!("{}{name} {words}", self.pick(&["; ", "\n", " && "]));
        }
        text
    }

    pub(super) fn words(&mut self, depth: usize, most: usize) -> String {
        let count = self.random.below(most + 1);
        (0..count).map(|_| self.word(depth)).collect::<Vec<_>>().join(" ")
    }

    /// A program that records, with words.
    pub(super) fn call(&mut self, depth: usize) -> String {
        let (name, words) = (self.pick(PROGRAMS), self.words(depth, 3));
        format!("{name} {words}").trim_end().to_owned()
    }

    pub(super) fn word(&mut self, depth: usize) -> String {
        let count = *self.random.pick(&[1, 1, 1, 2]);
        (0..count).map(|_| self.piece(depth)).collect()
    }

    fn piece(&mut self, depth: usize) -> String {
        match self.random.below(16) {
            0..5 => self.pick(&[
                "a", "b", "-n", "v", "sub", "sub/g", "../notes", "x=1", "-", "--", "--o=p", "c1",
                "/tmp/t1", "'q r'", "\"d e\"", "\\*", "''", "$'t\\tu'", "-C", "{a,b}", "{1..3}",
            ]),
            5 | 6 => self.pick(&["$x", "\"$x\"", "$y", "\"$y\"", "$E1", "\"$E2\"", "$Z", "${x}"]),
            7 => self.pick(&["*", "s*", "sub/*", "?", "[ab]", "nothing*", "*/", "/tmp/*", ".*"]),
            8 => self.pick(&["~", "~/q", "~+", "~-", "~u", "$HOME", "\"$PWD\"", "$OLDPWD", "~/*"]),
            9 => self.pick(&["$1", "\"$@\"", "$@", "\"$*\"", "$#", "$?", "${@:2}", "\"${1-}\""]),
            10 => {
                let operator = self.pick(&[":-", "-", ":=", "=", ":+", "+", ":?", "#", "%", "^^"]);
                let name = self.name();
                let inner = if depth > 0 { self.word(depth - 1) } else { "w".to_owned() };
                let text = format!("${{{name}{operator}{inner}}}");
                if self.random.percent(50) { format!("\"{text}\"") } else { text }
            }
            11 => self.pick(&[
                "${x/a/b}",
                "${x:1}",
                "${x:0:1}",
                "${!x}",
                "${!E2}",
                "${#x}",
                "${x[0]}",
                "\"${x[@]}\"",
                "\"${x[*]}\"",
                "${x@Q}",
                "${x,,}",
                "\"${!x@}\"",
            ]),
            12 => self.pick(&["$((1+1))", "$((x))", "$((i++))", "$[2]", "$((y=3))"]),
            13 if depth > 0 => format!("$({})", self.list(depth - 1)),
            14 if depth > 0 => format!("\"$({})\"", self.simple(depth - 1)),
            15 if depth > 0 && self.random.percent(40) => {
                format!("<({})", self.simple(depth - 1))
            }
            _ => self.pick(&["w1", "w2", "w3"]),
        }
    }

    pub(super) fn redirect(&mut self, depth: usize) -> String {
        let operator = self.pick(&[
            ">", ">", "<", "<", ">>", "2>", "&>", "&>>", ">|", "<>", "{fd}>", "3<", "<<<", ">&",
            "0<",
        ]);
        let target = match self.random.below(6) {
            0 => self.word(depth),
            1 => self.pick(&["\"$x\"", "~/made", "\"$HOME/made\"", "$PWD/made", "../made"]),
            _ => self.pick(&[
                "out",
                "a",
                "b",
                "sub/out",
                "/tmp/made",
                "lf",
                "link/out",
                "list",
                "/dev/null",
                "sub/deep/z",
                "s.sh",
                "away/out",
                "nowhere/out",
            ]),
        };
        format!("{operator}{}{target}", self.pick(&["", " "]))
    }
}
