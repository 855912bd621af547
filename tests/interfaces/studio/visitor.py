"""A visitor without a browser: opens a page, connects as NiceGUI's script does, clicks, and reads what is shown.

Twenty browsers are too many for a small machine; twenty of these are not. They also send what no browser would.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import aiohttp
import socketio

ELEMENTS = re.compile(r"String\.raw`(.*?)`\)", re.DOTALL)
QUERY = re.compile(r"query: (\{.*?\}),")
PATIENCE = 90.0


class Visitor:
    """One open page."""

    def __init__(self, url: str):
        self.url = url
        self.elements: dict[str, dict[str, Any]] = {}
        self.changed = asyncio.Event()
        self.client = socketio.AsyncClient(reconnection=False)
        self.client.on("*", self._hear)

    async def open(self, path: str = "/") -> None:
        async with aiohttp.ClientSession() as session, session.get(self.url + path) as answer:
            assert answer.status == 200, answer.status
            page = await answer.text()
        found = ELEMENTS.search(page)
        assert found is not None
        self.elements = json.loads(html.unescape(found[1]))
        query = dict(re.findall(r"'(\w+)': '?([\w-]+)'?", QUERY.search(page)[1]))  # type: ignore[index]
        self.id = query["client_id"]
        more = {"implicit_handshake": "true", "next_message_id": "0", "tab_id": str(uuid.uuid4()), "document_id": "d"}
        asked = "&".join(f"{name}={value}" for name, value in {"client_id": self.id, **more}.items())
        await self.client.connect(
            f"{self.url}?{asked}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"], wait_timeout=60
        )

    async def _hear(self, kind: str, *told: Any) -> None:
        if kind == "update":
            for number, element in told[0].items():
                if number.isdigit() and isinstance(element, dict):
                    self.elements[number] = element
                elif number.isdigit():
                    self.elements.pop(number, None)
            self.changed.set()

    # -- what is on the page -------------------------------------------------------------------------------------------

    def find(self, name: str) -> tuple[str, dict[str, Any]]:
        for number, element in self.elements.items():
            if element.get("props", {}).get("data-testid") == name:
                return number, element
        raise KeyError(name)

    def text(self, name: str) -> str:
        _, element = self.find(name)
        return str(element.get("text") or html.unescape(element["props"].get("innerHTML", "")))

    def moves(self) -> list[str]:
        return re.findall(r">([^<>]+)</a>", self.text("moves"))[1:]

    async def until(self, so: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not so():
                self.changed.clear()
                await self.changed.wait()

    # -- what a visitor does -------------------------------------------------------------------------------------------

    async def send(self, number: str, listener: str, *args: Any) -> None:
        await self.client.emit(
            "event",
            {
                "id": int(number),
                "client_id": self.id,
                "listener_id": listener,
                "args": [json.dumps(arg) for arg in args],
            },
        )

    def listeners(self) -> list[tuple[str, str]]:
        return [
            (n, event["listener_id"]) for n, element in self.elements.items() for event in element.get("events", [])
        ]

    async def fire(self, name: str, kind: str, *args: Any) -> None:
        number, element = self.find(name)
        event = [e for e in element["events"] if e["type"] == kind and e["listener_id"]][-1]
        await self.send(number, event["listener_id"], *args)

    async def click(self, *cells: str) -> None:
        for cell in cells:
            await self.fire("board", "pointerup", [cell])

    async def leave(self) -> None:
        await self.client.disconnect()
