"""What a scan may write of a text."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.digest.model import Facts
from mind_skills.fleet.typed import hash_family, hash_text, reduce_command, reduce_error, reduce_model, reduce_skill
from mind_skills.staging.model import Candidate

PRIVATE = "/srv/acme/billing/customer_jones.py"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (f"{PRIVATE}(3,1): error TS2304: Cannot find name 'jonesInvoice'.", ("TS2304", "", "")),
        (f"FileNotFoundError: [Errno 2] No such file or directory: '{PRIVATE}'", ("ENOENT", "FileNotFoundError", None)),
        ("error: listen EADDRINUSE: address already in use", ("EADDRINUSE", "", None)),
        ("TICKET-4711 for Jones at Acme", ("", "", "")),
        ("cat: .acme: Permission denied, .jones not found", ("EACCES", "", "permission denied")),
        ("", ("", "", "")),
    ],
)
def test_an_error_is_reduced_to_its_code_its_class_and_a_phrase(text: str, typed: tuple[str, str, str | None]) -> None:
    found = reduce_error(text)
    assert (found.code, found.error_class) == typed[:2]
    assert typed[2] in (None, found.words)
    assert not {"jones", "acme", "billing", "customer"} & set(" ".join(found).lower().replace("_", " ").split())


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("git push origin feature/jones-4711", "git push"),
        ("cd /srv/acme && npm run acme-release", "npm run"),
        ("./deploy-acme.sh --customer jones", ""),
        ("FOO=secret uv run pytest tests/test_jones.py", "pytest"),
        ("", ""),
    ],
)
def test_a_command_is_reduced_to_a_public_program_and_its_subcommands(command: str, typed: str) -> None:
    assert reduce_command(command) == typed


def test_private_models_and_skills_with_unusual_names_are_not_named() -> None:
    assert reduce_model("anthropic/claude-opus-4-5-20251101") == "claude-opus-4-5-20251101"
    assert (reduce_model("acme-internal-7b"), reduce_model("<synthetic>"), reduce_model("")) == ("other", "", "")
    assert (reduce_skill("fix-ci"), reduce_skill("Jones' private skill"), reduce_skill("../x")) == ("fix-ci", "", "")


@given(st.text(alphabet=string.printable, max_size=300))
def test_no_path_quotation_or_number_of_any_text_gets_through(text: str) -> None:
    found = reduce_error(text)
    assert not set(found.words) & set("/\\'\"@:=0123456789")
    assert not set(reduce_command(text)) & set("/\\'\"@:=$ÄÖÜ")


def test_hashes_depend_on_the_key_and_those_of_families_on_error_and_program() -> None:
    one, two = b"1" * 32, b"2" * 32
    assert hash_text("a", one) != hash_text("a", two)
    assert hash_text("", one) == ""
    facts = Facts(program="tsc", error="TS2304", failures=1)
    plain, other = build_learning(facts), build_learning(facts._replace(failures=3, changed=("a.ts",)))
    assert hash_family(plain, one) == hash_family(other, one) != hash_family(plain, two)
    assert hash_family(build_learning(facts._replace(program="vue-tsc")), one) != hash_family(plain, one)
    assert hash_family(build_learning(Facts(program="tsc", error="test failed")), one) == ""


def build_learning(facts: Facts) -> Candidate:
    return Candidate("sc_1", "error_fix", "t", "r", "medium", "f" * 32, (), facts=facts)
