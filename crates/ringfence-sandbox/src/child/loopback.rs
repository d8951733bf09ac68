//! The network of the tree: its own loopback, with ringfence's sockets on it.

use super::{Blueprint, Told};
use crate::sys::{self, Errno, at, at_mut, int, syscall};

/// The addresses that names are given inside: a range that is set aside for tests of networks.
const NAMES: [u8; 4] = [198, 18, 0, 1];
const NAMES_MASK: [u8; 4] = [255, 254, 0, 0];
const LOOPBACK: [u8; 4] = [127, 0, 0, 1];
const BACKLOG: usize = 1024;
/// Where the resolver's address is written, for all programs.
const RESOLV_CONF: &std::ffi::CStr = c"/etc/resolv.conf";
const RESOLV_CONF_COVER: &std::ffi::CStr = c"/proc/resolv.conf";

/// What a socket is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Purpose {
    /// The proxy is reached there.
    Proxy = 1,
    /// Connections of programs that know no proxy arrive there.
    Taken = 2,
    /// Names are asked for there.
    Resolver = 3,
}

/// Brings the loopback up.
pub(super) fn begin() -> sys::Result<()> {
    let socket = socket(libc::SOCK_DGRAM)?;
    let up = Request::flags(*b"lo\0\0", (libc::IFF_UP | libc::IFF_RUNNING) as i16);
    let done = ioctl(socket, libc::SIOCSIFFLAGS, &up);
    sys::close(socket);
    done
}

/// Opens what the supervisor serves.
pub(super) fn prepare(blueprint: &Blueprint) -> sys::Result<()> {
    let net = &blueprint.setup.net;
    if net.resolver {
        let socket = socket(libc::SOCK_DGRAM)?;
        ioctl(socket, libc::SIOCSIFADDR, &Request::address(*b"lo:1", NAMES))?;
        ioctl(socket, libc::SIOCSIFNETMASK, &Request::address(*b"lo:1", NAMES_MASK))?;
        sys::close(socket);
    }
    if let Some(port) = net.proxy {
        hand_over(blueprint, listen(LOOPBACK, port)?, Purpose::Proxy)?;
    }
    for (address, port) in &net.taken {
        hand_over(blueprint, listen(*address, *port)?, Purpose::Taken)?;
    }
    if net.resolver {
        let resolver = self::socket(libc::SOCK_DGRAM)?;
        bind(resolver, LOOPBACK, 53)?;
        hand_over(blueprint, resolver, Purpose::Resolver)?;
    }
    Ok(())
}

fn hand_over(blueprint: &Blueprint, socket: i32, purpose: Purpose) -> sys::Result<()> {
    let told = [Told::Sockets as u8, purpose as u8];
    let sent = sys::send(blueprint.frame.control, &told, &[socket]);
    sys::close(socket);
    sent
}

/// Writes down for programs where the resolver is.
pub(super) fn write_resolver() -> sys::Result<()> {
    let flags = libc::O_CREAT | libc::O_WRONLY;
    let file = sys::open_at(libc::AT_FDCWD, RESOLV_CONF_COVER, flags, 0o444)?;
    let written = sys::write(file, b"nameserver 127.0.0.1\noptions timeout:2 attempts:2\n");
    sys::close(file);
    written
}

/// Lays that where programs look; a link is followed to where the file lies.
pub(super) fn name_resolver() -> sys::Result<()> {
    match sys::mount(Some(RESOLV_CONF_COVER), RESOLV_CONF, None, libc::MS_BIND, None) {
        Err(Errno(libc::ENOENT)) => Ok(()),
        done => done,
    }
}

/// A connection to a port inside, for someone outside.
pub(super) fn dial(wanted: &[u8]) -> sys::Result<i32> {
    let port = port(wanted)?;
    let socket = socket(libc::SOCK_STREAM)?;
    let address = Address::new(LOOPBACK, port);
    let args = [int(socket), at(&raw const address), size_of::<Address>(), 0, 0, 0];
    // SAFETY: the kernel reads the address, whose size is said.
    match unsafe { syscall(libc::SYS_connect, args) } {
        Ok(_) => Ok(socket),
        Err(errno) => {
            sys::close(socket);
            Err(errno)
        }
    }
}

/// A socket that listens at an address of a name: the port, then the address.
pub(super) fn listen_at(wanted: &[u8]) -> sys::Result<i32> {
    let port = port(wanted)?;
    match wanted.get(2..6) {
        Some(&[a, b, c, d]) => listen([a, b, c, d], port),
        _ => Err(Errno(libc::EINVAL)),
    }
}

fn port(wanted: &[u8]) -> sys::Result<u16> {
    match wanted.get(..2) {
        Some(&[high, low]) => Ok(u16::from_be_bytes([high, low])),
        _ => Err(Errno(libc::EINVAL)),
    }
}

fn listen(address: [u8; 4], port: u16) -> sys::Result<i32> {
    let socket = socket(libc::SOCK_STREAM)?;
    bind(socket, address, port)?;
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_listen, [int(socket), BACKLOG, 0, 0, 0, 0]) }?;
    Ok(socket)
}

fn socket(kind: i32) -> sys::Result<i32> {
    let args = [libc::AF_INET as usize, (kind | libc::SOCK_CLOEXEC) as usize, 0, 0, 0, 0];
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_socket, args) }.map(|fd| fd as i32)
}

fn bind(socket: i32, address: [u8; 4], port: u16) -> sys::Result<()> {
    let address = Address::new(address, port);
    let args = [int(socket), at(&raw const address), size_of::<Address>(), 0, 0, 0];
    // SAFETY: the kernel reads the address, whose size is said.
    unsafe { syscall(libc::SYS_bind, args) }.map(drop)
}

fn ioctl(socket: i32, request: libc::c_ulong, about: &Request) -> sys::Result<()> {
    let mut about = *about;
    let args = [int(socket), request as usize, at_mut(&raw mut about), 0, 0, 0];
    // SAFETY: the structure is as long as the kernel's `ifreq`, and outlives the call.
    unsafe { syscall(libc::SYS_ioctl, args) }.map(drop)
}

/// An address as the kernel takes it: the numbers of the port and host in the network's order.
#[derive(Clone, Copy)]
#[repr(C)]
struct Address {
    family: u16,
    port: [u8; 2],
    host: [u8; 4],
    zero: [u8; 8],
}

impl Address {
    fn new(host: [u8; 4], port: u16) -> Address {
        Address { family: libc::AF_INET as u16, port: port.to_be_bytes(), host, zero: [0; 8] }
    }
}

/// A request about an interface: its name, then an address or flags.
#[derive(Clone, Copy)]
#[repr(C)]
struct Request {
    name: [u8; libc::IFNAMSIZ],
    address: Address,
    rest: [u8; 8],
}

impl Request {
    fn address(name: [u8; 4], host: [u8; 4]) -> Request {
        let [a, b, c, d] = name;
        let mut full = [0; libc::IFNAMSIZ];
        for (own, given) in full.iter_mut().zip([a, b, c, d]) {
            *own = given;
        }
        Request { name: full, address: Address::new(host, 0), rest: [0; 8] }
    }

    fn flags(name: [u8; 4], flags: i16) -> Request {
        let mut request = Request::address(name, [0; 4]);
        request.address.family = flags as u16;
        request
    }
}
