"""What a session wrote, read or downloaded has the same source when it is run or read later."""

from __future__ import annotations

import json
import marshal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from mind_skills.observations.builders import build_tool_call
from mind_skills.observations.known_files import MAX_FILES, KnownFiles, remember_files
from mind_skills.observations.model import Action, Observation, Source
from mind_skills.observations.read import read_session

DOWNLOAD = "import urllib.request\nprint(urllib.request.urlopen(ADDRESS).read())\n"
CURL = "set -e\ncurl -sf https://x.test/a\n"
MAKEFILE = (
    "all: lint\n\tpytest -q\n\nlint:\n\t@ruff check .\n\nnews: page\n\t@cat a\n\npage:\n\tcurl -sf https://x.test/a\n"
)
PACKAGE = json.dumps({"scripts": {"test": "jest", "news": 'curl -sf "https://x.test/a"'}}, indent=1)
PROJECT = "/home/dev/shop/"


class Call(NamedTuple):
    """A call of a tool: its main argument is a command or a file, ``text`` what it writes or prints."""

    action: Action
    argument: str
    text: str = ""


def write(file: str, text: str) -> Call:
    return Call("write", PROJECT + file, text)


def run(command: str, output: str = "") -> Call:
    return Call("run", command, output)


def read(file: str, text: str) -> Call:
    return Call("read", PROJECT + file, "".join(f"{n}\t{line}\n" for n, line in enumerate(text.split("\n"), 1)))


def build(calls: list[Call]) -> Iterator[Observation]:
    for line, call in enumerate(calls, 1):
        is_command = call.action == "run"
        is_change = call.action in ("edit", "write")
        yield build_tool_call(
            "Tool",
            call.action,
            line=line,
            command=call.argument if is_command else "",
            files=() if is_command else (call.argument,),
            added=call.text if is_change else "",
            output="" if is_change else call.text,
            outcome="ok",
        )


def find_last_source(calls: list[Call], known: KnownFiles | None = None) -> Source:
    return [each.source for each in remember_files(build(calls), KnownFiles() if known is None else known)][-1]


