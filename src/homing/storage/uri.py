"""Addresses of folders elsewhere: `s3://key:secret@bucket/runs?region=eu-west-1&endpoint_override=host:9000`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from homing.core.errors import HomingError

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
SECRET = re.compile(r"(?i)secret|password|token|key|credential|signature|sas")
HIDDEN = "***"
ENDPOINT = "endpoint_override"
ENDPOINTS = ("endpoint", "endpoint_url", ENDPOINT)


def is_uri(text: str) -> bool:
    return SCHEME.match(text) is not None


def below(folder: str, name: str) -> str:
    """The address or path of something in a folder."""
    return Uri(folder).below(name) if is_uri(folder) else f"{folder.rstrip('/')}/{name}"


@dataclass(frozen=True)
class Uri:
    """An address whose parts can be told apart; what is secret in it is never shown."""

    text: str

    def below(self, name: str) -> str:
        """The address of something in the folder: the query stays at the end."""
        parts = self._parts
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{name}"))

    @property
    def _parts(self) -> SplitResult:
        try:
            return urlsplit(self.text)
        except ValueError as error:
            raise HomingError(f"the address of a folder cannot be read: {error}") from None

    @property
    def for_arrow(self) -> str:
        """As Arrow reads it: an endpoint has no scheme there, but one beside it."""
        parts = self._parts
        query = parse_qsl(parts.query, keep_blank_values=True)
        given = dict(query)
        fresh = [(name, value) for name, value in query if name not in ENDPOINTS]
        endpoint = next((given[name] for name in ENDPOINTS if name in given), None)
        if endpoint is not None:
            scheme, _, host = endpoint.rpartition("://")
            fresh.append((ENDPOINT, host.rstrip("/")))
            if scheme and "scheme" not in given:
                fresh.append(("scheme", scheme))
        return urlunsplit(parts._replace(path=parts.path.rstrip("/"), query=urlencode(fresh)))

    @property
    def shown(self) -> str:
        """The address without what is secret in it."""
        parts = self._parts
        host = parts.netloc.rpartition("@")[2]
        query = [
            (name, HIDDEN if SECRET.search(name) else self.hide(value))
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        ]
        return urlunsplit(parts._replace(netloc=host, query=urlencode(query, safe="/:*")))

    def hide(self, text: str) -> str:
        """A text, of an error for instance, without the secrets of the address."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return text

    @property
    def _secrets(self) -> set[str]:
        parts = self._parts
        user, _, _ = parts.netloc.rpartition("@")
        found = [user, *user.split(":", 1)]
        found += [value for name, value in parse_qsl(parts.query) if SECRET.search(name)]
        every = {form for each in found for form in (each, unquote(each), quote(unquote(each), safe=""))}
        return {each for each in every if each}
