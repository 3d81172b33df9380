"""Determines where a command's output comes from: this project and machine, or third parties.

Local is a closed list: a command line is local only if every program that it runs, behind wrappers and in ``sh -c``, substitutions
and here-documents as well, is in the lists below or belongs to the project. Anyone may have written the output of other programs:
it is ``web`` if they fetch an address or ask a model, ``issue`` if they are trackers, and otherwise ``remote``. The output of builds
and tests counts as local, although it may contain anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from mind_skills.observations import shell
from mind_skills.observations.known_files import KnownFiles
from mind_skills.observations.markers import UNVERIFIED_PREFIX
from mind_skills.observations.model import Observation, Source
from mind_skills.redaction.lazy_pattern import compile_lazily

UNTRUSTED_SOURCES: frozenset[Source] = frozenset({"web", "mcp", "issue", "remote"})
"""Sources whose text anyone may have written."""
_MARKED_SOURCE = compile_lazily(
    rf"(?:{UNVERIFIED_PREFIX}|\"taint\":\s{{0,4}}\[[^\[\]]{{0,100}}\")(import|{'|'.join(sorted(UNTRUSTED_SOURCES))})\b"
)
"""This text, or the field of our JSON documents that says the same. The group is the source, or "import" for an imported record."""
_UNTRUSTED_MARKER = compile_lazily(rf"{UNVERIFIED_PREFIX}({'|'.join(sorted(UNTRUSTED_SOURCES))})\b")
"""The marker that our own tools put on records from untrusted sources; it captures the source."""
_OWN_TOOL = compile_lazily(
    r"(?:mcp__?)?mind[-_]skills__?"
    r"(?:plan|complete|record_outcome|record_error|error_context|recall|accept|dismiss)"
)
"""A host's name for one of our tools. Another server's name may begin like ours."""
MAX_COMMAND_CHARACTERS, MAX_DEPTH, MAX_WRAPPERS, MAX_VALUE_CHARACTERS, MAX_HERE_STRINGS = 20_000, 4, 10, 2_000, 50
"""Maximum numbers of characters of a command line without its here-documents, of nested command lines, of wrappers of one command, of
characters of a variable's value, and of ``@`` in a line whose here-strings are recognised. What exceeds them is not local."""
MAX_PATH_CHARACTERS = 4_096
"""Maximum number of characters at the end of a file's path that are examined."""

