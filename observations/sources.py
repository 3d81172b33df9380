"""Determines where a command's output comes from: this project and machine, or untrusted third parties.

The command line is split as a shell would split it, and programs are recognised wherever they appear: behind wrappers, in ``sh -c``,
in a substitution, in a container. The lists below contain programs that print remote content (the web, trackers, remote branches,
registries, service logs, other agents) and programs that only read local content. Any other program with a web address among its
arguments is assumed to fetch and print that page, unless the address is on this machine. The output of builds and tests counts as
local, although it may contain anything; repetition.py detects messages that repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise

from mind_skills.observations import shell
from mind_skills.observations.markers import UNVERIFIED_PREFIX
from mind_skills.observations.model import Observation, Source
from mind_skills.redaction.lazy_pattern import compile_lazily, join_words

UNTRUSTED_SOURCES: frozenset[Source] = frozenset({"web", "mcp", "issue", "remote"})
"""Sources whose text anyone may have written."""
_MARKED_SOURCE = compile_lazily(
    rf"(?:{UNVERIFIED_PREFIX}|\"taint\":\s{{0,4}}\[[^\[\]]{{0,100}}\")(import|{'|'.join(sorted(UNTRUSTED_SOURCES))})\b"
)
"""This text, or the field of our JSON documents that says the same. The group is the source, or "import" for an imported record."""
_OWN_TOOL = compile_lazily(
    r"(?:mcp__?)?mind[-_]skills__?"
    r"(?:plan|complete|record_outcome|record_error|error_context|recall|accept|dismiss)"
)
"""A host's name for one of our tools. Another server's name may begin like ours."""

MAX_COMMAND_CHARACTERS, MAX_DEPTH, MAX_WRAPPERS, MAX_HEREDOCS, MAX_VARIABLES = 20_000, 3, 10, 50, 20
"""Maximum number of characters of a command that are examined, maximum nesting of commands, and maximum numbers of wrappers of one
command and of variables that a command sets. The rest of a longer command counts as a download if it may be one. If a line contains
``<<`` or ``@`` more than ``MAX_HEREDOCS`` times, its here-documents or here-strings are not recognised."""
MAX_PATH_CHARACTERS = 4_096
"""Maximum number of characters at the end of a file's path that are examined."""
MAX_HEREDOC_CHARACTERS = 1_000
"""Maximum number of characters of a here-document that are examined in a command of more than ``MAX_COMMAND_CHARACTERS``."""
_PREFIX_WORDS = frozenset(
    "if then else elif while until do time ! { } sudo doas command exec nohup builtin env nice".split()
)
"""Words that precede a program. Other wrappers need no entry, because every word after an unlisted program is examined as well."""
_LOCAL_PROGRAMS = frozenset(
    """: [ [[ alias awk basename cat cd chmod chown cmp comm cp cut date df diff dirname du echo export false fd fgrep file find
    getent grep egrep rg ag ack head hexdump id jq kill killall less ln local ls man mkdir more mv nl od paste pgrep
    pkill printf ps pwd readlink realpath rm rmdir sed seq set sort source stat strings tail tee test touch tr tree true type
    uname uniq unset unzip wc whereis which xxd yq zcat bat batcat Get-Content Select-String""".split()
)
"""Programs whose arguments are neither programs (except after ``find -exec``) nor addresses to fetch."""
_NON_READING_PROGRAMS = frozenset(
    "[ [[ basename chmod chown df dirname du ls mkdir pwd readlink realpath rm rmdir stat test touch".split()
)
"""Local programs that neither print nor copy the content of the files among their arguments."""
_NON_RUNNING_PROGRAMS = frozenset(
    "cat cd chmod cp diff echo grep head less ls mkdir mv nl rm sed stat tail tee test touch wc".split()
)
"""Programs that never run a file among their arguments."""
_NON_RUNNING_GIT_VERBS = frozenset("add blame checkout commit diff log ls-files mv restore rm show status".split())
"""Subcommands of git that never run a file among their arguments."""
MAX_GIT_WORDS = 50
"""Maximum number of words of git that are examined behind a program that is not in a list, because the name may occur many times."""
_INDEX_QUERIES: dict[str, frozenset[str]] = {
    name: frozenset(subcommands.split())
    for names, subcommands in (
        ("npm pnpm yarn bun", "view info show v search find audit outdated docs"),
        ("pip pip3", "search index download"),
        ("cargo", "search info"),
        ("gem", "search specification info"),
        ("composer", "search"),
        ("brew", "info search desc cat home"),
        ("helm", "show search get pull"),
        ("apt apt-get apt-cache dnf yum zypper", "show search changelog info"),
        ("conda mamba nix choco winget scoop snap flatpak", "search info show find"),
        ("pacman", "-Si -Ss -Sii"),
    )
    for name in names.split()
}
"""Subcommands that query a package index, by package manager. Other subcommands are local unless they run a program: their arguments
are names of packages."""
_TRACKERS = frozenset(
    "jira acli linear sentry-cli bugz git-bug b4 himalaya notmuch slack-cli slackcat twurl toot mutt".split()
)
_FETCHERS = frozenset(
    """curl wget wget2 xh curlie lynx links2 elinks w3m aria2c axel lwp-request lwp-download yt-dlp youtube-dl gallery-dl
    newsboat trafilatura monolith httrack agent-browser playwright-cli firecrawl mcporter invoke-webrequest
    invoke-restmethod start-bitstransfer iwr irm pbpaste wl-paste get-clipboard""".split()
)
_AMBIGUOUS_FETCHERS = frozenset("http https links fetch GET".split())
"""Programs whose names are also ordinary words: recognised only where a program is expected, as are ``_AMBIGUOUS_REMOTES``."""
_REMOTES = frozenset(
    """ssh autossh ansible scp sftp ftp lftp nc ncat netcat socat telnet rsh mosh dig nslookup whois finger drill nmap
    journalctl stern consul etcdctl invoke-command enter-pssession get-winevent get-eventlog""".split()
)
"""Programs that access other machines, or print the logs of services."""
_AMBIGUOUS_REMOTES = frozenset({"host", "mail", "mailx", "vault"})
_CONVERTERS = frozenset("antiword catdoc docx2txt mutool pandoc pdftotext tesseract textutil".split())
"""Programs that print the text of files that are not text."""
_DOCUMENT = compile_lazily(r"\.(?:pdf|docx?|odt|rtf|epub|pptx?|xlsx?|png|jpe?g|tiff?|webp)\Z", re.IGNORECASE)
DOCUMENT_SUFFIXES = tuple(
    ".pdf .doc .docx .odt .rtf .epub .ppt .pptx .xls .xlsx .png .jpg .jpeg .tif .tiff .webp .gif .bmp .heic".split()
)
"""Suffixes of files that are not text, and usually come from others."""
_OUTPUT_OPTION = compile_lazily(r"-o.|--output=")
_DATABASES = frozenset(
    "psql mysql mariadb mongosh mongo redis-cli valkey-cli sqlcmd sqlplus clickhouse-client cqlsh".split()
)
_FORGES = frozenset({"gh", "glab", "hub", "tea"})
_CONTAINERS = frozenset("docker podman nerdctl docker-compose".split())
_CLUSTERS = frozenset({"kubectl", "oc"})
_CLOUD_READS = compile_lazily(
    r"\b(?:logs?|logging|monitor|s3|s3api|storage|blob|repos|boards|pipelines|artifacts|cat|cp|copy|copyto|tail|ssh|sqs|dynamodb)\b"
)
_CLOUDS = frozenset(
    """aws gcloud az gsutil s3cmd s5cmd rclone heroku fly flyctl vercel netlify railway doctl wrangler supabase
    firebase""".split()
)
_AGENT_NAMES = (
    "claude(?:-code)?|gemini(?:-cli)?|codex|llm|aichat|opencode|cursor-agent|copilot|coderabbit|amp|goose|aider"
)
_AGENTS = compile_lazily(rf"\A(?:{_AGENT_NAMES})\Z")
_AGENT_SETTINGS = (["mcp"], ["plugin"], ["config"])
"""Subcommands of agents that do not answer a prompt."""
_PROMPT = compile_lazily(r"\A(?:-p|--print|--prompt|exec|e|run|review|-x|--message|-m|prompt|chat)\Z|.*\s", re.DOTALL)
"""An argument with which an agent answers a prompt: an option, a subcommand, or the prompt itself."""
_SHELLS = frozenset("sh bash zsh dash ksh fish ash pwsh powershell cmd".split())
_INTERPRETER = compile_lazily(
    r"\A(?:python[\d.]*|node|deno|bun|ruby|perl|php|pwsh|powershell|osascript|Rscript|lua|tsx|ts-node|go|uv|jshell|julia)\Z"
)
_LINE_RUNNERS = frozenset("watch su tmux screen script expect".split())
"""Programs that run an argument with blanks as a command line."""
_RUNNERS = frozenset("make just task npm pnpm yarn bun rake mix composer".split())
_FETCHING_NAME = compile_lazily(
    r"(?:\A|[-_:./])(?:fetch|download|scrape|crawl|(?:sync|pull|import)[-_]?(?:issues?|comments?|docs|pages?|feeds?|tickets?))(?![a-z])",
    re.IGNORECASE,
)
DOWNLOAD_PATTERNS = {
    word: compile_lazily(pattern)
    for word, pattern in {
        "requests": r"\brequests\.(?:get|post|request|Session)\b|\bimport requests\b",
        "url": r"\burl(?:open|retrieve|lib3?)\b",
        "http": r"\b(?:httpx|aiohttp|http\.client|httplib)\b|\bhttp\.Get\(",
        "HTT": r"\b(?:Net::HTTP|HTTParty|HTTP::Tiny)\b",
        "XMLHttpRequest": r"\bXMLHttpRequest\b",
        "open-uri": r"\bopen-uri\b",
        "Faraday": r"\bFaraday\b",
        "axios": r"\baxios\b",
        "fetch": r"\bfetch\(|\bnode-fetch\b",
        "got(": r"\bgot\(",
        "undici": r"\bundici\b",
        "file_get_contents": r"\bfile_get_contents\(['\"]https?:",
        "curl": r"\bcurl_exec\b|\bcurl\s+-|\bcurl\s+['\"]?https?:",
        "Guzzle": r"\bGuzzle",
        "LWP::": r"\bLWP::",
        "reqwest": r"\breqwest\b",
        "Invoke-": r"\bInvoke-(?:WebRequest|RestMethod)\b",
        "wget": r"\bwget\s+",
        "socket.": r"\bsocket\.(?:create_connection|socket)\b",
        "gh": r"\bgh(?: |['\"],\s*\[?['\"])(?:issue|pr|api|run|search|project|release)\b",
        "Net.": r"\bNet\.(?:WebClient|WebRequest|Http\.HttpClient|Sockets\.)",
        "paramiko": r"\bparamiko\b",
        "boto3": r"\bboto3\b",
        "tell app": r"\btell app(?:lication)? \\?['\"](?:Mail|Messages|Safari|Google Chrome|Notes)\b",
        "octokit": r"\boctokit\b",
        "load_dataset": r"\bload_dataset\(",
        "import(": r"\bimport\(['\"](?:node:)?(?:https?|net|tls)['\"]\)",
        "require(": r"\brequire\(['\"](?:node:)?(?:https?|net|tls)['\"]\)",
        "from ": r"\bfrom ['\"](?:node:)?https?['\"]",
        "IO::Socket": r"IO::Socket\b",
        "/dev/tcp/": r"/dev/tcp/",
        "imaplib": r"\bimaplib\b",
        "feedparser": r"\bfeedparser\b",
        "playwright": r"\bplaywright\b",
        "puppeteer": r"\bpuppeteer\b",
        "selenium": r"\bselenium\b",
        "fsockopen": r"\bfsockopen\b",
        "URI": r"\b(?:OpenURI|URI\.open)\b",
    }.items()
}
"""Patterns of code that downloads content, each by a word that all of its matches contain. A pattern is only searched for in texts
that contain its word, because the search is slow."""
_FETCHED_REF = compile_lazily(
    r"\^?(?:(?:FETCH_HEAD|MERGE_HEAD|@\{u(?:pstream)?\})(?:[:~^].*)?|(?:refs/)?(?:remotes/)?(?:origin|upstream|fork)/.+"
    r"|refs/(?:pull|remotes|merge-requests)\b.*|(?:pull|pr|mr|merge-requests?)[/-]?\d+.*)"
)
"""Git references to fetched commits, which others may have written."""
_SHOWING_VERBS = frozenset(
    "log show diff cat-file whatchanged format-patch range-diff cherry-pick blame grep for-each-ref shortlog archive".split()
)
_SUMMARY_OPTIONS = {
    **dict.fromkeys(_SHOWING_VERBS, frozenset({"--oneline"})),
    "show": frozenset[str](),
    "diff": frozenset("--stat --name-only --name-status --shortstat --numstat --quiet".split()),
}
"""Options with which a subcommand prints no text, except with ``_PATCH_OPTION``. ``--oneline`` omits the messages of commits except for
their subjects, but ``git show --oneline`` prints the changes."""
_PATCH_OPTION = compile_lazily(
    r"-(?:[pucm]|[UL].*)|--(?:patch.*|cc|unified.*|binary|remerge-diff|diff-merges=.*|(?:format|pretty)=.*)"
)
_GIT_OPTIONS = frozenset("-C -c --git-dir --work-tree --namespace --exec-path".split())
_FIELDS = compile_lazily(r"--json[= ](\S+)")
_TEXT_FIELD = compile_lazily(
    r"\b(?:title|body|bodyText|comments|reviews|latestReviews|reviewThreads|commits|description|closingIssuesReferences|name)\b"
)
"""Fields of a forge's response that contain text written by users; other fields are numbers, states and dates."""
_TEXT_FIELDS_OF_CI = {"run": compile_lazily(r"\bdisplayTitle\b"), "checks": compile_lazily(r"\bdescription\b")}
"""The same for runs and checks: titles of commits, and messages of bots. Without fields, runs also print errors as annotations."""
_LOCAL_NOUNS = frozenset(
    "auth alias config extension completion browse secret variable ssh-key gpg-key cache attestation".split()
)
_VERBS_WITHOUT_TEXT = frozenset(
    """create edit close merge reopen delete ready lock unlock pin comment review enable disable rerun cancel set-default
    rename fork develop transfer upload""".split()
)
"""Subcommands of a forge's client that print only an address or a state, not text that users wrote."""
_VERBS_WITH_TITLE = frozenset("close reopen delete lock unlock pin".split())
"""Those of them that also print the title of an issue or a pull request."""
_LOCAL_HOST = compile_lazily(
    r"(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|\w[\w.-]*\.local(?:host)?)(?![\w.-])"
)
_ADDRESS = compile_lazily(r"\b(?:https?|ftp|wss?)://([^\s'\"/)]+)")
_FETCH_TARGET = compile_lazily(r"(?:\w+://)?(?:[^@/\s]*@)?(\[[0-9a-f:]+\]|[\w.-]*\w)(?P<port>:\d+)?(?:[/?#]\S*)?")
_VALUE_OPTIONS = frozenset(
    """-A -b -c -d -D -e -E -F -H -K -m -o -O -P -Q -r -T -t -u -U -w -x -X -y -Y -z --user-agent --cookie --cookie-jar --data
    --data-raw --data-binary --data-urlencode --json --form --header --max-time --connect-timeout --output --proxy --referer
    --request --retry --user --write-out --resolve --cacert --cert --key --timeout --tries --post-data --method""".split()
)
"""Options of ``_FETCHERS`` whose value is not an address to fetch, such as a proxy or a referer."""
_THIRD_PARTY_FILE = compile_lazily(
    r"(?:\A|/)(?:Downloads/|var/(?:log|mail)/|Library/(?:Mail|Messages)/)"
    r"|\.(?:claude/projects|codex/(?:archived_)?sessions|gemini/tmp)/.*\.jsonl?\Z"
    r"|(?:\A|/)(?:node_modules|(?:site|dist)-packages|vendor|third_party|bower_components|\.cargo/registry|go/pkg/mod)/(?:.*/)?"
    r"(?:[^/]*\.(?:md|rst|txt|html?|adoc)|README|CHANGELOG|NOTICE)\Z"
)
"""Third-party files: downloads, service logs, mail and messages, logs of sessions, and documentation of packages."""
_HEREDOC = compile_lazily(
    r"<<-?\s*(['\"]?)(\w++)\1(?P<rest>[^\n]*)\n(?P<body>.*?)^[^\S\n]*+\2$", re.DOTALL | re.MULTILINE
)
_HERE_STRING = compile_lazily(r"(?<=[\s=(,])@(['\"])[ \t]*\n(?:.*?\n)?\1@", re.DOTALL)
"""A PowerShell here-string, which spans several lines."""
_WRITTEN_FILE = compile_lazily(r"(?:>|\btee\b(?:\s+-\w+)*)\s*([^\s;&|<>]+)")
_TEXT_FOR_SHELL = compile_lazily(r"(\b(?:ba|z|da|k)?sh\b[^;&|<>\n]*)<<<")
_SUBSTITUTION = compile_lazily(r"\$?\(([^()]*)\)|`([^`]*)`")
"""A substitution, or another pair of parentheses, that contains no parentheses."""
_LITERAL = compile_lazily(r"(\\.|\"(?:[^\"\\]++|\\.)*+\")|\$'(?:[^'\\]|\\.)*'|'[^']*'", re.DOTALL)
"""A text in single quotes, outside double quotes. The first group matches what is not one, although it may contain such quotes."""
_ASSIGNED = compile_lazily(r"\$[\w:]+=(.+)", re.DOTALL)
_VARIABLE = compile_lazily(
    r"(?:\A|(?<=[;&|(\s]))([A-Za-z_]\w{0,40})=(\"[^\"\n$`]{1,200}\"|'[^'\n]{1,200}'|[^\s;&|()'\"$`]{1,200})(?=[;&|)\s])"
)
_WINDOWS_SEPARATOR = compile_lazily(r"(?<=[\w.~:])\\(?=[\w.])")