CLONE = [run("git clone -q https://x.test/a/tools.git /tmp/tools")]
FETCH = [run("curl -so get.py https://x.test/a")]
SOURCES: list[tuple[list[Call], dict[str, Source]]] = [
    (
        [write("get.py", DOWNLOAD)],
        {
            "python get.py": "web",
            "python3 -u ./get.py a": "web",
            "uv run get.py": "web",
            "cd /home/dev/shop && python get.py": "web",
            "sh -c 'python get.py'": "web",
            f"python {PROJECT}get.py": "web",
            "python -m get": "web",
            "cat get.py": "local",
            "git add get.py": "local",
            "ruff check get.py": "local",
            "python other/get.py": "local",
            "python forget.py": "local",
            "pytest": "local",
        },
    ),
    ([read("get.py", DOWNLOAD)], {"python get.py": "web", "python set.py": "local"}),
    ([run("cat get.py", DOWNLOAD)], {"python get.py": "web"}),
    ([run(f"cat > get.py <<'E'\n{DOWNLOAD}E")], {"python get.py": "web", "ls": "local"}),
    ([run("echo 'curl -s https://x.test' > x.sh && chmod +x x.sh")], {"./x.sh": "web"}),
    ([Call("edit", f"{PROJECT}x.py", "import httpx")], {"python x.py": "web"}),
    ([write("get.py", DOWNLOAD), write("get.py", "print(1)")], {"python get.py": "local"}),
    ([write("get.py", DOWNLOAD), Call("edit", f"{PROJECT}get.py", "print(1)")], {"python get.py": "web"}),
    ([write("get.py", DOWNLOAD), run("cp get.py b/run.py")], {"python b/run.py": "web", "cat b/run.py": "local"}),
    (
        [write("x.sh", CURL)],
        {"./x.sh": "web", "bash x.sh": "web", ". ./x.sh": "web", "source x.sh": "web", "bash -n x.sh": "local"},
    ),
    ([write("x.sh", "gh issue list\n")], {"./x.sh": "issue"}),
    ([write("x.sh", 'docker compose up\n"$@"\n')], {"./x.sh": "local"}),
    ([write("bin/news", f"#!/bin/sh\n{CURL}")], {"bin/news": "web", "bin/olds": "local"}),
    (
        [write("Makefile", MAKEFILE)],
        {
            "make news": "web",
            "make -j2 page": "web",
            "make": "local",
            "make lint all": "local",
            "cat Makefile": "local",
        },
    ),
    ([write("Makefile", "get:\n\twget https://x.test\n")], {"make": "web", "just get": "local"}),
    ([write("Makefile", MAKEFILE), write("Makefile", "news:\n\tls\n")], {"make news": "local"}),
    (
        [read("package.json", PACKAGE)],
        {
            "npm run news": "web",
            "yarn news": "web",
            "npm test": "local",
            "npm install": "local",
            "pip install news": "local",
        },
    ),
    (
        FETCH,
        {
            "python get.py": "web",
            "cat ./get.py": "web",
            "sed -n 1,9p get.py": "web",
            "ls get.py": "local",
            "git add get.py": "local",
        },
    ),
    ([run("curl -sO https://x.test/d/get.py?a=1")], {"python get.py": "web"}),
    ([run("wget -q https://x.test/d/get.py")], {"python get.py": "web"}),
    ([run("gh pr view 3 > pr.txt")], {"cat pr.txt": "issue", "cat pr.md": "local"}),
    ([run("docker logs web 2>&1 | tee a.log")], {"grep Error a.log": "remote"}),
    ([*FETCH, run("mv get.py bin/x.py")], {"python bin/x.py": "web", "cat bin/x.py": "web"}),
    ([*FETCH, write("get.py", "print(1)")], {"cat get.py": "local"}),
    ([run("curl -so /tmp/a.tgz https://x.test/a.tgz"), run("tar xzf /tmp/a.tgz -C /tmp/a")], {"make -C /tmp/a": "web"}),
    ([run("curl -sO https://x.test/a-1.tar.gz"), run("tar xzf a-1.tar.gz")], {"cd a-1 && make": "web"}),
    (
        CLONE,
        {
            "python /tmp/tools/main.py": "remote",
            "make -C /tmp/tools": "remote",
            "cd /tmp/tools && make": "remote",
            "cd /tmp/tools; cd src; ./run": "remote",
            "cd /tmp/tools && ls; cd /home/dev/shop && make": "local",
            "git -C /tmp/tools log -3": "remote",
            "npm --prefix=/tmp/tools test": "remote",
            "cat /private/tmp/tools/README.md": "remote",
            "ls /tmp/tools": "local",
            "cat /tmp/tools.md": "local",
            "make tools": "local",
        },
    ),
    ([run("git clone git@x.test:a/tools")], {"cd tools && make": "remote", "pytest tools": "local"}),
    ([run("gh repo clone a/tools")], {"cat tools/a.py": "remote"}),
    (
        [write("src/shop/bank.py", "x = 1"), run("cat lib/till/a.py"), read(".venv/lib/client/a.py", "x = 1")],
        {
            "python -c 'import shop.bank; shop.bank.run()'": "local",
            "python -c 'from till import a; a.run()'": "local",
            "python -c 'import client; client.run()'": "remote",
        },
    ),
    ([write("a.rb", "puts %x(curl -s x.test)\n")], {"ruby a.rb": "web", "rspec a.rb": "local"}),
    ([write("a.py", "from subprocess import run\nrun(['wget', url])\n")], {"python a.py": "web"}),
    ([write("a.py", "# Use `curl x.test`\nfrom subprocess import run\nrun(['ls'])\n")], {"python a.py": "local"}),
    ([read("a.sh", 'TOOL=cu"rl"\n$TOOL -s x.test\n')], {"sh a.sh": "web"}),
    ([run("git clone . /tmp/copy")], {"make -C /tmp/copy": "local"}),
]


