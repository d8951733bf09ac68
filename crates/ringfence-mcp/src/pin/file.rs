//! Pins in a file of ringfence's own records.

use ringfence_guard::strict_json;
use ringfence_guard::world::{PolicyLocations, RecordFile};
use serde_json::{Value, json};

use super::{PinStore, Pins};

/// The version of the form.
const VERSION: u64 = 1;
/// The longest file that is read, in bytes.
const LONGEST: usize = 16 << 20;

/// The file that keeps the pins of a user.
#[derive(Debug, Clone)]
pub struct PinFile(RecordFile);

impl PinFile {
    /// The file at these places.
    pub fn new(places: &PolicyLocations) -> PinFile {
        PinFile(RecordFile::new(places, "mcp-pins.json", LONGEST))
    }

    /// Where it lies.
    pub fn path(&self) -> String {
        self.0.path()
    }

    fn bad(&self, reason: &str) -> String {
        format!("`{}` cannot be used: {reason}", self.path())
    }
}

impl PinStore for PinFile {
    fn load(&self) -> Result<Pins, String> {
        self.0.read().and_then(parse).map_err(|reason| self.bad(&reason))
    }

    fn change(&self, change: &mut dyn FnMut(&mut Pins)) -> Result<(), String> {
        let changed = self.0.change(|before| {
            let mut pins = parse(before)?;
            change(&mut pins);
            let servers = serde_json::to_value(pins.servers).map_err(|error| error.to_string())?;
            Ok(format!("{:#}\n", json!({ "version": VERSION, "servers": servers })).into_bytes())
        });
        changed.map_err(|reason| self.bad(&reason))
    }
}

fn parse(bytes: Option<Vec<u8>>) -> Result<Pins, String> {
    let Some(bytes) = bytes else { return Ok(Pins::default()) };
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut value = strict_json::read(&text)?;
    let fields = value.as_object_mut().ok_or("it is no object")?;
    if fields.remove("version").and_then(|own: Value| own.as_u64()) != Some(VERSION) {
        return Err("its version is not known".to_owned());
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}
