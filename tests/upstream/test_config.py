"""How to reach upstream: addresses and dialects."""

import pytest

from upstream.config import UpstreamConfig
from upstream.dialects import DIALECTS


@pytest.mark.parametrize(
    "base",
    ["", "sms.example", "ftp://sms.example", "https://", "https://sms.example/", "https://u:p@sms",
     "https://sms.example?a=b", "https://sms.example#a", "file:///etc/passwd"],
)  # fmt: skip
def test_an_invalid_address_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="UPSTREAM_URL"):
        UpstreamConfig(base_url=base)


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="latin"):
        UpstreamConfig(base_url="https://sms.example", dialects={"": "latin"})


def test_each_school_may_have_its_own_dialect() -> None:
    made = UpstreamConfig(
        base_url="https://sms.example", dialects={"": "specified", "nyvang": "observed"}
    )
    assert made.dialect("nyvang") is DIALECTS["observed"]
    assert made.dialect("bjorkdalen") is DIALECTS["specified"]
