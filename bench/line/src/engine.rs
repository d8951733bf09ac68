//! What is measured on a line: the bare parse, another parser, and the whole way to a verdict.

use std::hint::black_box;

use brush_parser::{ParserOptions, TokenizerOptions, parse_tokens, uncached_tokenize_str};

use crate::corpus::Line;

/// One way to take a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Our tree of the line.
    Parse,
    /// brush's tokens and tree of the line; the insides of its words stay text.
    Brush,
    /// From the line to its verdict: parse, effects, decision.
    Whole,
}

impl Engine {
    /// All of them, in the order of the tables.
    pub const ALL: [Engine; 3] = [Engine::Parse, Engine::Brush, Engine::Whole];

    /// The name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Parse => "parse",
            Engine::Brush => "brush-parser",
            Engine::Whole => "verdict",
        }
    }

    /// Takes the line once; the answer is whether it was well.
    pub fn run(self, line: &Line) -> bool {
        match self {
            Engine::Parse => black_box(ringfence_shell::parse(&line.text)).is_ok(),
            Engine::Brush => {
                let tokens = uncached_tokenize_str(&line.text, &TokenizerOptions::default());
                let parse = |tokens: Vec<_>| parse_tokens(&tokens, &ParserOptions::default());
                tokens.is_ok_and(|tokens| black_box(parse(tokens)).is_ok())
            }
            Engine::Whole => {
                let judgement = line.guard.consider(&line.call);
                black_box(judgement).verdict.effect == ringfence_core::Effect::Allow
            }
        }
    }
}