_KEYWORDS = frozenset("if then else elif while until do ! { } begin try finally".split())
"""Words that precede a command."""
_NAME_PRINTERS = frozenset(
    """[ [[ basename chmod chown df dirname du echo fd fdfind find gci get-childitem ls mkdir open printf pwd readlink realpath rm rmdir
    stat test test-path touch tree type wc whereis which""".split()
)
"""Programs that print no content of the files among their arguments."""
_TEXT_TOOLS = _NAME_PRINTERS | frozenset(
    """: ag ack apply_patch ast-grep awk base64 bat batcat bg bind break bunzip2 bzip2 cal case cat cd chgrp cksum clear cmp codesign
    comm continue cp csplit cut date dd declare defaults diff difft dirs disown dos2unix done egrep env esac exit expand export expr
    false fg fgrep fi file fmt fold free gawk getconf getent getopts grep groups gunzip gzip hash head hexdump history hostname htop
    iconv id ionice jobs join jq kill killall ldd less let ln local locale lsof man mapfile md5 md5sum mkfifo mktemp more mount mv
    netstat nice nl nm nohup nproc numfmt objdump od openssl otool parallel paste patch pbcopy pgrep pidof pkill plutil popd pr ps
    pstree pushd read readarray readelf readonly rename return rev rg sd sed seq set setopt sha1sum sha256sum sha512sum shasum shift
    shopt shuf sleep sort source . split sqlite3 ss strings stty sudo sum ip ifconfig diskutil sips ssh-add ssh-keygen system_profiler
    uuidgen umount tasklist gpg gpgconf print sw_vers sync sysctl tac tail tar tee time timeout top tput tr trap true truncate tsort
    tty typeset ulimit umask unalias uname unexpand uniq unset unxz unzip unzstd uptime vm_stat vmstat w wait watch who whoami xargs
    xattr xxd xz yes yq zcat zgrep zip zstd catch clear-host compare-object convertfrom-json convertto-json copy copy-item del
    dir findstr foreach-object format-list format-table get-command get-content get-date get-item get-location get-process group-object
    join-path measure-command measure-object move-item new-item new-object out-file out-null out-string remove-item resolve-path
    select-object select-string set-content set-item set-location set-strictmode sort-object split-path start-sleep tee-object throw
    where-object nvidia-smi write-error write-host write-output write-warning mind-skills""".split()
)
"""Programs of shells and systems whose arguments are neither programs nor addresses to fetch."""
_TOOLS = frozenset(
    """flask uvicorn gunicorn celery streamlit nodemon air stack elm gleam nim crystal jekyll act actionlint ajv alembic ant ar as astro
    autopep8 ava babel bandit basedpyright bats bazel bazelisk benchstat biome black buf c++ cabal cc checkov checkstyle clang clang++
    clang-format clang-tidy cloc cmake codespell commitlint corepack coverage cppcheck cspell ctest cucumber cypress dart dbt detekt
    diesel dprint drizzle-kit dune elixirc esbuild eslint eslint_d expo flake8 flutter flyway fnm forge g++ gcc gcov gdb ghc git-cliff
    gitleaks gofmt gofumpt goimports golangci-lint golint goreleaser gotestsum grunt gulp hadolint hatch hk hlint hugo husky isort
    javac jest karma knip ktlint kotlinc ld lefthook lein lerna less-lint lint-imports lint-staged lldb markdownlint markdownlint-cli
    markdownlint-cli2 meson mkdocs mmdc mocha msbuild mypy dmypy nasm next ng ninja nose2 nuxt nvcc nvm nyc ocamlc opam oxfmt oxlint
    pandoc parcel perf pest phpcbf phpcs php-cs-fixer phpstan phpunit pint pip-compile pip-sync pkg-config playwright pod pre-commit
    prek prettier prisma protoc psalm pycodestyle pyenv pyflakes pylint pyrefly pyright pytest py.test pyupgrade rails rbenv rollup
    rspec rspack rubocop ruff rustc rustfmt rustup sass sbt scalac scalafmt scons semgrep shellcheck shfmt sorbet sphinx-build sqlfluff
    sqlx standardrb staticcheck storybook strace stylelint stylua svelte-check swc swift swiftc swiftformat swiftlint tap taplo tflint
    trunk tsc tsd tsgo tsup twine ty typedoc typos vale modernize fieldalignment govulncheck pkl tree-sitter invoke-pester django-admin
    valgrind virtualenv vite vitest volta vue-tsc wasm-pack webpack xcodebuild xcodegen simctl xcpretty xcode-select xo yamllint yapf
    xmllint zig zizmor anchor ansible-lint arduino-cli autoconf automake autoreconf buck2 busted catkin_make colcon conan emcc godot
    hardhat iverilog latexmk lualatex pants pdflatex pio platformio prove snakemake solc truffle verilator waf west xelatex""".split()
)
"""Compilers, test runners, linters, formatters, type checkers, build tools and managers of versions."""
_INTERPRETER = compile_lazily(
    r"(?:python|pypy|py|node|ruby|perl|php|lua|luajit|rscript|julia|java|groovy|kotlin|scala|elixir|osascript|jshell|tsx|ts-node|erl"
    r"|irb|ghci|r|clj|clojure|runghc|deno|bun|uv|go|ipython)[\d.]*"
)
_SHELLS = frozenset("bash sh zsh dash ksh fish ash pwsh powershell cmd".split())
_THIN_WRAPPERS = frozenset("rtk busybox xcrun corepack wsl retry".split())
"""Programs that run their arguments, besides those in shell.py."""
_ELSEWHERE = frozenset("ssh kubectl oc fly flyctl".split())
"""Programs of shell.py that run their arguments on other machines."""
_COMMAND_MARKS = {
    "find": ("-exec", "-execdir", "-ok", "-okdir"),
    **dict.fromkeys(("fd", "fdfind"), ("-x", "-X", "--exec", "--exec-batch")),
    **dict.fromkeys(("foreach-object", "where-object"), ("{",)),
    "git": ("run", "foreach", "--exec"),
    "rg": ("--pre",),
    "cmake": ("env",),
    "ip": ("exec",),
    "nodemon": ("--exec", "-x"),
}
"""Words before a command that a program runs."""
_MANAGERS = frozenset(
    """npm pnpm yarn bun pip pip3 cargo gem composer brew apt apt-get apt-cache dnf yum zypper apk conda mamba micromamba nix choco
    winget scoop snap flatpak pacman go uv poetry pdm pipenv pipx pixi rye hex bundle bundler dotnet nuget""".split()
)
_QUERIES = frozenset(
    """search s find view v info show doc docs audit outdated changelog index specification desc home cat owner diff fund explore
    dist-tag dist-tags repoquery provides log -Si -Ss -Sii""".split()
)
"""Managers of packages, and their subcommands that print what is written in an index or in a package. The others are local."""
_RUNNERS = frozenset(
    "make gmake just task rake mix poe mise inv invoke nox tox turbo nx rush gradle gradlew mvn mvnw asdf".split()
)
"""Programs that run tasks of the project."""
_TASK_FILES = {"make": "Makefile", "gmake": "Makefile", "just": "justfile"}
_INSTALLERS = frozenset("pip pip3 cargo gem brew apt apt-get go uv".split())
"""Files of tasks by their programs, and managers without tasks. Those of the others are in ``package.json``."""
_FOLDER_OPTIONS = frozenset("-C --directory --prefix --cwd --project --manifest-path -f --file --dir --rootdir".split())
_CONTAINER_VERBS = frozenset(
    """build buildx images ps start stop restart rm rmi up down create kill tag push volume network system stats top port cp login
    version info context config ls prune wait pause unpause""".split()
)
_LOCAL_VERBS = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "docker-compose"), _CONTAINER_VERBS),
    "helm": frozenset("lint template create dependency package version".split()),
    **dict.fromkeys(("terraform", "tofu"), frozenset("fmt validate init version graph test".split())),
}
"""The local subcommands of programs that also print the output of services, as ``docker compose up`` does without these options:"""
_DETACHED = frozenset("-d --detach --wait --no-start".split())
_DATABASES = frozenset(
    """psql pg_dump pg_isready createdb dropdb mysql mysqldump mysqladmin mariadb mongosh mongo redis-cli valkey-cli sqlcmd
    clickhouse-client cqlsh""".split()
)
_DATABASE_VARIABLES = frozenset(
    "PGHOST PGHOSTADDR PGSERVICE PGSERVICEFILE MYSQL_HOST SQLCMDSERVER CLICKHOUSE_HOST CQLSH_HOST VALKEYCLI_HOST".split()
)
"""Variables that name the machine of a database."""
_RUNNING_SQL = compile_lazily(
    r"(?:\A|\n)\s{0,80}\.(?:shell|system|load|once\s{1,8}[-|]|output\s{1,8}\||(?:read|import)\s{1,8}['\"]?\|)|\\!|(?i:\bfrom\s{1,8}program\b)"
)
"""What sqlite3 or psql run instead of sending it to a database."""
DOCUMENT_SUFFIXES = tuple(
    ".pdf .doc .docx .odt .rtf .epub .ppt .pptx .xls .xlsx .png .jpg .jpeg .tif .tiff .webp .gif .bmp .heic".split()
)
"""Suffixes of files that are not text, and usually come from others."""
_FETCHERS = frozenset(
    """curl wget wget2 http https httpie xh curlie lynx links links2 elinks w3m aria2c axel lwp-request lwp-download yt-dlp youtube-dl
    gallery-dl scrapy newsboat trafilatura monolith httrack agent-browser playwright-cli firecrawl mcporter chromium google-chrome firefox
    invoke-webrequest invoke-restmethod start-bitstransfer iwr irm pbpaste wl-paste get-clipboard xclip xsel claude claude-code gemini
    gemini-cli codex llm aichat opencode opencode-ai cursor-agent copilot coderabbit amp goose aider ollama""".split()
)
"""Programs that fetch addresses, paste what was copied elsewhere, or answer prompts."""
_FORGES = frozenset({"gh", "glab", "hub", "tea"})
_TRACKERS = _FORGES | frozenset(
    "jira acli linear sentry-cli bugz git-bug bd b4 himalaya notmuch slack-cli slackcat toot mutt".split()
)
_DOWNLOADING = _FETCHERS | _TRACKERS
"""Programs one of whose names stands in a script that downloads, unless the script names an address."""
_PROGRAM_NAME = compile_lazily(r"[a-z][\w-]+")
_FETCHING_NAME = compile_lazily(
    r"(?:\A|[-_:./])(?:fetch|download|scrape|crawl|(?:sync|pull|import)[-_]?(?:issues?|comments?|docs|pages?|feeds?|tickets?)|sync\b)"
    r"(?![a-z])",
    re.IGNORECASE,
)
DOWNLOAD_WORDS = tuple(
    """urlopen urlretrieve urllib httpx aiohttp http.client httplib Net::HTTP HTTParty HTTP::Tiny XMLHttpRequest open-uri Faraday axios
    node-fetch undici Guzzle LWP:: reqwest Invoke-WebRequest Invoke-RestMethod curl_exec fsockopen socket.create_connection
    socket.socket open_connection Net.WebClient Net.WebRequest Net.Http Net.Sockets http.Get( paramiko boto3 octokit load_dataset(
    IO::Socket /dev/tcp/
    imaplib feedparser playwright puppeteer selenium OpenURI URI.open pyperclip clipboardy""".split()
)
"""Names in code that downloads content."""
_DOWNLOADING_CODE = compile_lazily(
    r"\brequests\.(?:get|post|request|Session)\b|\bimport requests\b|\bfetch\(|\bgot\(|\bfile_get_contents\(['\"]https?:"
    r"|\bcurl\s+(?:-|['\"]?https?:)|\bwget\s|\bgh(?: |['\"],\s*\[?['\"])(?:issue|pr|api|run|search|project|release)\b"
    r"|\btell app(?:lication)? \\?['\"](?:Mail|Messages|Safari|Google Chrome|Notes)\b|\bthe clipboard\b"
    r"|\b(?:import|from)\s{1,8}(?:openai|anthropic|ftplib|poplib|praw|slack_sdk|github|psycopg2?|pymysql|pymongo|telethon|tweepy)\b"
    r"|\b(?:import|require)\(['\"](?:node:)?(?:https?|net|tls)['\"]\)|\bfrom ['\"](?:node:)?https?['\"]"
)
_DOWNLOAD_STEMS = (
    *("gh ", "tell app", "the clipboard"),
    *"""requests fetch( got( file_get_contents( curl wget gh' gh" openai anthropic ftplib poplib praw slack_sdk github psycopg pymysql
    pymongo telethon tweepy http' http" https' https" net' net" tls' tls\"""".split(),
)
"""One of these stands in whatever the expression above matches. They are looked for first, because that is faster."""
_HARMLESS_MODULES = frozenset(
    # of Python
    """__future__ abc argparse array ast atexit asyncio base64 binascii bisect builtins bz2 calendar cmath code codecs collections
    colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes cProfile dataclasses datetime dbm decimal
    difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions functools
    gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html imp importlib inspect io ipaddress itertools json keyword
    linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc numbers opcode operator optparse
    os parser pathlib pdb pickle pickletools pkgutil platform plistlib posix pprint profile pstats pty pwd py_compile pyclbr pydoc queue
    quopri random re readline reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site sqlite3 stat
    statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile termios textwrap threading time timeit
    token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest uuid venv warnings wave weakref
    winreg xml zipapp zipfile zipimport zlib zoneinfo
    astroid astropy attr attrs bs4 chardet charset_normalizer click cloudpickle coverage cryptography cv2 dateutil django docutils
    fastapi flask freezegun hypothesis idna jinja2 jsonschema libcst lxml markdown markdown_it markupsafe marshmallow matplotlib
    more_itertools msgpack mypy networkx numpy orjson packaging pandas PIL pip pkg_resources platformdirs pluggy polars psutil py
    pyarrow pydantic pydicom pygments pyparsing pytest pytz regex rich ruamel scipy seaborn setuptools simplejson six skimage
    sklearn starlette statsmodels sympy tabulate toml tomli tomli_w tomlkit torch tqdm typer typing_extensions wheel xlrd yaml
    _pytest"""
    # of JavaScript
    """ assert async_hooks buffer child_process constants crypto diagnostics_channel events fs module os path perf_hooks process
    punycode querystring readline repl stream string_decoder sys timers tty url util v8 vm wasi worker_threads zlib acorn ajv chalk
    commander date-fns dayjs esbuild eslint express fast-glob glob gray-matter immutable jest js-yaml jsonc-parser lodash luxon marked
    mocha moment mustache postcss prettier react react-dom rollup semver svelte terser ts-node tsx typescript uuid vite vitest vue yaml
    yargs zod"""
    # of Ruby and Perl
    """ active_support bigdecimal bundler cgi date digest erb etc fileutils forwardable minitest observer open3 ostruct pp psych rake
    rbconfig ripper rspec rubygems securerandom set shellwords singleton stringio strscan tmpdir tsort weakref
    B Benchmark Carp Config Cwd Data Digest Encode Errno English Exporter Fcntl File FindBin Getopt Hash I18N JSON List MIME Math POSIX
    Scalar Storable Symbol Sys Term Test Text Tie Time Unicode""".split()
)
"""Modules that inline code may use without being able to read from another machine, unless the code also names an address. Others may
be a client of a service. Modules of files and of the project are known by their paths."""
_IMPORT = compile_lazily(
    r"(?:\A|[\n;:{(,]|\s-\w{1,8}(?=\s)|\A-\w{1,8}(?=\s))[ \t'\"]{0,40}(?:"
    r"import\s{1,8}(?:[\w*{}$, \t\n]{0,400}\sfrom\s{0,8})?['\"]([^'\"\n]{1,200})['\"]"
    r"|from\s{1,8}([\w.]{1,200})\s{1,8}import\b"
    r"|import\s{1,8}([A-Za-z_][\w.]{0,200}(?:\s{1,8}as\s{1,8}\w{1,60})?"
    r"(?:[ \t]{0,8},[ \t]{0,8}[\w.]{1,200}(?:\s{1,8}as\s{1,8}\w{1,60})?){0,30})"
    r"|use\s{1,8}([A-Z]\w{0,100})(?![\w/\\]))"
    r"|\b(?:require|import|__import__|import_module)\s{0,8}\(\s{0,8}['\"]([^'\"\n]{1,200})['\"]"
    r"|\brequire\s{1,8}['\"]([^'\"\n]{1,200})['\"]|(?:\A|\s)-(?:r|M)([A-Za-z][\w-]{0,60})(?=[\s:=]|\Z)"
)
"""Names of modules that code imports: of JavaScript, Python, Perl and Ruby."""
_PROCESS = compile_lazily(
    r"(?:\bsubprocess\.\w+|\b(?:system|popen|Popen|exec(?:File)?Sync|execFile|spawn(?:Sync)?|getoutput|shell_exec|passthru|Command(?:::new)?))"
    r"\s{0,4}\(([^()]{1,500})"
)
"""Code that starts another program, with the arguments."""
_PROCESS_STEMS = "subprocess. system popen Popen exec spawn getoutput passthru Command".split()
"""One of these stands in whatever the expression above matches."""
_STARTING = "ystem open( exec spawn output passthru ommand subprocess shell Cmd".split()
"""Code that starts another program contains one of these."""
_STARTED_NAMES = "curl wget httpie lynx w3m aria2c yt-dlp glab jira sentry-cli kubectl ssh".split()
"""Programs that print the text of strangers and whose names mean nothing else in code."""
_NAMES = "|".join(_STARTED_NAMES)
_STARTED = compile_lazily(
    rf"(?:['\"](?:[\w.-]{{0,40}}/){{0,5}}({_NAMES})(?:\.exe)?['\"]\s{{0,8}},([^()\]]{{1,500}})"
    rf"|(?:['\"`!]|%x[^\w\s])\s{{0,8}}((?:{_NAMES})\s[^'\"`\n]{{1,500}}))"
)
"""A text in code that is the name of such a program, with the texts after it, or a command line that begins with one."""
_RUNNING_WORD = compile_lazily(r"\s{0,8}(?:!|(?:platform )?shell\s|pipe\s)")
"""The beginning of a debugger's command that runs a program."""
_SCRIPT_MODULES = frozenset("cProfile profile trace pdb memory_profiler scalene viztracer debugpy".split())
"""Modules of Python that run a script."""
_RUNNING_TEXT = compile_lazily(r"system\(|getline|(?<![|\"])\|\s*\"(?!\")|\bs_client\b")
"""Arguments with which awk runs a program and openssl reads from a machine."""
_STRING = compile_lazily(r"['\"]([^'\"]+)['\"]")
_FETCHED_REF = compile_lazily(
    r"(?:FETCH_HEAD|MERGE_HEAD|origin|upstream|fork)(?:[:~^].*)?|.*@\{(?:u|upstream|push)\}.*"
    r"|(?:refs/)?(?:remotes/)?(?:origin|upstream|fork)/.+|refs/(?:pull|remotes|merge-requests)\b.*"
    r"|(?:pull|pr|mr|merge-requests?)[/-]?\d+.*|[^:]*\$(?!\Z).*",
    re.IGNORECASE,
)
"""References to commits that were fetched, so that others may have written them, or that only the shell knows."""
_SHOWING_VERBS = frozenset(
    "log show diff cat-file whatchanged format-patch range-diff cherry-pick blame grep for-each-ref shortlog archive".split()
)
_SEARCH_OPTIONS = frozenset("--grep --author -S -G".split())
_LOCAL_GIT_VERBS = _SHOWING_VERBS | frozenset(
    """add am apply bisect branch bundle check-attr check-ignore check-ref-format credential checkout cherry clean commit commit-tree
    config count-objects describe diff-files diff-index diff-tree difftool fetch filter-branch fsck gc hash-object help init lfs
    ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mergetool mv name-rev notes pack-refs prune pull push
    read-tree rebase reflog remote replace rerere reset restore rev-list rev-parse revert rm show-branch show-ref sparse-checkout stash
    status stripspace submodule switch symbolic-ref tag update-index update-ref var verify-commit version
    worktree write-tree --version""".split()
)
_TEXT_FIELD = compile_lazily(
    r"--json[= ]\S*\b(?:\w*[tT]itle|body\w*|comments|\w*[rR]eviews|reviewThreads|commits|description|closing\w+)\b|\brelease\b"
)
"""Fields of a forge's response that contain text written by users; other fields are numbers, states and dates."""
_FORGE_STATES = frozenset(
    """auth alias config completion browse secret variable ssh-key gpg-key cache create edit merge ready comment review enable disable
    rerun cancel set-default rename fork upload --version""".split()
)
"""Nouns and verbs of a forge's client that print only addresses, states and settings."""
_LOCAL_HOST = compile_lazily(
    r"(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|\w[\w.-]*\.local(?:host)?)(?![\w.-])"
)
_ADDRESS = compile_lazily(r"\b(?:https?|ftp|wss?)://([^\s'\"/)]+)")
_FETCH_TARGET = compile_lazily(r"(?:\w+://)?(?:[^@/\s]*@)?(\[[0-9a-f:]+\]|[\w.-]*\w|)(?P<port>:\d+)?(?:[/?#]\S*)?")
_VALUE_OPTION = compile_lazily(
    r"-[AbcdDeEFHKmoOPQrTtuUwxXyYz]|--(?:user-agent|cookie(?:-jar)?|data(?:-\w+)?|json|form|header|max-time|connect-timeout|output|proxy"
    r"|referer|request|retry|user|write-out|resolve|cacert|cert|key|timeout|tries|post-data|method)"
)
"""An option of ``_FETCHERS`` whose value is not an address to fetch, such as a proxy or a referer."""
_THIRD_PARTY_FILE = compile_lazily(
    r"(?:\A|/)(?:(?:Downloads|[Mm]aildir|var/(?:log|mail|spool/mail)|usr/(?:local/)?share/doc|Library/(?:Mail|Messages)|\.git/(?:logs/)?refs/remotes)(?:/|\Z)|\.git/(?:[A-Z]+_(?:HEAD|MSG)|packed-refs))"
    r"|\.(?:claude/projects|codex/(?:archived_)?sessions|gemini/tmp|system_generated/logs)/.*\.jsonl?\Z"
    r"|\.(?:claude|codex|gemini)/history\.jsonl\Z|/(?:share|Support|Local)/opencode/(?:[\w-]{1,40}\.db|storage/)"
    r"|(?:\A|/)\.system_generated/steps/"
    r"|(?:\A|/)(?:node_modules|(?:site|dist)-packages|vendor|third_party|bower_components|\.cargo/registry|go/pkg/mod)/(?:.*/)?"
    r"(?:[^/]*\.(?:md|rst|txt|html?|adoc)|README|CHANGELOG|NOTICE|METADATA|PKG-INFO)\Z"
    r"|\.(?i:pdf|docx?|odt|rtf|epub|pptx?|xlsx?|eml|mbox|msg)(?=\Z|['\"])"
)
"""Third-party files: downloads, service logs, mail and messages, what git fetched, logs and databases of sessions, pages that
Antigravity fetched, documentation of packages, and documents that are not text."""
_OUTSIDE = compile_lazily(
    r"\A(?:~|\$|[A-Za-z]:/(?:Program|Windows|Users/[^/]*/AppData)|/(?:usr|s?bin|opt|snap|nix|etc|Applications|Library|System)/"
    r"|/var/(?!folders/|tmp/)|/(?:.*/)?\.(?![./]|claude/worktrees/))"
    r"|(?:\A|/)(?:node_modules|\.?venv|\.tox|\.nox|\.bin|vendor/bin|site-packages|\.claude(?!/worktrees)|\.codex|\.gemini|\.agents)/"
)
"""Paths of programs and scripts that do not belong to the project."""
_ABSOLUTE = compile_lazily(r"/(?!(?:private/)?tmp/)|[A-Za-z]:")
"""Paths of programs that may or may not belong to it; programs that were built for a trial are in ``/tmp``."""
_SCRIPT = compile_lazily(
    r"\w\.(?:py|js|mjs|cjs|ts|tsx|rb|pl|php|sh|bash|zsh|ps1|bat|lua|go|R)\Z|\A[Mm]akefile\Z|\A\w+\Z"
)
_INLINE = frozenset("- -c -e -p -r --eval --print".split())
"""Options of interpreters before code. Those that name a module are as harmless."""
_WRITTEN_FILE = compile_lazily(r"(?:>|\btee\b(?:\s+-\w+)*)\s*([^\s;&|<>]+)")
_NOT_RUNNING = frozenset(
    "cat cd chmod cp diff echo grep head less ls mkdir mv nl rm sed stat tail tee test touch wc".split()
)
"""Programs that never run a file among their arguments; so do these subcommands of git:"""
_NOT_RUNNING_GIT = frozenset("add blame checkout commit diff log ls-files mv restore rm show status".split())
_INPUT = compile_lazily(r"(?<!<)<[ \"']{0,9}([^\s;&|<>()\"']{1,500})")
"""A redirected file that a command reads."""
_ASSIGNMENT = compile_lazily(r"([A-Za-z_]\w*)\+?=", re.DOTALL)
_VARIABLE = compile_lazily(r"\$(?:(\w+)|\{(\w+)\})")
_VALUE = compile_lazily(r"\$(?:\w+\.[A-Z]|env:|_\b|LASTEXITCODE|[?{(]\Z)")
"""A PowerShell value, which runs no program."""
_CMDLET = compile_lazily(r"\w+-\w+\Z")
_FUNCTION = compile_lazily(r"(?<![^\s;&|])([\w-]+)\s{0,4}\(\)\s{0,4}\{|\bfunction\s([\w-]+)")
_CASE = compile_lazily(r"(?:(?<=\sin)\s|;;)\s{0,80}\(?[^()\n;]{1,100}\)")
"""The pattern of a case."""
_ARRAY = compile_lazily(r"(?<=\w)\+?=\([^()]*\)")
_WINDOWS = compile_lazily(r"(?:\A|[;|&({\n=] *)(?:[A-Z][a-z]+-[A-Z][a-z]|[\"']?[A-Za-z]:\\|\.{1,2}\\\w)")
"""A line of PowerShell or cmd, whose paths contain backslashes and whose texts contain escapes with a backquote."""
_WINDOWS_ESCAPE = compile_lazily("`[nrt0\"'$`]")
_WINDOWS_SEPARATOR = compile_lazily(r"(?<=[\w.~:])\\(?=[\w.])")
_HERE_STRING = compile_lazily(r"(?<=[\s=(,])@(['\"])[ \t]*\n(?:.*?\n)?\1@", re.DOTALL)