MAX_SCRIPTS = 200
"""Maximum number of script names that are stored per session."""
_SCRIPT = compile_lazily(r"\w\.(?:py|js|mjs|cjs|ts|tsx|rb|pl|php|sh|bash|zsh|ps1|lua|go|R)\Z|\A[Mm]akefile\Z|\A\w+\Z")
_NAMES = (
    _TRACKERS
    | _FETCHERS
    | _AMBIGUOUS_FETCHERS
    | _REMOTES
    | _AMBIGUOUS_REMOTES
    | _CONVERTERS
    | _DATABASES
    | _FORGES
    | _CLUSTERS
    | _CLOUDS
    | frozenset(
        "rsync openssl xclip xsel docker podman nerdctl docker-compose Get-Clipboard Start-BitsTransfer".split()
    )
    | frozenset("Get-WinEvent Get-EventLog Enter-PSSession".split())
)
_POSSIBLY_REMOTE = compile_lazily(
    rf"(?<![\w-])(?:{join_words(_NAMES)}"
    rf"|(?:{'|'.join(_INDEX_QUERIES)})\s+(?:\S+\s+){{0,2}}(?:{'|'.join(sorted(set[str]().union(*_INDEX_QUERIES.values())))})"
    rf"|(?:{_AGENT_NAMES})(?:\.exe|@[\w.^~-]{{1,40}})?\s)"
    r"|https?://|ftp://|wss?://|/dev/tcp|[fF]etch|[dD]ownload|[sS]crape|[cC]rawl"
    r"|(?:[sS]ync|[pP]ull|[iI]mport)[-_]?(?:[iI]ssue|[cC]omment|[dD]oc|[pP]age|[fF]eed|[tT]icket)"
    r"|var/(?:log|mail)/|Library/M|node_modules[/\\]|-packages[/\\]|vendor[/\\]|third_party[/\\]|bower_components[/\\]"
    r"|\.claude/projects|\.codex/|\.gemini/tmp|\.cargo/registry|go/pkg/mod|Net\.|tell app|paramiko|boto3|octokit|load_dataset"
    r"|[rR]equest|reqwest|urlopen|urllib|urlretrieve|httpx|aiohttp|http\.|httplib|axios|got\(|Net::|Faraday|undici|LWP"
    r"|HTTP|Guzzle|[sS]ocket|fsockopen|(?:require|import)\(['\"](?:node:)?(?:https?|net|tls)|from ['\"](?:node:)?http|URI|open-uri|imaplib"
    r"|feedparser|playwright|puppeteer|selenium|Invoke-|curl_exec|wget\s"
)
_FETCHED_COMMIT = compile_lazily(
    r"clone|pull|submodule|FETCH_HEAD|MERGE_HEAD|@\{u|origin/|upstream/|fork/|pr[/-]?\d|refs/|mr[/-]?\d|merge-req|remotes|--all"
)


