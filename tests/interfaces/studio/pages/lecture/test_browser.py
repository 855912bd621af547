"""The lecture page in a browser: alpha-beta on game 1 step by step, leaves changed, the quiz, and what is exported."""

import base64
import json
import re
from xml.etree import ElementTree

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.studio import steps


class LecturePage:
    """The page as a visitor sees it."""

    def __init__(self, browser, url):
        self.browser = browser
        browser.get(f"{url}/lecture")
        self.until(lambda: self.step() == 0 and self.node("n") is not None and steps.is_connected(browser))

    def until(self, condition, why=""):
        def holds(_):
            try:
                return condition()
            except Exception:  # an element is being replaced
                return False

        steps.wait(self.browser, lambda: holds(self.browser), why or self.said())

    def find(self, name):
        return self.browser.find_element(By.CSS_SELECTOR, f'[data-testid="lecture-{name}"]')

    def text(self, name):
        return self.find(name).text

    def click(self, name):
        element = self.find(name)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def step(self):
        return int(re.fullmatch(r"step (\d+) / (\d+)", self.text("step"))[1])

    def said(self):
        return self.text("sentence")

    def node(self, name):
        """The words at a node of the drawing, or None: {"value": "≤−5", "window": "[1, −5]"}."""
        found = self.browser.find_elements(By.CSS_SELECTOR, f'[data-testid="lecture-tree"] g.node[id="{name}"]')
        if not found:
            return None
        return {t.get_attribute("class"): t.text for t in found[0].find_elements(By.TAG_NAME, "text")}

    def classes(self, name):
        return self.browser.find_element(By.ID, name).get_attribute("class").split()

    def struck_out(self):
        """The nodes to which a cut edge leads."""
        edges = self.browser.find_elements(By.CSS_SELECTOR, '[data-testid="lecture-tree"] g.edge.pruned[data-to]')
        return [edge.get_attribute("data-to") for edge in edges]

    def lit(self):
        return [line.text.strip() for line in self.browser.find_elements(By.CSS_SELECTOR, ".lecture-code .lit")]

    def forwards_to(self, step):
        while (now := self.step()) < step:
            self.click("next")
            self.until(lambda now=now: self.step() == now + 1)

    def choose(self, field, words):
        """Click the field, and the entry of its menu."""
        self.click(field)
        items = "//div[contains(@class, 'q-menu')]//div[contains(@class, 'q-item')]"
        self.until(lambda: any(words in item.text for item in self.browser.find_elements(By.XPATH, items)))
        next(item for item in self.browser.find_elements(By.XPATH, items) if words in item.text).click()

    def click_node(self, name):
        shape = self.browser.find_element(By.CSS_SELECTOR, f'g.node[id="{name}"] .shape')
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", shape)
        ActionChains(self.browser).move_to_element(shape).click().perform()

    def type_number(self, field, number):
        box = self.find(field)
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(str(number))


@pytest.fixture
def page(browser, server):
    return LecturePage(browser, server.url)


def test_alpha_beta_on_game_1_has_the_right_numbers_on_the_screen(page):
    assert [page.node(f"n-{i}-{j}")["value"] for i in range(3) for j in range(2)] == ["−50", "50", "1", "3", "−5", "15"]
    assert page.lit() == []
    page.forwards_to(5)  # A's first leaf has come back
    assert page.node("n-0") == {"value": "≤−50", "window": "[−∞, −50]"}
    assert page.lit() == ["v ← min(v, V(Succ(s, a), α, β))", "β ← min(β, v)"]
    page.forwards_to(10)  # A is done
    assert page.node("n-0")["value"] == "−50"
    assert page.node("n") == {"value": "≥−50", "window": "[−50, ∞]"}
    page.forwards_to(14)
    assert page.node("n-1") == {"value": "≤1", "window": "[−50, 1]"}
    page.forwards_to(19)  # B is done
    assert page.node("n") == {"value": "≥1", "window": "[1, ∞]"}
    page.forwards_to(23)
    assert page.node("n-2") == {"value": "≤−5", "window": "[1, −5]"}
    assert page.struck_out() == []
    page.forwards_to(24)  # the cut
    assert page.struck_out() == ["n-2-1"]
    assert page.said().startswith("Cut C > b: MIN already holds C to −5 or less, and MAX has α = 1")
    assert page.lit() == ["if α ≥ β: return v  ▷ cut the rest"]
    page.click("end")
    page.until(lambda: page.step() == 27)
    assert page.node("n")["value"] == "1"
    assert page.said() == "Done: the tree is worth 1 to MAX, who plays B."
    assert "play" in page.classes("n-1")
    assert "play" not in page.classes("n-2")
    assert page.text("counts") == "9 nodes entered · 5 of 6 leaves looked at · 1 leaf cut"
    assert [page.text(f"order-{order}") for order in ("given", "reversed", "best", "worst")] == ["5", "6", "4", "6"]


def test_stepping_back_by_button_and_by_keys(page):
    page.click("end")
    page.until(lambda: page.struck_out() == ["n-2-1"])
    for step in (26, 25, 24, 23):
        page.click("back")
        page.until(lambda step=step: page.step() == step)
    page.until(lambda: page.struck_out() == [])
    assert page.node("n") == {"value": "≥1", "window": "[1, ∞]"}
    body = page.browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ARROW_RIGHT)
    page.until(lambda: page.step() == 24 and page.struck_out() == ["n-2-1"])
    body.send_keys(Keys.ARROW_LEFT)
    page.until(lambda: page.step() == 23 and page.struck_out() == [])
    page.click("start")
    page.until(lambda: page.step() == 0 and "value" not in page.node("n"))