def classify_file(path: str) -> Source:
    """Return the source of a file's content, judged by the file's path: ``local`` or ``remote``."""
    path = path[-MAX_PATH_CHARACTERS:]
    return "remote" if _THIRD_PARTY_FILE.search(path.replace("\\", "/")) else "local"


def classify_command(command: str, known: KnownFiles | None = None) -> Source:
    """Return the source of a shell command's output. ``known`` are files of which the session has shown more than their paths."""
    if known or (known is not None and ("import" in command or "require" in command)):
        return _Reader(known).read(*shell.cut_documents(command.replace("\\\n", " ")))
    if "<<" in command or len(command) > MAX_COMMAND_CHARACTERS:
        return _Reader().read(*shell.cut_documents(command.replace("\\\n", " ")))
    return _classify_line(command)


def classify_code(code: str, *, runs_quoted: bool = False) -> Source:
    """Return the source of what code prints, or of the answer of a host's own tool to a text: ``local`` unless it says otherwise.

    ``runs_quoted``: what stands between backquotes in the code's language is a command line.
    """
    return _Reader().read_code(code, MAX_DEPTH, runs_quoted=runs_quoted)


def classify_script(text: str) -> Source:
    """Return ``web`` or ``issue`` if a command of a shell script downloads, otherwise ``local``."""
    plain = text.replace("\\", "").replace("'", "").replace('"', "").lower()
    may_download = not _DOWNLOADING.isdisjoint(_PROGRAM_NAME.findall(plain)) or "://" in text or "/dev/tcp/" in text
    if not may_download and not _FETCHING_NAME.search(plain):
        return classify_code(text)
    found = _Reader().list_sources(*shell.cut_documents(text.replace("\\\n", " ")))
    downloaded: Source | None = next(
        (source for source in found if source == "web" or source == "issue"),  # noqa: PLR1714 -- it narrows the type
        None,
    )
    return downloaded or classify_code(text)