def may_be_remote(command: str) -> bool:
    """Return whether a command needs to be classified by the rules below: a fast check that few local commands pass."""
    if _POSSIBLY_REMOTE.search(command) is not None:
        return True
    return "git" in command and _FETCHED_COMMIT.search(command) is not None


def classify_command(command: str) -> Source:
    """Return the source of a shell command's output: ``local`` unless it accesses remote content."""
    if not may_be_remote(command):
        return "local"
    if len(command) > MAX_COMMAND_CHARACTERS and command.count("<<") <= MAX_HEREDOCS:
        command = _HEREDOC.sub(_shorten_heredoc, command)
    source = _classify_bounded(command[:MAX_COMMAND_CHARACTERS])
    return "web" if source == "local" and may_be_remote(command[MAX_COMMAND_CHARACTERS:]) else source


def _shorten_heredoc(match: re.Match[str]) -> str:
    """Return the beginning of a here-document that is only data: no shell, interpreter or later command may run any of it."""
    command = _get_heredoc_command(match)
    names = [_get_program_name(word) for word in command.split()]
    is_run = any(name in _SHELLS or name == "ssh" or _INTERPRETER.match(name) for name in names)
    has_substitutions = not match[1] and ("$(" in match["body"] or "`" in match["body"])
    script = _find_written_script(command)
    if is_run or has_substitutions or (script and script in match.string[match.end() :]):
        return match[0]
    start, end = match.start("body") - match.start(), match.end("body") - match.start()
    return f"{match[0][: min(start + MAX_HEREDOC_CHARACTERS, end)]}\n{match[0][end:]}"


