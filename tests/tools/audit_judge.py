#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verifies an audit log without any of our code: audit_judge.py DIR [KEYFILE]

Written from docs/audit.md alone: the chain of SHA-256 hashes, the Merkle tree
of RFC 6962, checkpoints in the C2SP signed-note form, Ed25519 by RFC 8032.
Prints the number of events and checkpoints, or what is wrong and where.
"""
import base64
import hashlib
import json
import os
import sys

# -- Ed25519 (RFC 8032, section 5.1) -----------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(n, p):
    q = (0, 1, 1, 0)
    while n:
        if n & 1:
            q = add(q, p)
        p = add(p, p)
        n >>= 1
    return q


def equal(p, q):
    return ((p[0] * q[2] - q[0] * p[2]) % P == 0 and
            (p[1] * q[2] - q[1] * p[2]) % P == 0)


def decompress(text):
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def verify(key, message, signature):
    a, r = decompress(key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(),
                       "little") % L
    return equal(multiply(s, BASE), add(r, multiply(h, a)))


# -- the log -------------------------------------------------------------------

NAME = b"cordon/audit"


class Wrong(Exception):
    pass


class Tree:
    """The roots of complete subtrees on the right edge (RFC 6962)."""

    def __init__(self):
        self.edge, self.size = [], 0

    def add(self, leaf):
        node, size = hashlib.sha256(b"\0" + leaf).digest(), self.size
        while size & 1:
            node = hashlib.sha256(b"\1" + self.edge.pop() + node).digest()
            size >>= 1
        self.edge.append(node)
        self.size += 1

    def root(self):
        if not self.edge:
            return hashlib.sha256(b"").digest()
        node = self.edge[-1]
        for left in reversed(self.edge[:-1]):
            node = hashlib.sha256(b"\1" + left + node).digest()
        return node


def read_key(path):
    with open(path, "rb") as f:
        name, key_id, text = f.read().strip().split(b"+", 2)
    raw = base64.b64decode(text, validate=True)
    if name != NAME or raw[:1] != b"\1" or len(raw) != 33:
        raise Wrong(f"{path}: not an Ed25519 verifier key of the log")
    if hashlib.sha256(NAME + b"\n" + raw).digest()[:4].hex() != key_id.decode():
        raise Wrong(f"{path}: its id is not that of its key")
    return raw[1:]


def read_checkpoints(path, key):
    with open(path, "rb") as f:
        blocks = f.read().split(b"\n\n")
    if blocks.pop() != b"" or len(blocks) % 2:
        raise Wrong("checkpoints: cut short")
    for number in range(0, len(blocks), 2):
        body, line = blocks[number] + b"\n", blocks[number + 1]
        start = "— ".encode() + NAME + b" "
        signature = base64.b64decode(line[len(start):])
        if not line.startswith(start) or len(signature) != 68:
            raise Wrong(f"checkpoint {number // 2 + 1}: no signature")
        if not verify(key, body, signature[4:]):
            raise Wrong(f"checkpoint {number // 2 + 1}: wrong signature")
        name, size, root = body.rstrip(b"\n").split(b"\n")
        if name != NAME:
            raise Wrong(f"checkpoint {number // 2 + 1}: of another log")
        yield int(size), base64.b64decode(root)


def judge(folder, key_file=None):
    key = read_key(key_file or os.path.join(folder, "key.pub"))
    points = list(read_checkpoints(os.path.join(folder, "checkpoints"), key))
    wanted = dict(points)
    tree, last = Tree(), "0" * 64
    with open(os.path.join(folder, "events.jsonl"), "rb") as f:
        for number, line in enumerate(f, 1):
            if not line.endswith(b"\n"):
                raise Wrong(f"event {number}: torn")
            line = line[:-1]
            event = json.loads(line)
            body, mark, rest = line.rpartition(b',"sha256":"')
            digest = hashlib.sha256(body + b"}").hexdigest()
            if not mark or rest != digest.encode() + b'"}':
                raise Wrong(f"event {number}: altered")
            if event["seq"] != number or event["prev"] != last:
                raise Wrong(f"event {number}: does not follow the one before")
            last = digest
            tree.add(line)
            if number in wanted and wanted[number] != tree.root():
                raise Wrong(f"event {number}: checkpoint with another root")
    if points and max(wanted) > tree.size:
        raise Wrong(f"{max(wanted) - tree.size} signed events are missing")
    return tree.size, len(points), max(wanted, default=0)


def main():
    try:
        events, checkpoints, signed = judge(*sys.argv[1:])
    except Wrong as wrong:
        print("wrong:", wrong)
        return 1
    print(f"ok: {events} events, {checkpoints} checkpoints, {signed} signed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
