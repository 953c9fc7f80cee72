"""The encryption of pushes against the example of RFC 8291, appendix A."""

from cryptography.hazmat.primitives.asymmetric import ec

from notifications.push.encryption import encrypt
from tests.notifications.web_push import from_base64, to_base64

CONTENT = b"When I grow up, I want to be a watermelon"
SENDER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard() -> None:
    secret = int.from_bytes(from_base64(SENDER_KEY))
    body = encrypt(
        CONTENT,
        p256dh=from_base64(P256DH),
        auth=from_base64(AUTH),
        key=ec.derive_private_key(secret, ec.SECP256R1()),
        salt=from_base64(SALT),
    )
    assert to_base64(body) == BODY