@lru_cache(64)
def _classify_bounded(command: str) -> Source:
    source = _get_first_untrusted(_classify_line(command, MAX_DEPTH))
    if source == "local" and "\\" in command:
        source = _get_first_untrusted(_classify_line(_WINDOWS_SEPARATOR.sub("/", command), MAX_DEPTH))
    if source == "local" and "$" in command and (expanded := _expand_variables(command)) != command:
        source = _get_first_untrusted(_classify_line(expanded, MAX_DEPTH))
    return source


def _expand_variables(command: str) -> str:
    """Replace the variables that a command sets to a text with that text: they may hold a program or an address."""
    for match in islice(_VARIABLE.finditer(command), MAX_VARIABLES):
        name, value = match[1], match[2].strip("'\"").replace("\\", r"\\")
        command = re.sub(rf"\$(?:{name}\b|\{{{name}\}})", value, command)[:MAX_COMMAND_CHARACTERS]
    return command


def classify_file(path: str) -> Source:
    """Return the source of a file's content, judged by the file's path: ``local`` or ``remote``."""
    path = path[-MAX_PATH_CHARACTERS:]
    return "remote" if _THIRD_PARTY_FILE.search(path.replace("\\", "/")) else "local"


def _get_first_untrusted(sources: Iterable[Source]) -> Source:
    """Return the first source that is not ``local``, or ``local`` if there is none."""
    for source in sources:
        if source != "local":
            return source
    return "local"


