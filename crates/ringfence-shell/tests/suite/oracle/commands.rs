//! Commands of the grammar. Programs are called `c1` to `c6`; no machine has them.

use super::words::Grammar;

const PROGRAMS: &[&str] = &["c1", "c2", "c3", "c4", "c5", "c6"];
const ENDS: &[&str] = &[";", "\n", "; ", "\n\n", " ; "];

impl Grammar {
    /// A line.
    pub(super) fn line(&mut self) -> String {
        let depth = *self.random.pick(&[0, 1, 2, 2, 3]);
        self.list(depth)
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        let mut text = self.pipeline(depth);
        while self.random.percent(25) {
            text += &self.pick(&[
                " && ", " || ", "; ", ";", "\n", " & ", "&", "&&\n", "||", "\n\n", " # c\n",
            ]);
            text += &self.pipeline(depth);
        }
        text
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let mut text =
            self.pick(&["", "", "", "", "", "", "! ", "time ", "time -p ", "! ! ", "time -- "]);
        text += &self.command(depth);
        while self.random.percent(20) {
            text += &self.pick(&[" | ", "|", " |& ", "|\n"]);
            text += &self.command(depth);
        }
        text
    }

    pub(super) fn command(&mut self, depth: usize) -> String {
        let Some(inner) = depth.checked_sub(1) else { return self.simple(0) };
        if self.random.percent(60) {
            return self.simple(depth);
        }
        let end = self.pick(ENDS);
        let body = self.list(inner);
        let text = match self.random.below(12) {
            0 => format!(
                "({}{body}{})",
                self.pick(&["", " ", "\n"]),
                self.pick(&["", " ", ";", "\n"])
            ),
            1 => format!("{{ {body}{} }}", self.pick(&[";", "\n", " &", " "])),
            2 => format!(
                "if {body}{end}then {}{end}{}fi",
                self.list(inner),
                self.branch(inner, &end)
            ),
            3 => format!(
                "{} {body}{end}do {}{end}break{end}done",
                self.pick(&["while", "until"]),
                self.list(inner)
            ),
            4 => self.for_loop(inner, &body, &end),
            5 => self.case(inner, &end),
            6 => format!("[[ {} ]]", self.cond(inner)),
            7 => format!("(({}))", self.arith(inner)),
            8 => format!(
                "{}{{ {body}; }}",
                self.pick(&["f() ", "f () ", "function f ", "function f() ", "f()\n"])
            ),
            9 => format!("coproc {}{{ {body}; }}", self.pick(&["", "N "])),
            10 => format!("(({body}){}{})", self.pick(&[";", "|", "&&"]), self.simple(0)),
            _ => return self.heredoc(inner),
        };
        if self.random.percent(25) { format!("{text} {}", self.redirect(inner)) } else { text }
    }

    fn branch(&mut self, depth: usize, end: &str) -> String {
        match self.random.below(3) {
            0 => String::new(),
            1 => format!("else {}{end}", self.list(depth)),
            _ => format!("elif {}{end}then {}{end}", self.list(depth), self.list(depth)),
        }
    }

    fn for_loop(&mut self, depth: usize, body: &str, end: &str) -> String {
        if self.random.percent(25) {
            let header = self.pick(&["i=0;i<2;i++", ";1;", "i=$(c1);i<1;i++"]);
            return format!("for (({header})){end}do {body};break; done");
        }
        let words = match self.random.below(3) {
            0 => format!(" in {} {}{end}", self.word(depth), self.word(depth)),
            1 => "\nin a\n".to_owned(),
            _ => self.pick(&[";", " ", "\n", " in;"]),
        };
        format!("{} x{words} do {body}{end}done", self.pick(&["for", "for", "select"]))
    }

    fn case(&mut self, depth: usize, end: &str) -> String {
        let mut text = format!(
            "case {}{}in{}",
            self.word(depth),
            self.pick(&[" ", "\n"]),
            self.pick(&[" ", "\n"])
        );
        for _ in 0..self.random.below(3) {
            let open = self.pick(&["", "("]);
            let (pattern, body) = (self.word(0), self.list(depth));
            text += &format!(
                "{open}{pattern}) {body}{}",
                self.pick(&[";;", ";&", ";;&", " ;; ", "\n;;\n"])
            );
        }
        if self.random.percent(50) {
            text += &format!("b) {}{end}", self.list(depth));
        }
        text + " esac"
    }

