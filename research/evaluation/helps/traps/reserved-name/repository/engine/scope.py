"""The names that an expression sees."""

from engine.errors import FlowError
from engine.functions import FUNCTIONS


class Scope(dict):
    """Fields of the input row, under the names that were bound since."""

    def __init__(self, fields, frame):
        super().__init__(frame)
        self.fields = fields

    def __missing__(self, name):
        if name in self.fields:
            return self.fields[name]
        raise KeyError(name)

    def bind(self, name, value):
        if name in self:
            raise FlowError(f"{name!r} is bound twice")
        self[name] = value

    def evaluate(self, expression):
        try:
            return eval(expression, {"__builtins__": {}, **FUNCTIONS}, self)
        except FlowError:
            raise
        except Exception as error:
            raise FlowError(f"{expression}: {error}") from None
