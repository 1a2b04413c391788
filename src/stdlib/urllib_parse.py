# urllib.parse: addresses, their parts and their quoting.

from collections import namedtuple as _namedtuple

__all__ = ["urlparse", "urlunparse", "urljoin", "urldefrag", "urlsplit", "urlunsplit",
           "urlencode", "parse_qs", "parse_qsl", "quote", "quote_plus", "quote_from_bytes",
           "unquote", "unquote_plus", "unquote_to_bytes", "ParseResult", "SplitResult",
           "DefragResult"]

_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"
_SCHEME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."
_relative = _netloc = ("", "ftp", "http", "https", "file", "ws", "wss", "sftp", "git", "ssh")


class _Parts:
    def geturl(self):
        return urlunparse(self) if len(self) == 6 else urlunsplit(self)

    def _host(self):
        user, at, rest = self.netloc.rpartition("@")
        if rest.startswith("["):
            host, _, port = rest[1:].partition("]")
            return user if at else None, host, port[1:]
        host, _, port = rest.partition(":")
        return user if at else None, host, port

    @property
    def username(self):
        user = self._host()[0]
        return None if user is None else user.partition(":")[0]

    @property
    def password(self):
        user = self._host()[0]
        return None if user is None or ":" not in user else user.partition(":")[2]

    @property
    def hostname(self):
        host = self._host()[1]
        return host.lower() or None

    @property
    def port(self):
        port = self._host()[2]
        if not port:
            return None
        if not (port.isdigit() and port.isascii()):
            raise ValueError(f"Port could not be cast to integer value as {port!r}")
        if int(port) > 65535:
            raise ValueError("Port out of range 0-65535")
        return int(port)


class ParseResult(_Parts, _namedtuple("ParseResult", "scheme netloc path params query fragment")):
    __slots__ = ()


class SplitResult(_Parts, _namedtuple("SplitResult", "scheme netloc path query fragment")):
    __slots__ = ()


class DefragResult(_namedtuple("DefragResult", "url fragment")):
    __slots__ = ()

    def geturl(self):
        return self.url + ("#" + self.fragment if self.fragment else "")


def urlsplit(url, scheme="", allow_fragments=True):
    url = url.lstrip("".join(map(chr, range(33)))).translate({9: None, 10: None, 13: None})
    netloc = query = fragment = ""
    head, colon, rest = url.partition(":")
    if colon and head[:1].isascii() and head[:1].isalpha() and all(c in _SCHEME for c in head):
        scheme, url = head.lower(), rest
    if url.startswith("//"):
        end = min([at for at in (url.find(c, 2) for c in "/?#") if at >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, path, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ""
    if ";" in path.rpartition("/")[2] and scheme in (*_netloc, "tel", "sip"):
        at = path.find(";", path.rfind("/") + 1)
        path, params = path[:at], path[at + 1:]
    return ParseResult(scheme, netloc, path, params, query, fragment)


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    if netloc or scheme and scheme in _netloc and url[:2] != "//":
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + (netloc or "") + url
    if scheme:
        url = scheme + ":" + url
    return url + ("?" + query if query else "") + ("#" + fragment if fragment else "")


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    return urlunsplit((scheme, netloc, f"{url};{params}" if params else url, query, fragment))


def urljoin(base, url, allow_fragments=True):
    if not base or not url:
        return url or base
    b = urlparse(base, "", allow_fragments)
    u = urlparse(url, b.scheme, allow_fragments)
    if u.scheme != b.scheme or u.scheme not in _relative:
        return url
    if u.netloc:
        return urlunparse(u)
    if not u.path and not u.params:
        return urlunparse((u.scheme, b.netloc, b.path, b.params, u.query or b.query, u.fragment))
    steps = b.path.split("/")
    if steps[-1] != "":
        del steps[-1]
    if u.path.startswith("/"):
        steps = u.path.split("/")
    else:
        steps += u.path.split("/")
        steps[1:-1] = filter(None, steps[1:-1])
    out = []
    for step in steps:
        if step == "..":
            if out:
                out.pop()
        elif step != ".":
            out.append(step)
    if steps[-1] in (".", ".."):
        out.append("")
    return urlunparse((u.scheme, b.netloc, "/".join(out) or "/", u.params, u.query, u.fragment))


def urldefrag(url):
    if "#" not in url:
        return DefragResult(url, "")
    parts = urlparse(url)
    return DefragResult(urlunparse((*parts[:5], "")), parts.fragment)


def quote_from_bytes(bs, safe="/"):
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    safe = safe.decode("ascii", "ignore") if isinstance(safe, bytes) else safe
    keep = _SAFE + safe
    return "".join([chr(c) if c < 128 and chr(c) in keep else f"%{c:02X}" for c in bs])


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str):
        string = string.encode(encoding or "utf-8", errors or "strict")
    elif encoding is not None or errors is not None:
        raise TypeError("quote() doesn't support 'encoding' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    space = b" " if isinstance(string, bytes) else " "
    if space not in string:
        return quote(string, safe, encoding, errors)
    return quote(string, safe + " ", encoding, errors).replace(" ", "+")


def unquote_to_bytes(string):
    if isinstance(string, str):
        string = string.encode()
    first, *parts = string.split(b"%")
    out = [first]
    for part in parts:
        try:
            out.append(bytes([int(part[:2].decode("ascii") if len(part[:2]) == 2 else "x", 16)])
                       + part[2:])
        except ValueError:
            out.append(b"%" + part)
    return b"".join(out)


def unquote(string, encoding="utf-8", errors="replace"):
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding, errors)
    if "%" not in string:
        return string
    out, at = [], 0
    while at < len(string):
        end = at
        while end < len(string) and string[end].isascii():
            end += 1
        out.append(unquote_to_bytes(string[at:end]).decode(encoding, errors))
        at = end
        while end < len(string) and not string[end].isascii():
            end += 1
        out.append(string[at:end])
        at = end
    return "".join(out)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8",
              errors="replace", max_num_fields=None, separator="&"):
    if not separator or not isinstance(separator, str):
        raise ValueError("Separator must be of type string or bytes.")
    if max_num_fields is not None and max_num_fields < 1 + qs.count(separator):
        raise ValueError("Max number of fields exceeded")
    out = []
    for field in qs.split(separator) if qs else []:
        if not field and not strict_parsing:
            continue
        name, eq, value = field.partition("=")
        if not eq and strict_parsing:
            raise ValueError(f"bad query field: {field!r}")
        if value or keep_blank_values:
            out.append((unquote_plus(name, encoding, errors),
                        unquote_plus(value, encoding, errors)))
    return out


def parse_qs(qs, *args, **kwargs):
    found = {}
    for name, value in parse_qsl(qs, *args, **kwargs):
        found.setdefault(name, []).append(value)
    return found


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    if hasattr(query, "items"):
        query = query.items()
    elif isinstance(query, (str, bytes)) or not hasattr(query, "__len__"):
        raise TypeError("not a valid non-string sequence or mapping object")

    def one(x):
        if isinstance(x, bytes):
            return quote_via(x, safe)
        return quote_via(str(x), safe, encoding, errors)
    out = []
    for name, value in query:
        many = doseq and not isinstance(value, (str, bytes)) and hasattr(value, "__len__")
        for v in value if many else [value]:
            out.append(one(name) + "=" + one(v))
    return "&".join(out)
