"""Keys open their own tenant, in their role, and tell strangers nothing."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from app.http.errors import Forbidden, Unauthorized
from app.http.keyring import Keyring
from app.http.security import presented_key
from app.owner import new_token
from app.reach import is_loopback, require_keys
from pipelines.errors import ProfileError, TenantNotFound
from pipelines.profile.schema import Profile
from pipelines.types.roles import Role


def _profile(tenant: str, **secrets: Role) -> Profile:
    keys = [{"name": role, "secret": secret, "role": role} for secret, role in secrets.items()]
    return Profile.model_validate({"tenant": tenant, "auth": {"keys": keys}})


@pytest.fixture
def keyring() -> Keyring:
    return Keyring([_profile("cats", r="reader", w="writer", a="admin"), _profile("dogs", d="reader")])


@pytest.mark.parametrize(("key", "role"), [(b"r", "reader"), (b"w", "reader"), (b"w", "writer"), (b"a", "admin")])
def test_a_key_opens_its_tenant_in_its_role_and_below(keyring: Keyring, key: bytes, role: Role) -> None:
    keyring.admit("cats", key, role)


@pytest.mark.parametrize(("key", "role"), [(b"r", "writer"), (b"w", "admin")])
def test_a_role_that_is_too_small_is_forbidden(keyring: Keyring, key: bytes, role: Role) -> None:
    with pytest.raises(Forbidden, match=f"this needs the {role} role"):
        keyring.admit("cats", key, role)


@pytest.mark.parametrize("key", [b"", b"x", b"rr", b"\xff"])
@pytest.mark.parametrize("tenant", ["cats", "dogs", "nobody"])
def test_without_a_valid_key_existing_and_unknown_tenants_look_the_same(
    keyring: Keyring, tenant: str, key: bytes
) -> None:
    with pytest.raises(Unauthorized):
        keyring.admit(tenant, key, "reader")


@pytest.mark.parametrize("tenant", ["dogs", "nobody"])
def test_with_another_tenants_key_they_look_the_same_too(keyring: Keyring, tenant: str) -> None:
    with pytest.raises(TenantNotFound):
        keyring.admit(tenant, b"a", "reader")


def test_a_tenant_without_keys_is_open_and_the_others_are_not() -> None:
    keyring = Keyring([_profile("open"), _profile("cats", r="reader")])
    keyring.admit("open", b"", "admin")
    with pytest.raises(Unauthorized):
        keyring.admit("cats", b"", "reader")


def test_a_key_carries_its_scope() -> None:
    keys: list[object] = [{"name": "ops", "secret": "o", "role": "admin"}]
    keys.append({"name": "fed", "secret": "f", "role": "writer", "scope": {"suite": "fed"}})
    fields = {"level": {"type": "keyword", "values": ["top", "suite"]}, "suite": {"type": "keyword"}}
    metadata = {"fields": fields, "hierarchy": {"level": "level", "path": ["suite"]}}
    held = Profile.model_validate({"tenant": "cortx", "metadata": metadata, "auth": {"keys": keys}})
    keyring = Keyring([held, _profile("open")], token := new_token())
    assert keyring.admit("cortx", b"f", "reader").scope == {"suite": "fed"}
    for tenant, key in (("cortx", b"o"), ("cortx", token.encode()), ("open", b"f")):
        assert keyring.admit(tenant, key, "reader").scope == {}


def test_without_keys_an_unknown_tenant_is_not_found() -> None:
    with pytest.raises(TenantNotFound):
        Keyring([_profile("open")]).admit("nobody", b"", "reader")


def test_a_secret_that_two_tenants_share_opens_both_each_in_its_own_role() -> None:
    keyring = Keyring([_profile("cats", shared="admin"), _profile("dogs", shared="reader")])
    keyring.admit("cats", b"shared", "admin")
    with pytest.raises(Forbidden):
        keyring.admit("dogs", b"shared", "writer")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST"])
def test_loopback_names_mean_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "192.168.0.1", "localhost.evil.example", "example.org"])
def test_other_names_may_mean_any_machine(host: str) -> None:
    assert not is_loopback(host)


def test_tenants_without_keys_are_bound_to_this_machine() -> None:
    require_keys(["open"], "127.0.0.1")
    require_keys([], "0.0.0.0")
    with pytest.raises(ProfileError, match="auth -> keys: there are none, and 0"):
        require_keys(["open"], "0.0.0.0")


def _request(key: str, client: str | None, server: str = "192.0.2.1", header: str = "authorization") -> Request:
    said = f"Bearer {key}" if header == "authorization" else key
    return Request(
        {
            "type": "http",
            "headers": [(header.encode(), said.encode())],
            "client": (client, 1234) if client else None,
            "server": (server, 80),
        }
    )


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
@pytest.mark.parametrize("client", ["127.0.0.1", "::1", "192.0.2.1"])
def test_the_token_of_the_command_line_counts_from_this_machine(client: str, header: str) -> None:
    token = new_token()
    assert presented_key(_request(token, client, header=header)) == token.encode()


@pytest.mark.parametrize("header", ["authorization", "x-api-key"])
@pytest.mark.parametrize("client", ["192.0.2.7", "2001:db8::7", None])
def test_the_command_line_token_is_refused_from_another_machine(client: str | None, header: str) -> None:
    assert presented_key(_request(new_token(), client, header=header)) == b""
    assert presented_key(_request("a-key-of-the-profile", client, header=header)) == b"a-key-of-the-profile"


def test_the_token_of_the_command_line_is_an_admin_of_every_tenant_served_and_of_no_other() -> None:
    token = new_token()
    keyring = Keyring([_profile("cats", r="reader"), _profile("open")], token)
    for tenant in ("cats", "open"):
        keyring.admit(tenant, token.encode(), "admin")
    with pytest.raises(TenantNotFound):
        keyring.admit("nobody", token.encode(), "reader")
    with pytest.raises(Unauthorized):
        keyring.admit("cats", new_token().encode(), "reader")


def test_a_token_does_not_make_a_server_without_keys_ask_for_one() -> None:
    with pytest.raises(TenantNotFound):
        Keyring([_profile("open")], new_token()).admit("nobody", b"", "reader")


def test_admins_and_readers_of_a_tenant_are_distinguished() -> None:
    keyring = Keyring([_profile("cats", r="reader", a="admin"), _profile("dogs", a="admin")])
    assert keyring.administered(b"a", open_too=True) == {"cats", "dogs"} == keyring.tenants
    with pytest.raises(Forbidden, match="needs the unscoped admin role"):
        keyring.administered(b"r", open_too=True)
    with pytest.raises(Unauthorized):
        keyring.administered(b"x", open_too=True)


def test_tenants_without_keys_are_open_if_the_settings_allow_it() -> None:
    keyring = Keyring([_profile("open"), _profile("cats", a="admin")])
    assert keyring.administered(b"", open_too=True) == {"open"}
    assert keyring.administered(b"a", open_too=True) == {"open", "cats"}
    assert keyring.administered(b"a", open_too=False) == {"cats"}
    with pytest.raises(Unauthorized):
        keyring.administered(b"", open_too=False)
