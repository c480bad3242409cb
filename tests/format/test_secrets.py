from __future__ import annotations

import base64
import hashlib
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text

from remember.errors import SecretRefused
from remember.format.secrets import check, find, mask

DIGITS = hashlib.sha256(b"x").hexdigest()
LETTERS = "Ab3" * 40
# Joined here, so that no scanner takes this file for a leak.
PEM = "-----BEGIN " + "RSA PRIVATE KEY-----"

TOKENS = {
    PEM + "\nMIIEow" + LETTERS + "\n-----END RSA PRIVATE KEY-----": "a private key",
    "-----BEGIN " + "OPENSSH PRIVATE KEY-----": "a private key",
    "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\nlQOY" + LETTERS + "\n-----END PGP PRIVATE KEY BLOCK-----": "a private key",
    "AKIA" + "IOSFODNN7EXAMPLE": "an AWS access key",
    "aws_secret_access_key = " + LETTERS[:38] + "/+": "an AWS secret key",
    "ghp_" + LETTERS[:36]: "a GitHub token",
    "github_pat_" + LETTERS[:82]: "a GitHub token",
    "glpat-" + LETTERS[:20]: "a GitLab token",
    "xoxb-" + "123456789012-" + LETTERS[:24]: "a Slack token",
    "https://hooks.slack.com/services/" + "T12345678/B12345678/" + LETTERS[:24]: "a Slack token",
    "sk_live_" + LETTERS[:24]: "a Stripe key",
    "sk-" + "a" * 40: "an OpenAI key",
    "sk-" + LETTERS[:40]: "an OpenAI key",
    "sk-proj-" + LETTERS[:20] + "_-" + LETTERS[:20]: "an OpenAI key",
    "sk-ant-api03-" + LETTERS[:90]: "an Anthropic key",
    "AIza" + LETTERS[:35]: "a Google key",
    "npm_" + LETTERS[:36]: "an npm token",
    "pypi-AgEIcHlwaS5vcmc" + LETTERS: "a PyPI token",
    "hf_" + LETTERS[:34]: "a Hugging Face token",
    "dop_v1_" + DIGITS: "a DigitalOcean token",
    "SG." + LETTERS[:22] + "." + LETTERS[:43]: "a SendGrid key",
    "123456789:AA" + LETTERS[:33]: "a Telegram bot token",
    "eyJ" + LETTERS[:20] + ".eyJ" + LETTERS[:30] + "." + LETTERS[:30]: "a JSON web token",
    "AccountKey=" + LETTERS[:86] + "==": "an Azure key",
    "postgres://app:" + "s3cr3tpw@db.example.org/x": "a password in an address",
    "password=" + "Tr0ub4dor&3": "a password or token",
    "DB_PASSWORD: '" + "xK9mP2qLw7'": "a password or token",
    '"api_key": "' + 'q8Zr-41Lk_9sWx"': "a password or token",
    "The password is " + "xK9mP2qLw7": "a password or token",
}


@pytest.mark.parametrize(("token", "kind"), TOKENS.items(), ids=[f"{n}-{kind}" for n, kind in enumerate(TOKENS.values())])
def test_credentials_are_refused_without_an_echo(token: str, kind: str) -> None:
    text = f"first line\nthe key is {token} here\nlast"
    assert find(text) == [(kind, 2)]
    with pytest.raises(SecretRefused) as caught:
        check(text)
    said = caught.value.message + caught.value.hint
    assert kind in said and "line 2" in said and token not in said and token[-12:] not in said
    masked = mask(text)
    assert "[secret removed]" in masked and token not in masked and "s3cr3tpw" not in masked and "MIIEow" not in masked
    assert masked.startswith("first line\n") and masked.endswith(" here\nlast")
    assert find(masked) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "An ordinary sentence about a token, a password and a secret.",
        "commit " + hashlib.sha1(b"x").hexdigest(),
        "token: " + hashlib.sha1(b"x").hexdigest(),
        "secret=" + DIGITS,
        "sha256:" + DIGITS,
        "token = " + str(uuid.UUID(int=2**100 + 12345)),
        "memo a1b2c3d4 and e5f6a7b8; password: a1b2c3d4",
        "![x](data:image/png;base64," + base64.b64encode(hashlib.sha512(b"x").digest() * 9).decode() + ")",
        "![x](data:image/png;base64,AKIA" + "IOSFODNN7EXAMPLE)",
        "password: hunter2",
        "password = <your-password-here-1A>",
        "password: $DB_PASSWORD_2A or ${DB_PASSWORD_2A}",
        "password=************",
        "api_key: my_api_key_1",
        "token = getAccessTokenV2(user)",
        "secret: MyClassName2Factory",
        "token: see docs/Token_Guide2.md",
        "access_key = AWS_ACCESS_KEY_2",
        "Use sk-learn-based-classifier-v2-experiments for scikit",
        "sk-internationalization",
        "risk-assessment-of-things-2026-and-so-on",
        "http://localhost:8080/path@2x.png",
        "https://user@example.org and postgres://user:pass@db and ftp://user:password@host",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + LETTERS[:40],
        "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "ghp_short and npm_config_registry and hf_hub_download_from_pretrained_models_now",
        "eyJ is how a JSON web token begins",
        "The API token: ask Anna. Password is in the vault.",
    ],
)
def test_what_is_no_credential_passes(text: str) -> None:
    assert find(text) == []
    assert mask(text) == text
    check(text)


def test_a_private_key_without_its_end_is_masked_as_far_as_it_goes() -> None:
    text = f"a {PEM}\nMIIEow{LETTERS}\n{LETTERS}\n\nPlain words after it."
    assert mask(text) == "a [secret removed]\n\nPlain words after it."


def test_lines_and_kinds_in_order() -> None:
    one, other = "npm_" + LETTERS[:36], "glpat-" + LETTERS[:20]
    assert find(f"x\n{one}\n\n{other} {one}\n") == [("an npm token", 2), ("a GitLab token", 4), ("an npm token", 4)]


@given(any_text, st.sampled_from(list(TOKENS)), any_text)
def test_a_token_among_any_text_is_masked(before: str, token: str, after: str) -> None:
    masked = mask(f"{before}\n\n{token}\n\n{after}")
    assert token not in masked


@given(any_text)
def test_masking_what_is_masked_changes_nothing(text: str) -> None:
    assert mask(mask(text)) == mask(text)
    for kind, line in find(text):
        assert kind and 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        (PEM + "\n") * 20_000,
        (PEM + "a") * 20_000,
        "a." * 200_000 + "://a",
        "sk-" * 100_000,
        "password=" * 40_000,
        "eyJ" + "eyJaaaaaaaaaa." * 20_000,
        "xoxb-" * 60_000,
        "://a:" * 60_000,
        "token " + "a" * 400_000,
        "token: " + "Aa1" * 100_000,
        "-----BEGIN " + "A " * 100_000,
    ],
    ids=range(11),
)
def test_time_grows_with_length_alone(text: str) -> None:
    began = time.process_time()
    find(text)
    assert time.process_time() - began < 3
