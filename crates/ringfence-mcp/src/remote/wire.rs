//! Connections to a server: each is judged before it is made.

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::HOST;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use ringfence_egress::{Dialer, Unreached};
use ringfence_guard::Refusal;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::Address;

/// The most connections to one server at one time; further requests wait.
const MOST: usize = 128;
/// The most that wait for the next request.
const MOST_IDLE: usize = 8;
/// How long a server may take to agree on a secure connection.
const GREETING: Duration = Duration::from_secs(20);

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// The policy refuses the connection.
    Refused(Box<Refusal>),
    /// In words.
    Failed(String),
}

impl Fault {
    pub(super) fn because(reason: impl ToString) -> Fault {
        Fault::Failed(reason.to_string())
    }
}

/// The way to one server.
pub(super) struct Wire {
    address: Address,
    dialer: Dialer,
    room: Arc<Semaphore>,
    idle: Mutex<Vec<Sender>>,
}

type Sender = SendRequest<Full<Bytes>>;

/// The connection on which an answer comes.
pub(super) struct Lease {
    sender: Sender,
    _permit: OwnedSemaphorePermit,
}

impl Wire {
    pub(super) fn new(address: Address, dialer: Dialer) -> Wire {
        Wire { address, dialer, room: Arc::new(Semaphore::new(MOST)), idle: Mutex::default() }
    }

    /// Sends a request; the head of its answer. A request that reached no server is sent once more.
    pub(super) async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Response<Incoming>, Lease), Fault> {
        let permit = Arc::clone(&self.room).acquire_owned().await.map_err(Fault::because)?;
        *request.uri_mut() = self.address.path.parse().map_err(Fault::because)?;
        request.headers_mut().insert(HOST, self.address.authority.clone());
        while let Some(mut sender) = self.take() {
            // One that waited may have been closed from the other side.
            if sender.ready().await.is_err() {
                continue;
            }
            match sender.try_send_request(request).await {
                Ok(response) => return Ok((response, Lease { sender, _permit: permit })),
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(Fault::because(plain(error.error()))),
                },
            }
        }
        let mut sender = self.connect().await?;
        let response =
            sender.send_request(request).await.map_err(|error| Fault::because(plain(&error)))?;
        Ok((response, Lease { sender, _permit: permit }))
    }

    /// Keeps a connection whose answer was read to its end.
    pub(super) fn keep(&self, lease: Lease) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE && !lease.sender.is_closed() {
            idle.push(lease.sender);
        }
    }

    /// Closes all that wait.
    pub(super) fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Option<Sender> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    async fn connect(&self) -> Result<Sender, Fault> {
        let Address { host, port, secure, .. } = &self.address;
        let stream = self.dialer.dial(host, *port).await.map_err(|error| match error {
            Unreached::Refused(refused) => Fault::Refused(Box::new(refused.refusal)),
            Unreached::Failed(error) => Fault::Failed(format!("it is not reached: {error}")),
        })?;
        let Some(name) = secure else { return handshake(stream).await };
        let connector = TlsConnector::from(trusted().map_err(Fault::because)?);
        let secured = timeout(GREETING, connector.connect(name.clone(), stream)).await;
        let secured = secured.map_err(|_| Fault::because("it does not answer in time"))?;
        handshake(secured.map_err(|error| Fault::Failed(format!("it is not trusted: {error}")))?)
            .await
    }
}

async fn handshake(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) -> Result<Sender, Fault> {
    let mut builder = http1::Builder::new();
    builder.max_headers(100);
    let (sender, connection) =
        builder.handshake(TokioIo::new(stream)).await.map_err(Fault::because)?;
    // Its errors reach whoever waits for an answer.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

/// Whose certificates are trusted: what the system trusts, read once.
fn trusted() -> io::Result<Arc<ClientConfig>> {
    static TRUSTED: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(known) = TRUSTED.get() {
        return Ok(Arc::clone(known));
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(io::Error::other("this system trusts no certificate: install ca-certificates"));
    }
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    let config = Arc::new(config.with_root_certificates(roots).with_no_client_auth());
    Ok(Arc::clone(TRUSTED.get_or_init(|| config)))
}

/// An error of a connection, with what caused it.
fn plain(error: &hyper::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("the connection failed: {error}{}", cause.unwrap_or_default())
}
