"""Where the output of a command comes from: the project and this machine, or people whom nobody here has vouched for.

A command line is taken apart as the shell does it, and each of its commands looked at wherever its program stands: behind
wrappers, in ``sh -c``, in a substitution, in a container. Named are programs that print what stands elsewhere (the web,
trackers, remote branches, registries, logs of services, other agents), and those that only look at what is here; any other
that is given an address of the web prints what it found there. An address on this machine is none. What a build or a test
prints on the way is local, though it may hold anything as well: who repeats it is found out by what was printed (printed.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from mind_skills.observations import wrappers
from mind_skills.observations.model import Observation, Source
from mind_skills.redaction.lazy_pattern import compile_later

REMOTE: frozenset[Source] = frozenset({"web", "mcp", "issue", "remote"})
"""Whoever reads one of these may be told something by anybody."""

UNVERIFIED = "unverified: rests on "
"""What our own tools say of a record that others may have written, and from where."""
_OURS = compile_later(r"(?:mcp__?)?mind[-_]skills__?[a-z_]+")

LONGEST, DEEPEST, DOCUMENTS = 20_000, 3, 50
"""Characters of a command that are looked at, commands within commands, and documents that are told from commands."""
_SKIPPED = frozenset(
    "if then else elif while until do time ! { } sudo doas command exec nohup builtin env nice".split()
)
"""Words before a program that it is not; others are known by the program that stands behind them."""
_LOOKS_HERE = frozenset(
    """: [ [[ alias awk basename cat cd chmod chown cmp comm cp cut date df diff dirname du echo export false fd fgrep file find
    getent grep egrep rg ag ack head hexdump id jq kill killall less ln local ls man mkdir more mv nl od paste pgrep pkill
    printf ps pwd readlink realpath rm rmdir sed seq set sort source stat tail tee test touch tr tree true type uname uniq
    unset wc whereis which xxd yq""".split()
)
"""Programs that look at files and words: what stands behind them is no command, and an address there is not gone to."""
_INSTALLERS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"), frozenset("view info show v search find audit outdated docs".split())
    ),
    **dict.fromkeys(("pip", "pip3"), frozenset("search index download".split())),
    "cargo": frozenset({"search", "info"}),
    "gem": frozenset("search specification info".split()),
    "composer": frozenset("search".split()),
    "brew": frozenset("info search desc cat home".split()),
    "helm": frozenset("show search get pull".split()),
    **dict.fromkeys(
        ("apt", "apt-get", "apt-cache", "dnf", "yum", "zypper"), frozenset("show search changelog info".split())
    ),
    **dict.fromkeys(
        ("conda", "mamba", "nix", "choco", "winget", "scoop", "snap", "flatpak"),
        frozenset("search info show find".split()),
    ),
    "pacman": frozenset("-Si -Ss -Sii".split()),
}
"""What an index of packages is asked; whatever else is said to these names packages, not programs."""
_TRACKERS = frozenset(
    "jira acli linear sentry-cli bugz git-bug b4 himalaya notmuch slack-cli slackcat twurl toot mutt".split()
)
_FETCHERS = frozenset(
    """curl wget wget2 xh curlie lynx links2 elinks w3m aria2c axel lwp-request lwp-download yt-dlp youtube-dl gallery-dl
    newsboat trafilatura monolith httrack invoke-webrequest invoke-restmethod iwr irm pbpaste wl-paste get-clipboard""".split()
)
_SHORT_FETCHERS = frozenset("http https links fetch GET".split())
"""Only where a program stands: these are words, too."""
_MACHINES = frozenset(
    """ssh scp sftp ftp lftp nc ncat netcat socat telnet rsh mosh dig nslookup whois finger drill nmap journalctl stern
    consul etcdctl vault""".split()
)
"""Other machines, and what services have logged."""
_SHORT_MACHINES = frozenset({"host"})
_DATABASES = frozenset(
    "psql mysql mariadb mongosh mongo redis-cli valkey-cli sqlcmd sqlplus clickhouse-client cqlsh".split()
)
_FORGES = frozenset({"gh", "glab", "hub", "tea"})
_CONTAINERS = frozenset("docker podman nerdctl docker-compose".split())
_CLUSTERS = frozenset({"kubectl", "oc"})
_CLOUDS = compile_later(
    r"\b(?:logs?|logging|monitor|s3|s3api|storage|blob|repos|boards|pipelines|artifacts|cat|cp|copy|copyto|tail)\b"
)
_CLOUD = frozenset("aws gcloud az gsutil s3cmd s5cmd rclone heroku fly flyctl vercel netlify railway doctl".split())
_AGENTS = compile_later(r"\A(?:claude|gemini|codex|llm|aichat|opencode|cursor-agent|amp|goose|aider)\Z")
_ASKED = compile_later(r"\A(?:-p|--print|--prompt|exec|run|-x|--message|-m|prompt|chat)\Z")
_SHELLS = frozenset("sh bash zsh dash ksh fish ash pwsh powershell cmd".split())
_INTERPRETER = compile_later(
    r"\A(?:python[\d.]*|node|deno|bun|ruby|perl|php|pwsh|powershell|osascript|Rscript|lua|tsx|ts-node|go|uv|jshell|julia)\Z"
)
_RUNNERS = frozenset("make just task npm pnpm yarn bun rake mix composer".split())
_FETCHING_NAME = compile_later(
    r"(?:\A|[-_:./])(?:fetch|download|scrape|crawl|(?:sync|pull|import)[-_]?(?:issues?|comments?|docs|pages?|feeds?|tickets?))(?![a-z])",
    re.IGNORECASE,
)
DOWNLOADS = compile_later(
    r"\brequests\.(?:get|post|request|Session)\b|\burl(?:open|retrieve)\b|\burllib3?\b|\bhttpx\b|\baiohttp\b|\bhttp\.client\b|\bhttplib\b"
    r"|\bNet::HTTP\b|\bopen-uri\b|\bHTTParty\b|\bFaraday\b|\baxios\b|\bfetch\(|\bgot\(|\bnode-fetch\b|\bundici\b|\bfile_get_contents\(['\"]https?:"
    r"|\bcurl_exec\b|\bGuzzle|\bLWP::|\bHTTP::Tiny\b|\bhttp\.Get\(|\breqwest\b|\bInvoke-(?:WebRequest|RestMethod)\b|\bcurl\s+-|\bcurl\s+['\"]?https?:"
    r"|\bwget\s+|\bsocket\.(?:create_connection|socket)\b|\bXMLHttpRequest\b|\bgh (?:issue|pr|api)\b"
    r"|\b(?:import|require)\(['\"](?:node:)?(?:https?|net|tls)['\"]\)|\bfrom ['\"](?:node:)?https?['\"]|IO::Socket\b|/dev/tcp/"
    r"|\bimport requests\b"
    r"|\bimaplib\b|\bfeedparser\b|\bplaywright\b|\bpuppeteer\b|\bselenium\b|\bfsockopen\b|\bOpenURI\b|\bURI\.open\b"
)
"""What a program holds that fetches something from elsewhere."""
_REF = compile_later(
    r"\^?(?:FETCH_HEAD|MERGE_HEAD|@\{u(?:pstream)?\}|(?:refs/)?(?:remotes/)?(?:origin|upstream|fork)/.+|refs/(?:pull|remotes|merge-requests)\b.*"
    r"|(?:pull|pr|mr|merge-requests?)[/-]?\d+.*)"
)
"""What was fetched of somebody's work."""
_SHOWS = frozenset(
    "log show diff cat-file whatchanged format-patch range-diff cherry-pick blame grep for-each-ref shortlog archive".split()
)
_NO_SENTENCES = frozenset("--oneline --stat --name-only --name-status --shortstat --numstat --quiet".split())
_GIT_OPTIONS = frozenset("-C -c --git-dir --work-tree --namespace --exec-path".split())
_FIELDS = compile_later(r"--json[= ](\S+)")
_SENTENCES = compile_later(
    r"\b(?:title|body|bodyText|comments|reviews|latestReviews|reviewThreads|commits|description|closingIssuesReferences|name)\b"
)
"""Fields of a forge's answer that hold what somebody wrote; the others are numbers, states and dates."""
_OWN_NOUNS = frozenset(
    "auth alias config extension completion browse codespace secret variable ssh-key gpg-key cache attestation".split()
)
_DOES = frozenset(
    """create edit close merge reopen delete ready lock unlock pin comment review enable disable checks watch rerun cancel
    set-default rename fork develop transfer upload""".split()
)
"""Verbs of a forge that do something, and answer with an address or a state."""
_HERE = compile_later(
    r"(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|\w[\w.-]*\.local(?:host)?)(?![\w.-])"
)
_ADDRESS = compile_later(r"\b(?:https?|ftp|wss?)://([^\s'\"/)]+)")
_TARGET = compile_later(r"(?:\w+://)?(?:[^@/\s]*@)?(\[[0-9a-f:]+\]|[\w.-]*\w)(?P<port>:\d+)?(?:[/?#]\S*)?")
_VALUED = frozenset(
    """-A -b -c -d -D -e -E -F -H -K -m -o -O -P -Q -r -T -t -u -U -w -x -X -y -Y -z --user-agent --cookie --cookie-jar --data
    --data-raw --data-binary --data-urlencode --json --form --header --max-time --connect-timeout --output --proxy --referer
    --request --retry --user --write-out --resolve --cacert --cert --key --timeout --tries --post-data --method""".split()
)
"""Options of the programs above with a value that is no address to go to; of a proxy and a referer above all."""
_OTHERS_FILES = compile_later(
    r"(?:\A|/)(?:Downloads/|var/log/)"
    r"|(?:\A|/)(?:node_modules|(?:site|dist)-packages|vendor|third_party|bower_components|\.cargo/registry|go/pkg/mod)/(?:.*/)?"
    r"(?:[^/]*\.(?:md|rst|txt|html?|adoc)|README|CHANGELOG|NOTICE)\Z"
)
"""Files that came from elsewhere to be read: what was downloaded, logs of services, the documents of packages."""
_HEREDOC = compile_later(r"<<-?\s*(['\"]?)(\w+)\1(?P<rest>[^\n]*)\n(?P<body>.*?)^\s*\2$", re.DOTALL | re.MULTILINE)
_WITHIN = compile_later(r"\$\(([^()]*)\)|`([^`]*)`")
_LITERAL = compile_later(r"'[^']*'")

SCRIPTS = 200
"""So many programs are known by name."""
_PROGRAM = compile_later(r"\w\.(?:py|js|mjs|cjs|ts|tsx|rb|pl|php|sh|bash|zsh|ps1|lua|go|R)\Z|\A[Mm]akefile\Z|\A\w+\Z")
_ANY = sorted(
    _TRACKERS | _FETCHERS | _SHORT_FETCHERS | _MACHINES | _SHORT_MACHINES | _DATABASES | _FORGES | _CLUSTERS | _CLOUD,
    key=len,
    reverse=True,
)
_MAY = compile_later(
    rf"(?<![\w-])(?:{'|'.join(_ANY)}|rsync|openssl|xclip|xsel|docker|podman|nerdctl|docker-compose|Get-Clipboard"
    rf"|(?:{'|'.join(_INSTALLERS)})\s+(?:-\S+\s+|npm\s+)?(?:{'|'.join(sorted(set[str]().union(*_INSTALLERS.values())))})"
    r"|git\s[^;&|\n]{0,300}?(?:clone|pull|fetch|FETCH_HEAD|MERGE_HEAD|@\{u|origin/|upstream/|fork/|pr[/-]?\d|refs/|mr[/-]?\d|merge-req|remotes|--all)"
    r"|(?:claude|gemini|codex|llm|aichat|opencode|amp|goose|aider|cursor-agent)\s)"
    r"|https?://|ftp://|/dev/tcp|[fF]etch|[dD]ownload|scrape|crawl|(?:sync|pull|import)[-_]?(?:issue|comment|doc|page|feed|ticket)|/var/log/|node_modules/|-packages/|vendor/|third_party/|bower_components/"
    r"|\.cargo/registry|go/pkg/mod|request|urlopen|urllib|httpx|aiohttp|http\.|httplib|axios|got\(|Net::|Faraday|undici|LWP|HTTP|Guzzle|[sS]ocket"
    r"|require\(['\"](?:node:)?(?:https?|net|tls)|URI|imaplib|feedparser|playwright|puppeteer|selenium|Invoke-"
)
"""One of these stands in whatever fetches something: most commands hold none."""


@lru_cache(512)
def of_command(command: str) -> Source:
    """Where what a shell command prints comes from: ``local`` unless it asks somebody elsewhere."""
    if _MAY.search(command) is None:
        return "local"
    return _first_strange(_of_line(command[:LONGEST], DEEPEST))


def of_file(path: str) -> Source:
    """Whose words a file holds, as far as its place tells: those of the project, or ``remote``."""
    return "remote" if _OTHERS_FILES.search(path.replace("\\", "/")) else "local"


def _first_strange(some: Iterable[Source | None]) -> Source:
    for source in some:
        if source is not None and source != "local":
            return source
    return "local"


def _of_line(line: str, deep: int) -> Iterator[Source]:
    """The sources of each command of a line, and of those within it."""
    if deep == 0:
        return
    if "<<" in line and line.count("<<") <= DOCUMENTS:
        for found in _HEREDOC.finditer(line):
            yield from _of_body(line[: found.start()].rpartition("\n")[2] + found["rest"], found["body"], deep)
        line = _HEREDOC.sub(_without_body, line)
    if "/dev/tcp/" in line:
        yield "web"
    if "$(" in line or "`" in line:
        for found in _WITHIN.finditer(_LITERAL.sub("", line)):
            yield from _of_line(found[1] or found[2] or "", deep - 1)
    for pipeline in wrappers.segments(line.replace("\\\n", " ").replace("<(", ";(").replace(">(", ";(")):
        for words in pipeline:
            yield _of_words(words, deep)


def _without_body(found: re.Match[str]) -> str:
    return found["rest"]


def _of_body(before: str, body: str, deep: int) -> Iterator[Source]:
    """What a document within a command does: it is a program where it is given to what runs one."""
    for word in before.split():
        name = _base(word)
        if name in _SHELLS or name == "ssh":
            yield from _of_line(body, deep - 1)
        if _INTERPRETER.match(name) and DOWNLOADS.search(body) and not _asks_here(body):
            yield "web"


def _of_words(words: list[str], deep: int) -> Source:
    """The source of one command, wherever in it the program stands that knows."""
    at = next((n for n, word in enumerate(words) if not _before_program(words[:n], word)), len(words))
    if at == len(words):
        return "local"
    name, rest = _base(words[at]), words[at:]
    if name in _LOOKS_HERE and not (name == "find" and any(word.startswith("-exec") for word in rest)):
        return _first_strange(map(of_file, rest[1:]))
    if name in _INSTALLERS and not _runs_another(name, rest):
        return _of_installer(name, rest)
    if name == "git":
        return _of_git(rest[1:])
    if name in _SHORT_FETCHERS or name in _SHORT_MACHINES:
        return "web" if name in _SHORT_FETCHERS and _leaves(rest[1:]) else "remote" if name == "host" else "local"
    if _AGENTS.match(name):
        return "web" if len(rest) > 1 and (name == "llm" or any(map(_ASKED.match, rest[1:3]))) else "local"
    for n, word in enumerate(rest):
        if (source := _of_program(_base(word), rest[n:], deep)) is not None:
            return source
    return "web" if any(_ADDRESS.search(word) and not _asks_here(word) for word in rest) else "local"


def _before_program(before: list[str], word: str) -> bool:
    return (
        word in _SKIPPED
        or re.match(r"[A-Za-z_]\w*=", word) is not None
        or (bool(before) and (word.startswith("-") or word.isdigit()))
    )


def _base(word: str) -> str:
    name = word.rsplit("/", 1)[-1].removesuffix(".exe")
    return name.lower() if name.lower() in _FETCHERS else name


def _runs_another(name: str, words: list[str]) -> bool:
    """Whether a manager of packages is asked to run a program."""
    return name in _RUNNERS and any(word in ("run", "exec", "x", "dlx", "run-script") for word in words[1:2])


def _of_installer(name: str, words: list[str]) -> Source:
    if name in _RUNNERS and any(map(_FETCHING_NAME.search, words[1:2])):
        return "web"
    asks = any(word in _INSTALLERS[name] for word in words[1:3])
    return "remote" if asks or (name == "go" and "-m" in words) else "local"


def _of_program(name: str, words: list[str], deep: int) -> Source | None:
    """What a program prints that is known; None where it is not, and the next word may be the program."""
    known = _KNOWN.get(name)
    if known is not None:
        return known(words[1:])
    if name in _SHELLS and (text := _given(words)):
        return _first_strange(_of_line(text, deep - 1))
    if name in ("eval", "xargs", "parallel", "watch") and len(words) > 1:
        return _of_words(words[1:], deep) if name != "eval" else _first_strange(_of_line(" ".join(words[1:]), deep - 1))
    if _INTERPRETER.match(name):
        text = " ".join(words[1:])
        if DOWNLOADS.search(text):
            return "local" if _asks_here(text) else "web"
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        if "-m" not in words and _FETCHING_NAME.search(script):
            return "web"
    elif name in _RUNNERS and any(map(_FETCHING_NAME.search, words[1:4])):
        return "web"
    return None


def _given(words: list[str]) -> str:
    """The command that a shell is given in a word of its own."""
    for n, word in enumerate(words[1:-1], 1):
        if re.fullmatch(r"-\w*c|/c|-Command", word):
            return words[n + 1]
    return ""


def _leaves(words: list[str]) -> bool:
    """Whether a program that fetches is sent elsewhere: it asks this machine only where each of its addresses is of it."""
    seen = False
    skip = False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and word in _VALUED
            continue
        found = _TARGET.fullmatch(word)
        host = found[1] if found else ""
        if _ADDRESS.search(word):
            if not _asks_here(word):
                return True
            seen = True
        elif _HERE.fullmatch(host):
            seen = True
        elif "$" in word or (
            host and not host.replace(".", "").isdigit() and ("." in host or (found and found["port"]))
        ):
            return True
    return not seen


def _of_forge(words: list[str]) -> Source:
    plain = [
        word
        for n, word in enumerate(words)
        if not word.startswith("-") and words[n - 1 : n] not in (["-R"], ["--repo"])
    ]
    noun, verb = (*plain, "", "")[:2]
    if not noun or noun in _OWN_NOUNS or (noun, verb) in (("api", "user"), ("api", "rate_limit")):
        return "local"
    if verb in ("checkout", "co", "clone") or (
        noun in ("run", "ci", "job", "workflow") and any("log" in word or word == "trace" for word in words)
    ):
        return "remote"
    if noun in ("run", "workflow", "ruleset", "org") or verb in _DOES:
        return "local"
    fields = _FIELDS.search(" ".join(words))
    return "issue" if fields is None or _SENTENCES.search(fields[1]) else "local"


def _of_git(words: list[str]) -> Source:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _GIT_OPTIONS else words[1:]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    plain = [word for word in rest if not word.startswith("-")]
    if verb in ("clone", "submodule") and any("://" in word or "@" in word for word in plain):
        return "remote"
    if verb in ("fetch", "pull") and plain:
        strange = plain[0] != "origin" or any(map(_REF.fullmatch, (word.split(":")[0] for word in plain[1:])))
        return "remote" if strange else "local"
    if verb not in _SHOWS or not _NO_SENTENCES.isdisjoint(rest):
        return "local"
    if verb == "log" and not {"--all", "--remotes"}.isdisjoint(rest):
        return "remote"
    return "remote" if any(_fetched(word) for word in rest) else "local"


def _fetched(word: str) -> bool:
    """Whether it names a commit that was fetched: a range that only begins there (``origin/main..``) shows what was done here."""
    left, dots, right = word.partition("..")
    right = right.removeprefix(".") if dots else left
    return _REF.fullmatch(right) is not None


def _of_container(words: list[str]) -> Source | None:
    plain = [word for word in words if not word.startswith("-")]
    verbs = {*plain[:2], *(plain if plain[:1] == ["compose"] else ())}
    return "remote" if not verbs.isdisjoint({"logs", "inspect", "search", "pull"}) else None


def _of_cluster(words: list[str]) -> Source:
    verbs = {word for word in words if not word.startswith("-")}
    asks = not verbs.isdisjoint({"logs", "describe", "events", "exec"}) or any(
        re.match(r"-o|--output", word) for word in words
    )
    return "remote" if asks else "local"


def _of_database(words: list[str]) -> Source:
    hosts = [words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-h", "--host", "-S")]
    hosts += [word.partition("=")[2] for word in words if word.startswith("--host=")]
    hosts += [found[1].rpartition("@")[2] for word in words if (found := re.search(r"\w+://([^\s/]+)", word))]
    if not hosts and words and not words[0].startswith("-") and any(word.startswith("--eval") for word in words):
        hosts = words[:1]
    return "remote" if any(host and not _HERE.match(host) and not host.startswith("/") for host in hosts) else "local"


def _where(source: Source, form: str, most: int | None = None) -> Callable[[list[str]], Source | None]:
    """A program that prints what is elsewhere where one of its first ``most`` words begins with this form."""
    return lambda words: source if any(re.match(form, word) for word in words[:most]) else None


def _always(source: Source) -> Callable[[list[str]], Source | None]:
    return lambda _: source


_KNOWN: dict[str, Callable[[list[str]], Source | None]] = {
    **dict.fromkeys(_FETCHERS, lambda words: "web" if _leaves(words) else "local"),
    **dict.fromkeys(("pbpaste", "wl-paste", "get-clipboard"), _always("web")),
    **dict.fromkeys(_TRACKERS, _always("issue")),
    **dict.fromkeys(_MACHINES, _always("remote")),
    **dict.fromkeys(_DATABASES, _of_database),
    **dict.fromkeys(_FORGES, _of_forge),
    **dict.fromkeys(_CONTAINERS, _of_container),
    **dict.fromkeys(_CLUSTERS, _of_cluster),
    **dict.fromkeys(_CLOUD, lambda words: "remote" if _CLOUDS.search(" ".join(words[:4])) else "local"),
    "ssh": lambda words: "local" if words[:1] and words[0] in ("-G", "-Q", "-V") else "remote",
    "rsync": _where("remote", r"[\w.@-]+:(?!\\)"),
    **dict.fromkeys(("xclip", "xsel"), _where("web", r"-\w*o|--output")),
    "openssl": _where("remote", r"s_client\Z", 1),
}


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


def _asks_here(text: str) -> bool:
    """Whether all addresses of a text are of this machine, and there is one."""
    hosts = _ADDRESS.findall(text)
    return bool(hosts) and all(_HERE.match(host.rpartition("@")[2]) for host in hosts)