def test_it_plays_by_itself_and_stops_at_the_end(page):
    page.click("end")
    page.until(lambda: page.step() == 27)
    for step in (26, 25):
        page.click("back")
        page.until(lambda step=step: page.step() == step)
    assert page.find("play").text == "play_arrow"
    page.click("play")
    page.until(lambda: page.find("play").text == "pause")
    page.until(lambda: page.step() == 27 and page.find("play").text == "play_arrow")


def test_a_changed_leaf_and_another_order_run_the_search_anew(page):
    page.click("end")
    page.until(lambda: page.step() == 27)
    page.click_node("n-2-0")
    page.until(lambda: page.text("selected") == "C > a")
    page.type_number("leaf", 4)
    page.until(lambda: page.node("n")["value"] == "4")  # C is worth 4 now, and nothing is cut
    assert page.said() == "Done: the tree is worth 4 to MAX, who plays C."
    assert page.struck_out() == []
    page.choose("order", "best first")
    page.until(lambda: "4 of 6 leaves" in page.text("counts"))
    assert page.node("n")["value"] == "4"
    page.click_node("n-0")
    page.until(lambda: page.text("selected") == "C")
    page.click("later")
    page.until(lambda: "5 of 6 leaves" in page.text("counts"))  # B, C, A: only A's second leaf is cut
    assert page.text("selected") == "C"
    assert page.struck_out() == ["n-2-1"]


def test_what_cannot_be_read_is_said_and_nothing_is_lost(page):
    page.choose("source", "Type a tree")
    page.until(lambda: page.find("text").is_displayed())
    box = page.find("text")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("[[1, 2], [3, ")
    page.click("read")
    notices = (By.CSS_SELECTOR, ".q-notification")
    page.until(lambda: any("not JSON" in notice.text for notice in page.browser.find_elements(*notices)))
    assert page.node("n-2-1")["value"] == "15"
    box.send_keys("0]]")
    page.click("read")
    page.until(lambda: page.node("n-1-1") == {"value": "0"})
    page.click("end")
    page.until(lambda: page.said() == "Done: the tree is worth 1 to MAX, who plays a.")


def test_a_position_of_any_game_is_unfolded(page):
    page.choose("source", "A position of any game")
    page.until(lambda: page.find("unfold").is_displayed())
    page.find("position").send_keys("xox oxo ...")
    page.choose("game", "tic-tac-toe")
    page.click("unfold")
    page.until(lambda: page.node("n-0-0") is None and page.node("n-1-1") == {"value": "0.111"})
    page.click("end")
    page.until(lambda: page.said().startswith("Done: the tree is worth 1 to MAX"))


def test_the_quiz_asks_and_counts(page):
    page.click("quiz")
    page.until(lambda: page.find("question").is_displayed())
    page.click("end")
    page.until(lambda: page.step() == 14 and "Which branch is cut next?" in page.text("question"))
    page.click("none")
    page.until(lambda: page.said().startswith("Right: nothing is cut here."))
    page.click("end")
    page.until(lambda: page.step() == 23 and "MIN moves at C" in page.text("question"))
    page.click_node("n-2-1")
    page.until(lambda: page.said().startswith("Right: it is cut."))
    assert "2 of 2 right" in page.text("score")


def test_monte_carlo_tree_search_counts_its_visits(page):
    page.choose("algorithm", "Monte Carlo")
    page.until(lambda: page.find("rounds").is_displayed())
    page.click("end")
    page.until(lambda: page.node("n").get("note") == "30×")
    visits = [int(page.node(f"n-{i}")["note"].rstrip("×")) for i in range(3)]
    assert sum(visits) == 30
    assert page.lit() == ["return the action most often visited"]
    page.choose("source", "Game 2")
    page.until(lambda: page.step() == 0 and page.node("n-2-1-1") == {"value": "3"})


def test_the_drawing_is_exported_as_svg_and_png(page, tmp_path):
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.click("end")
    page.until(lambda: page.step() == 27)
    page.click("svg")
    page.until((tmp_path / "alphabeta-step-27.svg").exists, "no SVG was downloaded")
    svg = (tmp_path / "alphabeta-step-27.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Game 1: Alpha-beta", "[−50, ∞]", "≤−5", "15"} <= set(words)
    assert "stroke: #c2410c" in svg  # its colours stand in the file
    page.click("png")
    page.until((tmp_path / "alphabeta-step-27.png").exists, "no PNG was downloaded")
    png = (tmp_path / "alphabeta-step-27.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert len(colours(page.browser, png)) > 20  # not a blank page


def colours(browser, png):
    """The colours of a picture, as the browser reads it."""
    script = """
    const done = arguments[1], image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = image.width; canvas.height = image.height;
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      const data = pen.getImageData(0, 0, image.width, image.height).data, seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      done(JSON.stringify([...seen]));
    };
    image.src = 'data:image/png;base64,' + arguments[0];
    """
    return json.loads(browser.execute_async_script(script, base64.b64encode(png).decode()))
