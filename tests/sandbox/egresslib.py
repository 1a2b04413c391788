# SPDX-License-Identifier: MIT
"""A network of a test's own: addresses of documentation ranges on a private
loopback, a hosts file, a name server and servers of the test's."""
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading

import sandboxlib as lib

HOSTS = """127.0.0.1 localhost
203.0.113.10 allowed.test other.test www.wild.test
10.9.8.7 private.test
203.0.113.10 mixed.test
127.0.0.1 mixed.test
169.254.169.254 meta.test
"""


def isolate(script):
    """Runs a script again in namespaces of its own."""
    os.environ["CORDON_EGRESS_TEST"] = "1"
    flags = "-nm" if lib.ROOT else "-Urnm"
    os.execvp("unshare", ["unshare", flags, sys.executable,
                          os.path.abspath(script)])


def network():
    run = lambda *a: subprocess.run(a, check=True)  # noqa: E731
    run("ip", "link", "set", "lo", "up")
    run("ip", "addr", "add", "203.0.113.10/32", "dev", "lo")
    run("ip", "addr", "add", "10.9.8.7/32", "dev", "lo")
    run("mount", "-t", "tmpfs", "none", "/mnt")
    for name, text in ("hosts", HOSTS), ("resolv.conf",
                                         "nameserver 203.0.113.10\n"):
        with open("/mnt/" + name, "w") as f:
            f.write(text)
        run("mount", "--bind", "/mnt/" + name,
            os.path.realpath("/etc/" + name))


class Web(threading.Thread):
    """Answers each connection with what it was asked, as JSON."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.server = socket.create_server(address)
        self.seen = []
        self.start()

    def run(self):
        while True:
            c, _ = self.server.accept()
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        c.settimeout(5)
        data = b""
        try:
            while b"\r\n\r\n" not in data:
                data += c.recv(65536) or b"\r\n\r\n"
            head, body = data.split(b"\r\n\r\n", 1)
            for line in head.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    want = int(line.split(b":")[1])
                    while len(body) < want:
                        body += c.recv(65536)
            c.settimeout(0.3)
            try:
                body += c.recv(65536)
            except OSError:
                pass
            self.seen.append(head.decode() + "\n\n" + body.decode())
            if b"/redirect" in head:
                c.sendall(b"HTTP/1.1 302 Found\r\nLocation: "
                          b"http://private.test/\r\nContent-Length: 0\r\n\r\n")
            elif b"/big" in head:
                c.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3000000)
            else:
                c.sendall(b"HTTP/1.1 200 OK\r\n\r\nhello")
        except OSError:
            pass
        c.close()


def certificates():
    """An authority of the test's, and a server's certificate by it; the
    machine trusts that authority alone."""
    run = lambda *a: subprocess.run(a, check=True,  # noqa: E731
                                    capture_output=True)
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-nodes", "-keyout", "/mnt/ca.key", "-out",
        "/mnt/ca.pem", "-subj", "/CN=test", "-days", "2")
    for name in "allowed.test", "stranger.test":
        with open("/mnt/names", "w") as f:
            f.write("subjectAltName=DNS:allowed.test")
        run("openssl", "req", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            f"/mnt/{name}.key", "-out", "/mnt/csr", "-subj", "/CN=" + name)
        sign = ["-CA", "/mnt/ca.pem", "-CAkey", "/mnt/ca.key",
                "-CAcreateserial"] if name == "allowed.test" else \
               ["-signkey", f"/mnt/{name}.key"]
        run("openssl", "x509", "-req", "-in", "/mnt/csr", *sign, "-days", "2",
            "-extfile", "/mnt/names", "-out", f"/mnt/{name}.pem")
    run("mount", "--bind", "/mnt/ca.pem",
        "/etc/ssl/certs/ca-certificates.crt")


class Secure(Web):
    """The same over TLS."""

    def __init__(self, address, name):
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(f"/mnt/{name}.pem", f"/mnt/{name}.key")
        super().__init__(address)

    def serve(self, c):
        try:
            super().serve(self.context.wrap_socket(c, server_side=True))
        except OSError:
            self.seen.append("handshake failed")


class Raw(threading.Thread):
    """Keeps what it was sent, answers nothing but "raw"."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.server = socket.create_server(address)
        self.seen = []
        self.start()

    def run(self):
        while True:
            c, _ = self.server.accept()
            c.settimeout(2)
            try:
                self.seen.append(c.recv(65536))
                c.sendall(b"raw")
            except OSError:
                pass
            c.close()


class Names(threading.Thread):
    """rebind.test is public the first time and private from then on."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("203.0.113.10", 53))
        self.asked = []
        self.start()

    def run(self):
        while True:
            data, peer = self.socket.recvfrom(512)
            name, at = [], 12
            while data[at]:
                name.append(data[at + 1:at + 1 + data[at]].decode())
                at += 1 + data[at]
            name, question = ".".join(name), data[12:at + 5]
            v4 = question[-3] == 1
            self.asked.append((name, v4))
            address = {"rebind.test": "203.0.113.10", "dns.test":
                       "203.0.113.10"}.get(name)
            if name == "rebind.test" and \
                    self.asked.count((name, True)) > 1:
                address = "127.0.0.1"
            answer = b""
            if address and v4:
                answer = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + \
                    socket.inet_aton(address)
            code = 0x8180 if address else 0x8183
            self.socket.sendto(
                data[:2] + struct.pack(">HHHHH", code, 1, bool(answer), 0, 0)
                + question + answer, peer)


def hello(name):
    """A real ClientHello, made by the ssl module."""
    out = ssl.MemoryBIO()
    context = ssl.create_default_context()
    context.check_hostname = False
    client = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


RAW = """
import socket, sys
s = socket.create_connection(('127.0.0.1', 3128)); s.settimeout(8)
for part in sys.argv[1:]:
    s.sendall(bytes.fromhex(part))
    try: print(ascii(s.recv(65536).decode('latin-1')))
    except OSError as e: print(type(e).__name__)
"""
