"""Fixed error messages of common programs, which may appear in a prompt as they are.

Only the program's authors choose these words, so they cannot carry an attacker's instruction, however long they are. Names
and most numbers in a message are not part of it. Sources: strerror(3), and the English messages of git, gh, Node.js, npm,
pnpm, tsc, CPython, pip, SQLite, PostgreSQL, Go, Cargo, rustc, gcc, make, javac, Docker, OpenSSL and curl, and the reason
phrases of HTTP; of parsers of command lines getopt, argparse, click, clap, cobra; of test runners Jest and Vitest.
"""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_lazily

_OPERATING_SYSTEM = (
    "address already in use|argument list too long|bad file descriptor|broken pipe|connection refused"
    "|connection reset by peer|connection timed out|device or resource busy|directory not empty|disk quota exceeded"
    "|exec format error|file exists|file name too long|invalid argument|invalid cross-device link|is a directory"
    "|network is unreachable|no space left on device|no such file or directory|no such process|not a directory"
    "|operation not permitted|operation timed out|permission denied|read-only file system|resource temporarily unavailable"
    "|text file busy|too many open files|value too large for defined data type"
)
_SHELLS = (
    "ambiguous redirect|bad substitution|cannot execute binary file|command not found|event not found"
    "|is not recognized as an internal or external command"
    "|is not recognized as (?:a|the) name of a cmdlet, function, script file, or (?:executable|operable) program"
    "|syntax error near unexpected token|unary operator expected|unbound variable|unexpected end of file"
)
_COMMAND_LINES = (
    "a value is required for|ambiguous argument|got unexpected extra arguments?|(?:illegal|invalid|no such|unknown|unrecognized) options?"
    "|invalid choice|missing argument|(?:not enough|too many) arguments|option requires an argument"
    "|required arguments were not provided|required flag\\(s\\)|the following arguments are required|unexpected argument"
    "|unknown (?:command|flag|shorthand flag)|unrecognized (?:arguments|subcommand)"
)
_GIT = (
    "a branch named|already exists|another git process seems to be running|authentication failed"
    "|cannot lock ref|changes staged in the index|could not read from remote repository|could not resolve host"
    "|could not write index|couldn't find remote ref|did not match any file(?:s|\\(s\\))?|dubious ownership in repository"
    "|failed to push some refs|has no upstream branch|host key verification failed|is already checked out at"
    "|is already used by worktree at|is not fully merged|no local changes to save|no merge base|non-fast-forward"
    "|not a git repository(?: \\(or any of the parent directories\\))?|not a valid object name|not a valid ref|not possible to fast-forward"
    "|not something we can merge|nothing to commit|patch does not apply|refusing to merge unrelated histories"
    "|remote end hung up unexpectedly|unable to find current revision in submodule path"
    "|unknown revision or path not in the working tree|updates were rejected|would be overwritten by (?:checkout|merge)"
)
_GITHUB = (
    "api rate limit exceeded|is still in progress; logs will be available when it is complete|no checks reported"
    "|resource not accessible by (?:integration|personal access token)|the token in default is invalid"
)
_JAVASCRIPT = (
    "assignment to constant variable|before initialization|cannot find (?:module|package)"
    "|cannot read properties of (?:undefined|null)|cannot use import statement outside a module"
    "|could not determine executable to run|does not provide an export named|exceeded timeout of|failed to resolve import"
    "|heap out of memory|is not a constructor|is not a function|is not exported by|is not iterable"
    "|lockfile is not up to date|maximum call stack size exceeded|missing script|unable to resolve dependency tree"
    "|unexpected end of json input|unsupported engine|unterminated string(?: literal)?"
)
_TYPESCRIPT = (
    "argument of type|cannot find name|does not exist on type|expected \\d{1,2} arguments?, but got \\d{1,2}|has no default export"
    "|has no exported member|implicitly has an 'any' type|is declared but its value is never read"
    "|is missing the following properties from type|is not a module|is not assignable to (?:parameter of )?type"
    "|is of type 'unknown'|is possibly '(?:null|undefined)'|may not disable emit|no overload matches this call"
    "|object literal may only specify known properties|or its corresponding type declarations"
)
_PYTHON = (
    "attempted relative import with no known parent package|cannot import name"
    "|can't compare offset-naive and offset-aware datetimes|could not convert string to float"
    "|could not find a version that satisfies the requirement|division by zero|event loop is closed"
    "|expected an indented block|externally-managed-environment|got an unexpected keyword argument"
    "|got multiple values for argument|has no attribute|invalid literal for int\\(\\) with base \\d{1,2}|is not defined"
    "|is not json serializable|list index out of range|maximum recursion depth exceeded"
    "|missing \\d{1,2} required positional arguments?|no matching distribution found|no module named"
    "|no tests (?:found(?:, exiting with code \\d)?|ran|to run)|not enough values to unpack"
    "|object does not support item assignment|object has no attribute|object is not (?:callable|iterable|subscriptable)"
    "|partially initialized module|takes \\d{1,2} positional arguments? but \\d{1,2} (?:was|were) given"
    "|too many values to unpack|unindent does not match any outer indentation level|unsupported operand type\\(s\\)"
    "|was never awaited"
)
_DATABASES = (
    "database disk image is malformed|database is locked|deadlock detected|duplicate key value violates unique constraint"
    "|foreign key constraint failed|no such column|no such table|not null constraint failed|unique constraint failed"
    "|violates (?:check|foreign key|not-null) constraint"
)
_GO = (
    "all goroutines are asleep - deadlock|build constraints exclude all go files|context (?:canceled|deadline exceeded)"
    "|declared and not used|does not implement|does not match go tool version|import cycle not allowed"
    "|imported and not used|index out of range|invalid memory address or nil pointer dereference|is not in std"
    "|no required module provides|no such host|no test files found"
    "|(?:not enough|too many) arguments in call|possible misuse of unsafe\\.pointer|runtime error"
    "|slice bounds out of range|updates to go\\.mod needed"
)
_RUST = (
    "blocking waiting for file lock|borrowed value does not live long enough|cannot find (?:function|macro|type|value)"
    "|expected one of|found for enum|in the current scope|is not satisfied|linking with `?cc`? failed|mismatched types"
    "|no (?:field|method|variant)|trait bound|unresolved import"
)
_C_AND_JAVA = (
    "could not find or load main class|implicit declaration of function|missing separator|no rule to make target"
    "|segmentation fault|undefined reference to|unsupported class file major version"
)
_CONTAINERS_AND_NETWORK = (
    "bad gateway|cannot connect to the docker daemon|certificate has expired|certificate verify failed"
    "|empty reply from server|gateway timeout|internal server error|manifest unknown|method not allowed|no such container"
    "|payload too large|port is already allocated|self[- ]signed certificate|service unavailable|ssl certificate problem"
    "|the requested url returned error|too many requests|unable to get local issuer certificate|unprocessable entity"
    "|unsupported media type"
)

FIXED_MESSAGES = compile_lazily(
    rf"\b(?:{_OPERATING_SYSTEM}|{_SHELLS}|{_COMMAND_LINES}|{_GIT}|{_GITHUB}|{_JAVASCRIPT}|{_TYPESCRIPT}|{_PYTHON}|{_DATABASES}|{_GO}|{_RUST}"
    rf"|{_C_AND_JAVA}|{_CONTAINERS_AND_NETWORK})(?!\w)",
    re.IGNORECASE,
)
"""Matches one fixed message."""
FRAGMENTS = compile_lazily(
    r"a branch named|ambiguous argument|argument of type|before initialization|cannot find (?:module|package|name)|cannot import name"
    r"|couldn't find remote ref|does not implement|found for enum|has no attribute|index out of range"
    r"|is not (?:a function|defined|exported by|satisfied)|no module named|runtime error|unresolved import",
    re.IGNORECASE,
)
"""Matches the fixed messages that say nothing without a name next to them."""
GIT_MESSAGES = compile_lazily(rf"(?:{_GIT})(?!\w)", re.IGNORECASE)
"""Matches one message of git."""
