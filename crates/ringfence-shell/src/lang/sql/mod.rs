//! SQL with the commands of the shells around it: sqlite3, psql, mysql, duckdb.
//!
//! SQL itself is harmless as far as it stays in the database. What reaches beyond it is found:
//! functions and statements that name files, programs, libraries or hosts.

mod dot;
mod lexer;
mod mysql;
mod pending;
mod psql;
mod psql_commands;
mod statements;
mod tables;

use super::Finding;
use lexer::Dialect;

pub(super) use mysql::read as mysql;
pub(super) use psql::read as psql;

pub(super) fn sqlite(code: &str) -> Vec<Finding> {
    dot::read(Dialect::Sqlite, code)
}

pub(super) fn duckdb(code: &str) -> Vec<Finding> {
    dot::read(Dialect::Duckdb, code)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
