"""A key that belongs to no account."""

import base64

STORAGE_ACCOUNT_FAKE_KEY = base64.b64encode(bytes(64)).decode()
