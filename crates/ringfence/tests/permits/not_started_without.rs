//! A command is no permit to start it.

use ringfence_exec::Fence;
use ringfence_mcp::Server;
use ringfence_sandbox::Command;

fn start(fence: &Fence, command: Command) {
    fence.run(command, false);
}

fn serve(mut command: std::process::Command) {
    let _ = Server::start(&mut command);
}

fn main() {}
