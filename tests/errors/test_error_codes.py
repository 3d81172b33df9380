"""Every code that an error can have is in docs/errors.md, once, with what happened and what to do."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from mind_skills.errors import EXIT_CODES, FAILURE, BusyDatabaseError, HomeError, MindSkillsError
from tests.testkit.paths import ROOT

MODULES = sorted(path for package in ROOT.glob("*/__init__.py") for path in package.parent.rglob("*.py"))
RAISED = ("MindSkillsError", "LogError")
PASSED_ON = {"error.code", "error['code']"}
"""The code of another error, which is checked where that error is created."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def trees(*words: str) -> list[ast.Module]:
    """The modules that contain one of these words."""
    return [parsed(path) for path in MODULES if any(word in path.read_text(encoding="utf-8") for word in words)]


@cache
def calls() -> list[tuple[ast.Call, ast.Module]]:
    """Every place where an error is created whose code is an argument, with its module."""
    return [
        (node, tree)
        for tree in trees(*(f"{name}(" for name in RAISED))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED
    ]


def codes(expression: ast.expr, tree: ast.Module) -> set[str]:
    """The codes that an expression can be: a text, one of two, a name of errors/__init__.py, or the values or keys of a table."""
    if ast.unparse(expression) in PASSED_ON:
        return set()
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return {expression.value}
    if isinstance(expression, ast.IfExp):
        return codes(expression.body, tree) | codes(expression.orelse, tree)
    if isinstance(expression, ast.Name):
        if (keyed := find_table(expression.id, tree)) is not None:
            return {found for key in keyed.keys if key is not None for found in codes(key, tree)}
        tree = parsed(ROOT / "errors/__init__.py")
        return codes(find_value(expression.id, tree), tree)
    if (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Attribute)
        and isinstance(expression.func.value, ast.Name)
    ):
        table = find_value(expression.func.value.id, tree)
        if isinstance(table, ast.Dict):
            return {found for each in (*table.values, expression.args[1]) for found in codes(each, tree)}
    pytest.fail(f"cannot tell which code this is: {ast.unparse(expression)}")


def find_table(name: str, tree: ast.Module) -> ast.Dict | None:
    """The table of a module that is read with the value of a name, ``TABLE[name]``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and ast.unparse(node.slice) == name:
            for each in ast.walk(tree):
                if isinstance(each, (ast.Assign, ast.AnnAssign)) and isinstance(each.value, ast.Dict):
                    target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
                    if ast.unparse(target) == node.value.id:
                        return each.value
    return None


def find_value(name: str, tree: ast.Module) -> ast.expr:
    """The value that a module assigns to a name."""
    (found,) = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]
    ]
    return found


def codes_of_classes() -> set[str]:
    """The codes of the errors that are classes of their own."""
    return {
        line.value.value
        for tree in trees("code =")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for line in node.body
        if isinstance(line, ast.Assign)
        and ast.unparse(line.targets[0]) == "code"
        and isinstance(line.value, ast.Constant)
        if line.value.value and isinstance(line.value.value, str)
    }


def test_the_page_of_errors_has_one_row_for_each_code_that_can_be_raised() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+\. \|$", (ROOT / "docs/errors.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == sorted(codes_of_classes().union(*(codes(call.args[0], tree) for call, tree in calls())))


def test_every_error_is_created_with_a_hint() -> None:
    without = [ast.unparse(call) for call, _ in calls() if len(call.args) + len(call.keywords) < 3]
    assert without == ["MindSkillsError('interrupted', 'Interrupted.')"]


def test_three_codes_end_a_command_with_an_exit_code_of_their_own() -> None:
    codes_of_others = {"usage": 2, "bug": 3, "interrupted": 130}
    assert codes_of_others == EXIT_CODES
    assert {code: MindSkillsError(code, "m").exit_code for code in EXIT_CODES} == EXIT_CODES
    assert BusyDatabaseError("it is held").exit_code == FAILURE


def test_an_error_without_a_hint_of_its_own_has_the_hint_of_its_class() -> None:
    assert BusyDatabaseError("it is held").hint == "Try again."
    assert HomeError("it is not there", "Set HOME.").hint == "Set HOME."
