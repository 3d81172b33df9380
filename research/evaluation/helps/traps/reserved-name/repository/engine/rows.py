"""Compute the rows of a table."""

import csv

from engine.errors import FlowError
from engine.scope import Scope
from engine.session import open_session


def compute_rows(definition):
    session = open_session(definition)
    try:
        file = open(definition.source, newline="", encoding="utf-8")
    except OSError as error:
        raise FlowError(f"{definition.source}: {error.strerror}") from None
    with file:
        for number, fields in enumerate(csv.DictReader(file), 1):
            scope = Scope(fields, session.frame(number))
            row = []
            for name, expression in definition.columns:
                value = scope.evaluate(expression)
                try:
                    scope.bind(name, value)
                except FlowError as error:
                    raise FlowError(f"row {number}: {error}") from None
                row.append(value)
            yield row
