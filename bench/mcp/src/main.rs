//! `cargo xtask bench mcp`: what the gateway adds to the calls of a real MCP server.
//!
//! The server is server-everything, as `cargo xtask test` installs it; its tool `echo` is called
//! directly and through the gateway, in turns, all of it on one core.

mod peer;

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench_measure::{Table, build_product, percentile};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use peer::{Peer, Place};

/// How often each takes its turn.
const TURNS: usize = 20;
/// The calls of one turn, one after the other.
const CALLS: usize = 100;
/// How long one turn with several calls in flight lasts.
const FLIGHT: Duration = Duration::from_millis(400);
/// How many calls are in flight.
const IN_FLIGHT: usize = 16;
/// The calls over which the gateway's memory is watched, and those after which it counts.
const MANY: usize = 100_000;
const FIRST: usize = 10_000;

/// At most so many times the direct call.
const LATENCY: f64 = 1.6;
/// At least this share of the direct calls per second.
const RATE: f64 = 0.8;
/// By so much the gateway may grow, in kilobytes.
const GROWTH: u64 = 2048;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let gateway = build_product()?;
    let mut core = CpuSet::new();
    core.set(0)?;
    sched_setaffinity(Pid::from_raw(0), &core)?;
    let place = Place::open()?;
    let mut direct = Peer::start(&place, None)?;
    let mut through = Peer::start(&place, Some(&gateway))?;
    let (mut latencies, mut rates) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for turn in 0..TURNS {
        eprintln!("turn {} of {TURNS}", turn + 1);
        for (peer, (latencies, rates)) in
            [&mut direct, &mut through].into_iter().zip(latencies.iter_mut().zip(&mut rates))
        {
            for _ in 0..CALLS {
                let start = Instant::now();
                peer.call(1)?;
                latencies.push(start.elapsed().as_secs_f64() * 1e6);
            }
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed() < FLIGHT {
                calls += peer.flight(IN_FLIGHT, 64)?;
            }
            rates.push(calls as f64 / start.elapsed().as_secs_f64());
        }
    }
    eprintln!("{MANY} calls");
    through.flight(IN_FLIGHT, FIRST)?;
    let before = through.kilobytes()?;
    through.flight(IN_FLIGHT, MANY - FIRST)?;
    let after = through.kilobytes()?;
    let [alone, judged] = latencies.map(|mut own| percentile(&mut own, 0.5));
    let [alone_rate, judged_rate] = rates.map(|mut own| percentile(&mut own, 0.5));
    let mut table = Table::new(["echo", "median µs", "calls/s, 16 in flight"]);
    table.push(["direct".to_owned(), format!("{alone:.0}"), format!("{alone_rate:.0}")]);
    table.push(["gateway".to_owned(), format!("{judged:.0}"), format!("{judged_rate:.0}")]);
    println!("{table}");
    println!("memory: {before} kB after {FIRST} calls, {after} kB after {MANY}\n");
    let goals = [
        ("median beside direct", judged / alone, judged / alone <= LATENCY, "at most 1.6"),
        (
            "rate beside direct",
            judged_rate / alone_rate,
            judged_rate / alone_rate >= RATE,
            "at least 0.8",
        ),
        (
            "growth in MB",
            after.saturating_sub(before) as f64 / 1024.0,
            after.saturating_sub(before) <= GROWTH,
            "at most 2",
        ),
    ];
    for (goal, figure, holds, wanted) in goals {
        println!("{} {goal}: {figure:.2} ({wanted})", if holds { "ok  " } else { "MISS" });
    }
    Ok(if goals.iter().all(|(_, _, holds, _)| *holds) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
