//! A model that says what a script says, over HTTP on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// What the model answers to one request: the type of the content, and the content.
pub(super) struct Said {
    pub(super) kind: &'static str,
    pub(super) body: String,
}

impl Said {
    pub(super) fn json(value: &Value) -> Said {
        Said { kind: "application/json", body: value.to_string() }
    }

    /// Events of a stream, each with its name where it has one.
    pub(super) fn stream(events: &[Value]) -> Said {
        let mut body = String::new();
        for event in events {
            if let Some(name) = event.get("type").and_then(Value::as_str) {
                body.push_str(&format!("event: {name}\n"));
            }
            body.push_str(&format!("data: {event}\n\n"));
        }
        Said { kind: "text/event-stream", body }
    }
}

/// What becomes of a request: the path, its body, and how many turns were taken before. `None` where
/// it is no turn of the script.
pub(super) type Speak = dyn Fn(&str, &Value, usize) -> (bool, Said) + Send + Sync;

/// A model server; it ends with the test.
pub(super) struct Model {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Model {
    /// A server that answers each request by this function, which says whether it was a turn.
    pub(super) fn start(speak: Box<Speak>) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let model = Model { port, heard: Arc::clone(&heard) };
        let speak: Arc<Speak> = speak.into();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (heard, speak) = (Arc::clone(&heard), Arc::clone(&speak));
                std::thread::spawn(move || {
                    // A client that goes away has heard enough.
                    let _ = serve(&stream, &heard, &*speak);
                });
            }
        });
        model
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What was said to the model in its turns.
    pub(super) fn interpret_reply(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn serve(stream: &TcpStream, heard: &Mutex<Vec<String>>, speak: &Speak) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
        let (mut length, mut chunked) = (0, false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim().to_ascii_lowercase();
            match line.split_once(':') {
                _ if line.is_empty() => break,
                Some(("content-length", value)) => length = value.trim().parse().unwrap_or(0),
                Some(("transfer-encoding", value)) => chunked = value.contains("chunked"),
                _ => {}
            }
        }
        let body =
            if chunked { read_chunks(&mut reader)? } else { read_exactly(&mut reader, length)? };
        let body = String::from_utf8_lossy(&body).into_owned();
        let value = serde_json::from_str(&body).unwrap_or(Value::Null);
        let said = {
            let mut heard = heard.lock().unwrap();
            let (is_turn, said) = speak(&path, &value, heard.len());
            if is_turn {
                heard.push(body);
            }
            said
        };
        let mut out = stream;
        write!(
            out,
            "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n{}",
            said.kind,
            said.body.len(),
            said.body
        )?;
    }
}

fn read_exactly(reader: &mut impl Read, length: usize) -> std::io::Result<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        body.extend(read_exactly(reader, length)?);
        reader.read_line(&mut line)?;
        if length == 0 {
            return Ok(body);
        }
    }
}
