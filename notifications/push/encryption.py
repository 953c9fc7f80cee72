"""The encryption of a push for one subscription (RFC 8291, `aes128gcm` of RFC 8188).

`http-ece` does the same, and cannot be installed from a wheel.
"""

import os
import struct
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_RECORD_BYTES: Final = 4096
_SALT_BYTES: Final = 16
# After the content: this is the last record.
_END: Final = b"\x02"


def encrypt(
    content: bytes,
    *,
    p256dh: bytes,
    auth: bytes,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """The body of the request, in one record: push services take at most 3,993 bytes of content.

    `p256dh` is the subscription's public key (an uncompressed point, else `ValueError`) and `auth`
    its secret. `key` and `salt` are new ones except in a test.
    """
    key = key or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(_SALT_BYTES)
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)
    shared = key.exchange(ec.ECDH(), peer)
    secret = _derive(shared, salt=auth, info=b"WebPush: info\x00" + p256dh + public, length=32)
    content_key = _derive(secret, salt=salt, info=b"Content-Encoding: aes128gcm\x00", length=16)
    nonce = _derive(secret, salt=salt, info=b"Content-Encoding: nonce\x00", length=12)
    header = salt + struct.pack("!IB", _RECORD_BYTES, len(public)) + public
    return header + AESGCM(content_key).encrypt(nonce, content + _END, None)


def _derive(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
