"""A headless Chromium, driven over the pipe of its debugging protocol without any package."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = os.environ.get("PARQPROOF_CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--remote-debugging-pipe"]
SECONDS = 60


class Browser:
    """One page. `complaints` collects the messages of its console, `requests` the requested addresses."""

    def __init__(self):
        self.complaints, self.requests, self.last, self.unread = [], [], 0, b""
        self.profile = tempfile.mkdtemp()
        from_us, self.to_browser = os.pipe()
        self.from_browser, to_us = os.pipe()

        def take_pipes():  # the browser reads from 3 and writes to 4
            first, second = os.dup(from_us), os.dup(to_us)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen([PROGRAM, *FLAGS, f"--user-data-dir={self.profile}"], preexec_fn=take_pipes, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def next(self):
        until = time.monotonic() + SECONDS
        while b"\0" not in self.unread:
            if not select.select([self.from_browser], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_browser, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.unread += piece
        text, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, about):
        if event == "Runtime.consoleAPICalled":
            self.complaints.append(f"{about['type']}: {[one.get('value') for one in about['args']]}")
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(about["exceptionDetails"].get("exception", {}).get("description", str(about)))
        elif event == "Log.entryAdded":
            self.complaints.append(about["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def open(self, path, part="", width=1280, height=900, dark=False, media=""):
        """Loads a page, and waits until its script has ended; returns the time in ms."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + part)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            ready = self.ask("document.documentElement?.dataset.ready ?? null")
            if ready is not None:
                return float(ready)
            time.sleep(0.02)
        raise TimeoutError(f"the page is not ready: {self.complaints}")

    def ask(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description"))
        return result["result"].get("value")

    def text(self, selector="main"):
        return self.ask(f"document.querySelector({json.dumps(selector)}).innerText")

    def click(self, selector, text=None):
        """Clicks the middle of the first visible element with this text, like a mouse."""
        at = self.ask(f"""(() => {{
          const one = [...document.querySelectorAll({json.dumps(selector)})].find((e) => ({json.dumps(text)} === null || e.textContent.trim() === {json.dumps(text)}) && e.checkVisibility());
          if (!one) return null;
          one.scrollIntoView({{ block: 'center' }});
          const box = one.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        if at is None:
            raise LookupError(f"nothing to click: {selector} {text or ''}")
        for event in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=event, x=at[0], y=at[1], button="left", clickCount=1)
        return self.ask("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def press(self, key, text=""):
        for event in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=event, key=key, **({"text": text} if event == "keyDown" and text else {}))

    def picture(self, path, full_page=False):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=full_page)["data"]))

    def paper(self):
        """The page as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
