//! `cargo xtask bench egress`: what ringfence's proxy costs, beside tinyproxy and squid.
//!
//! All three are asked for the same by the same clients, in turns, with nothing but the proxy in
//! between. An answer that is not the expected one stops the run: a refusal looks fast.

mod client;
mod origin;
mod own;
mod proxy;
mod report;

use std::error::Error;
use std::process::ExitCode;

use client::Work;
use origin::Origin;
use proxy::{Kind, Proxy};

/// How often the proxies take turns at each kind of work.
const ROUNDS: usize = 5;

/// Figures of one proxy at one kind of work, one for each round.
#[derive(Debug, Default, Clone)]
pub struct Figures {
    /// Tunnels or requests, or megabytes, in a second.
    pub rates: Vec<f64>,
    /// Microseconds of processor time for each of them.
    pub costs: Vec<f64>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, port] = &arguments[..]
        && flag == "--serve"
    {
        own::serve(port.parse()?)?;
    }
    let origin = Origin::start()?;
    let wanted = |kind: &Kind| {
        arguments.is_empty() || arguments.iter().any(|name| kind.name().starts_with(name.as_str()))
    };
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(wanted).collect();
    let proxies = kinds.iter().map(|kind| Proxy::start(*kind)).collect::<Result<Vec<_>, _>>()?;
    let mut figures = vec![vec![Figures::default(); kinds.len()]; Work::ALL.len()];
    for (work, figures) in Work::ALL.into_iter().zip(&mut figures) {
        for round in 0..=ROUNDS {
            for (proxy, figures) in proxies.iter().zip(figures.iter_mut()) {
                let before = proxy.processor_time()?;
                let done = client::run(work, proxy.address, &origin)?;
                let spent = proxy.processor_time()? - before;
                // The first round fills caches and does not count.
                if round > 0 {
                    figures.rates.push(done.count / done.seconds);
                    figures.costs.push(spent * 1e6 / done.count);
                }
                eprintln!(
                    "{}, {}: {:.0} {}",
                    work.name(),
                    proxy.kind.name(),
                    done.count / done.seconds,
                    work.unit()
                );
            }
        }
    }
    Ok(report::print(&kinds, &mut figures))
}
