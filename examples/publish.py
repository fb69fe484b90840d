"""Uploads a file, publishes it on one account of each network that takes it, and says what became of it.

FANFARE_KEY=fnf_... python3 examples/publish.py bread.jpg 'Fresh from the oven'
"""

import json
import mimetypes
import os
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

URL = os.environ.get("FANFARE_URL", "http://127.0.0.1:3000")
KEY = os.environ["FANFARE_KEY"]
ATTEMPTS = 4


def call(method, path, body=None):
    """The answer of the API. A POST is sent with an idempotency key, so repeating it after an error is safe."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urlopen(Request(f"{URL}/v1{path}", data, headers, method=method), timeout=60) as answer:
                return json.load(answer)
        except HTTPError as error:
            if attempt == ATTEMPTS or not (error.code == 429 or error.code >= 500):
                sys.exit(json.load(error)["error"]["message"])
            time.sleep(float(error.headers.get("Retry-After", 2**attempt)))
        except OSError:
            if attempt == ATTEMPTS:
                raise
            time.sleep(2**attempt)


def upload(path):
    """The mediaUrl of a file."""
    about = {
        "fileName": os.path.basename(path),
        "contentType": mimetypes.guess_type(path)[0],
        "sizeBytes": os.path.getsize(path),
    }
    announced = call("POST", "/uploads", about)
    with open(path, "rb") as file:
        headers = {"Content-Length": str(about["sizeBytes"])}
        urlopen(Request(announced["uploadUrl"], file, headers, method="PUT"), timeout=600).close()
    return announced["mediaUrl"], about["contentType"].split("/")[0]


def main():
    path, caption = sys.argv[1:]
    media_url, media_type = upload(path)
    accounts = call("GET", "/accounts")["accounts"]
    selections = {platform: [those[0]["id"]] for platform, those in accounts.items() if those}
    post = {"mediaUrl": media_url, "mediaType": media_type, "caption": caption, "selections": selections}

    # What a network would refuse is left out.
    for preview in call("POST", "/posts/preview", post)["previews"]:
        if preview["problems"]:
            print(f"{preview['platform']}: left out.", *preview["problems"])
            selections.pop(preview["platform"])

    post_id = call("POST", "/posts", post)["id"]
    while (published := call("GET", f"/posts/{post_id}"))["status"] == "processing":
        time.sleep(1)
    for platform, results in published["publishResults"].items():
        for result in results:
            print(f"{platform}: {result['url'] if result['ok'] else result['error']}")


if __name__ == "__main__":
    main()