def classify_input(command: str, typed: str) -> Source:
    """Return the source of what a command prints that a text was typed into: a shell, an interpreter and others run the text."""
    names = [_get_name(word) for word in command[:MAX_VALUE_CHARACTERS].split()]
    if not _SHELLS.isdisjoint(names):
        return "local" if len(typed.split(None, 1)) < 2 else classify_command(typed)  # one word answers a question
    if _RUNNING_SQL.search(typed):
        return "remote"
    return classify_code(typed, runs_quoted=True)


def is_fetcher(name: str) -> bool:
    """Return whether a program fetches addresses."""
    return name in _FETCHERS


@lru_cache(64)
def _classify_line(line: str) -> Source:
    return _Reader().read(line, [])


def _get_first_untrusted(sources: Iterable[Source]) -> Source:
    """Return the first source that is not ``local``, or ``local`` if there is none."""
    for source in sources:
        if source != "local":
            return source
    return "local"


class _Reader:
    """Classifies the commands of a line in order, and knows the variables and functions that the line defines."""

    def __init__(self, known: KnownFiles | None = None) -> None:
        self.known = known
        self.folder: Source = known.find(known.folder) if known and known.folder else "local"
        """The source of the files in the folder in which the line runs, or into which it has changed."""
        self.variables: dict[str, str] = {}
        self.functions: set[str] = set()
        self.database_hosts: list[str] = []
        """The values of ``_DATABASE_VARIABLES``."""
        self.is_in_test = False
        """Whether a ``[[`` is open, in which ``&&`` and ``||`` separate no commands."""

    def read(self, line: str, documents: list[shell.Document], depth: int = MAX_DEPTH) -> Source:
        """Return the first untrusted source among those of a line's commands, or ``local``."""
        if depth <= 0:
            return "remote"
        source = _get_first_untrusted(self._read(line[:MAX_COMMAND_CHARACTERS], documents, depth))
        return "remote" if source == "local" and len(line) > MAX_COMMAND_CHARACTERS else source

    def list_sources(self, line: str, documents: list[shell.Document]) -> Iterator[Source]:
        """Yield the sources of a line's commands."""
        return self._read(line[:MAX_COMMAND_CHARACTERS], documents, MAX_DEPTH)

    def _read(self, line: str, documents: list[shell.Document], depth: int) -> Iterator[Source]:
        if "/dev/tcp/" in line:
            yield "web"
        if "\\" in line:
            line = line.replace("\\\n", " ")
        if ("\\" in line or "`" in line) and _WINDOWS.search(line):
            line = _WINDOWS_ESCAPE.sub(" ", _WINDOWS_SEPARATOR.sub("/", line))
        if ("'@" in line or '"@' in line) and line.count("@") <= MAX_HERE_STRINGS:
            line = _HERE_STRING.sub("text", line)
        if "=(" in line:
            line = _ARRAY.sub("=", line)
        if "esac" in line:
            line = _CASE.sub(" ; ", line)
        if "<<<" in line:
            line = line.replace("<<<", " -c ")
        if "()" in line or "function" in line:
            self.functions.update(name for names in _FUNCTION.findall(line) for name in names)
        running = _join_running_commands(line) if documents else ""
        readers = {each: _find_document_reader(each, running) for each in {document.line for document in documents}}
        for document in documents:
            yield from self._read_document(document, readers[document.line], depth)
        for part in shell.split_substitutions(line, _replace_substitution):
            pipelines = shell.split_closed_commands(part)
            if pipelines is None:
                yield "remote"
                return
            if "<" in part and any(classify_file(match[1]) == "remote" for match in _INPUT.finditer(part)):
                yield "remote"
            for pipeline in pipelines:
                for number, words in enumerate(pipeline):
                    yield self._classify(words, depth)
                    if number:
                        yield self._classify_input(pipeline[number - 1], words, depth)

    def _read_document(self, document: shell.Document, reader: str, depth: int) -> Iterator[Source]:
        """Yield the sources of what a here-document runs: its substitutions, and itself if it is passed or saved to what runs it."""
        if not document.is_literal and ("$(" in document.text or "`" in document.text):
            *lines, _ = shell.split_substitutions(f'"{document.text.replace(chr(34), "")}"', _replace_substitution)
            for each in lines:
                yield self.read(each, [], depth - 1)
        if reader == "shell":
            yield self.read(*shell.cut_documents(document.text), depth - 1)
        elif reader:
            yield (self.read_code if reader == "script" else self.read_inline_code)(document.text, depth)

    def _classify_input(self, previous_words: list[str], words: list[str], depth: int) -> Source:
        """Return the source of what a shell or an interpreter prints that runs the output of the previous command."""
        name = _get_name(words[0]) if words else ""
        is_shell = name in _SHELLS or name == "iex"
        if any(word[:1] != "-" for word in words[1:]) or not (is_shell or _INTERPRETER.fullmatch(name)):
            return "local"
        if not is_shell:
            return self.read_code(" ".join(previous_words), depth)
        if previous_words[:1] and previous_words[0] in ("echo", "printf", "write-output"):
            return self.read(" ".join(previous_words[1:]), [], depth - 1)
        return "local" if previous_words[:1] == ["cat"] else "remote"

    def read_code(self, code: str, depth: int, *, runs_quoted: bool = False) -> Source:
        """Return the source of what a program's code prints. For ``runs_quoted``, see ``classify_code``."""
        if _contains_download_code(code):
            return "local" if _has_only_local_addresses(code) else "web"
        lines: list[str] = []
        if any(map(code.__contains__, _PROCESS_STEMS)):
            lines += [" ".join(_STRING.findall(match[1])) for match in _PROCESS.finditer(code)]
        if any(map(code.__contains__, _STARTED_NAMES)):
            is_starting = any(map(code.__contains__, _STARTING))
            for match in _STARTED.finditer(code):
                if runs_quoted if match[0][0] in "`!%" else is_starting:
                    lines.append(match[3] or " ".join((match[1], *_STRING.findall(match[2]))))
        return _get_first_untrusted(self.read(line, [], depth - 1) for line in lines if line)

    def read_inline_code(self, code: str, depth: int) -> Source:
        """Return the source of what code prints that a command contains: it may only import modules that read nothing from elsewhere."""
        source = self.read_code(code, depth, runs_quoted=True)
        if source != "local" or (
            "import" not in code and "require" not in code and "use " not in code and " -" not in code
        ):
            return source
        calls = code.count("(") - sum(map(code.count, ("print(", "require(", "console.log(")))
        if not calls and ("require(" in code or "import " in code):
            return "local"
        return "local" if all(map(self._is_harmless, _list_imports(code))) else "remote"

    def _is_harmless(self, module: str) -> bool:
        """Return whether a module reads nothing from other machines, or is a file."""
        name = module.removeprefix("node:")
        if name[:1] in (".", "/", "~") or name[1:2] == ":":
            return "node_modules" not in name
        name = re.split(r"[./:]", name, maxsplit=1)[0]
        return name in _HARMLESS_MODULES or (self.known is not None and self.known.is_module(name))

    def _expand(self, word: str) -> str:
        return _VARIABLE.sub(lambda match: self.variables.get(match[1] or match[2], match[0]), word)

    def _assign(self, name: str, value: str) -> None:
        self.variables.pop(name, None)
        if name in _DATABASE_VARIABLES:
            self.database_hosts.append(value if "HOST" in name or "SERVER" in name else f"{name}=")
        if len(value) <= MAX_VALUE_CHARACTERS and "$" not in (value := self._expand(value)):
            self.variables[name] = value[:MAX_VALUE_CHARACTERS]

    def find_program(self, words: list[str]) -> list[str]:
        """Return a command without the keywords and assignments before its program, with the values of the variables that are known."""
        while words:
            first = words[0]
            if "$" in first and (value := self._expand(first)) != first and "\n" not in value:
                words = [*value.split(), *words[1:]]
            elif "=" in first and (match := _ASSIGNMENT.match(first)):
                self._assign(match[1], first[match.end() :])
                words = words[1:]
            elif first == "for":
                if words[2:3] == ["in"]:
                    self._assign(words[1], "\n".join(words[3:]))
                return []
            elif first[:1] == "$" and (words[1:2] == ["="] or "=" in first):  # PowerShell
                name, _, value = first.partition("=")
                words = [value, *words[1:]] if value else words[2:]
                self.functions.add(name)
                if len(words) == 1 and not _CMDLET.match(words[0]):
                    return []
            elif first in _KEYWORDS or first == "function" or first.isdigit():  # 2 may be the 2 of 2>&1
                words = words[2 if first == "function" else 1 :]
            else:
                return [first, *(self._expand(word) if "$" in word else word for word in words[1:])]
        return []

    def _classify(self, words: list[str], depth: int) -> Source:
        """Return the source of one command's output."""
        source = self._classify_words(words, depth)
        return self._find_known_source(words) if source == "local" and self.known else source

    def _find_known_source(self, words: list[str]) -> Source:
        """Return the source of the known files that a command may read, or of the folder in which it runs."""
        words = self.find_program(words)
        name = _get_name(words[0]) if words else ""
        if self.known is None or not name:
            return "local"
        if name in ("cd", "pushd", "set-location"):
            target = next((word for word in words[1:] if word[:1] != "-"), "~")
            source = self.known.find(target)
            if source != "local" or target[:1] in ("/", "~", "$", ".") or target[1:2] == ":":
                self.folder = source
            return "local"
        if name in _NAME_PRINTERS or (name == "git" and _SHOWING_VERBS.isdisjoint(words)):
            return "local"
        for before, word in pairwise(words):
            for path in (word, word.partition("=")[2]):
                is_path = "/" in path or "." in path or before in _FOLDER_OPTIONS
                if path and is_path and (source := self.known.find(path)) != "local":
                    return source
        is_filter = name in _TEXT_TOOLS and all(word[:1] == "-" for word in words[1:])
        return "local" if is_filter else self.folder

    def _find_run_source(self, path: str) -> Source:
        """Return the source of the output of a script or a task that a command runs."""
        return self.known.find(path, is_run=True) if self.known and path else "local"

    def _classify_words(self, words: list[str], depth: int) -> Source:
        """Return the source of one command's output, without what is known of its files."""
        for _ in range(MAX_WRAPPERS if depth > 0 else 0):
            words = self.find_program(words)
            if not words or words[0] in self.functions or _VALUE.match(words[0]):
                return "local"
            first, name = words[0], _get_name(words[0])
            if first == "[[" or self.is_in_test:
                self.is_in_test = "]]" not in words
                return "local"
            if name == "command" and words[1:2] and words[1] in ("-v", "-V"):
                return "local"
            if name in ("export", "declare", "local", "readonly", "typeset"):
                self.find_program([word for word in words[1:] if "=" in word])
                return "local"
            if name in ("eval", "iex", "invoke-expression", "trap"):
                return self.read(" ".join(words[1:2] if name == "trap" else words[1:]), [], depth - 1)
            if "-m" in words[1:5] and _INTERPRETER.fullmatch(name) and words[1][:1] == "-" and words[1] not in _INLINE:
                words = words[words.index("-m") + 1 :] or ["python"]
                name = words[0].replace("_", "-")
                if name in _FETCHERS or name in _MANAGERS or name in _TRACKERS:
                    return self._classify_program(name, words, depth)
                if name == "pydoc":
                    return "remote"
                if words[0] in _SCRIPT_MODULES:
                    start = next((n for n, word in enumerate(words) if word == "-m" or word.endswith(".py")), 0)
                    if start:
                        words = ["python", *words[start:]]
                        continue
                if words[:2] != ["coverage", "run"]:
                    path = words[0].replace(".", "/")
                    module = _get_first_untrusted(
                        map(self._find_run_source, (f"{path}.py", f"{path}/__main__.py", path))
                    )
                    return module if module != "local" else self._classify_script(words, words, depth)
                continue
            wrapped = _unwrap(name, words)
            if wrapped is None:
                break
            line, words = wrapped
            if line:
                return self.read(line, [], depth - 1)
        else:
            return "remote"
        if first[:1] not in ("$", "{") and "/" not in first and "\n" not in first and shell.is_expression(words):
            return "local"
        if "/" in first and not _OUTSIDE.search(first) and (not _ABSOLUTE.match(first) or _SCRIPT.search(first)):
            return self._classify_script(words, words, depth)
        return self._classify_program(name, words, depth)

    def _classify_program(self, name: str, words: list[str], depth: int) -> Source:
        """Return the source of the output of a program that is known by its name."""
        source: Source = "remote"
        if name in _COMMAND_MARKS:
            starts = [n + 1 for n, word in enumerate(words[:-1]) if word in _COMMAND_MARKS[name]]
            if len(starts) > MAX_DEPTH or (starts and _reads_third_party_file(name, words)):
                return "remote"
            for inner in (words[start:] for start in starts):
                source = self.read(inner[0], [], depth - 1) if " " in inner[0] else self._classify(inner, depth - 1)
                if source != "local":
                    return source
        if name in _TEXT_TOOLS:
            if name in ("awk", "gawk", "openssl") and _RUNNING_TEXT.search(" ".join(words)):
                return "remote"
            if name in (".", "source") and words[1:3] == ["/dev/stdin", "-c"]:
                return self.read(" ".join(words[3:]), [], depth - 1)
            if name in (".", "source") and (source := self._find_run_source("".join(words[1:2]))) != "local":
                return source
            if name == "sqlite3" and any(map(_RUNNING_SQL.search, words)):
                return "remote"
            return "remote" if name not in _NAME_PRINTERS and _reads_third_party_file(name, words) else "local"
        if name == "git":
            source = _classify_git(words[1:])
        elif name in _FETCHERS:
            return "web" if _fetches_remotely(words[1:]) else "local"
        elif name in _TRACKERS:
            return _classify_tracker(name, words[1:])
        elif name in _DATABASES:
            source = _classify_database(words[1:], self.database_hosts)
        elif name in _LOCAL_VERBS:
            verb = _get_verb(name, words)
            is_attached = verb == "up" and _DETACHED.isdisjoint(words)
            source = "local" if verb in _LOCAL_VERBS[name] and not is_attached else "remote"
        elif name in _SHELLS:
            line = next((word for word in words[1:] if word[:1] != "-"), "")
            source = self.read(line, [], depth - 1) if " " in line else self._classify_script(words, words[1:], depth)
        elif name in _MANAGERS or name in _RUNNERS or _INTERPRETER.fullmatch(name):
            source = self._classify_runner(name, words, depth)
        elif "." in name and name == words[0].lower() and _SCRIPT.search(name):
            source = self._classify_script(words, words, depth)
        elif _names_remote_address(words):
            return "web"
        elif name in _TOOLS:
            source = "remote" if name in ("gdb", "lldb") and any(map(_RUNNING_WORD.match, words[1:])) else "local"
        return "remote" if source == "local" and _reads_third_party_file(name, words) else source

    def _classify_runner(self, name: str, words: list[str], depth: int) -> Source:
        """Return the source of the output of an interpreter, or of a manager of packages or tasks."""
        operands, _ = shell.get_operands([name, *words[1:]])
        is_run = operands[:1] != [] and operands[0] in ("run", "exec", "x", "task", "run-script")
        script = operands[1:] if is_run else operands
        verb = "".join(script[:1])
        if name in _MANAGERS and not is_run and not _QUERIES.isdisjoint([*words[1:2], *operands[:2]]):
            return "remote"
        if is_run and name in ("nix", "snap", "flatpak"):
            return "remote"
        if name in ("make", "gmake") and any(word == "-" or word.startswith("--eval") for word in words):
            return "remote"
        environments = (word for before, word in pairwise(words) if before in ("-e", "-s", "--session"))
        if name in ("tox", "nox") and any(map(_FETCHING_NAME.search, environments)):
            return "web"
        if name == "go" and is_run and re.match(r"[\w-]+\.[\w.-]+/", verb):
            return self._classify_program(_get_name(verb), script, depth)
        if self.known and (name in _TASK_FILES or (name in _MANAGERS and name not in _INSTALLERS)):
            tasks = [
                f"{_TASK_FILES.get(name, 'package.json')}/{task}"
                for task in [*operands, *(() if operands else ("default",))]
            ]
            if (source := _get_first_untrusted(map(self._find_run_source, tasks))) != "local":
                return source
        is_program = name in _MANAGERS and not is_run and verb.isalpha()
        if verb in _FETCHERS and not is_run:
            return "web"
        if is_program or (name in _RUNNERS and not any(map(_FETCHING_NAME.search, operands[:2]))):
            return "local"
        return self._classify_script(words, script, depth)

    def _classify_script(self, words: list[str], script: list[str], depth: int) -> Source:
        """Return the source of the output of a script or a program of the project, or of inline code, among the words of a command."""
        is_inline = not _INLINE.isdisjoint(words[1:]) or any(word[:2] in ("-r", "-M") for word in words[1:2])
        if (source := (self.read_inline_code if is_inline else self.read_code)(" ".join(words[1:]), depth)) != "local":
            return source
        path = next((word for word in script if word[:1] != "-"), "") if _INLINE.isdisjoint(words[1:]) else ""
        if words[1:2] not in (["-n"], ["-l"], ["--check"]) and (source := self._find_run_source(path)) != "local":
            return source
        if _FETCHING_NAME.search(path) or _names_remote_address(words):
            return "web"
        return "remote" if _OUTSIDE.search(path) or _reads_third_party_file("", words) else "local"