def _classify_line(line: str, depth: int) -> Iterator[Source]:
    """Yield the source of each command of a line, including nested commands, up to a nesting of ``depth``."""
    if depth <= 0:
        return
    downloads = find_written_downloads(line)
    if "<<" in line and line.count("<<") <= MAX_HEREDOCS:
        for match in _HEREDOC.finditer(line):
            yield from _classify_heredoc(_get_heredoc_command(match), match["body"], depth)
            if not match[1]:
                yield from _classify_substitutions(match["body"], depth)
        line = _TEXT_FOR_SHELL.sub(r"\1; eval ", _HEREDOC.sub(r"\g<rest>", line))
    if "/dev/tcp/" in line:
        yield "web"
    yield from _classify_substitutions(_LITERAL.sub(r"\1", line), depth)
    if ("'@" in line or '"@' in line) and line.count("@") <= MAX_HEREDOCS:
        line = _HERE_STRING.sub("text", line)
    for pipeline in shell.split_commands(line.replace("\\\n", " ").replace("<(", ";(").replace(">(", ";(")):
        for words in pipeline:
            yield _classify_words(words, depth)
            if any(name in word for name in downloads for word in words) and _may_run_arguments(words):
                yield "web"
        if len(pipeline) > 1 and not _SHELLS.isdisjoint(_get_program_name(words[0]) for words in pipeline[1:] if words):
            yield from _classify_line("\n".join(" ".join(words[1:]) for words in pipeline), depth - 1)


def _classify_substitutions(text: str, depth: int) -> Iterator[Source]:
    """Yield the sources of the commands whose output is substituted into a text, from the inside to the outside."""
    for _ in range(MAX_DEPTH):
        if "$(" not in text and "`" not in text:
            return
        for match in _SUBSTITUTION.finditer(text):
            if match[0][0] != "(":
                yield from _classify_line(match[1] or match[2] or "", depth - 1)
        text = _SUBSTITUTION.sub(lambda match: f" {match[1]} " if match[0][0] == "(" else "text", text)


def _get_heredoc_command(match: re.Match[str]) -> str:
    """Return the line of a here-document that contains the command."""
    return match.string[: match.start()].rpartition("\n")[2] + match["rest"]


def _find_written_script(command: str) -> str:
    """Return the name of the script that a command writes, or an empty string."""
    target = _WRITTEN_FILE.search(command)
    name = target[1].rpartition("/")[2].strip("'\"") if target else ""
    return name if _SCRIPT.search(name) else ""


def find_written_downloads(command: str) -> list[str]:
    """Return the names of the files into which a command's here-documents write code that downloads content."""
    if "<<" not in command or command.count("<<") > MAX_HEREDOCS:
        return []
    return [
        name
        for match in _HEREDOC.finditer(command)
        if (name := _find_written_script(_get_heredoc_command(match)))
        and _contains_download_code(match["body"])
        and not _has_only_local_addresses(match["body"])
    ]


