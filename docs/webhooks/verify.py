import base64
import hashlib
import hmac
import re
import time

# Largest difference (s) between the two clocks. An older delivery is treated as a replay.
TOLERANCE = 300


def verify(secrets, headers, raw_body, now=None):
    """Return whether the Standard Webhooks headers contain a valid signature of this body.

    secrets: the webhook's secret; during a rotation, a list of both
    raw_body: the bytes as received: JSON that was parsed and serialized again is a different text
    now: seconds since 1970
    Raises ValueError if a secret is not valid, for example because its variable was not set.
    """
    keys = [base64.b64decode(secret[len("whsec_") :]) for secret in checked(secrets)]
    message_id = header(headers, "webhook-id")
    timestamp = header(headers, "webhook-timestamp")
    now = time.time() if now is None else now
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > TOLERANCE:
        return False
    given = header(headers, "webhook-signature").split(" ")
    content = f"{message_id}.{timestamp}.".encode() + raw_body
    digests = [hmac.new(key, content, hashlib.sha256).digest() for key in keys]
    return any(is_among(given, "v1," + base64.b64encode(digest).decode()) for digest in digests)


def verify_body(secrets, headers, raw_body, prefix="X-Service"):
    """The same for X-Service-Signature, which signs only the body: it covers neither the time nor any other header.

    Raises ValueError if a secret is not valid.
    """
    names = (f"{prefix}-Signature", f"{prefix}-Signature-Previous")
    given = [signature for name in names for signature in header(headers, name).split(" ")]
    digests = [hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest() for secret in checked(secrets)]
    return any(is_among(given, "sha256=" + digest) for digest in digests)


def checked(secrets):
    """With an empty key, anyone could sign."""
    listed = [secrets] if isinstance(secrets, str) else list(secrets)
    if not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,}={0,2}", secret) for secret in listed):
        raise ValueError("not the secret of a webhook")
    return listed


def is_among(given, expected):
    """Compare in constant time, so that the duration does not reveal how much is right."""
    return any(hmac.compare_digest(text.encode(), expected.encode()) for text in given)


def header(headers, name):
    return next((value for key, value in headers.items() if key.lower() == name.lower()), "")
