"""The reference of `tools/bench verify` for JWS: Apple's own library for Python, offline.

usage: apple_library.py SECONDS ROOT JWS-LINES; prints JWS a second of processor time
"""

import sys
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def main(limit: float, root: str, lines: str) -> None:
    with open(root, "rb") as file:
        roots = [file.read()]
    with open(lines, encoding="ascii") as file:
        signed = file.read().split()
    verifier = SignedDataVerifier(
        roots, False, Environment.PRODUCTION, "com.example.game", 1234567890
    )
    start = time.process_time()
    elapsed = 0.0
    verified = 0
    while elapsed < limit:
        for jws in signed:
            verifier.verify_and_decode_signed_transaction(jws)
        verified += len(signed)
        elapsed = time.process_time() - start
    print(round(verified / elapsed))


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2], sys.argv[3])
