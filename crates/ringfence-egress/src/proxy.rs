//! The proxy's port: HTTP, or SOCKS5 if the first byte says so.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpStream;

use crate::gate::Gate;
use crate::pool::Pool;

/// Serves one client.
pub(crate) async fn serve(
    _gate: Arc<Gate>,
    _pool: Arc<Pool>,
    stream: TcpStream,
    _client: SocketAddr,
) {
    drop(stream);
}
