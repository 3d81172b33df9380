"""Where the output of a command comes from: the project and this machine, or people whom nobody here has vouched for.

Named are programs and verbs whose purpose is to print what stands elsewhere: the web, trackers, remote branches, registries
and the logs of services. An address on this machine is none of them. What a build or a test prints on the way is local,
though it may hold anything as well: who repeats it is found out by what was printed (printed.py).
"""

from __future__ import annotations

import re
from functools import lru_cache

from mind_skills.observations.model import Observation, Source

REMOTE: frozenset[Source] = frozenset({"web", "mcp", "issue", "remote"})
"""Whoever reads one of these may be told something by anybody."""

UNVERIFIED = "unverified: rests on "
"""What our own tools say of a record that others may have written, and from where."""
_OURS = re.compile(r"(?:mcp__?)?mind[-_]skills__?[a-z_]+")

_AT = r"(?:^|[;&|(`\n{]|\$\(|&& )\s*(?:(?:sudo|time|env|command|exec|nohup|timeout \S+|\w+=\S*) )*"
"""Where a command begins in a line."""
_FORGES = rf"{_AT}(?:gh|glab|hub|tea)\s+(?:(?:-R|--repo)[= ]\S+ )?"
_ISSUE = re.compile(
    rf"{_FORGES}(?:(?:issue|pr|mr|incident|discussion|epic|release|gist|snippet|repo|wiki)s?\s+"
    r"(?:view|list|ls|diff|show|comments?|note)\b|search\b|api\b[^\n;|]*?"
    r"\b(?:issues|pulls|merge_requests|comments|discussions|contents|readme|releases|gists|notes|search|commits|graphql)\b)(?P<rest>[^\n;|]*)"
)
"""What people wrote on a forge: issues, reviews, releases, files."""
_FIELDS = re.compile(r"--json[= ](\S+)")
_SENTENCES = re.compile(
    r"\b(?:title|body|bodyText|comments|reviews|latestReviews|reviewThreads|commits|description|closingIssuesReferences|name)\b"
)
"""Fields of a forge's answer that hold what somebody wrote; the others are numbers, states and dates."""
_REGISTRY = re.compile(
    rf"{_AT}(?:(?:npm|pnpm|yarn|bun)\s+(?:view|info|show|v|search|find|npm info)\b|pip3?\s+(?:search|index)\b|cargo\s+(?:search|info)\b"
    r"|gem\s+(?:search|specification|info)\b|composer\s+(?:show|search)\s+(?:-a|--all|--available)\b|brew\s+(?:info|search|desc)\b"
    r"|docker\s+search\b|helm\s+(?:show|search)\b|apt(?:-cache)?\s+(?:show|search)\b|go\s+list\s+-m\s+-json\b)"
)
_SERVICE = re.compile(
    rf"{_AT}(?:(?:docker|podman|docker-compose|nerdctl)\s+(?:compose\s+(?:\S+\s+)*?|service\s+|container\s+)?logs\b"
    r"|(?:kubectl|oc|k)\s+(?:-\S+ \S+ )*logs\b|(?:mosh|sftp|ftp|nc|ncat|telnet|rsh)\s|ssh\s+(?!-[GVQ])"
    r"|(?:heroku|fly|flyctl|vercel|netlify|railway|stern|render)\s+logs?\b|(?:aws|gcloud|az)\s+(?:logs|logging|monitor)\b)"
)
_REF = r"(?:FETCH_HEAD|@\{u(?:pstream)?\}|(?:refs/)?(?:remotes/)?(?:origin|upstream|fork)/(?:[\w/-]|\.(?!\.))++|refs/pull/\S+|pull/\d+\S*)"
_COMMITS = re.compile(
    rf"{_AT}git\s+(?:-C \S+ )?(?:log|show|diff|cat-file|whatchanged|format-patch)(?=\s)"
    rf"(?!\S*[^;&|\n]*\s--(?:oneline|stat|name-only|name-status|shortstat|numstat|quiet))(?:[^;&|\n]*?[\s.]){_REF}(?!\.\.)"
)
"""Of what was fetched: a range that only begins at the remote branch (``origin/main..``) shows what was done here."""
_WEB = re.compile(
    rf"{_AT}(?:curl|wget|http|https|xh|lynx|links|w3m|aria2c|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)(?:\.exe)?\s"
)
_QUOTED = re.compile(r"\$?'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_RUNS_TEXT = re.compile(
    r"\b(?:ba|z|da|k|fi)?sh\s+-\w*c\b|\beval\b|\bxargs\b|\bpwsh\b|\bpowershell\b|\bssh\b|\bcmd /c\b|\bdocker exec\b"
)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1.*?^\s*\2$", re.DOTALL | re.MULTILINE)
_HERE = re.compile(
    r"(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|\w[\w.-]*\.local(?:host)?)(?![\w.-])"
)
_ADDRESS = re.compile(r"\bhttps?://([^\s'\"/)]+)")
_ARGUMENT = re.compile(r"(?:^|[\s'\"@])(\[::1?\]|[\w-]+(?:\.[\w-]+)*)(?::\d+)?(?:/|\s|['\"]|\Z)")
_INTERPRETER = re.compile(
    rf"{_AT}(?:\S*/)?(?:python[\d.]*|node|deno|bun|ruby|perl|php|pwsh|powershell|osascript|Rscript|lua|go run|npx tsx|tsx|ts-node)\b"
)
DOWNLOADS = re.compile(
    r"\brequests\.(?:get|post|request|Session)\b|\burl(?:open|retrieve)\b|\burllib3?\b|\bhttpx\b|\baiohttp\b|\bhttp\.client\b|\bhttplib\b"
    r"|\bNet::HTTP\b|\bopen-uri\b|\bHTTParty\b|\bFaraday\b|\baxios\b|\bfetch\(|\bgot\(|\bnode-fetch\b|\bundici\b|\bfile_get_contents\(['\"]https?:"
    r"|\bcurl_exec\b|\bGuzzle|\bLWP::|\bHTTP::Tiny\b|\bhttp\.Get\(|\breqwest\b|\bInvoke-(?:WebRequest|RestMethod)\b|\bcurl\s+-|\bcurl\s+['\"]?https?:"
    r"|\bwget\s+|\bsocket\.create_connection\b|\bXMLHttpRequest\b|\bgh (?:issue|pr|api)\b"
)
"""What a program holds that fetches something from elsewhere."""


