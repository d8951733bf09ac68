//! Ways out over sockets.

use super::{Attempt, Fence, check};

#[test]
fn attempts() {
    check("network::attempts", &[Fence::Trees, Fence::Changes, Fence::Hiding], ATTEMPTS);
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("the host's loopback", "socket.create_connection(('127.0.0.1',int(os.environ['TCP'])))"),
    Attempt::python("the host's loopback, version 6", "
s=socket.socket(socket.AF_INET6); s.connect(('::1',int(os.environ['TCP6'])))"),
    Attempt::python("the host's loopback, version 4 in 6", "
s=socket.socket(socket.AF_INET6); s.connect(('::ffff:127.0.0.1',int(os.environ['TCP'])))"),
    Attempt::python("any address of the host", "socket.create_connection(('0.0.0.0',int(os.environ['TCP'])))"),
    Attempt::python("data with the first packet", "
s=socket.socket(); s.sendto(b'x',0x20000000,('127.0.0.1',int(os.environ['TCP'])))"),
    Attempt::python("more than one path", "
s=socket.socket(socket.AF_INET,socket.SOCK_STREAM,262); s.connect(('127.0.0.1',int(os.environ['TCP'])))"),
    Attempt::python("a question to the host's resolver", "
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.connect(('127.0.0.1',int(os.environ['UDP'])))
s.send(b'x'); time.sleep(.05); s.send(b'x')"),
    Attempt::python("ports that the host listens at", "
port=':%04X '%int(os.environ['TCP']); assert port in open('/proc/self/net/tcp').read()"),
    Attempt::python("sockets of the host by their files", "assert O in open('/proc/self/net/unix').read()"),
    Attempt::python("cards", "assert [n for _,n in socket.if_nameindex() if n!='lo']"),
    Attempt::python("a route to another network", "
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.connect(('192.0.2.1',9)); assert s.getsockname()[0]"),
    Attempt::python("a raw socket", "socket.socket(socket.AF_INET,socket.SOCK_RAW,1)").by_root(),
    Attempt::python("a raw socket, version 6", "socket.socket(socket.AF_INET6,socket.SOCK_RAW,58)").by_root(),
    Attempt::python("packets", "socket.socket(17,socket.SOCK_RAW,0)").by_root(),
    Attempt::python("packets without their heads", "socket.socket(17,socket.SOCK_DGRAM,0)").by_root(),
    Attempt::python("express packets", "socket.socket(44,socket.SOCK_RAW,0)").by_root(),
    Attempt::python("the hypervisor", "socket.socket(40,socket.SOCK_STREAM,0)"),
    Attempt::python("netlink: sockets", "socket.socket(16,socket.SOCK_RAW,4)"),
    Attempt::python("netlink: transformations", "socket.socket(16,socket.SOCK_RAW,6)"),
    Attempt::python("netlink: audit", "socket.socket(16,socket.SOCK_RAW,9)"),
    Attempt::python("netlink: connector", "socket.socket(16,socket.SOCK_RAW,11)"),
    Attempt::python("netlink: packet filter", "socket.socket(16,socket.SOCK_RAW,12)"),
    Attempt::python("netlink: devices", "socket.socket(16,socket.SOCK_RAW,15)"),
    Attempt::python("netlink: generic", "socket.socket(16,socket.SOCK_DGRAM,16)"),
    Attempt::python("an abstract socket", "s=socket.socket(1); s.connect('\\0'+O)"),
    Attempt::python("a socket in the file system", "s=socket.socket(1); s.connect(O+'/stream'); secret(s.recv(99))"),
    Attempt::python("a socket, its descriptor from there", "
s=socket.socket(1); s.connect(O+'/stream'); secret(s.recvmsg(99,99)[0])"),
    Attempt::python("a datagram to a socket", "s=socket.socket(1,socket.SOCK_DGRAM); s.sendto(b'x',O+'/datagram')"),
    Attempt::python("a datagram by another name", "s=socket.socket(1,socket.SOCK_RAW); s.sendto(b'x',O+'/datagram')"),
    Attempt::python("a datagram from a pair", "
a,b=socket.socketpair(1,socket.SOCK_DGRAM); a.sendto(b'x',O+'/datagram')"),
    Attempt::python("a datagram from a pair by another name", "
a,b=socket.socketpair(1,socket.SOCK_RAW); a.sendto(b'x',O+'/datagram')"),
    Attempt::python("a datagram with flags", "
s=socket.socket(1,socket.SOCK_DGRAM|socket.SOCK_CLOEXEC|socket.SOCK_NONBLOCK); s.sendto(b'x',O+'/datagram')"),
    Attempt::python("a datagram, high bits in its family", "
f=call(41,0x100000001,2,0); socket.socket(fileno=f).sendto(b'x',O+'/datagram')"),
    Attempt::python("a message to a socket", "s=socket.socket(1,socket.SOCK_DGRAM); s.sendmsg([b'x'],[],0,O+'/datagram')"),
    Attempt::python("a protocol that nobody needs", "call(41,2,2,136)"),
    Attempt::python("a protocol that nobody needs, version 6", "call(41,10,2,136)"),
    Attempt::python("netlink: users", "socket.socket(16,socket.SOCK_RAW,2)"),
    Attempt::python("netlink: lookups", "socket.socket(16,socket.SOCK_RAW,10)"),
    Attempt::python("netlink: with high bits", "call(41,0x700000010,3,16)"),
    Attempt::python("a card's settings", "
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); b=bytearray(b'lo'.ljust(40,b'\\0')); fcntl.ioctl(s,0x8913,b); fcntl.ioctl(s,0x8914,bytes(b))").by_root(),
    Attempt::python("a route by request", "
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); reached(16,s.fileno(),0x890b,ctypes.create_string_buffer(120))").by_root(),
    Attempt::python("a card of one's own", "os.open('/dev/net/tun' if os.path.exists('/dev/net/tun') else '/dev/full',os.O_RDWR)").by_root(),
    Attempt::python("as if from anywhere", "s=socket.socket(); s.setsockopt(0,19,1)").by_root(),
    Attempt::python("a mark on packets", "s=socket.socket(); s.setsockopt(1,36,7)").by_root(),
    Attempt::python("a connection that is made up", "s=socket.socket(); s.setsockopt(6,19,1)").by_root(),
    Attempt::python("in the name of another process", "
a,b=socket.socketpair(); a.sendmsg([b'x'],[(1,2,struct.pack('3i',1,os.getuid(),os.getgid()))])").by_root(),
];
