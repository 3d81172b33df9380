import configparser
import unittest
from pathlib import Path


class DefinitionsTest(unittest.TestCase):
    def test_every_definition_reads_a_file_that_is_there(self):
        for path in sorted(Path("pipelines").glob("*.ini")):
            parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
            parser.read(path, encoding="utf-8")
            with self.subTest(path.stem):
                self.assertTrue(Path(parser["input"]["file"]).exists())
                self.assertTrue(parser["columns"])