def _names_remote_address(words: list[str]) -> bool:
    return any("://" in word and _ADDRESS.search(word) and not _has_only_local_addresses(word) for word in words)


def _reads_third_party_file(name: str, words: list[str]) -> bool:
    if name == "git" and words[1:2] and words[1] not in _SHOWING_VERBS:
        return False
    files = (word for before, word in pairwise(words) if "." in word or "/" in word if before not in ("-o", "--output"))
    return any(classify_file(word) == "remote" for word in files)


def _replace_substitution(line: str) -> str:
    """Return ``HEAD`` for a command line whose output names a local commit, otherwise a variable without a name."""
    words = line.split()
    is_commit = words[:1] == ["git"] and not {"rev-parse", "merge-base", "describe", "--show-current"}.isdisjoint(words)
    return "HEAD" if is_commit and "|" not in line and not any(map(_names_fetched_commit, words)) else "${}"


def _get_verb(name: str, words: list[str]) -> str:
    """Return the subcommand of a program that has nested ones, such as ``docker compose up``."""
    operands, _ = shell.get_operands([name, *words[1:]])
    return next((word for word in operands if word not in ("compose", "container", "image", "builder")), "version")


def _unwrap(name: str, words: list[str]) -> tuple[str, list[str]] | None:
    """Return the command line or the words of the command that a wrapper runs on this machine; None if there is no wrapper."""
    if name in _THIN_WRAPPERS and words[1:2] and words[1][:1] != "-":
        return "", words[1:]
    if name in ("ksh", "ash"):
        name = "sh"
    if (name,) not in shell.NAME_PREFIXES or name in _ELSEWHERE:
        return None
    if name in _LOCAL_VERBS:
        verb = _get_verb(name, words)
        if verb != "exec" and not (verb == "run" and "compose" in " ".join(words[:2])):
            return None
    unwrapped = shell.unwrap([name, *words[1:]])
    if unwrapped is None:
        return None
    row, inner, _ = unwrapped
    inner = inner[inner[:1] == ["--"] :] or [""]
    if row.takes_shell_line:
        return " ".join(inner), inner
    is_line = (row.command_options and name in _SHELLS) or (len(inner) == 1 and " " in inner[0])
    return inner[0] if is_line else "", inner


