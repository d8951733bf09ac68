//! A permit to connect opens no file.

use ringfence_guard::{ConnectHost, OpenFile, Permit};

fn open(permit: Permit<ConnectHost>) {
    let _ = permit.open();
}

fn unjudged(file: OpenFile) {
    let _ = file.open();
}

fn main() {}
