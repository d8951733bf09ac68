//! Whole plans, as people read them.

use super::*;

const PROJECT: [&str; 9] = [
    "/home/u/proj/README.md",
    "/home/u/proj/.env",
    "/home/u/proj/api/.env.local",
    "/home/u/proj/api/.env.example",
    "/home/u/proj/certs/server.pem",
    "/home/u/.ssh/id_ed25519",
    "/home/u/.gitconfig",
    "/home/u/.config/git/ignore",
    "/etc/shadow",
];

#[test]
fn workspace() {
    let plan = make(&host(&PROJECT), profile("workspace"), true);
    println!("{plan}");
}
