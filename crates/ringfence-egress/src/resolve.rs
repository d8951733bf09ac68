//! Names to addresses, on the host's side.
//!
//! It must never be asked about a name that is refused: looking it up would already tell someone.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::apart::apart;

/// The addresses of a name, as they come.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Looks names up.
pub trait Resolve: Send + Sync {
    /// All addresses of a name in normal form.
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a>;
}

/// The host's own resolver, hosts file included.
#[derive(Debug, Clone, Copy)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let name = name.to_owned();
            let found = apart(move || (name.as_str(), 0).to_socket_addrs()).await??;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Names remembered at one time.
const REMEMBERED: usize = 1024;

/// A resolver with a short memory, so that a page's fifty requests look a name up once.
///
/// Only addresses are kept, never verdicts: each use is judged.
pub(crate) struct Remembering {
    resolve: Arc<dyn Resolve>,
    time: Duration,
    known: Mutex<HashMap<Box<str>, Known>>,
}

struct Known {
    addresses: Arc<[IpAddr]>,
    since: Instant,
}

impl Remembering {
    pub(crate) fn new(resolve: Arc<dyn Resolve>, time: Duration) -> Remembering {
        Remembering { resolve, time, known: Mutex::default() }
    }

    /// All addresses of a name, each once; never none.
    pub(crate) async fn resolve(&self, name: &str) -> io::Result<Arc<[IpAddr]>> {
        if let Some(addresses) = self.recall(name) {
            return Ok(addresses);
        }
        let mut addresses: Vec<IpAddr> = Vec::new();
        for address in self.resolve.resolve(name).await? {
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        if addresses.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
        }
        let addresses: Arc<[IpAddr]> = addresses.into();
        self.remember(name, &addresses);
        Ok(addresses)
    }

    fn recall(&self, name: &str) -> Option<Arc<[IpAddr]>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = known.get(name).filter(|known| known.since.elapsed() < self.time);
        fresh.map(|known| Arc::clone(&known.addresses))
    }

    fn remember(&self, name: &str, addresses: &Arc<[IpAddr]>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.retain(|_, known| known.since.elapsed() < self.time);
        }
        if known.len() < REMEMBERED {
            let entry = Known { addresses: Arc::clone(addresses), since: Instant::now() };
            known.insert(name.into(), entry);
        }
    }
}
