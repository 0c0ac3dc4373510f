"""Addresses of folders elsewhere: parts in their places, secrets hidden."""

from __future__ import annotations

import pytest

from homing.storage.remote import Remote
from homing.storage.uri import Uri, below, is_uri

FULL = "s3://AKIA:se%2Fcret@bucket/runs?region=eu-west-1&endpoint_override=localhost:9000&scheme=http"


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("s3://bucket/runs", "s3://bucket/runs/m-1.spark"),
        ("s3://bucket/runs/", "s3://bucket/runs/m-1.spark"),
        ("s3://bucket", "s3://bucket/m-1.spark"),
        ("s3://bucket/runs?region=x", "s3://bucket/runs/m-1.spark?region=x"),
        (FULL, FULL.replace("runs?", "runs/m-1.spark?")),
        ("hdfs://host:8020/runs", "hdfs://host:8020/runs/m-1.spark"),
        ("/runs/", "/runs/m-1.spark"),
        ("runs", "runs/m-1.spark"),
    ],
)
def test_a_name_goes_before_the_query(folder: str, expected: str) -> None:
    assert below(folder, "m-1.spark") == expected


def test_what_is_an_address() -> None:
    assert is_uri("s3://bucket/x")
    assert not is_uri("/a/b")
    assert not is_uri("C:/x://")


@pytest.mark.parametrize("name", ["endpoint_override", "endpoint", "endpoint_url"])
@pytest.mark.parametrize("value", ["http://127.0.0.1:9000", "http://127.0.0.1:9000/", "http%3A%2F%2F127.0.0.1%3A9000"])
def test_an_endpoint_with_its_scheme(name: str, value: str) -> None:
    found = Uri(f"s3://bucket/runs?{name}={value}").for_arrow
    assert found == "s3://bucket/runs?endpoint_override=127.0.0.1%3A9000&scheme=http"


def test_secrets_are_not_shown() -> None:
    uri = Uri(FULL + "&secret_token=T0K")
    assert uri.shown == FULL.replace("AKIA:se%2Fcret@", "") + "&secret_token=***"
    for text in ("for AKIA:se%2Fcret@bucket", "key se/cret", "key se%2Fcret and AKIA", "token T0K"):
        hidden = uri.hide(text)
        assert "***" in hidden
        assert not any(secret in hidden for secret in ("se/cret", "se%2Fcret", "AKIA", "T0K"))


@pytest.mark.parametrize(
    "address",
    [
        "s3://AKIA:secret@bucket/runs?endpoint_override=http://[bad",
        "s3://AKIA:secret@bucket/runs?nonsense=1",
        "nowhere://AKIA:secret@bucket/runs",
        "s3://AKIA:secret@/runs",
    ],
)
def test_errors_do_not_show_them_either(address: str) -> None:
    with pytest.raises(OSError, match=r".") as found:
        Remote(address).make()
    assert "secret" not in str(found.value)
    assert "AKIA" not in str(found.value)
