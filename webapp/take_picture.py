"""Take the picture of the README: `make demo` in one terminal, and in another

.venv/bin/python webapp/take_picture.py [URL]

It shows the app on three phones. The picture is written to docs/web-app.webp.
"""

import base64
import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
PICTURE = Path(__file__).resolve().parent.parent / "docs/web-app.webp"
PHONE: ViewportSize = {"width": 360, "height": 740}
FRAME = """<style>
  body { margin: 0; display: flex; gap: 40px; padding: 40px; width: max-content;
         background: linear-gradient(120deg, #ece8ff, #faf7f2 60%, #fbe8c8); }
  img { width: 360px; border-radius: 28px; box-shadow: 0 12px 40px rgb(40 30 60 / 25%); }
</style>"""


def sign_in(page: Page) -> None:
    page.goto(f"{URL}/app/")
    page.get_by_role("combobox").fill("Björkdal")
    page.get_by_role("option").first.click()
    page.locator("[name=username]").fill("elsa.nordvall")
    page.locator("[name=password]").fill("elsa-demo")
    page.locator("form button").click()
    page.get_by_role("navigation").wait_for()


def shots(browser: Browser) -> list[bytes]:
    """Today and a group in the light theme, a note in the dark one."""
    taken = []
    light = browser.new_context(
        viewport=PHONE, locale="en-GB", device_scale_factor=2, is_mobile=True, has_touch=True
    )
    page = light.new_page()
    sign_in(page)
    page.locator(".countdown").first.wait_for()
    taken.append(page.screenshot())
    page.get_by_role("link", name="Chats").click()
    page.get_by_role("link", name="Grupparbete").click()
    page.locator(".bubble").first.wait_for()
    taken.append(page.screenshot())
    page.emulate_media(color_scheme="dark")
    page.goto(f"{URL}/app/notes")
    page.get_by_role("link", name="Plugglista").click()
    page.get_by_role("textbox", name="Note").wait_for()
    taken.append(page.screenshot())
    return taken


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        images = "".join(
            f'<img src="data:image/png;base64,{base64.b64encode(each).decode()}">'
            for each in shots(browser)
        )
        page = browser.new_page(device_scale_factor=1.25)
        page.set_content(FRAME + images)
        picture = page.locator("body").screenshot()
        browser.close()
    Image.open(io.BytesIO(picture)).convert("RGB").save(PICTURE, quality=85, method=6)
    sys.stdout.write(f"{PICTURE}\n")


if __name__ == "__main__":
    main()