@pytest.mark.parametrize(("calls", "expected"), SOURCES)
def test_what_is_known_of_a_file_counts_when_it_is_run_or_read(calls: list[Call], expected: dict[str, Source]) -> None:
    assert {each: find_last_source([*calls, run(each)]) for each in expected} == expected


@pytest.mark.parametrize(
    ("call", "source"),
    [
        (read("get.py", "print(1)"), "remote"),
        (Call("search", "/tmp/tools/src"), "remote"),
        (Call("read", "/tmp/tools/src/a.py", "a"), "remote"),
        (Call("read", "/home/dev/shop/src/a.py", "a"), "local"),
    ],
)
def test_other_tools_read_what_was_downloaded_as_well(call: Call, source: Source) -> None:
    assert find_last_source([*FETCH, *CLONE, call]) == source


@pytest.mark.parametrize(
    ("folder", "command", "source"),
    [
        ("/tmp/tools/src", "make", "remote"),
        ("/tmp/tools", "cat README", "remote"),
        ("/tmp/tools", "ls | head -3", "local"),
        ("/tmp/tools", "cd /home/dev/shop && make", "local"),
        (PROJECT, "make", "local"),
        ("", "make", "local"),
    ],
)
def test_the_folder_in_which_a_command_runs_counts(folder: str, command: str, source: Source) -> None:
    known = KnownFiles()
    find_last_source(CLONE, known)
    known.folder = folder
    assert find_last_source([run(command)], known) == source


HOSTS = {
    "claude-code": [
        {
            "type": role,
            "uuid": str(number),
            "sessionId": "s",
            "cwd": folder,
            "message": {"role": role, "content": [block]},
        }
        for number, (folder, command) in enumerate([(PROJECT, CLONE[0].argument), ("/tmp/tools", "make")])
        for role, block in (
            ("assistant", {"type": "tool_use", "id": str(number), "name": "Bash", "input": {"command": command}}),
            ("user", {"type": "tool_result", "tool_use_id": str(number), "content": "Done."}),
        )
    ],
    "codex-rollout": [
        {"type": "response_item", "payload": payload}
        for number, (folder, command) in enumerate([(PROJECT, CLONE[0].argument), ("/tmp/tools", "make")])
        for payload in (
            {
                "type": "function_call",
                "name": "exec_command",
                "arguments": json.dumps({"cmd": command, "workdir": folder}),
                "call_id": str(number),
            },
            {
                "type": "function_call_output",
                "call_id": str(number),
                "output": "Process exited with code 0\nOutput:\nok",
            },
        )
    ],
}


@pytest.mark.parametrize("host", HOSTS)
def test_logs_name_the_folder_in_which_a_command_runs(host: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in HOSTS[host]))
    assert [each.source for each in read_session(path, host).observations] == ["remote", "remote"]


def test_files_are_remembered_in_the_state_of_a_running_session() -> None:
    known, later = KnownFiles(), KnownFiles()
    find_last_source([*FETCH, *CLONE, write("x.sh", CURL)], known)
    later.restore(marshal.loads(marshal.dumps(known.dump())))
    files = [("get.py", "web", True), ("/tmp/tools", "remote", True), ("/home/dev/shop/x.sh", "web", False)]
    assert later.dump() == known.dump() == (files, ["", "tmp", "tools", "home", "dev", "shop", "x"])
    assert find_last_source([run("./x.sh")], later) == "web"


def test_the_memory_is_bounded_and_contains_no_secret() -> None:
    known = KnownFiles()
    for number in range(MAX_FILES + 5):
        known.add(f"/tmp/a{number}.py", "web", has_text=True)
    known.add("/tmp/" + "a/" * 1_000, "web", has_text=True)
    known.add("/", "web", has_text=True)
    known.add(f"/tmp/ghp_{'a1B2' * 9}", "web", has_text=True)
    paths = [path for path, *_ in known.dump()[0]]
    assert (len(paths), paths[0], paths[-1]) == (MAX_FILES, "/tmp/a6.py", "/tmp/[redacted:github-token]")
    assert known.find("/tmp/" + "b/" * 1_000) == "local"