SCRIPTS = 200
"""So many programs are known by name."""
_PROGRAM = re.compile(r"\w\.(?:py|js|mjs|cjs|ts|tsx|rb|pl|php|sh|bash|zsh|ps1|lua|go|R)\Z|\A[Mm]akefile\Z|\A\w+\Z")
_FETCHES = re.compile(
    r"\b(?:gh|glab|hub|tea|logs?|view|info|show|search|v|find|index|specification|desc|curl|wget|https?|xh|lynx|links|w3m|aria2c|iwr|irm"
    r"|Invoke-\w+|go list|mosh|s?ftp|nc|ncat|telnet|rsh|ssh|monitor|logging|diff|cat-file|whatchanged|format-patch)\b|fetch|request|url"
    r"|axios|got\(|HTTP|Net::|Faraday|undici|LWP|Guzzle|socket"
)
"""One of these stands in whatever fetches something: most commands hold none."""


@lru_cache(512)
def of_command(command: str) -> Source:
    """Where what a shell command prints comes from: ``local`` unless it asks somebody elsewhere."""
    if _FETCHES.search(command) is None:
        return "local"
    line = command if _RUNS_TEXT.search(command) else _unquoted(command)
    if (forge := _ISSUE.search(line)) and _sentences(forge["rest"]):
        return "issue"
    if _REGISTRY.search(line) or _SERVICE.search(line) or _COMMITS.search(line):
        return "remote"
    asks = _WEB.search(line) or (_INTERPRETER.search(line) and DOWNLOADS.search(command))
    return "web" if asks and not _asks_here(command) else "local"


def _unquoted(command: str) -> str:
    """A command without the texts in it, which may name any other: messages, bodies of issues, files that are written."""
    if "<<" in command:
        command = _HEREDOC.sub("", command)
    return _QUOTED.sub(
        lambda text: text[0] if text[0][0] == '"' and ("$(" in text[0] or "`" in text[0]) else '""', command
    )


def _sentences(options: str) -> bool:
    """Whether a forge is asked for more than numbers and states."""
    fields = _FIELDS.search(options)
    return fields is None or _SENTENCES.search(fields[1]) is not None


class Scripts:
    """The programs of a session that download something, as it wrote or read them: what one prints is the web's."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def downloads(self, observation: Observation) -> bool:
        """Take in the next observation; whether it runs such a program."""
        if observation.action in ("run", "other") and observation.command:
            return any(map(observation.command.__contains__, self._names))
        if observation.action in ("edit", "write", "read") and observation.files and len(self._names) < SCRIPTS:
            text = observation.change or (observation.text if observation.action == "read" else "")
            name = observation.files[0].rpartition("/")[2]
            if _PROGRAM.search(name) and DOWNLOADS.search(text):
                self._names[name] = None
        return False


def ours(tool: str) -> bool:
    """Whether a tool is one of our own server, as hosts call them."""
    return _OURS.fullmatch(tool) is not None


def _asks_here(command: str) -> bool:
    """Whether all addresses of a command are of this machine, and there is one."""
    hosts = _ADDRESS.findall(command)
    if hosts:
        return all(_HERE.match(host.rpartition("@")[2]) for host in hosts)
    return any(_HERE.fullmatch(host) for host in _ARGUMENT.findall(command))