def _classify_heredoc(command: str, body: str, depth: int) -> Iterator[Source]:
    """Yield the sources of the output if ``command`` passes the here-document ``body`` to a shell or an interpreter."""
    for word in command.split():
        name = _get_program_name(word)
        if name in _SHELLS or name == "ssh":
            yield from _classify_line(body, depth - 1)
        if _INTERPRETER.match(name) and _contains_download_code(body) and not _has_only_local_addresses(body):
            yield "web"


def _classify_words(words: list[str], depth: int) -> Source:
    """Return the source of one command's output.

    The first listed program among the command's words determines the source; otherwise it is ``web`` if they contain a remote address.
    """
    start = _find_program(words)
    if start == len(words):
        return "local"
    rest = _skip_assignment(words[start:])
    if not rest:
        return "local"
    name = _get_program_name(rest[0])
    if depth > 0 and (wrapped := _unwrap(rest)) and (source := _classify_words(wrapped, depth - 1)) != "local":
        return source
    for line in _find_lines(name, rest, words[:start]):
        if (source := _get_first_untrusted(_classify_line(line, depth - 1))) != "local":
            return source
    if name in _LOCAL_PROGRAMS and not (name == "find" and any(word.startswith("-exec") for word in rest)):
        if name in _NON_READING_PROGRAMS and not any("$" in word or "`" in word for word in rest):
            return "local"
        return _get_first_untrusted(map(classify_file, rest[1:]))
    if rest[1:3] == ["-m", "pip"]:
        name, rest = "pip", rest[2:]
    if name in _INDEX_QUERIES and not _runs_program(name, rest):
        return _classify_package_manager(name, rest)
    if name == "git":
        return _classify_git(rest[1:])
    if name in _AMBIGUOUS_FETCHERS or name in _AMBIGUOUS_REMOTES:
        return "remote" if name in _AMBIGUOUS_REMOTES else "web" if _fetches_remotely(rest[1:]) else "local"
    if _AGENTS.match(name):
        is_prompt = name == "llm" or (rest[1:2] not in _AGENT_SETTINGS and any(map(_PROMPT.match, rest[1:])))
        return "web" if len(rest) > 1 and is_prompt else "local"
    for n, word in enumerate(rest):
        if (found := _classify_program(_get_program_name(word), rest[n:], depth)) is not None:
            return found
    is_download = ("/" in rest[0] and _FETCHING_NAME.search(name)) or any(map(DOWNLOAD_PATTERNS["Net."].search, rest))
    is_download = is_download or any(_ADDRESS.search(word) and not _has_only_local_addresses(word) for word in rest)
    return "web" if is_download else "local"


def _skip_assignment(words: list[str]) -> list[str]:
    """Return a PowerShell command without the variable to which its output is assigned."""
    if match := _ASSIGNED.match(words[0]):
        return [match[1], *words[1:]]
    return words[2:] if words[0][:1] == "$" and words[1:2] == ["="] else words


def _unwrap(words: list[str]) -> list[str]:
    """Return the command that wrappers run, without up to ``MAX_WRAPPERS`` of them, or an empty list if there is no wrapper."""
    wrapped: list[str] = []
    for _ in range(MAX_WRAPPERS):
        unwrapped = shell.unwrap(wrapped or words)
        if unwrapped is None:
            break
        wrapped = unwrapped[1]
    return wrapped


def _find_lines(name: str, words: list[str], previous_words: list[str]) -> list[str]:
    """Return the arguments of a command that are command lines."""
    if name == "alias":
        return [word.partition("=")[2] for word in words[1:]]
    if name in _LINE_RUNNERS:
        return [word for word in words[1:] if " " in word]
    return words[:1] if "env" in previous_words and " " in words[0] else []


def _find_program(words: list[str]) -> int:
    """Return the index of the program among the words of a command, or ``len(words)`` if there is none."""
    return next((n for n, word in enumerate(words) if not _precedes_program(words[:n], word)), len(words))


def _precedes_program(previous_words: list[str], word: str) -> bool:
    return (
        word in _PREFIX_WORDS
        or re.match(r"[A-Za-z_]\w*=", word) is not None
        or (bool(previous_words) and (word.startswith("-") or word.isdigit()))
    )


def _get_program_name(word: str) -> str:
    name = re.split(r"[/\\]", word)[-1]
    name = name[:1] + name[1:].partition("@")[0]  # npx NAME@VERSION
    name = name.removesuffix(".exe")
    return name.lower() if name.lower() in _FETCHERS or name.lower() in _REMOTES else name


def _runs_program(name: str, words: list[str]) -> bool:
    """Return whether the words call a package manager in order to run a program, as ``npm run`` does."""
    if name == "bun" and re.match(r"-|.*[./]", "".join(words[1:2])):
        return True  # code or a file
    return name in _RUNNERS and any(word in ("run", "exec", "x", "dlx", "run-script") for word in words[1:2])


def _classify_package_manager(name: str, words: list[str]) -> Source:
    if name in _RUNNERS and any(map(_FETCHING_NAME.search, words[1:2])):
        return "web"
    operands, _ = shell.get_operands([name, *words[1:]])
    return "local" if _INDEX_QUERIES[name].isdisjoint([*words[1:3], *operands[:2]]) else "remote"


