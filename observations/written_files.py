"""Finds the files that a call writes, reads or downloads, and whose output or text is therefore not the project's (known_files.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from mind_skills.observations import shell, sources
from mind_skills.observations.known_files import KnownFiles
from mind_skills.observations.model import Action, Source
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_FILES = 20
"""Maximum number of files of one call that are examined."""
_SCRIPT = compile_lazily(r"\.(?:py|js|mjs|cjs|ts|tsx|rb|pl|php|sh|bash|zsh|ps1|bat|lua|R)\Z|\A[A-Za-z][\w-]{0,40}\Z")
_SHELL_SCRIPT = compile_lazily(r"\.(?:sh|bash|zsh|ps1|bat)\Z")
_TASK_FILE = compile_lazily(r"(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|package\.json")
"""Files of tasks that are run by their names. The tasks of others are not examined."""
_HEADING = compile_lazily(r"@?([A-Za-z_][\w.-]{0,60})(?:[ \t][^:=\n]{0,200})?:(?!=)(.{0,1000})")
"""The line before the commands of a task: its name, and the tasks on which it depends."""
_JSON_TASK = compile_lazily(r'"([\w:.-]{1,60})"\s{0,20}:\s{0,20}("(?:[^"\\\n]|\\.){1,2000}")')
_NUMBER = compile_lazily(r"(?m)^[ \t]{0,8}\d{1,6}(?:[\t|:→]| {1,2})")
"""The number of a line, as tools that read files print it."""
_REDIRECTION = compile_lazily(
    r"(?<![<=-])>{1,2}\s{0,9}([^\s;&|<>()]{1,1000})|\btee\s{1,9}(?:-\w{1,9}\s{1,9})?([^\s;&|<>()]{1,1000})"
)
_PATH = compile_lazily(r"(?<![\w:/@.-])/?(?:[\w.-]{1,60}/){1,20}[\w.-]{0,60}")
_OUTPUT_OPTION = compile_lazily(
    r"-[A-Za-z]{0,12}o|--output(?:-document|-dir|-file)?|-[a-z]{0,8}O|-P|--directory-prefix|-d|--dir"
)
_REMOTE_NAME = compile_lazily(r"-[A-Za-z]{0,12}O[A-Za-z]{0,12}|--remote-name(?:-all)?")
_REMOTE_ADDRESS = compile_lazily(r"(?!file:)\w{1,20}://|[\w.-]{1,100}@?[\w.-]{1,100}:(?!\\)")
_ARCHIVE = compile_lazily(r"\.(?:zip|tgz|tbz2?|txz|tar(?:\.\w{1,4})?|gz|bz2|xz|zst)\Z")
_COPYING = frozenset("cp mv ln install rsync ditto copy move copy-item move-item".split())
_UNPACKING = frozenset("tar bsdtar unzip gunzip 7z unar xz zstd bunzip2".split())


def note_call(
    known: KnownFiles, action: Action, command: str, files: tuple[str, ...], added: str, output: str, source: Source
) -> None:
    """Note the files that a call makes known, or that are no longer what they were."""
    if action == "run":
        if command:
            if "/" in command:
                known.note_paths(_find_paths(command[: sources.MAX_VALUE_CHARACTERS]))
            _note_command(known, command, output, source)
    elif action in ("write", "edit"):
        for file in files[:MAX_FILES]:
            _note_text(known, file, added, is_whole=action == "write")
    elif action == "read" and files and output:
        _note_text(known, files[0], output)


@lru_cache(256)
def _find_paths(command: str) -> tuple[str, ...]:
    return tuple(_PATH.findall(command))


def _note_text(known: KnownFiles, file: str, text: str, *, is_whole: bool = False) -> None:
    """Note what a file runs that has this text, or a part of it."""
    if is_whole:
        known.remove(file)
    name = file.replace("\\", "/").rpartition("/")[2]
    is_task_file = _TASK_FILE.fullmatch(name) is not None
    if not is_task_file and not _SCRIPT.search(name):
        return
    text = text[: sources.MAX_COMMAND_CHARACTERS]
    if is_task_file:
        for task, source in _classify_tasks(_NUMBER.sub("", text), is_json=file.endswith(".json")):
            known.add(f"{file}/{task}", source, has_text=False)
    else:
        is_shell = text.startswith("#!") and "sh" in text[:40].partition("\n")[0]
        source = (
            sources.classify_script(_NUMBER.sub("", text))
            if is_shell or _SHELL_SCRIPT.search(name)
            else sources.classify_code(text, runs_quoted=name.endswith((".rb", ".pl", ".php")))
        )
        if source in ("web", "issue"):
            known.add(file, source, has_text=False)


def _classify_tasks(text: str, *, is_json: bool) -> Iterator[tuple[str, Source]]:
    """Yield the tasks that download, with their sources, and those that depend on them. The first one of a Makefile is ``default``, too."""
    commands: dict[str, list[str]] = {}
    needed: dict[str, set[str]] = {}
    if is_json:
        commands = {name: [json.loads(value, strict=False)] for name, value in _JSON_TASK.findall(text)}
    name = ""
    for line in text.split("\n") if not is_json else ():
        if line[:1] in (" ", "\t"):
            commands.setdefault(name, []).append(line.strip(" \t@-+"))
        elif heading := _HEADING.match(line):
            name = heading[1]
            needed[name] = set(heading[2].split())
            commands.setdefault(name, [])
    found = {task: sources.classify_script("\n".join(lines)) for task, lines in commands.items()}
    for _ in range(MAX_FILES):
        before = len(found)
        bad = {task: source for task, source in found.items() if source in ("web", "issue")}
        found |= {task: bad[each] for task, names in needed.items() if task not in bad for each in names & bad.keys()}
        if len({task for task in found if found[task] in ("web", "issue")}) == len(bad) and len(found) == before:
            break
    first = next((task for task in needed if task[:1] != "."), "")
    for task, source in found.items():
        if source in ("web", "issue"):
            yield task, source
            if task == first:
                yield "default", source


def _note_command(known: KnownFiles, command: str, output: str, source: Source) -> None:
    """Note the files that a command line downloads, copies or writes, and the script that it prints."""
    line = command
    if "<<" in command:
        line, documents = shell.cut_documents(command)
        for document in documents[:MAX_FILES]:
            for target in _list_targets(document.line):
                _note_text(known, target, document.text, is_whole=True)
    elif ">" in command and len(command) <= sources.MAX_COMMAND_CHARACTERS:
        for target in _list_targets(command):
            _note_text(known, target, command)
    if source == "local":
        if known and len(line) <= sources.MAX_COMMAND_CHARACTERS:
            _note_copies(known, line)
        if output and (words := line.split(None, 12)) and words[0] in ("cat", "head", "sed", "tail", "bat", "nl"):
            for word in words[1:]:
                if "." in word and not word.endswith(".json"):
                    _note_text(known, word, output)
        return
    line = line[: sources.MAX_COMMAND_CHARACTERS]
    for target in _list_targets(line):
        known.add(target, source, has_text=True)
    for words in _list_commands(line):
        for target in _list_downloads(words):
            known.add(target, source, has_text=True)
    if known:
        _note_copies(known, line)


def _list_targets(line: str) -> list[str]:
    """Return the files into which a command line redirects output."""
    targets = (match[1] or match[2] for match in _REDIRECTION.finditer(line))
    return [name.strip("'\"") for name in targets if not name.startswith(("/dev/", "&", "-"))][:MAX_FILES]


def _list_commands(line: str) -> Iterator[list[str]]:
    for pipeline in shell.split_commands(line):
        yield from (words for words in pipeline if len(words) > 1)


def _list_downloads(words: list[str]) -> Iterator[str]:
    """Yield the files and folders that a command downloads."""
    name = words[0].rpartition("/")[2].removesuffix(".exe")
    plain = [word for word in words[1:] if word[:1] != "-"]
    if name in ("git", "gh", "glab", "hub") and "clone" in plain:
        operands = plain[plain.index("clone") + 1 :]
        address = next(
            (n for n, word in enumerate(operands) if _REMOTE_ADDRESS.match(word)), 0 if name != "git" else None
        )
        if address is not None and operands:
            folder = (
                operands[address + 1] if operands[address + 1 :] else operands[address].rstrip("/").rpartition("/")[2]
            )
            yield folder.removesuffix(".git").rpartition(":")[2]
    elif sources.is_fetcher(name):
        for before, word in pairwise(words):
            if _OUTPUT_OPTION.fullmatch(before) and word[:1] != "-":
                yield word
        if name.startswith("wget") or any(map(_REMOTE_NAME.fullmatch, words)):
            yield from (word.partition("?")[0].rstrip("/").rpartition("/")[2] for word in plain if "/" in word)


def _note_copies(known: KnownFiles, line: str) -> None:
    """Note the copies of known files, and the folders into which a known archive is unpacked."""
    for words in _list_commands(line):
        name = words[0].rpartition("/")[2]
        plain = [word for word in words[1:] if word[:1] != "-"]
        if name in _COPYING and len(plain) > 1:
            for file in plain[:-1]:
                if (source := known.find(file, is_run=True)) != "local":
                    has_text = known.find(file) != "local"
                    known.add(plain[-1], source, has_text=has_text)
                    known.add(f"{plain[-1].rstrip('/')}/{file.rpartition('/')[2]}", source, has_text=has_text)
        elif name in _UNPACKING:
            archive = next((word for word in plain if known.find(word) != "local"), "")
            if archive:
                folders = [word for before, word in pairwise(words) if before in ("-C", "-d", "--directory")]
                stem = _ARCHIVE.sub("", archive.rpartition("/")[2])
                known.add((folders or [stem])[0], known.find(archive), has_text=True)
