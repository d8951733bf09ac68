import os, sys, ctypes, socket, struct, time, signal, errno, threading, mmap, fcntl
libc = ctypes.CDLL(None, use_errno=True)
O, P, R = os.environ['O'], os.environ['P'], os.environ['R']
S = O + '/secret'
VICTIM = int(os.environ['VICTIM'])
def call(number, *args):
    args = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    answer = libc.syscall(ctypes.c_long(number), *args)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer
def secret(data):
    assert b'outside-secret' in bytes(data), data
def reached(number, *args):
    "The call does something else than refusing, if only to find its arguments wrong."
    try: call(number, *args)
    except OSError as e: assert e.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS), e
print('begun', flush=True)
