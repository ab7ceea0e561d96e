"""Visitors who ask for more than a page: for all that it links to, or for what only they may see."""

import re

import httpx

from tests.under_fire.site.visitor import Visitor

__all__ = ["Reader", "SignedIn"]

_FILE = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_FIELD = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_OWN = "/accounts/password/change/"  # who is not signed in is led away
_PASSWORD = "a-long-one-for-a-trial"


class Reader(Visitor):
    """One who asks for a page and for the style sheets and scripts that it names."""

    def look(self) -> str:
        """Ask for all of it."""
        with httpx.Client(timeout=self.patience, trust_env=False) as browser:
            page = browser.get(self._url)
            if not page.is_success:
                return str(page.status_code)
            for path in dict.fromkeys(_FILE.findall(page.text)):
                answer = browser.get(httpx.URL(self._url).join(path))
                if not answer.is_success:
                    return f"{answer.status_code} of {path.rpartition('.')[2]}"
        return ""


class SignedIn(Visitor):
    """One who has signed up, and looks every moment at a page that only they see."""

    def __init__(self, url: str, name: str, patience: float) -> None:
        super().__init__(url, _OWN, patience)
        self._cookies = _sign_up(url, name, patience)

    def look(self) -> str:
        """Ask for the page, as a browser with the cookies of then."""
        answer = httpx.get(self._url, cookies=self._cookies, timeout=self.patience, trust_env=False)
        return "" if answer.status_code == httpx.codes.OK else str(answer.status_code)


def _sign_up(url: str, name: str, patience: float) -> httpx.Cookies:
    page = f"{url}/accounts/signup/"
    with httpx.Client(timeout=patience, trust_env=False) as browser:
        found = _FIELD.search(browser.get(page).text)
        fields = {"username": name, "password1": _PASSWORD, "password2": _PASSWORD}
        token = found[1] if found else ""
        answer = browser.post(page, data={**fields, "csrfmiddlewaretoken": token})
        if not answer.is_redirect or "sessionid" not in browser.cookies:
            raise RuntimeError(f"cannot sign up: {answer.status_code} {answer.text[:2000]}")
        return browser.cookies