def _get_name(word: str) -> str:
    """Return a program's name without its folder, its version and ``.exe``; empty if only the shell knows it."""
    name = word.replace("\\", "/").rpartition("/")[2] if "/" in word or "\\" in word else word
    name = name[:1] + name[1:].partition("@")[0] if "@" in name else name  # npx NAME@VERSION
    return "" if "$" in name else name.removesuffix(".exe").removesuffix(".cmd").lower()


def _fetches_remotely(words: list[str]) -> bool:
    """Return whether the arguments of a fetching program name another machine or a variable, or no machine at all."""
    has_local_address = skip_next = False
    for word in words:
        if skip_next or word.startswith("-"):
            skip_next = not skip_next and _VALUE_OPTION.fullmatch(word) is not None
            continue
        match = _FETCH_TARGET.fullmatch(word)
        host = match[1] if match else ""
        if _has_only_local_addresses(word) or _LOCAL_HOST.fullmatch(host) or (match and not host and match["port"]):
            has_local_address = True
        elif (
            _ADDRESS.search(word)
            or "$" in word
            or (host and not host.isdigit() and ("." in host or (match and match["port"])))
        ):
            return True
    return not has_local_address


def _classify_tracker(name: str, words: list[str]) -> Source:
    plain = [word for n, word in enumerate(words) if word[:1] != "-" and words[n - 1 : n] not in (["-R"], ["--repo"])]
    noun, verb = (*plain, "", "")[:2]
    if name not in _FORGES or (verb in ("close", "reopen", "delete") and noun in ("issue", "pr")):
        return "issue"
    text = " ".join(words)
    if noun in _FORGE_STATES or verb in _FORGE_STATES or text == "--version" or (noun, verb) == ("api", "rate_limit"):
        return "local"
    if re.search(r"--json[= ][a-z]", text) and not _TEXT_FIELD.search(text):
        return "local"
    return "remote" if noun in ("run", "ci", "workflow", "job") or verb in ("checkout", "co", "clone") else "issue"


