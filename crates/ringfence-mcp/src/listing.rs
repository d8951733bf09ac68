//! All tools of a server, asked for in so many words.

use std::io::{BufRead, BufReader};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ringfence_guard::strict_json;
use serde_json::{Value, json};

use crate::lines::{self, LONGEST, Line};
use crate::server::{Server, part};

/// How long a server may take for all of it.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take to end.
const PARTING: Duration = Duration::from_secs(2);
/// The most pages of a list.
const MOST_PAGES: usize = 1000;

/// The definitions of a server's tools, by name; the server is ended. An error is words for a
/// message.
pub fn tools_of(server: Server) -> Result<Vec<(String, Value)>, String> {
    let Server { mut input, output, mut process } = server;
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut say = |message: Value| {
            let line = format!("{message}\n");
            input.write_all(line.as_bytes()).and_then(|()| input.flush()).map_err(|e| e.to_string())
        };
        let _ = tell.send(list(&mut say, &mut output));
    });
    let listed = told.recv_timeout(PATIENCE);
    part(&mut *process, PARTING);
    listed.unwrap_or_else(|_| Err("the server does not answer".to_owned()))
}

fn list(
    say: &mut dyn FnMut(Value) -> Result<(), String>,
    output: &mut impl BufRead,
) -> Result<Vec<(String, Value)>, String> {
    let about = json!({ "name": "ringfence", "version": env!("CARGO_PKG_VERSION") });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
    say(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))?;
    answer(output, 0)?;
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let mut tools = Vec::new();
    let mut params = json!({});
    for id in 1..=MOST_PAGES {
        say(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params }))?;
        let page = answer(output, id)?;
        for tool in page.get("tools").and_then(Value::as_array).into_iter().flatten() {
            let name = tool.get("name").and_then(Value::as_str);
            tools.push((name.ok_or("a tool has no name")?.to_owned(), tool.clone()));
        }
        match page.get("nextCursor") {
            None | Some(Value::Null) => return Ok(tools),
            Some(cursor) => params = json!({ "cursor": cursor }),
        }
    }
    Err("its list has no end".to_owned())
}

/// The result of a request; whatever else the server says meanwhile is nobody's business.
fn answer(output: &mut impl BufRead, id: usize) -> Result<Value, String> {
    loop {
        let line = match lines::next(output, LONGEST) {
            Ok(Line::Text(line)) => line,
            Ok(Line::End) | Err(_) => return Err("the server has ended".to_owned()),
            Ok(Line::TooLong | Line::NoText) => return Err("the server sent no message".to_owned()),
        };
        if line.trim().is_empty() {
            continue;
        }
        let mut message = strict_json::read(&line)?;
        if message.get("id").and_then(Value::as_u64) != u64::try_from(id).ok() {
            continue;
        }
        if let Some(error) = message.get("error") {
            return Err(format!("the server answers with an error: {error}"));
        }
        if let Some(result) = message.get_mut("result") {
            return Ok(result.take());
        }
    }
}
