# secrets: numbers that nobody can guess.

import base64 as _base64
import random as _random
from hmac import compare_digest

__all__ = ["choice", "randbelow", "randbits", "SystemRandom", "token_bytes", "token_hex",
           "token_urlsafe", "compare_digest"]

SystemRandom = _random.SystemRandom
_source = SystemRandom()
choice, randbits = _source.choice, _source.getrandbits
DEFAULT_ENTROPY = 32


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _source.randrange(exclusive_upper_bound)


def token_bytes(nbytes=None):
    return _source.randbytes(DEFAULT_ENTROPY if nbytes is None else nbytes)


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    return _base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")