def _classify_program(name: str, words: list[str], depth: int) -> Source | None:
    """Return the source of the output of the program ``name``; None if the name does not determine it, so the next word is examined."""
    classifier = _CLASSIFIERS.get(name)
    if classifier is not None:
        return classifier(words[1:])
    if name in _SHELLS and (text := _get_inline_command(words)):
        return _get_first_untrusted(_classify_line(text, depth - 1))
    if name.lower() in ("eval", "iex", "invoke-expression") and len(words) > 1:
        return _get_first_untrusted(_classify_line(" ".join(words[1:]), depth - 1))
    if name in ("xargs", "parallel", "watch") and len(words) > 1 and depth > 0:
        return _classify_words(words[1:], depth - 1)
    if (name in _SHELLS or _INTERPRETER.match(name)) and not (name == "uv" and "run" not in words[:2]):
        text = " ".join(words[1:])
        if _contains_download_code(text):
            return "local" if _has_only_local_addresses(text) else "web"
        script = next((word for word in words[1:] if not word.startswith("-") and word != "run"), "")
        if "-m" not in words and _FETCHING_NAME.search(script):
            return "web"
    elif name in _RUNNERS and any(map(_FETCHING_NAME.search, words[1:4])):
        return "web"
    return None


def _get_inline_command(words: list[str]) -> str:
    """Return the command line passed to a shell as one argument, or an empty string."""
    options = pairwise(words[1:])
    return next((value for option, value in options if re.fullmatch(r"-\w*c|//?c|-command", option, re.IGNORECASE)), "")


def _fetches_remotely(words: list[str]) -> bool:
    """Return whether the arguments of a fetching program name another machine or a variable, or no machine at all."""
    has_local_address = False
    skip_next = False
    for word in words:
        if skip_next or word.startswith("-"):
            skip_next = not skip_next and word in _VALUE_OPTIONS
            continue
        match = _FETCH_TARGET.fullmatch(word)
        host = match[1] if match else ""
        if _ADDRESS.search(word):
            if not _has_only_local_addresses(word):
                return True
            has_local_address = True
        elif _LOCAL_HOST.fullmatch(host):
            has_local_address = True
        elif "$" in word or (
            host and not host.replace(".", "").isdigit() and ("." in host or (match and match["port"]))
        ):
            return True
    return not has_local_address


def _classify_forge(words: list[str]) -> Source:
    plain = [
        word
        for n, word in enumerate(words)
        if not word.startswith("-") and words[n - 1 : n] not in (["-R"], ["--repo"])
    ]
    noun, verb = (*plain, "", "")[:2]
    if not noun or noun in _LOCAL_NOUNS or (noun, verb) in (("api", "user"), ("api", "rate_limit")):
        return "local"
    if verb in ("checkout", "co", "clone") or (
        noun in ("run", "ci", "job", "workflow") and any("log" in word or word == "trace" for word in words)
    ):
        return "remote"
    prints_title = noun in ("issue", "pr") and verb in _VERBS_WITH_TITLE
    if noun in ("workflow", "ruleset", "org") or (verb in _VERBS_WITHOUT_TEXT and not prints_title):
        return "local"
    fields = _FIELDS.search(" ".join(words))
    text_field = _TEXT_FIELDS_OF_CI.get("run" if noun == "run" else verb, _TEXT_FIELD)
    if fields is not None and not text_field.search(fields[1]):
        return "local"
    return "remote" if noun == "run" else "issue"


def _classify_git(words: list[str]) -> Source:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _GIT_OPTIONS else words[1:]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    plain = [word for word in rest if not word.startswith("-") and not word.isdigit()]  # 2 may be the 2 of 2>&1
    if verb in ("clone", "submodule", "subtree") and any(re.search(r"://|@|\A[\w.-]{2,}:", word) for word in plain):
        return "remote"
    if verb in ("fetch", "pull") and plain:
        refs = [word.split(":")[0] for word in plain[1:]]
        is_foreign = plain[0] != "origin" or any(map(_FETCHED_REF.fullmatch, refs))
        return "remote" if is_foreign else "local"
    if verb in ("checkout", "switch", "worktree") and "FETCH_HEAD" in plain:
        return "remote"
    is_summary = not _SUMMARY_OPTIONS.get(verb, frozenset()).isdisjoint(rest)
    if verb not in _SHOWING_VERBS or (is_summary and not any(map(_PATCH_OPTION.fullmatch, rest))):
        return "local"
    if verb == "log" and any(re.match(r"--(?:all|remotes|glob)\b", word) for word in rest):
        return "remote"
    if verb != "diff":  # a...b shows the commits of both sides
        rest = [side for word in rest for side in word.split("...")]
    return "remote" if any(map(_names_fetched_commit, rest)) else "local"


def _names_fetched_commit(word: str) -> bool:
    """Return whether a word names a fetched commit, or a range that ends at one: ``origin/main..`` only contains local commits."""
    left, dots, right = word.partition("..")
    right = right.removeprefix(".") if dots else left
    return _FETCHED_REF.fullmatch(right) is not None


def _classify_container(words: list[str]) -> Source | None:
    plain = [word for word in words if not word.startswith("-")]
    verbs = {*plain[:2], *(plain if plain[:1] == ["compose"] else ())}
    return "remote" if not verbs.isdisjoint({"logs", "inspect", "search", "pull"}) else None


def _classify_cluster(words: list[str]) -> Source:
    verbs = {word for word in words if not word.startswith("-")}
    is_query = not verbs.isdisjoint({"logs", "describe", "events", "exec"}) or any(
        re.match(r"-o|--output", word) for word in words
    )
    return "remote" if is_query else "local"


