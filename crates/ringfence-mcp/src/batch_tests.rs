use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::{Batch, MOST};

/// Keeps each write for itself.
#[derive(Clone, Default)]
struct Writes(Arc<Mutex<Vec<Vec<u8>>>>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn lines_that_came_at_once_leave_at_once() {
    let writes = Writes::default();
    let batch = Batch::new(writes.clone());
    batch.add("a");
    batch.add("b");
    batch.flush();
    batch.flush();
    batch.add("c");
    batch.close();
    batch.add("d");
    batch.flush();
    assert_eq!(*writes.0.lock().unwrap(), [b"a\nb\n".to_vec(), b"c\n".to_vec()]);
}

#[test]
fn a_batch_does_not_grow_without_end() {
    let writes = Writes::default();
    let batch = Batch::new(writes.clone());
    batch.add(&"x".repeat(MOST));
    assert_eq!(writes.0.lock().unwrap().len(), 1);
}
