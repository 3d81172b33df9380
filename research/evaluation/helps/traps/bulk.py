"""Bulk of an ordinary project: records of several kinds, with their lists, tests, data and pages of documentation."""

import random, re, textwrap, datetime, os, shutil
from pathlib import Path
from decimal import Decimal


def W(path, text, mode=None):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, encoding="utf-8")
    if mode:
        path.chmod(mode)


def parse_spec(text):
    """name/singular: Description | field kind arg, field kind arg"""
    out = []
    for line in text.strip().splitlines():
        head, rest = line.split(":", 1)
        plural, singular = head.strip().split("/")
        desc, fields = rest.split("|")
        fs = []
        for f in fields.split(","):
            w = f.strip().split(" ", 2)
            fs.append((w[0], w[1], w[2] if len(w) > 2 else ""))
        out.append((plural, singular, desc.strip(), fs))
    return out


STYLES = {
    "a": dict(cls="dataclass", find="find", add="total", group="by", names=("records", "lists")),
    "b": dict(cls="tuple", find="pick", add="sum_of", group="group_by", names=("model", "queries")),
    "c": dict(cls="dataclass", find="select", add="add_up", group="per", names=("entities", "summaries")),
}


def cap(s):
    return "".join(w.capitalize() for w in s.split("_"))


def words(s):
    return s.replace("_", " ")


TYPES = {
    "code": "str",
    "name": "str",
    "day": "date",
    "amount": "Decimal",
    "count": "int",
    "choice": "str",
    "flag": "bool",
    "ref": "str",
    "note": "str",
}


