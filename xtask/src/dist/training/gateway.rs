//! The gateway at work: a server that answers, and a client that calls it.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::{Failure, Outcome};

/// How many calls the client makes.
const CALLS: usize = 4000;

/// The task of this program that is the server.
const TASK: &str = "training-server";

/// Calls the server through the gateway, one call after the other.
pub(super) fn drive(gateway: &mut Command) -> Outcome {
    let failed = |error: io::Error| Failure(format!("training: the gateway: {error}"));
    let own = std::env::current_exe().map_err(failed)?;
    gateway.arg("--").arg(own).arg(TASK);
    let mut child = gateway.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let gone = || Failure("training: the gateway has no pipes".to_owned());
    let mut to = child.stdin.take().ok_or_else(gone)?;
    let mut from = BufReader::new(child.stdout.take().ok_or_else(gone)?);
    let mut answer = String::new();
    let mut call = |message: &str| -> Outcome {
        answer.clear();
        writeln!(to, "{message}").map_err(failed)?;
        from.read_line(&mut answer).map_err(failed)?;
        match answer.contains("\"result\"") {
            true => Ok(()),
            false => Err(Failure(format!("training: the gateway answered {message}: {answer}"))),
        }
    };
    call(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"training","version":"1"}}}"#,
    )?;
    call(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)?;
    for id in 2..CALLS {
        let input = match id % 3 {
            0 => r#"{"text":"a short text","count":3}"#,
            1 => {
                r#"{"text":"one of several lines\nand the next","tags":["a","b"],"deep":{"on":true}}"#
            }
            _ => r#"{"path":"src/part1.rs","limit":20}"#,
        };
        call(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"look_up","arguments":{input}}}}}"#
        ))?;
    }
    drop(to);
    child.wait().map_err(failed).map(drop)
}

/// The server: a tool that answers every call alike.
pub(crate) fn serve() -> Outcome {
    let failed = |error: io::Error| Failure(format!("training: the server: {error}"));
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(failed)?;
        let id = line.split_once("\"id\":").map(|(_, rest)| rest);
        let Some(id) = id.and_then(|rest| rest.split([',', '}']).next()) else { continue };
        let result = if line.contains("\"initialize\"") {
            r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"training","version":"1"}}"#
        } else if line.contains("\"tools/list\"") {
            r#"{"tools":[{"name":"look_up","description":"Looks something up.","inputSchema":{"type":"object"}}]}"#
        } else {
            r#"{"content":[{"type":"text","text":"what was looked up"}]}"#
        };
        writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#).map_err(failed)?;
        out.flush().map_err(failed)?;
    }
    Ok(())
}
