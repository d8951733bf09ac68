//! Words of the grammar.

use super::random::Random;

/// Draws lines.
pub(super) struct Grammar {
    pub(super) random: Random,
    /// Whether only words are drawn whose text is known beforehand.
    pub(super) only_static: bool,
}

const TEXTS: &[&str] = &[
    "a",
    "b",
    "x1",
    "-n",
    "--opt",
    "a.b",
    "=",
    "a=b",
    "1",
    "12",
    "if",
    "then",
    "do",
    "{",
    "}",
    "in",
    "!",
    "time",
    "[",
    "]",
    "~",
    "~/q",
    "a:~/b",
    "x=~/y",
    "x=~:~",
    "#c",
    "a#b",
    "%",
    "^",
    ",",
    "..",
    "-",
    "+",
    "@",
    "é",
    "“q”",
    "$",
    "{}",
    "{a}",
    "{a,b}",
    "{1..3}",
    "{c,d}",
    "{,y}",
    "{a,{b,c}}",
    "{1..a}",
    "{a",
    "b}",
    "{01..3}",
    "{3..1..2}",
    "{a..e..2}",
    "\\\n",
    "{x,\"y z\"}",
    "{'p q',r}",
    "{-2..2}",
    "{{a,b},c}",
    "{,}",
    "=~",
    "a~",
    ":~",
    "{~,a}",
    "~{,a}",
    "{a\\,b}",
    "{\"a,b\",c}",
    "{10..08}",
    "é{a,ü}",
    "{a}{b,c}",
    "{a{b,c}",
    "{a,b}}",
    "{a,,b}",
    "{..}",
    "{1...3}",
    "{1..3,a}",
    "case",
    "coproc",
    "==",
];

const PATTERNS: &[&str] =
    &["*", "?", "[ab]", "[a", "a]", "*.x", "~+", "~-", "@(a)", "!(a|b)", "x[1"];
const SINGLE: &[&str] =
    &["a", " ", "\"", "$x", "\\", "`", "(", ")", "{a,b}", "*", "#", "\n", ";", ",", "~", "}"];
const DOUBLE: &[&str] = &[
    "a", " ", "'", "\\\"", "\\$", "\\\\", "\\a", "\\`", "*", "{a,b}", "\n", "$", "~", "\\\n",
    "\\}", ",",
];
const ESCAPED: &[&str] = &[
    "a", " ", "*", "$", "\\", "\"", "'", "{", ",", "}", "~", ";", "(", "#", "\t", "`", "!", "é",
    "\n",
];
const ANSI: &[&str] = &[
    "a",
    "\\n",
    "\\t",
    "\\x41",
    "\\x4",
    "\\101",
    "\\7",
    "\\u0041",
    "\\u41",
    "\\U00000042",
    "\\cB",
    "\\\\",
    "\\'",
    "\\\"",
    "\\q",
    "\"",
    "$x",
    "`",
    " ",
    "\\e",
    "\\0",
    "\\u00e9",
    "\\c\\\\",
    "#",
    "(",
];
const ARITH: &[&str] =
    &["1", "1+2", "x", "(1)", "(1)+(2)", "x[1]", "x['a']", "\"x\"", "1<(2)", " 1 ", "16#f", "a=1"];

impl Grammar {
    pub(super) fn new(seed: u64) -> Grammar {
        Grammar { random: Random::new(seed), only_static: false }
    }

    pub(super) fn pick(&mut self, all: &[&str]) -> String {
        (*self.random.pick(all)).to_owned()
    }

    fn some(&mut self, all: &[&str], most: usize) -> String {
        (0..self.random.below(most + 1)).map(|_| *self.random.pick(all)).collect()
    }

    pub(super) fn word(&mut self, depth: usize) -> String {
        let count = *self.random.pick(&[1, 1, 1, 2, 2, 3]);
        (0..count).map(|_| self.piece(depth)).collect()
    }

    fn piece(&mut self, depth: usize) -> String {
        match self.random.below(100) {
            0..55 => self.pick(TEXTS),
            55..63 => format!("'{}'", self.some(SINGLE, 3)),
            63..73 => self.double(depth),
            73..79 => format!("\\{}", self.pick(ESCAPED)),
            79..84 => format!("$'{}'", self.some(ANSI, 4)),
            84..86 => format!("$\"{}\"", self.pick(&["a", "b c", "'"])),
            _ if self.only_static => self.pick(&["a", "b", "c"]),
            86..89 => self.pick(PATTERNS),
            89..91 if depth > 0 => format!("{}({})", self.pick(&["<", ">"]), self.list(depth - 1)),
            _ => self.expansion(depth),
        }
    }

    fn double(&mut self, depth: usize) -> String {
        let mut text = String::from("\"");
        for _ in 0..self.random.below(5) {
            let expands = !self.only_static && self.random.percent(25);
            text += &if expands { self.expansion(depth) } else { self.pick(DOUBLE) };
        }
        text + "\""
    }

    pub(super) fn expansion(&mut self, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return self.pick(&["$x", "$1", "$?", "${x}", "$@", "$_", "$#"]);
        };
        match self.random.below(14) {
            0 => format!(
                "${}",
                self.pick(&["x", "y1", "@", "*", "#", "?", "-", "!", "0", "12", "_z"])
            ),
            1 => format!(
                "${{{}}}",
                self.pick(&[
                    "x", "1", "@", "#x", "!x", "x[0]", "x[@]", "#x[@]", "!x@", "10", "?", "#"
                ])
            ),
            2 => format!(
                "${{x{}{}}}",
                self.pick(&[":-", "-", ":=", "=", ":+", "+"]),
                self.inner(depth)
            ),
            3 => format!(
                "${{x{}{}}}",
                self.pick(&["#", "##", "%", "%%", "/", "//", "^", ",,"]),
                self.inner(depth)
            ),
            4 => format!(
                "${{x:{}}}",
                self.pick(&["1", "1:2", " -1", "$y", "$(c1 z)", "a?b:c", "0:$((1+1))"])
            ),
            5 => format!("${{x@{}}}", self.pick(&["Q", "U", "a", "Z"])),
            6..9 => format!(
                "$({}{}{})",
                self.pick(&["", " ", "\n"]),
                self.list(depth),
                self.pick(&["", " ", "\n", ";"])
            ),
            9 => format!("`{}`", self.list(depth).replace('\\', "\\\\").replace('`', "\\`")),
            10 => format!("$(({}))", self.arith(depth)),
            11 => format!("$[{}]", self.arith(depth)),
            12 => format!("$(({});{})", self.command(depth), self.command(depth)),
            _ => format!("${{x[{}]}}", self.arith(depth)),
        }
    }

    pub(super) fn arith(&mut self, depth: usize) -> String {
        if self.random.percent(20) { self.expansion(depth) } else { self.pick(ARITH) }
    }

    /// What stands after an operator in `${ … }`.
    fn inner(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.random.below(4) {
            text += &match self.random.below(8) {
                0 => format!("'{}'", self.some(SINGLE, 2)),
                1 => self.double(depth),
                2 | 3 => self.expansion(depth),
                _ => self.pick(&["a", " ", "*", "\\}", "{", "~", "/", "\\'", "\\\""]),
            };
        }
        text
    }
}