class Bulk:
    def __init__(self, repo, package, records, style, seed, adjectives, nouns, rows, title, notes):
        self.repo = Path(repo)
        self.pkg = package
        self.spec = parse_spec(records)
        self.st = STYLES[style]
        self.style = style
        self.r = random.Random(seed)
        self.adj = adjectives.split()
        self.nouns = nouns.split()
        self.rows = rows
        self.rec, self.lst = self.st["names"]
        self.title = title
        self.notes = list(notes)

    def make(self):
        self.data = {}
        for e in self.spec:
            self.fill(e)
        for e in self.spec:
            self.csv(e)
            self.record(e)
            self.lists(e)
            self.tests(e)
            self.doc(e)
        self.kit()
        self.index()

    def fill(self, e):
        plural, singular, desc, fields = e
        r = self.r
        n = r.randint(*self.rows)
        rows = []
        used = set()
        start = datetime.date(2024, 1, 1) + datetime.timedelta(r.randrange(300))
        for i in range(n):
            row = {}
            for name, kind, arg in fields:
                if kind == "code":
                    v = f"{arg}{i + r.randint(1, 3) + i * 3:04d}"
                elif kind == "name":
                    while arg.startswith("="):
                        v = (
                            r.choice(
                                (
                                    "small",
                                    "large",
                                    "old",
                                    "new",
                                    "second",
                                    "spare",
                                    "good",
                                    "plain",
                                    "heavy",
                                    "light",
                                    "long",
                                    "short",
                                )
                            )
                            + " "
                            + r.choice(arg[1:].split("/"))
                        )
                        break
                    while not arg.startswith("="):
                        v = f"{r.choice(self.adj)} {r.choice(self.nouns)}"
                        if arg:
                            v = f"{v} {arg}"
                        if v not in used or len(used) > len(self.adj) * len(self.nouns) * 0.7:
                            break
                        v = f"{v} {r.randint(2, 9)}"
                        if v not in used:
                            break
                    used.add(v)
                    v = v[0].upper() + v[1:]
                elif kind == "day":
                    start += datetime.timedelta(
                        r.choice((0, 0, 1, 1, 2, 3, 5))
                        if "day" in kind and name == [f[0] for f in fields if f[1] == "day"][0]
                        else 0
                    )
                    v = (
                        start
                        + datetime.timedelta(
                            0 if name == [f[0] for f in fields if f[1] == "day"][0] else r.randint(3, 60)
                        )
                    ).isoformat()
                elif kind == "amount":
                    lo, hi = (arg or "1-90").split("-")
                    v = f"{r.uniform(float(lo), float(hi)):.2f}"
                elif kind == "count":
                    lo, hi = (arg or "1-40").split("-")
                    v = str(r.randint(int(lo), int(hi)))
                elif kind == "choice":
                    v = r.choice(arg.split("/"))
                elif kind == "flag":
                    v = r.choice(("yes", "no", "no"))
                elif kind == "ref":
                    t = self.data.get(arg)
                    v = r.choice(t)[next(f[0] for f in self.by(arg) if f[1] == "code")] if t else f"X{i}"
                elif kind == "note":
                    v = r.choice(["", "", ""] + (self.notes or ["as agreed", "to be looked at again"]))
                row[name] = v
            rows.append(row)
        self.data[plural] = rows

    def by(self, plural):
        return next(e[3] for e in self.spec if e[0] == plural)

    def csv(self, e):
        plural, _, _, fields = e
        names = [f[0] for f in fields]

        def q(v):
            return f'"{v}"' if "," in v else v

        W(
            self.repo / "data" / f"{plural}.csv",
            ",".join(names) + "\n" + "".join(",".join(q(r[n]) for n in names) + "\n" for r in self.data[plural]),
        )

    def record(self, e):
        plural, singular, desc, fields = e
        C = cap(singular)
        p = self.pkg
        kinds = {f[1] for f in fields}
        code = next(f[0] for f in fields if f[1] == "code")
        imp = []
        if self.st["cls"] == "dataclass":
            imp.append("from dataclasses import dataclass")
        if "day" in kinds:
            imp.append("from datetime import date")
        if "amount" in kinds:
            imp.append("from decimal import Decimal")
        if self.st["cls"] == "tuple":
            imp.append("from typing import NamedTuple")
        readers = {
            "day": "read_day",
            "amount": "read_amount",
            "count": "read_count",
            "flag": "read_flag",
            "choice": "read_choice",
            "code": "read_code",
            "name": "read_words",
            "note": "read_note",
            "ref": "read_code",
        }
        used = sorted({readers[k] for k in kinds})
        writers = {
            "day": "{}.isoformat()",
            "amount": 'f"{{{}:.2f}}"',
            "count": "str({})",
            "flag": '"yes" if {} else "no"',
            "choice": "{}",
            "code": "{}",
            "name": "{}",
            "note": "{}",
            "ref": "{}",
        }
        consts = []
        for n, k, a in fields:
            if k == "choice":
                consts.append(f"{n.upper()}S = ({', '.join(repr(x).replace(chr(39), chr(34)) for x in a.split('/'))})")
        lines = [
            f'"""{desc}"""',
            "",
            *imp,
            "",
            f"from {p}.kit.fields import BadField, {', '.join(used)}"
            if any(k in kinds for k in ("day", "count"))
            else f"from {p}.kit.fields import {', '.join(used)}",
            f"from {p}.kit.store import Store",
            "",
        ]
        lines += consts + [""]
        if self.st["cls"] == "dataclass":
            lines += ["@dataclass(frozen=True)", f"class {C}:"]
        else:
            lines += [f"class {C}(NamedTuple):"]
        lines += [f'    """One of the {words(plural)}, as a line of data/{plural}.csv has it."""', ""]
        lines += [f"    {n}: {TYPES[k]}" for n, k, a in fields]
        # properties
        days = [n for n, k, a in fields if k == "day"]
        amounts = [n for n, k, a in fields if k == "amount"]
        counts = [n for n, k, a in fields if k == "count"]
        if len(days) > 1:
            lines += [
                "",
                "    @property",
                "    def length(self):",
                f'        """Days from {words(days[0])} to {words(days[1])}, both counted."""',
                f"        return (self.{days[1]} - self.{days[0]}).days + 1",
            ]
        if amounts and counts:
            lines += [
                "",
                "    @property",
                "    def worth(self):",
                f'        """{words(amounts[0]).capitalize()} for all of {words(counts[0])}."""',
                f"        return self.{amounts[0]} * self.{counts[0]}",
            ]
        nm = next((n for n, k, a in fields if k == "name"), None)
        if nm:
            lines += [
                "",
                "    @property",
                "    def heading(self):",
                f'        """How it is written on lists."""',
                f'        return f"{{self.{code}}} {{self.{nm}}}"',
            ]
        lines += [
            "",
            "",
            f"def parse_{singular}(row):",
            f'    """The {words(singular)} of a row; BadField names what is wrong in it."""',
        ]
        args = []
        for n, k, a in fields:
            extra = {"choice": f", {n.upper()}S", "code": f', "{a}"', "ref": ', ""'}.get(k, "")
            args.append(f'        {n}={readers[k]}(row, "{n}"{extra}),')
        lines += [f"    found = {C}(", *args, "    )"]
        if len(days) > 1:
            lines += [
                f"    if found.{days[1]} < found.{days[0]}:",
                f'        raise BadField(f"{{found.{code}}}: {words(days[1])} is before {words(days[0])}")',
            ]
        if counts:
            lines += [
                f"    if found.{counts[0]} < 0:",
                f'        raise BadField(f"{{found.{code}}}: {words(counts[0])} is below zero")',
            ]
        lines += [
            "    return found",
            "",
            "",
            f"def format_{singular}({singular}):",
            f'    """The row of a {words(singular)}, as it is read."""',
            "    return {",
        ]
        lines += [f'        "{n}": {writers[k].format(singular + "." + n)},' for n, k, a in fields]
        lines += [
            "    }",
            "",
            "",
            f"def describe_{singular}({singular}):",
            f'    """Lines about a {words(singular)} for people; what is empty is left out."""',
        ]
        for n, k, a in fields:
            if k == "note":
                lines += [f"    if {singular}.{n}:", f'        yield f"{words(n)}: {{{singular}.{n}}}"']
            elif k == "flag":
                lines += [f"    if {singular}.{n}:", f'        yield "{words(n)}"']
            elif k == "day":
                lines += [f'    yield f"{words(n)}: {{{singular}.{n}:%d.%m.%Y}}"']
            elif k == "amount":
                lines += [f'    yield f"{words(n)}: {{{singular}.{n}:,.2f}}"']
            else:
                lines += [f'    yield f"{words(n)}: {{{singular}.{n}}}"']
        lines += [
            "",
            "",
            f"def changes_of_{singular}(before, after):",
            '    """(field, old text, new text) of what is not the same."""',
            f"    old, new = format_{singular}(before), format_{singular}(after)",
            "    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]",
            "",
            "",
            f'{plural.upper()} = Store("{plural}", parse_{singular}, format_{singular}, key="{code}")',
            "",
        ]
        if not consts:
            i = lines.index(f"from {p}.kit.store import Store")
        txt = "\n".join(lines)
        txt = re.sub(r"\n{4,}", "\n\n\n", txt)
        txt = re.sub(r"import Store\n\n(?=[A-Z])", "import Store\n\n", txt)
        txt = re.sub(r"\n\n(?:\n)*(@dataclass|class )", r"\n\n\n\1", txt)
        W(self.repo / p / self.rec / f"{plural}.py", txt)

    def queries(self, e):
        """(name, body lines, test lines) of each function of the lists."""
        plural, singular, desc, fields = e
        s = self.st
        code = next(f[0] for f in fields if f[1] == "code")
        v = singular if len(singular) < 12 else "item"
        out = []
        for n, k, a in fields:
            if k in ("choice", "ref"):
                out.append(
                    (
                        f"{s['group']}_{n}",
                        [
                            f"def {s['group']}_{n}({plural}):",
                            f'    """{words(plural).capitalize()} for each {words(n)}, in the order of the file."""',
                            "    found = {}",
                            f"    for {v} in {plural}:",
                            f"        found.setdefault({v}.{n}, []).append({v})",
                            "    return found",
                        ],
                        k,
                        n,
                    )
                )
            if k == "choice" and len(a.split("/")) > 2:
                out.append(
                    (
                        f"count_{n}s",
                        [
                            f"def count_{n}s({plural}):",
                            f'    """How many {words(plural)} there are of each {words(n)}, most first."""',
                            f"    counts = Counter({v}.{n} for {v} in {plural})",
                            "    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))",
                        ],
                        "counter",
                        n,
                    )
                )
            if k == "amount":
                ch = next((f[0] for f in fields if f[1] == "choice"), None)
                out.append(
                    (
                        f"{s['add']}_{n}",
                        [
                            f"def {s['add']}_{n}({plural}):",
                            f'    """The sum of {words(n)}."""',
                            f"    return sum(({v}.{n} for {v} in {plural}), Decimal(0))",
                        ],
                        "amount",
                        n,
                    )
                )
                if ch:
                    out.append(
                        (
                            f"{n}_of_each_{ch}",
                            [
                                f"def {n}_of_each_{ch}({plural}):",
                                f'    """The sum of {words(n)} for each {words(ch)}, largest first."""',
                                "    sums = {}",
                                f"    for {v} in {plural}:",
                                f"        sums[{v}.{ch}] = sums.get({v}.{ch}, Decimal(0)) + {v}.{n}",
                                "    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))",
                            ],
                            "sums",
                            (n, ch),
                        )
                    )
                out.append(
                    (
                        f"dearest_{n}" if n in ("price", "fee", "cost") else f"largest_{n}",
                        [
                            f"def {'dearest' if n in ('price', 'fee', 'cost') else 'largest'}_{n}({plural}, count=5):",
                            f'    """The {words(plural)} with the largest {words(n)}; equal ones in the order of their {words(code)}."""',
                            f"    return sorted({plural}, key=lambda {v}: (-{v}.{n}, {v}.{code}))[:count]",
                        ],
                        "top",
                        n,
                    )
                )
            if k == "count":
                out.append(
                    (
                        f"mean_{n}",
                        [
                            f"def mean_{n}({plural}):",
                            f'    """The mean of {words(n)}, rounded to a tenth; None without {words(plural)}."""',
                            f"    values = [{v}.{n} for {v} in {plural}]",
                            "    return round(sum(values) / len(values), 1) if values else None",
                        ],
                        "mean",
                        n,
                    )
                )
                out.append(
                    (
                        f"at_least_{n}",
                        [
                            f"def at_least_{n}({plural}, wanted):",
                            f'    """The {words(plural)} whose {words(n)} is at least what is wanted."""',
                            f"    return [{v} for {v} in {plural} if {v}.{n} >= wanted]",
                        ],
                        "atleast",
                        n,
                    )
                )
            if k == "day":
                out.append(
                    (
                        f"{s['find']}_{n}_between",
                        [
                            f"def {s['find']}_{n}_between({plural}, first, last):",
                            f'    """The {words(plural)} with {words(n)} from first to last, both included."""',
                            f"    return [{v} for {v} in {plural} if first <= {v}.{n} <= last]",
                        ],
                        "between",
                        n,
                    )
                )
                out.append(
                    (
                        f"{s['group']}_month_of_{n}",
                        [
                            f"def {s['group']}_month_of_{n}({plural}):",
                            f'    """How many {words(plural)} each month has, by {words(n)}: (2024, 5) is May 2024."""',
                            f"    counts = Counter(({v}.{n}.year, {v}.{n}.month) for {v} in {plural})",
                            "    return sorted(counts.items())",
                        ],
                        "months",
                        n,
                    )
                )
            if k == "flag":
                out.append(
                    (
                        f"{s['find']}_{n}",
                        [
                            f"def {s['find']}_{n}({plural}):",
                            f'    """The {words(plural)} that are marked as {words(n)}."""',
                            f"    return [{v} for {v} in {plural} if {v}.{n}]",
                        ],
                        "flag",
                        n,
                    )
                )
            if k == "name":
                out.append(
                    (
                        f"search_{n}",
                        [
                            f"def search_{n}({plural}, part):",
                            f'    """The {words(plural)} whose {words(n)} has the words of part, in any order and case."""',
                            "    wanted = part.lower().split()",
                            f"    return [{v} for {v} in {plural} if all(word in {v}.{n}.lower() for word in wanted)]",
                        ],
                        "search",
                        n,
                    )
                )
            if k == "note":
                out.append(
                    (
                        f"with_{n}",
                        [
                            f"def with_{n}({plural}):",
                            f'    """The {words(plural)} that have a {words(n)}."""',
                            f"    return [{v} for {v} in {plural} if {v}.{n}]",
                        ],
                        "note",
                        n,
                    )
                )
        return out

    def lists(self, e):
        plural, singular, desc, fields = e
        kinds = {f[1] for f in fields}
        qs = self.queries(e)
        body = "\n".join(l for q in qs for l in q[1])
        imp = []
        if "Counter(" in body:
            imp.append("from collections import Counter")
        if "Decimal(" in body:
            imp.append("from decimal import Decimal")
        lines = [f'"""Lists and sums of {words(plural)}."""', "", *imp] + (["", ""] if imp else [""])
        for q in qs:
            lines += q[1] + ["", ""]
        nm = next((n for n, k, a in fields if k == "name"), None)
        code = next(f[0] for f in fields if f[1] == "code")
        cols = [n for n, k, a in fields if k != "note"][:5]
        lines += [
            "COLUMNS = (" + ", ".join(f'"{c}"' for c in cols) + ")",
            "",
            "",
            f"def table_of_{plural}({plural}):",
            f'    """Lines of a table for people, sorted by {words(code)}."""',
            "    yield COLUMNS",
            f"    for item in sorted({plural}, key=lambda item: item.{code}):",
            "        yield tuple(str(getattr(item, column)) for column in COLUMNS)",
            "",
        ]
        W(self.repo / self.pkg / self.lst / f"{plural}.py", "\n".join(lines))

    def tests(self, e):
        plural, singular, desc, fields = e
        C = cap(singular)
        p = self.pkg
        rows = self.data[plural]
        qs = self.queries(e)
        r = self.r
        code = next(f[0] for f in fields if f[1] == "code")
        kinds = {f[1] for f in fields}
        pickn = r.sample(range(len(rows)), 4)
        pickn.sort()
        sample = [rows[i] for i in pickn]
        imp = ["import unittest"]
        if "day" in kinds:
            imp.append("from datetime import date")
        if "amount" in kinds:
            imp.append("from decimal import Decimal")
        L = [
            *imp,
            "",
            f"from {p}.kit.fields import BadField",
            f"from {p}.{self.lst} import {plural} as lists",
            f"from {p}.{self.rec}.{plural} import {plural.upper()}, changes_of_{singular}, describe_{singular}, format_{singular}, parse_{singular}"
            if len(plural) * 2 + len(singular) * 4 + len(p) < 58
            else f"from {p}.{self.rec}.{plural} import (\n    {plural.upper()},\n    changes_of_{singular},\n    describe_{singular},\n    format_{singular},\n    parse_{singular},\n)",
            "",
            "ROWS = [",
        ]
        names = [f[0] for f in fields]
        for s in sample:
            one = "    {" + ", ".join(f'"{n}": "{s[n]}"' for n in names) + "},"
            if len(one) <= 116:
                L.append(one)
            else:
                L += ["    {", *(f'        "{n}": "{s[n]}",' for n in names), "    },"]
        L += [
            "]",
            "",
            "",
            f"class {C}Test(unittest.TestCase):",
            "    def setUp(self):",
            f"        self.{plural} = [parse_{singular}(row) for row in ROWS]",
            "",
        ]
        L += [
            "    def test_a_row_is_written_as_it_was_read(self):",
            f"        self.assertEqual([format_{singular}(item) for item in self.{plural}], ROWS)",
            "",
        ]
        L += [
            "    def test_the_file_can_be_read(self):",
            f"        self.assertEqual(len({plural.upper()}.read()), {len(rows)})",
            f'        self.assertEqual({plural.upper()}.get("{sample[0][code]}"), self.{plural}[0])',
            "",
        ]

        def fmt(n, k, a, v):
            if k == "note":
                return f"{words(n)}: {v}" if v else None
            if k == "flag":
                return words(n) if v == "yes" else None
            if k == "day":
                return f"{words(n)}: {v[8:]}.{v[5:7]}.{v[:4]}"
            if k == "amount":
                return f"{words(n)}: {Decimal(v):,.2f}"
            return f"{words(n)}: {v}"

        L += [
            "    def test_it_is_described(self):",
            "        wanted = [",
            *(f'            "{x}",' for x in (fmt(n, k, a, sample[0][n]) for n, k, a in fields) if x),
            "        ]",
            f"        self.assertEqual(list(describe_{singular}(self.{plural}[0])), wanted)",
            "",
        ]
        n1 = fields[-1][0] if fields[-1][1] != "flag" else fields[1][0]
        diff = [n for n in names if sample[0][n] != sample[1][n]]
        L += [
            "    def test_changes_are_named(self):",
            f"        found = changes_of_{singular}(self.{plural}[0], self.{plural}[1])",
            "        self.assertEqual([name for name, _, _ in found], [" + ", ".join(f'"{n}"' for n in diff) + "])",
            f"        self.assertEqual(changes_of_{singular}(self.{plural}[0], self.{plural}[0]), [])",
            "",
        ]
        for n, k, a in fields:
            bad = {
                "day": "31.02.2025",
                "amount": "a lot",
                "count": "several",
                "choice": "unheard of",
                "flag": "perhaps",
            }.get(k)
            if bad:
                L += [
                    f"    def test_{n}_is_checked(self):",
                    "        with self.assertRaises(BadField):",
                    f'            parse_{singular}(ROWS[0] | {{"{n}": "{bad}"}})',
                    "",
                ]

        def D(x):
            d = datetime.date.fromisoformat(x)
            return f"date({d.year}, {d.month}, {d.day})"

        for q in qs:
            nm, _, k, arg = q
            call = f"lists.{nm}(self.{plural}"
            codes = lambda it: "[" + ", ".join(f'"{x[code]}"' for x in it) + "]"
            found = call + "%s)"
            if k in ("choice", "ref"):
                g = {}
                for s in sample:
                    g.setdefault(s[arg], []).append(s)
                L += [
                    f"    def test_{nm}(self):",
                    f"        groups = {call})",
                    "        sizes = {name: len(items) for name, items in groups.items()}",
                    f"        self.assertEqual(sizes, {{" + ", ".join(f'"{a}": {len(b)}' for a, b in g.items()) + "})",
                    "",
                ]
            elif k == "counter":
                g = {}
                for s in sample:
                    g[s[arg]] = g.get(s[arg], 0) + 1
                w = sorted(g.items(), key=lambda i: (-i[1], i[0]))
                L += [
                    f"    def test_{nm}(self):",
                    f"        self.assertEqual({call}), [" + ", ".join(f'("{a}", {b})' for a, b in w) + "])",
                    "",
                ]
            elif k == "amount":
                L += [
                    f"    def test_{nm}(self):",
                    f'        self.assertEqual({call}), Decimal("{sum(Decimal(s[arg]) for s in sample)}"))',
                    "",
                ]
            elif k == "sums":
                g = {}
                for s in sample:
                    g[s[arg[1]]] = g.get(s[arg[1]], 0) + Decimal(s[arg[0]])
                w = sorted(g.items(), key=lambda i: (-i[1], i[0]))
                L += [
                    f"    def test_{nm}(self):",
                    f"        self.assertEqual({call}), [" + ", ".join(f'("{a}", Decimal("{b}"))' for a, b in w) + "])",
                    "",
                ]
            elif k == "top":
                w = sorted(sample, key=lambda s: (-Decimal(s[arg]), s[code]))[:2]
                L += [
                    f"    def test_{nm}(self):",
                    f"        found = {found % ', 2'}",
                    f"        self.assertEqual([item.{code} for item in found], {codes(w)})",
                    "",
                ]
            elif k == "mean":
                L += [
                    f"    def test_{nm}(self):",
                    f"        self.assertEqual({call}), {round(sum(int(s[arg]) for s in sample) / 4, 1)})",
                    f"        self.assertIsNone(lists.{nm}([]))",
                    "",
                ]
            elif k == "atleast":
                lim = sorted(int(s[arg]) for s in sample)[2]
                L += [
                    f"    def test_{nm}(self):",
                    f"        found = {found % f', {lim}'}",
                    f"        self.assertEqual([item.{code} for item in found], {codes([s for s in sample if int(s[arg]) >= lim])})",
                    "",
                ]
            elif k == "between":
                ds = sorted(s[arg] for s in sample)
                L += [
                    f"    def test_{nm}(self):",
                    f"        first, last = {D(ds[1])}, {D(ds[2])}",
                    f"        found = {found % ', first, last'}",
                    f"        self.assertEqual([item.{code} for item in found], {codes([s for s in sample if ds[1] <= s[arg] <= ds[2]])})",
                    "",
                ]
            elif k == "flag":
                L += [
                    f"    def test_{nm}(self):",
                    f"        found = {found % ''}",
                    f"        self.assertEqual([item.{code} for item in found], {codes([s for s in sample if s[arg] == 'yes'])})",
                    "",
                ]
            elif k == "search":
                w = sample[1][arg].split()[0].lower()
                L += [
                    f"    def test_{nm}(self):",
                    f"        found = {found % f', {chr(34)}{w.upper()}{chr(34)}'}",
                    f"        self.assertEqual([item.{code} for item in found], {codes([s for s in sample if w in s[arg].lower()])})",
                    "",
                ]
        L += ["", 'if __name__ == "__main__":', "    unittest.main()", ""]
        out = []
        for l in "\n".join(L).split("\n"):
            m = re.fullmatch(r"        self\.assertEqual\((.*?), (\[.*\]|\{.*\})\)", l)
            if len(l) > 112 and m:
                out += [
                    f"        wanted = {m[2]}"
                    if len(m[2]) < 100
                    else "        wanted = [\n"
                    + "".join(f"            {x},\n" for x in re.findall(r'\(".*?"\)\)|"[^"]*"(?=[,\]])', m[2]))
                    + "        ]",
                    f"        self.assertEqual({m[1]}, wanted)",
                ]
            else:
                out.append(l)
        t = "\n".join(out)
        t = re.sub(r"\n\n\n\nif", r"\n\n\nif", t)
        W(self.repo / "tests" / self.rec / f"test_{plural}.py", t)

    def doc(self, e):
        plural, singular, desc, fields = e
        rows = self.data[plural]
        qs = self.queries(e)
        mean = {
            "code": lambda a: f"key; `{a}` and four digits",
            "name": lambda a: "words, at least one letter",
            "day": lambda a: "a day, as in 2025-03-31",
            "amount": lambda a: "a number with two decimals",
            "count": lambda a: "a whole number",
            "choice": lambda a: "one of " + ", ".join(f"`{x}`" for x in a.split("/")),
            "flag": lambda a: "`yes` or `no`",
            "ref": lambda a: f"key of one of the [{words(a)}]({a}.md)",
            "note": lambda a: "free words, may be empty",
        }
        L = [
            f"# {words(plural).capitalize()}",
            "",
            desc,
            "",
            f"The file is `data/{plural}.csv`, the code `{self.pkg}/{self.rec}/{plural}.py`.",
            "",
            "| column | what it is |",
            "|---|---|",
        ]
        L += [f"| `{n}` | {mean[k](a)} |" for n, k, a in fields]
        ex = self.r.choice(rows)
        L += ["", "An example:", "", "    " + ",".join(ex.values()), "", "## Lists", ""]
        for q in qs:
            d = [l for l in q[1] if '"""' in l][0].strip().strip('"')
            L.append(f"- `{q[0]}`: {d[0].lower() + d[1:]}")
        W(self.repo / "docs" / self.rec / f"{plural}.md", "\n".join(L) + "\n")

    def kit(self):
        p = self.repo / self.pkg
        P = self.pkg
        for d in ("", self.rec, self.lst, "kit"):
            f = p / d / "__init__.py"
            if not f.exists():
                W(f, f'"""{self.title}"""\n' if d == "" else "")
        for d in ("tests", "tests/" + self.rec, "tests/kit"):
            W(self.repo / d / "__init__.py", "")
        W(
            p / "kit/fields.py",
            '''"""Fields of rows: text in, values out."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation


class BadField(ValueError):
    """A field that is missing or has no value of its kind."""


def _text(row, name):
    try:
        return row[name].strip()
    except KeyError:
        raise BadField(f"{name} is missing") from None


def read_words(row, name):
    """Words with at least one letter."""
    text = _text(row, name)
    if not any(character.isalpha() for character in text):
        raise BadField(f"{name}: {text!r} has no letters")
    return text


def read_note(row, name):
    """Any text, also none."""
    return _text(row, name)


def read_code(row, name, prefix):
    """A key: some capital letters and digits that begin with the prefix."""
    text = _text(row, name)
    if not text.startswith(prefix) or not re.fullmatch(r"[A-Z]*[0-9]+", text):
        raise BadField(f"{name}: {text!r} is no key")
    return text


def read_day(row, name):
    text = _text(row, name)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadField(f"{name}: {text!r} is no day") from None


def read_amount(row, name):
    text = _text(row, name)
    try:
        return Decimal(text)
    except InvalidOperation:
        raise BadField(f"{name}: {text!r} is no amount") from None


def read_count(row, name):
    text = _text(row, name)
    if not text.isdecimal():
        raise BadField(f"{name}: {text!r} is no number")
    return int(text)


def read_flag(row, name):
    text = _text(row, name)
    if text not in ("yes", "no"):
        raise BadField(f"{name}: {text!r} is neither yes nor no")
    return text == "yes"


def read_choice(row, name, choices):
    text = _text(row, name)
    if text not in choices:
        raise BadField(f"{name}: {text!r} is none of {', '.join(choices)}")
    return text
''',
        )
        W(
            p / "kit/store.py",
            f'''"""Files of rows."""

import csv
from pathlib import Path

from {P}.kit.fields import BadField

FOLDER = Path(__file__).resolve().parents[2] / "data"


class Store:
    """The rows of a file in data/, as values of one kind."""

    def __init__(self, name, parse, render, key):
        self.name, self.parse, self.render, self.key = name, parse, render, key

    @property
    def path(self):
        return FOLDER / f"{{self.name}}.csv"

    def read(self):
        """All values; BadField names the line that has none."""
        with open(self.path, newline="", encoding="utf-8") as file:
            found = []
            for number, row in enumerate(csv.DictReader(file), 2):
                try:
                    found.append(self.parse(row))
                except BadField as error:
                    raise BadField(f"{{self.path.name}}:{{number}}: {{error}}") from None
        return found

    def get(self, key):
        """The value with a key. Raises KeyError."""
        for value in self.read():
            if getattr(value, self.key) == key:
                return value
        raise KeyError(key)

    def write(self, values, target):
        """Write values to another file, in the form in which they are read."""
        rows = [self.render(value) for value in values]
        with open(target, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else [self.key], lineterminator="\\n")
            writer.writeheader()
            writer.writerows(rows)
''',
        )
        W(
            p / "kit/tables.py",
            '''"""Tables for people."""


def lay_out(rows, gap=2):
    """Lines of rows of words, each column as wide as its longest word."""
    rows = [tuple(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield (" " * gap).join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()


def underline(lines):
    """Put a line of dashes below the first line."""
    lines = list(lines)
    if lines:
        lines.insert(1, "-" * max(map(len, lines)))
    return lines


def shorten(text, width):
    """At most width characters, with three dots if some were dropped."""
    return text if len(text) <= width else text[: max(0, width - 3)].rstrip() + "..."
''',
        )
        W(
            p / "kit/periods.py",
            '''"""Periods of days."""

from calendar import monthrange
from datetime import date, timedelta


def month(year, number):
    """First and last day of a month."""
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def quarter(year, number):
    """First and last day of a quarter, counted from one."""
    return month(year, number * 3 - 2)[0], month(year, number * 3)[1]


def week_of(day):
    """Monday and Sunday of the week of a day."""
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=6)


def days_between(first, last):
    """All days from first to last."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def overlap(one, other):
    """The days that two periods share, or None."""
    first, last = max(one[0], other[0]), min(one[1], other[1])
    return (first, last) if first <= last else None
''',
        )
        W(
            self.repo / "tests/kit/test_tables.py",
            f"""import unittest

from {P}.kit.tables import lay_out, shorten, underline


class TablesTest(unittest.TestCase):
    def test_columns_are_as_wide_as_their_longest_word(self):
        self.assertEqual(list(lay_out([("a", "bcd"), ("efg", "h")])), ["a    bcd", "efg  h"])

    def test_the_head_is_underlined(self):
        self.assertEqual(underline(["ab", "cde"]), ["ab", "---", "cde"])
        self.assertEqual(underline([]), [])

    def test_long_words_are_shortened(self):
        self.assertEqual(shorten("a long text", 8), "a lon...")
        self.assertEqual(shorten("short", 8), "short")
""",
        )
        W(
            self.repo / "tests/kit/test_periods.py",
            f"""import unittest
from datetime import date

from {P}.kit.periods import days_between, month, overlap, quarter, week_of


class PeriodsTest(unittest.TestCase):
    def test_months_and_quarters(self):
        self.assertEqual(month(2024, 2), (date(2024, 2, 1), date(2024, 2, 29)))
        self.assertEqual(quarter(2025, 4), (date(2025, 10, 1), date(2025, 12, 31)))

    def test_weeks_begin_on_monday(self):
        self.assertEqual(week_of(date(2025, 5, 1)), (date(2025, 4, 28), date(2025, 5, 4)))

    def test_days(self):
        self.assertEqual(len(list(days_between(date(2025, 1, 30), date(2025, 2, 2)))), 4)

    def test_what_periods_share(self):
        self.assertEqual(overlap(month(2025, 1), quarter(2025, 1)), month(2025, 1))
        self.assertIsNone(overlap(month(2025, 1), month(2025, 2)))
""",
        )
        W(
            self.repo / "tests/kit/test_fields.py",
            f"""import unittest
from datetime import date
from decimal import Decimal

from {P}.kit import fields


class FieldsTest(unittest.TestCase):
    def test_values(self):
        row = {{"a": " 12 ", "b": "2.50", "c": "2025-02-03", "d": "yes", "e": "K0012"}}
        self.assertEqual(fields.read_count(row, "a"), 12)
        self.assertEqual(fields.read_amount(row, "b"), Decimal("2.50"))
        self.assertEqual(fields.read_day(row, "c"), date(2025, 2, 3))
        self.assertIs(fields.read_flag(row, "d"), True)
        self.assertEqual(fields.read_code(row, "e", "K"), "K0012")

    def test_what_is_wrong_is_named(self):
        cases = [
            (fields.read_count, "-1", "a: '-1' is no number"),
            (fields.read_amount, "1,5", "a: '1,5' is no amount"),
            (fields.read_day, "2025-13-01", "a: '2025-13-01' is no day"),
            (fields.read_words, "12", "a: '12' has no letters"),
        ]
        for read, text, message in cases:
            with self.subTest(text), self.assertRaises(fields.BadField) as caught:
                read({{"a": text}}, "a")
            self.assertEqual(str(caught.exception), message)

    def test_a_field_may_be_missing(self):
        with self.assertRaises(fields.BadField):
            fields.read_note({{}}, "a")
""",
        )

    def index(self):
        p = self.repo / self.pkg
        P = self.pkg
        ents = [(e[0], e[1]) for e in self.spec]
        L = ['"""The records, by their names."""', ""]
        L += [f"from {P}.{self.lst} import " + ", ".join(sorted(e[0] for e in ents[:6]))]
        L = (
            ['"""The records, by their names."""', "", "import importlib", "", "NAMES = ("]
            + [f'    "{e[0]}",' for e in ents]
            + [
                ")",
                "",
                "",
                "def store_of(name):",
                '    """The store of a kind of records. Raises KeyError."""',
                "    if name not in NAMES:",
                "        raise KeyError(name)",
                f'    return getattr(importlib.import_module(f"{P}.{self.rec}.{{name}}"), name.upper())',
                "",
                "",
                "def table_of(name, records):",
                '    """Lines of a table of records."""',
                f'    module = importlib.import_module(f"{P}.{self.lst}.{{name}}")',
                '    return getattr(module, f"table_of_{name}")(records)',
                "",
            ]
        )
        W(p / "registry.py", "\n".join(L))
        W(
            p / "__main__.py",
            f'''"""Look at the records: python3 -m {P} list NAME | show NAME KEY | check"""

import sys

from {P}.kit.fields import BadField
from {P}.kit.tables import lay_out, underline
from {P}.registry import NAMES, store_of, table_of


def show(name, key):
    store = store_of(name)
    for field, text in store.render(store.get(key)).items():
        print(f"{{field + ':':<16}}{{text}}")


def check():
    """Read every file, and look that keys are there once."""
    wrong = 0
    for name in NAMES:
        store = store_of(name)
        try:
            keys = [getattr(record, store.key) for record in store.read()]
        except BadField as error:
            print(f"{{name}}: {{error}}", file=sys.stderr)
            wrong += 1
            continue
        if len(set(keys)) < len(keys):
            print(f"{{name}}: a key is there twice", file=sys.stderr)
            wrong += 1
        print(f"{{name:<20}}{{len(keys):>5}}")
    return 1 if wrong else 0


def main(arguments):
    try:
        match arguments:
            case ["list", name]:
                print("\\n".join(underline(lay_out(table_of(name, store_of(name).read())))))
            case ["show", name, key]:
                show(name, key)
            case ["check"]:
                return check()
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except KeyError as missing:
        print(f"there is no {{missing}}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
''',
        )
        idx = ["# Records", ""] + [f"- [{words(e[0])}]({e[0]}.md): {e[2][0].lower() + e[2][1:]}" for e in self.spec]
        W(self.repo / "docs" / self.rec / "README.md", "\n".join(idx) + "\n")

    def changelog(self, extra=(), version=(3, 9)):
        r = self.r
        major, minor = version
        d = datetime.date(2025, 11, 20)
        L = ["# Changes", ""]
        extra = list(extra)
        kinds = [
            "A list of {p} by {f}.",
            "`{f}` of {p} is checked when the file is read.",
            "{P}: the table has `{f}`.",
            "Reading {p} is twice as fast.",
            "Sums of {p} no longer count those without `{f}`.",
            "The page on {p} says what `{f}` is.",
            "{P} can be written to another file.",
            "Tests for {p} with an empty file.",
        ]
        while minor >= 0:
            L += [f"## {major}.{minor} ({d.isoformat()})", ""]
            for _ in range(r.randint(2, 4)):
                e = r.choice(self.spec)
                f = r.choice(e[3])[0]
                L.append("- " + r.choice(kinds).format(p=words(e[0]), P=words(e[0]).capitalize(), f=f))
            if extra and r.random() < 0.8:
                L.append("- " + extra.pop(0))
            L.append("")
            minor -= 1
            d -= datetime.timedelta(r.randint(20, 60))
            if minor < 0 and major > 1:
                major -= 1
                minor = r.randint(3, 6)
        W(self.repo / "CHANGELOG.md", "\n".join(L))
