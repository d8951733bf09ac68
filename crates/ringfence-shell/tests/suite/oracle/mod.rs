//! Comparison with bash itself: lines drawn from a grammar and mutated from the corpus.
//!
//! `RINGFENCE_ORACLE_LINES` and `RINGFENCE_ORACLE_SEED` make a longer or another run.

mod bash;
mod commands;
mod differential;
mod effects;
mod mutate;
mod peers;
mod random;
mod shrink;
mod values;
mod words;