    fn cond(&mut self, depth: usize) -> String {
        match (self.random.below(7), depth.checked_sub(1)) {
            (0, _) => self.word(depth),
            (1, _) => {
                format!("{} {}", self.pick(&["-f", "-n", "-z", "-v", "-q"]), self.word(depth))
            }
            (2, _) => format!(
                "{} =~ {}",
                self.word(0),
                self.pick(&["^a(b|c)$", "(a b)|c", "a|b", "$x", "[a-z]+", "(a"])
            ),
            (3, _) => format!(
                "{} == {}",
                self.word(0),
                self.pick(&["@(a|b)", "*", "!(x)", "+([0-9])", "\"a\"*"])
            ),
            (4, Some(inner)) => format!("! ( {} )", self.cond(inner)),
            (5, Some(inner)) => format!(
                "{}{}{}",
                self.cond(inner),
                self.pick(&[" && ", " || ", "&&", " &&\n"]),
                self.cond(inner)
            ),
            _ => format!(
                "{}{}{}",
                self.word(depth),
                self.pick(&[" = ", " == ", " != ", " < ", " -eq ", " -nt ", " -a "]),
                self.word(depth)
            ),
        }
    }

    fn heredoc(&mut self, depth: usize) -> String {
        let written = self.pick(&["E", "'E'", "\\E", "\"E\"", "E\"F\""]);
        let delimiter = written.replace(['\'', '"', '\\'], "");
        let dash = self.pick(&["", "-"]);
        let mut body = String::new();
        for _ in 0..self.random.below(4) {
            body += &match self.random.below(3) {
                0 => self.expansion(depth).replace('\n', " ") + "\n",
                _ => self.pick(&[
                    "text\n", "\ttab\n", "\\\n", "\"q\"\n", "'\n", "E \n", "\\$x\n", " E\n",
                ]),
            };
        }
        let rest = self.pick(&["", " | c5", " && c6", " ; c4"]);
        let text = format!("{} <<{dash}{written}{rest}\n{body}{delimiter}\n", self.simple(0));
        if self.random.percent(30) { format!("c1 $({text})") } else { text + &self.simple(0) }
    }

    pub(super) fn simple(&mut self, depth: usize) -> String {
        let mut words = Vec::new();
        for _ in 0..*self.random.pick(&[0, 0, 0, 1, 2]) {
            let name = self.pick(&["A", "b", "c_1", "A[0]", "A[$x]", "A[x y]"]);
            words.push(format!(
                "{name}{}{}",
                self.pick(&["=", "=", " +="]).trim(),
                self.word(depth)
            ));
        }
        if self.random.percent(5) {
            words.push(format!("A=({} [1]={})", self.word(depth), self.word(depth)));
        }
        if self.random.percent(8) {
            words.push(self.redirect(depth));
        }
        words.push(if self.random.percent(12) { self.word(depth) } else { self.pick(PROGRAMS) });
        for _ in 0..self.random.below(4) {
            words.push(if self.random.percent(12) {
                self.redirect(depth)
            } else {
                self.word(depth)
            });
        }
        words.join(&self.pick(&[" ", " ", " ", "  ", "\t", " \\\n"]))
    }

    fn redirect(&mut self, depth: usize) -> String {
        let operator = self.pick(&[
            ">", "<", ">>", "2>", "2>&", ">&", "<&", "&>", "&>>", ">|", "<>", "{fd}>", "3<", "<<<",
            "10>",
        ]);
        let target = if self.random.percent(30) {
            self.word(depth)
        } else {
            self.pick(&["f", "g", "1", "2", "-"])
        };
        format!("{operator}{}{target}", self.pick(&["", " "]))
    }

    /// A line of simple commands whose words are all known beforehand.
    pub(super) fn static_line(&mut self) -> String {
        self.only_static = true;
        let mut text = String::new();
        for _ in 0..*self.random.pick(&[1, 1, 2, 3]) {
            let mut words = vec![self.pick(PROGRAMS)];
            words.extend((0..self.random.below(4)).map(|_| self.word(0)));
            text += &words.join(&self.pick(&[" ", "  ", "\t", " \\\n"]));
            text += &self.pick(&["; ", ";", "\n", "\n\n", " ;\n"]);
        }
        text
    }
}