def _classify_database(words: list[str]) -> Source:
    hosts = [words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-h", "--host", "-S")]
    hosts += [word.partition("=")[2] for word in words if word.startswith("--host=")]
    hosts += [match[1].rpartition("@")[2] for word in words if (match := re.search(r"\w+://([^\s/]+)", word))]
    hosts += [word[2:] for word in words if re.match(r"-h\w", word)]
    hosts += [word for word in words if re.match(r"\$\{?\w*(?:URL|URI|DSN|HOST)\b", word)]
    if not hosts and words and not words[0].startswith("-") and any(word.startswith("--eval") for word in words):
        hosts = words[:1]
    is_remote = any(host and not _LOCAL_HOST.match(host) and not host.startswith("/") for host in hosts)
    return "remote" if is_remote else "local"


def _classify_converter(words: list[str]) -> Source | None:
    inputs = (word for n, word in enumerate(words) if not _OUTPUT_OPTION.match(word) and words[n - 1 : n] != ["-o"])
    return "remote" if any(map(_DOCUMENT.search, inputs)) else None


def _classify_cloud(words: list[str]) -> Source:
    operands, _ = shell.get_operands(["aws", *words])
    return "remote" if _CLOUD_READS.search(" ".join(operands[:4])) else "local"


_CLASSIFIERS: dict[str, Callable[[list[str]], Source | None]] = {
    **dict.fromkeys(_FETCHERS, lambda words: "web" if _fetches_remotely(words) else "local"),
    **dict.fromkeys(("pbpaste", "wl-paste", "get-clipboard"), lambda _: "web"),
    **dict.fromkeys(_TRACKERS, lambda _: "issue"),
    **dict.fromkeys(_REMOTES, lambda _: "remote"),
    **dict.fromkeys(_CONVERTERS, _classify_converter),
    **dict.fromkeys(_DATABASES, _classify_database),
    **dict.fromkeys(_FORGES, _classify_forge),
    "git": lambda words: "remote" if _classify_git(words[:MAX_GIT_WORDS]) == "remote" else None,
    **dict.fromkeys(_CONTAINERS, _classify_container),
    **dict.fromkeys(_CLUSTERS, _classify_cluster),
    **dict.fromkeys(_CLOUDS, _classify_cloud),
    "sqlite3": lambda words: "remote" if "remote" in map(classify_file, words) else None,
    "ssh": lambda words: "local" if words[:1] and words[0] in ("-G", "-Q", "-V") else "remote",
    "rsync": lambda words: "remote" if any(re.match(r"[\w.@-]+:(?!\\)", word) for word in words) else None,
    **dict.fromkeys(
        ("xclip", "xsel"), lambda words: "web" if any(re.match(r"-\w*o|--output", word) for word in words) else None
    ),
    "openssl": lambda words: "remote" if words[:1] == ["s_client"] else None,
}
"""Functions that classify a program by its arguments; None if these do not determine the source of its output."""


class DownloadScriptTracker:
    """Tracks the scripts of a session whose code downloads content. Their output counts as text from the web."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def runs_download(self, observation: Observation) -> bool:
        """Process the next observation, and return whether it runs a script that downloads content."""
        if observation.action in ("run", "other") and any(map(observation.command.__contains__, self._names)):
            return self._runs_script(observation.command)
        self._add(find_written_downloads(observation.command))
        if observation.action in ("edit", "write", "read") and observation.files:
            text = observation.change or (observation.text if observation.action == "read" else "")
            if _contains_download_code(text):
                self._add(name.rpartition("/")[2] for name in observation.files)
        return False

    def _add(self, names: Iterable[str]) -> None:
        for name in names:
            if _SCRIPT.search(name) and len(self._names) < MAX_SCRIPTS:
                self._names[name] = None

    def _runs_script(self, command: str) -> bool:
        """Return whether a command that contains a script's name may run the script, rather than only read, list or commit it."""
        naming_pipelines: list[list[list[str]]] = []
        for pipeline in shell.split_commands(command[:MAX_COMMAND_CHARACTERS]):
            text = " ".join(word for words in pipeline for word in words)
            if any(map(text.__contains__, self._names)):
                naming_pipelines.append(pipeline)
        if not naming_pipelines:
            return True  # the name is in a part of the command that the parser drops, such as a redirection
        return any(_may_run_arguments(words) for pipeline in naming_pipelines for words in pipeline)


def _may_run_arguments(words: list[str]) -> bool:
    """Return whether a command may run a file that is among its words or in its input."""
    command = words[_find_program(words) :]
    if any("$(" in word or "`" in word for word in words) or "/" in "".join(command[:1]):
        return True
    return (
        bool(command)
        and command[0] not in _NON_RUNNING_PROGRAMS
        and not (command[0] == "git" and _NON_RUNNING_GIT_VERBS.issuperset(command[1:2]) and len(command) > 1)
    )


def _contains_download_code(text: str) -> bool:
    return any(word in text and pattern.search(text) for word, pattern in DOWNLOAD_PATTERNS.items())


def is_own_tool(tool: str) -> bool:
    """Return whether a tool belongs to our own server, judged by the host's name for it."""
    return _OWN_TOOL.fullmatch(tool) is not None


def find_marked_source(output: str) -> Source:
    """Return the first untrusted source on which a record in our own output rests; ``local`` if there is none."""
    match = _MARKED_SOURCE.search(output)
    name = match[1] if match is not None else "local"
    return "remote" if name == "import" else name  # type: ignore[return-value]


def _has_only_local_addresses(text: str) -> bool:
    """Return whether a text has addresses and all of them are on this machine."""
    hosts = _ADDRESS.findall(text)
    return bool(hosts) and all(_LOCAL_HOST.match(host.rpartition("@")[2]) for host in hosts)
