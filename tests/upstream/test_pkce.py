"""PKCE pairs and states."""

import re

from upstream import pkce


def test_the_challenge_is_that_of_rfc_7636_appendix_b() -> None:
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert pkce.challenge_of(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_every_pair_is_new_and_matches() -> None:
    pairs = [pkce.make_pair() for _ in range(50)]
    assert len({pair.verifier for pair in pairs}) == 50
    for pair in pairs:
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}", pair.verifier)
        assert pair.challenge == pkce.challenge_of(pair.verifier)


def test_the_repr_hides_the_verifier() -> None:
    pair = pkce.make_pair()
    assert pair.verifier not in repr(pair)


def test_a_state_is_sixteen_random_bytes_in_hex() -> None:
    states = {pkce.make_state() for _ in range(50)}
    assert len(states) == 50
    assert all(re.fullmatch(r"[0-9a-f]{32}", state) for state in states)
