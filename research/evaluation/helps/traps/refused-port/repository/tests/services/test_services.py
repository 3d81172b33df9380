import importlib
import tomllib
import unittest
from pathlib import Path

ASKED = {
    ("greeter", "/greet", "lang=pt"): {"text": "Bom dia, world!"},
    ("roman", "/write", "number=1994"): {"roman": "MCMXCIV"},
    ("leap", "/next", "year=2025"): {"year": 2028},
    ("primes", "/factors", "number=84"): {"factors": [2, 2, 3, 7]},
    ("caesar", "/shift", "text=xyz"): {"text": "klm"},
    ("units", "/convert", "value=2;from=inch;to=cm"): {"value": 5.08},
    ("words", "/count", "text=one two"): {"words": 2},
    ("grid", "/distance", "x=3;y=-4"): {"steps": 7, "king": 4},
    ("luhn", "/digit", "number=7992739871"): {"digit": 3},
    ("morse", "/send", "text=sos"): {"code": "... --- ..."},
    ("weekday", "/of", "day=2025-11-05"): {"day": "Wednesday"},
    ("mean", "/median", "numbers=1,5,2"): {"median": 2.0},
    ("rot", "/reverse", "text=abc"): {"text": "cba"},
    ("change", "/give", "cents=87"): {"coins": [50, 20, 10, 5, 2]},
}


class ServicesTest(unittest.TestCase):
    def test_answers(self):
        for (name, path, query), wanted in ASKED.items():
            with self.subTest(name):
                service = importlib.import_module(f"services.{name}")
                self.assertEqual(service.answer(path, dict(pair.split("=") for pair in query.split(";"))), wanted)

    def test_every_service_is_listed_with_a_port_of_its_own(self):
        listed = tomllib.loads(Path("services.toml").read_text())
        modules = {path.stem for path in Path("services").glob("*.py")} - {"__init__"}
        self.assertEqual(set(listed), modules)
        self.assertEqual(len({row["port"] for row in listed.values()}), len(listed))

    def test_an_unknown_path_is_none(self):
        for path in Path("services").glob("[a-z]*.py"):
            self.assertIsNone(importlib.import_module(f"services.{path.stem}").answer("/nowhere", {}))