def _classify_git(words: list[str]) -> Source:
    operands, _ = shell.get_operands(["git", *words])
    verb = operands[0] if operands else "--version"
    rest = words[words.index(verb) + 1 :] if verb in words else []
    rest = rest[: rest.index("--")] if "--" in rest else rest
    pairs = zip(["", *rest], rest, strict=False)
    plain = [word for before, word in pairs if word[:1] != "-" and before not in _SEARCH_OPTIONS and not word.isdigit()]
    if verb not in _LOCAL_GIT_VERBS or (verb in ("checkout", "switch", "worktree") and "FETCH_HEAD" in plain):
        return "remote"
    if verb == "submodule" and any(re.search(r"://|@|\A[\w.-]{2,}:", word) for word in plain):
        return "remote"
    if verb in ("fetch", "pull") and plain:
        refs = [word.split(":")[0] for word in plain[1:]]
        return "remote" if plain[0] != "origin" or any(map(_FETCHED_REF.fullmatch, refs)) else "local"
    if verb not in _SHOWING_VERBS:
        return "local"
    if verb == "log" and any(re.match(r"--(?:all|remotes|glob)\b", word) for word in rest):
        return "remote"
    if verb != "diff":  # a...b shows the commits of both sides
        plain = [side for word in plain for side in word.split("...")]
    return "remote" if any(map(_names_fetched_commit, plain[verb == "grep" :])) else "local"


