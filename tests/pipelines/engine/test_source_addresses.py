"""Addresses that pages may be fetched from: none in a private network that the profile does not name."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from pipelines.components.sources.addresses import CheckedTransport
from pipelines.components.sources.pages import Pages, Refused
from tests.pipelines.engine.sites import Site, page, running_site


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


def test_the_name_of_a_host_that_leads_into_a_private_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_site() as site:
        port = site.host.partition(":")[2]
        site.put("/a", page("A page."))
        look_up = socket.getaddrinfo

        def resolve(host: str, *rest: Any, **more: Any) -> Any:
            return look_up("127.0.0.1" if host == "public.example.org" else host, *rest, **more)

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        url = f"http://public.example.org:{port}/a"
        with pytest.raises(
            Refused, match=r"public\.example\.org has an address in a private network; name it in `hosts`"
        ):
            Pages([url], [], {}, 1000).get(url)
        assert site.asked == []
        with closing(Pages([url], [f"public.example.org:{port}"], {}, 1000)) as pages:
            assert "A page." in pages.get(url).text


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1", "0.0.0.0", "100.64.0.1"],
)
def test_no_private_address_is_connected_to(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    answers = [(family, socket.SOCK_STREAM, 6, "", ("8.8.8.8", 80)), (family, socket.SOCK_STREAM, 6, "", (address, 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    pages = Pages(["http://rebinding.example.org/"], [], {}, 1000)
    with pytest.raises(Refused, match="private network"):
        pages.get("http://rebinding.example.org/")
    assert isinstance(pages._client._transport, CheckedTransport)


def test_a_host_is_asked_at_its_next_address_where_the_first_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    port = int(site.host.partition(":")[2])
    places = [(socket.AF_INET6, ("::1", port, 0, 0)), (socket.AF_INET, ("127.0.0.1", port))]
    found = [(family, socket.SOCK_STREAM, 6, "", place) for family, place in places]
    look_up = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: found if host == "localhost" else look_up(host, *rest, **more),
    )
    site.put("/a", page("A page."))
    with closing(Pages([f"http://localhost:{port}/a"], [], {}, 1000)) as pages:
        assert "A page." in pages.get(f"http://localhost:{port}/a").text