def _names_fetched_commit(word: str) -> bool:
    """Return whether a word names a fetched commit, or a range that ends at one: ``origin/main..`` only contains local commits."""
    left, dots, right = word.partition("..")
    refs = right.removeprefix(".") if dots else left
    return any(map(_FETCHED_REF.fullmatch, refs.split("\n")))


def _classify_database(words: list[str], known_hosts: list[str]) -> Source:
    if any(map(_RUNNING_SQL.search, words)):
        return "remote"
    hosts = known_hosts + [word for before, word in pairwise(words) if before in ("-h", "--host", "-S")]
    hosts += [word.removeprefix("--host=").removeprefix("-h") for word in words if re.match(r"--host=|-h\w", word)]
    hosts += [match[1].rpartition("@")[2] for word in words if (match := re.search(r"\w+://([^\s/]+)", word))]
    hosts += [host for word in words for host in re.findall(r"\b(?:host|hostaddr|service)=([^\s&;'\"]+)", word)]
    hosts += [word for word in words if re.match(r"\$\{?\w*(?:URL|URI|DSN|HOST)\b", word)]
    is_remote = any(host and not _LOCAL_HOST.match(host) and not host.startswith("/") for host in hosts)
    return "remote" if is_remote else "local"


def _may_run_arguments(words: list[str]) -> bool:
    """Return whether a command may run a file that is among its words or in its input."""
    command = _Reader().find_program(words)
    if not command or "/" in command[0] or any("$(" in word or "`" in word for word in words):
        return bool(command)
    if command[0] == "git":
        return not _NOT_RUNNING_GIT.issuperset(command[1:2])
    return command[0] not in _NOT_RUNNING


def _join_running_commands(line: str) -> str:
    """Return the commands of a line that may run a file among their words or in their input, one a line."""
    commands = (words for pipeline in shell.split_commands(line) for words in pipeline)
    return "\n".join(" ".join(words) for words in commands if _may_run_arguments(words))


def _find_document_reader(line: str, running: str) -> str:
    """Return what runs the here-document that a line reads: a ``shell``, an ``interpreter``, or as a saved ``script``; or nothing."""
    names = [_get_name(word) for word in line.split()]
    script = _find_written_script(line)
    is_run = bool(script) and script in running
    if any(name in _SHELLS or name == "ssh" for name in names) or (is_run and script.endswith("sh")):
        return "shell"
    return "script" if is_run else "interpreter" if any(map(_INTERPRETER.fullmatch, names)) else ""


def _find_written_script(line: str) -> str:
    """Return the name of the script that a command writes, or an empty string."""
    target = _WRITTEN_FILE.search(line)
    name = target[1].rpartition("/")[2].strip("'\"") if target else ""
    return name if _SCRIPT.search(name) else ""


def _list_imports(code: str) -> Iterator[str]:
    """Yield the names of the modules that code imports."""
    for match in _IMPORT.finditer(code):
        for names in filter(None, match.groups()):
            yield from (name.strip().partition(" ")[0] for name in names.split(","))


def _contains_download_code(text: str) -> bool:
    if any(map(text.__contains__, DOWNLOAD_WORDS)):
        return True
    return any(map(text.__contains__, _DOWNLOAD_STEMS)) and _DOWNLOADING_CODE.search(text) is not None


def is_own_tool(tool: str) -> bool:
    """Return whether a tool belongs to our own server, judged by the host's name for it."""
    return _OWN_TOOL.fullmatch(tool) is not None


def find_taint(observations: Iterable[Observation]) -> set[str]:
    """Return the sources of the strangers' text among what was observed. Our own tools say which of their records rest on some."""
    found: set[str] = set()
    for observation in observations:
        if observation.source in UNTRUSTED_SOURCES:
            is_own = observation.source == "mcp" and is_own_tool(observation.tool)
            found.update(_UNTRUSTED_MARKER.findall(observation.text) if is_own else (observation.source,))
    return found


def find_marked_source(output: str) -> Source:
    """Return the first untrusted source on which a record in our own output rests; ``local`` if there is none."""
    match = _MARKED_SOURCE.search(output)
    name = match[1] if match is not None else "local"
    return "remote" if name == "import" else name  # type: ignore[return-value]


def _has_only_local_addresses(text: str) -> bool:
    """Return whether a text has addresses and all of them are on this machine."""
    hosts = _ADDRESS.findall(text)
    return bool(hosts) and all(_LOCAL_HOST.match(host.rpartition("@")[2]) for host in hosts)
