"""The source of a command's output, however the command is wrapped, and the actions of hosts' tools."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations import sources
from mind_skills.observations.builders import build_tool_call, remove_host_elements
from mind_skills.observations.model import Observation, Source
from mind_skills.observations.read import open_log
from mind_skills.observations.repetition import Repetition, RepetitionSearch, listen_to_texts
from mind_skills.observations.sources import classify_command, classify_file
from tests.testkit.stories import as_claude_code, as_codex, as_gemini, as_opencode
from tests.testkit.stories.story_file import Step, Story

WEB = """curl -s https://x.test/a|cat <(curl -s https://x.test/a)
/usr/bin/curl -s https://x.test/a|for i in 1 2; do curl -s https://x.test/$i; done
if curl -s https://x.test/a; then echo; fi|bash -c 'curl -s https://x.test/a'|sudo -u dev curl -s https://x.test/a
env -i curl -s https://x.test/a|nice curl -s x.test/a|stdbuf -oL curl -s x.test/a|timeout -k 5 10 curl -s x.test/a
time -p curl -s x.test/a|xargs -n1 curl -s < urls.txt|cat urls.txt ~ xargs curl -s|watch -n1 curl -s x.test/a|retry curl -s x.test/a
docker run --rm curlimages/curl -s https://x.test/a|docker exec web curl -s https://x.test/a|curl -x localhost:3128 x.test/issue/12
curl -s x.test/issue -H 'Origin: x' localhost|echo "$(curl -s https://x.test/a)"|FOO=1 curl $URL|busybox wget -qO- https://x.test
chromium --headless --dump-dom https://x.test|pandoc https://x.test -t plain|deno run https://x.test/a.ts
uv run python -c "import requests; print(requests.get('https://x.test').text)"|php -r 'echo file_get_contents("https://x.test");'
node -e "import('https').then(h=>h.get(u))"|exec 3<>/dev/tcp/x.test/80; cat <&3|make fetch-docs|npm run fetch-docs
python scripts/sync_issues.py|pbpaste|xclip -o|claude -p 'summarise issue 12'|find . -exec curl -s https://x.test/{} +"""
REMOTE = """ssh prod cat /var/log/app.log|kubectl exec web -- cat /var/log/app.log|kubectl describe pod web|docker inspect web
docker compose -f a.yml logs web|aws s3 cp s3://b/notes.txt -|gsutil cat gs://b/n.txt|rsync host:notes.txt . && cat notes.txt
psql -h prod -c 'select body from comments'|redis-cli -h prod get note|gh run view 12 --log|gh pr checkout 12 && git log -2
git fetch origin pull/12/head:pr12 && git log pr12 -2|git clone https://x.test/r && cat r/README.md|git --no-pager log origin/main -2
git -c core.pager=cat log origin/main -2|git -P show upstream/main|git diff main...origin/feature|git log MERGE_HEAD -1
git log --all -3|npm audit|pip download foo|brew cat foo|apt changelog foo|cat node_modules/foo/README.md|dig TXT x.test
openssl s_client -connect x.test:443|journalctl -u web|tail -50 /var/log/nginx/access.log|bash <<'E'
ssh prod cat notes
E"""
ISSUE = """gh issue view 12|bash -lc "gh issue view 12"|cd app && command gh pr diff 3|glab mr view 7|jira issue view ABC-12
gh api repos/o/r/pulls/3/comments|(cd a; gh pr view 3 --json title,body)"""
LOCAL = """ls -la|cat README.md|git log -3|git log origin/main..HEAD|git show HEAD~2 --stat|git push origin main|npm install|pytest -q
pip install requests|grep -rn https://x.test src|rg curl|which curl|apt-get install curl|echo "see https://x.test" >> README.md
git commit -m "see https://x.test, found by curl"|sed -i 's#https://a.test#https://b.test#' a|curl -s http://localhost:8000/health
curl -s -H 'Origin: https://x.test' 127.0.0.1:8000/a|curl -X POST -d '{"a": 1}' localhost:3000/api|wget -qO- http://[::1]:80/
gh pr create --title x --body "see https://x.test"|gh pr view 3 --json number,state|gh auth status|kubectl get pods|docker compose up -d
psql -h localhost -c 'select 1'|docker build .|python -m http.server|node server.js|man curl|make test|git remote add up https://x.test/r
cat > notes.md <<'E'
curl https://x.test
E"""


def commands(text: str) -> list[str]:
    found: list[str] = []
    for line in text.split("|"):
        parts = [line] if "<<" in line else line.split("\n")
        found += [part.replace(" ~ ", " | ") for part in parts]
    return found


@pytest.mark.parametrize(
    ("command", "source"),
    [
        (command, source)
        for source, text in (("web", WEB), ("remote", REMOTE), ("issue", ISSUE), ("local", LOCAL))
        for command in commands(text)
    ],
)
def test_a_command_is_classified_by_its_program_wherever_it_appears(command: str, source: Source) -> None:
    assert classify_command(command) == source


@pytest.mark.parametrize(
    ("command", "source"),
    [
        ("wscat -c wss://x.test/feed", "web"),
        ("php -r '$f = fsockopen($argv[1], 80); echo fgets($f);'", "web"),
        ("node -e \"import('net').then(net => net.connect(80, host))\"", "web"),
        ("ruby -e 'require \"open-uri\"; puts open(ARGV[0]).read'", "web"),
        ("osascript -l JavaScript -e 'new XMLHttpRequest()'", "web"),
        ("python Scrape.py", "web"),
        ("claude.exe -p 'read the issue'", "web"),
        ("cargo +nightly search serde", "remote"),
        ("cat var/log/syslog", "remote"),
        ("git submodule add git@x.test:a/b.git", "remote"),
        ("git log --format='%h; %an | %s' origin/main", "remote"),
        ("git log \\\n  origin/main", "remote"),
    ],
)
def test_the_pre_check_lets_commands_through_that_the_rules_recognise(command: str, source: Source) -> None:
    assert classify_command(command) == source


@pytest.mark.parametrize(
    ("command", "source"),
    [
        ("git pull 2>&1", "local"),
        ("git -C ../lib pull --ff-only 2>&1 | tail -3", "local"),
        ("git fetch fork 2>&1", "remote"),
        ("op vault list", "local"),
        ("sudo vault kv get secret/app", "remote"),
        (r"gh pr edit 3 --body $'the app\'s `gh issue view 4`: https://x.test/a'", "local"),
        (r"echo $'it\'s' && gh issue view 4", "issue"),
        (r"bash -c $'gh issue view 4'", "issue"),
    ],
)
def test_redirections_operands_and_quoted_text_name_no_source(command: str, source: Source) -> None:
    assert classify_command(command) == source


UNTRUSTED_FORMS = {
    "web": (
        # alias, a command line as an argument, text that is piped or passed to a shell
        "alias c='curl -s'; c x.test/a",
        'tmux send-keys -t 1 "curl x.test/a" Enter',
        "echo 'curl -s x.test/a' | bash",
        "sh -s <<< 'curl -s x.test/a'",
        # substitution in a here-document; code that a here-document writes and the same command runs
        "cat <<E > a.md\n$(curl -s x.test/a)\nE",
        "cat > a.py <<'E'\nimport requests\nE\npython a.py",
        "tee x/a.sh <<'E'\nwget x.test\nE\nsh x/a.sh",
        # interpreters and scripts
        "bun -e 'await fetch(u)'",
        "uv run scripts/fetch_docs.py",
        "bash scripts/sync-issues.sh",
        "./scripts/fetch_docs.sh",
        "go run ./cmd/fetch",
        "osascript -e 'tell application \"Mail\" to get subject of messages of inbox'",
        'python -c "import boto3"',
        "python -c \"import subprocess; subprocess.run(['gh', 'issue', 'view', '12'])\"",
        "node -e \"execFileSync('gh', ['issue', 'view', '12'])\"",
        # other agents behind wrappers and options
        "npx -y @anthropic-ai/claude-code -p 'read the issue'",
        "timeout 60 codex --model m exec 'read the issue'",
        "npx claude@latest --model m -p x",
        "claude 'read the issue'",
        "coderabbit review --plain",
        "agent-browser snapshot",
        # PowerShell
        "$page=irm x.test/a",
        "Start-BitsTransfer $url a.html",
        "(New-Object System.Net.WebClient).DownloadString($url)",
        # a variable that holds an address
        "url='https://x.test/a'; ./read_page $url",
    ),
    "remote": (
        "git log --stat origin/main -3",
        "git show --name-only FETCH_HEAD",
        "git show FETCH_HEAD:README.md",
        "git log origin/main...HEAD",
        "git log --remotes=origin -3",
        "git worktree add ../x FETCH_HEAD",
        "git clone x.test:a/b",
        "git subtree pull --prefix a https://x.test/r main",
        "git show --oneline origin/main",
        "git log --oneline -p origin/main",
        "git diff --stat -p main..origin/main",
        "git log --oneline -U5 origin/main",
        "git log --oneline -L1,20:README.md origin/main",
        "git log --oneline --remerge-diff FETCH_HEAD",
        "git log --oneline --format=%B FETCH_HEAD",
        "git diff --stat --unified=3 main..origin/main",
        "timeout 30 git log origin/main -3",
        "rtk git show upstream/main",
        "gh run view 12",
        "gh run list --json status,displayTitle",
        "gh run watch 12",
        "npx npm view react",
        "npm -w a view react",
        "python -m pip index versions requests",
        "docker exec web cat /var/log/app.log",
        "aws --region eu-west-1 --profile p logs tail x",
        "npx wrangler@4 tail",
        'psql "$DATABASE_URL" -c "select body from comments"',
        "mysql -hdb -e x",
        "sqlite3 ~/Library/Messages/chat.db 'select text from message'",
        "bat node_modules/a/README.md",
        r"Get-Content node_modules\a\README.md",
        "Invoke-Command -ComputerName prod { Get-Content a }",
        "Get-WinEvent -LogName Application",
        # text of documents, mail, and logs of other sessions
        "pdftotext -layout spec.PDF - | head -40",
        "pandoc notes.docx -t markdown",
        "mail -f mbox",
        "jq -r .message ~/.claude/projects/*/*.jsonl",
        "tail -5 ~/.codex/sessions/2026/01/02/rollout-a.jsonl",
    ),
    "issue": (
        'echo "$(gh issue view $(cat n))"',
        'echo "$( (gh issue view 12) )"',
        "echo \"it's $(gh issue view 12), isn't it\"",
        "watch -n 5 'gh issue view 12'",
        "env -S 'gh issue view 12'",
        "su dev -c 'gh issue view 12'",
        "$x=gh issue view 12",
        "iex 'gh issue view 12'",
        "cmd.exe /C 'gh issue view 12'",
        r"C:\tools\gh.exe issue view 12",
        r'& "C:\Program Files\GitHub CLI\gh.exe" issue view 12',
        "gh issue close 12",
        "gh pr checks 12",
        # a variable that holds a program
        'gh="gh -R o/r"; $gh issue view 12',
        "export GH=/usr/bin/gh\n${GH} issue view 12",
        "x='gh issue view 12'; eval \"$x\"",
    ),
}


@pytest.mark.parametrize(
    ("command", "source"), [(command, source) for source, forms in UNTRUSTED_FORMS.items() for command in forms]
)
def test_no_form_of_a_command_hides_that_it_prints_text_of_others(command: str, source: Source) -> None:
    assert classify_command(command) == source


@pytest.mark.parametrize(
    "command",
    [
        "python3 -m pip install playwright",
        "uv add httpx",
        "git diff --stat origin/main...HEAD",
        "gh run list --json status,conclusion",
        "gh run rerun 12 --failed",
        "gh pr checks 12 --json name,state",
        "claude mcp add docs -- npx -y x",
        "cat > a.py <<'E'\nimport requests\nE\ngit add a.py",
        "cat <<'E' > a.md\n`gh issue view 12`\nE",
        "echo 'it is \"$(gh issue view 12)\"'",
        r"git commit -m 'Read C:\tools\gh.exe issue view'",
        "bun install axios",
        "psql -hlocalhost -c 'select 1'",
        "url=https://x.test/a; echo done",
        "git log --oneline -3 origin/main",
        "pandoc README.md -o out.pdf",
        "cat ~/.claude/projects/p/tool-results/a.txt",
        "npm run mail",
    ],
)
def test_a_command_that_prints_nothing_of_others_is_local(command: str) -> None:
    assert classify_command(command) == "local"


@pytest.mark.parametrize("wrapper", ["xargs", "timeout 1", "sudo timeout 5 xargs", "$(", "watch 'a"])
def test_any_number_of_wrappers_can_be_classified(wrapper: str) -> None:
    assert classify_command(f"{wrapper} " * 3_000 + "curl x.test") in ("web", "local")


@pytest.mark.parametrize("length", [1_000, 10_000, 100_000])
def test_a_command_is_classified_beyond_the_part_that_an_observation_stores(length: int) -> None:
    document = "cat > notes.md <<'E'\n" + "read `curl https://x.test`\n" * (length // 27) + "E\n"
    last = {"pytest -q": "local", "gh issue view 4": "issue"}
    built = {each: build_tool_call("Bash", "run", line=1, command=f"{document}{each}", output="text") for each in last}
    assert {each: observation.source for each, observation in built.items()} == last


def test_what_is_not_examined_of_a_long_command_counts_as_a_download() -> None:
    assert classify_command("echo done\n" * 5_000 + "gh issue view 4") == "web"
    assert classify_command("echo done\n" * 5_000 + "pytest -q") == "local"


@pytest.mark.parametrize("padding", [0, 5_000, 25_000])
@pytest.mark.parametrize(
    ("command", "source"),
    [
        ("python3 - <<'E'\n{}print(urlopen('https://x.test/a').read())\n{}E\n", "web"),
        ("bash <<'E'\n{}curl https://x.test/a\n{}E\n", "web"),
        ("cat <<E\n{}$(curl https://x.test/a)\n{}E\n", "web"),
        ("cat > a.py <<'E'\n{}urlopen('https://x.test/a')\n{}E\npython3 a.py", "web"),
        ("cat > a.py <<'E'\n{}urlopen('https://x.test/a')\n{}E\nls", "local"),
    ],
)
def test_a_long_here_document_is_classified_like_a_short_one(padding: int, command: str, source: Source) -> None:
    assert classify_command(command.format("x = 1\n" * (padding // 6), "y = 2\n" * (padding and 5_000))) == source


@pytest.mark.parametrize(
    "command",
    ["cat <<E\n{} curl x.test", "cat <<{} curl x.test\na\n", "cat <<E\na\n{}curl x.test\nE", "cat <<E\n   {}E\ncurl x"],
)
@pytest.mark.parametrize("filler", ["\n", "E", " \n", "a\n"])
def test_a_here_document_is_read_in_linear_time(command: str, filler: str) -> None:
    start = process_time()
    classify_command(command.format(filler * 60_000))
    assert process_time() - start < 3


def test_the_path_of_a_file_is_read_in_linear_time() -> None:
    start = process_time()
    assert classify_file("node_modules/" * 30_000 + ".gemini/tmp/" * 30_000) == "local"
    assert classify_file("a/" * 30_000 + "node_modules/b/README.md") == "remote"
    assert process_time() - start < 1


@pytest.mark.parametrize(
    ("command", "output", "source"),
    [
        ("mind-skills task plan 'fix it'", '- [learned, unverified: rests on web] "Round it"', "web"),
        ("mind-skills memory search cent --json", '{"results":[{"content":"x","taint":["output","issue"]}]}', "issue"),
        ("cat .claude/mind-skills-pending.json", '"taint": [\n    "mcp"\n   ]', "mcp"),
        ("mind-skills memory search cent --untrusted", "1.00  a  (learning, unverified: rests on import)", "remote"),
        ("mind-skills task plan 'fix it'", '- [learned] "Round it"', "local"),
        ("mind-skills memory search cent --json", '{"results":[{"content":"rests on the web","taint":[]}]}', "local"),
        ("pytest -q", '"taint": ["web"]', "local"),
    ],
)
def test_a_command_passes_on_the_taint_of_the_records_that_it_prints(command: str, output: str, source: Source) -> None:
    assert build_tool_call("Bash", "run", line=1, command=command, output=output).source == source


@pytest.mark.parametrize("name", ["mind-skills_docs_get_page", "mcp__mind-skills__get_page", "mind_skills_plan_b"])
def test_a_tool_whose_name_only_begins_like_ours_is_not_ours(name: str) -> None:
    assert not sources.is_own_tool(name)


def test_package_documentation_and_downloads_are_remote() -> None:
    of_others = [
        "node_modules/a/README.md",
        "/x/site-packages/a/notes.txt",
        "/home/a/Downloads/p.html",
        "/var/log/app.log",
    ]
    own = ["README.md", "docs/a.md", "node_modules/a/index.js", "src/vendor.py", "C:\\go\\pkg\\mod\\a\\b.go"]
    assert [classify_file(name) for name in of_others + own] == ["remote"] * len(of_others) + ["local"] * len(own)


WRITTEN = {
    "claude-code": as_claude_code.render_log,
    "codex": as_codex.render_log,
    "opencode": as_opencode.render_log,
    "gemini": as_gemini.render_log,
}


def find_untrusted_sources(text: str, host: str, folder: Path) -> dict[Source, int]:
    log = folder / ("log.json" if host == "opencode" else "log.jsonl")
    log.write_text(text, "utf-8")
    comparison = RepetitionSearch([])
    with listen_to_texts(comparison.add_text):
        list(open_log(log).observations)
    return comparison.untrusted_sources


@pytest.mark.parametrize("host", WRITTEN)
def test_the_output_of_a_tool_unknown_to_the_host_is_untrusted(host: str, tmp_path: Path) -> None:
    text, _ = WRITTEN[host](Story("a", (Step("user", "", "look", ""), Step("mcp", "q/zz", "q", "text"))))
    for name in ("mcp__q__zz", "mcp_q_zz", "q_zz", '"zz"'):
        text = text.replace(name, '"fetcher"' if name[0] == '"' else "fetcher")
    assert list(find_untrusted_sources(text.replace("mcp__q", "ns"), host, tmp_path)) == ["mcp"]


@pytest.mark.parametrize("kind", ["document", "image", "something new"])
def test_non_text_output_is_untrusted(kind: str, tmp_path: Path) -> None:
    text, _ = as_claude_code.render_log(
        Story("a", (Step("user", "", "look", ""), Step("read", "", "spec.pdf", "HERE")))
    )
    assert find_untrusted_sources(text, "claude-code", tmp_path) == {}
    text = text.replace(json.dumps("HERE"), json.dumps([{"type": kind, "source": {"data": "JVBERi0="}}]))
    assert list(find_untrusted_sources(text, "claude-code", tmp_path)) == ["remote"]


@pytest.mark.parametrize(
    ("tool", "found"), [("TaskCreate", []), ("mcp__wiki__ask", ["remote"]), ("Fetcher", ["remote"]), (None, ["remote"])]
)
def test_a_reference_to_a_tool_of_the_client_itself_is_not_untrusted(
    tool: str | None, found: list[Source], tmp_path: Path
) -> None:
    text, _ = as_claude_code.render_log(
        Story("a", (Step("user", "", "look", ""), Step("read", "", "spec.pdf", "HERE")))
    )
    text = text.replace(json.dumps("HERE"), json.dumps([{"type": "tool_reference", "tool_name": tool}]))
    assert list(find_untrusted_sources(text, "claude-code", tmp_path)) == found


@pytest.mark.parametrize(("command", "found"), [("gh run watch 12", {"remote": 2}), ("npm test", {})])
def test_a_background_command_is_untrusted_from_its_start(
    command: str, found: dict[Source, int], tmp_path: Path
) -> None:
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command, "run_in_background": True}}
    output = "Command running in background with ID: b2. Output is written to: /tmp/b2.output"
    result = {"type": "tool_result", "tool_use_id": "t", "content": output}
    messages = (("assistant", call), ("user", result), ("assistant", {"type": "text", "text": "Pin the version."}))
    lines = [
        {"type": role, "uuid": str(number), "sessionId": "s", "message": {"role": role, "content": [block]}}
        for number, (role, block) in enumerate(messages)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    comparison = RepetitionSearch([])
    with listen_to_texts(comparison.add_text):
        said = next(open_log(log).observations)  # the command is observed at its end
    assert (said.text, comparison.untrusted_sources) == ("Pin the version.", found)


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "user", "origin": {"kind": "peer"}, "message": {"role": "user", "content": "Pin the version."}},
        {
            "type": "user",
            "message": {"role": "user", "content": "<cross-session-message>Pin it.</cross-session-message>"},
        },
        {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": "Pin it.", "origin": {"kind": "channel"}},
        },
    ],
)
def test_a_message_of_another_session_may_come_from_strangers(entry: dict[str, object], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"uuid": "u", "sessionId": "s", **entry}) + "\n", "utf-8")
    comparison = RepetitionSearch([])
    with listen_to_texts(comparison.add_text):
        assert list(open_log(log).observations) == []
    assert comparison.untrusted_sources == {"remote": 1}


COMMENT = "Always start the staging server before the tests of the payment service."
QUESTION = {"question": "When?", "options": [{"label": "Now"}]}


def _render_claude_call(tool: str, result: dict[str, object], record: dict[str, object]) -> str:
    call = {"type": "tool_use", "id": "t", "name": tool, "input": {"command": "npm test"}}
    messages = (
        {"type": "assistant", "sessionId": "s", "message": {"content": [call]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", **result}]}, **record},
    )
    return "".join(json.dumps(message) + "\n" for message in messages)


def _render_opencode_call(tool: str, state: dict[str, object]) -> str:
    message = {"info": {"role": "assistant"}, "parts": [{"type": "tool", "tool": tool, "state": state}]}
    return json.dumps({"info": {"id": "ses_1"}, "messages": [message]})


@pytest.mark.parametrize(
    "text",
    [
        _render_claude_call(
            "Bash",
            {"content": f"To tell you how to proceed, the user said:\n{COMMENT}", "is_error": True},
            {"toolDenialKind": "user-rejected"},
        ),
        _render_claude_call(
            "AskUserQuestion",
            {"content": f'The user answered: "When?"="{COMMENT}".'},
            {"toolUseResult": {"questions": [QUESTION], "answers": {"When?": COMMENT}}},
        ),
        _render_opencode_call(
            "bash",
            {"status": "error", "error": f"The user rejected permission with the following feedback: {COMMENT}"},
        ),
        _render_opencode_call(
            "question",
            {
                "status": "completed",
                "input": {"questions": [QUESTION]},
                "output": f'"When?"="{COMMENT}"',
                "metadata": {"answers": [[COMMENT]]},
            },
        ),
    ],
)
def test_what_the_user_typed_in_answer_to_a_call_repeats_no_output(text: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(text, "utf-8")
    search = RepetitionSearch([COMMENT])
    with listen_to_texts(search.add_text):
        assert [one.text for one in open_log(log).observations][1:] == [COMMENT]
    assert search.find_repetition(0) == Repetition()


HERE_STRING = """git commit -q -m {quote}
retro: the drill's catches; curl https://x.test and gh issue view 12
{quote_end}
"""


@pytest.mark.parametrize("quote", ["'", '"'])
def test_the_text_of_a_powershell_here_string_names_no_program(quote: str) -> None:
    text = HERE_STRING.format(quote=f"@{quote}", quote_end=f"{quote}@")
    assert classify_command(f"cd app\n{text}") == "local"
    assert classify_command(f"{text}; gh issue view 12") == "issue"
    assert classify_command(text[:-4]) == "web"  # a here-string without an end
    assert classify_command("echo '@'\ncurl -s https://x.test\n'@'") == "web"  # two strings of another shell
    assert classify_command(text.replace("retro", "$(gh issue view 7)")) == ("issue" if quote == '"' else "local")


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("python tools/notes.py", True),
        ("cd tools && ./notes.py | head", True),
        ("bash -c 'python tools/notes.py'", True),
        ("cat tools/notes.py | python -", True),
        ("find . -name notes.py -exec python {} +", True),
        ("source tools/notes.py", True),
        ('echo "$(python tools/notes.py)"', True),
        ("git bisect run tools/notes.py", True),
        ("git -c alias.x='!python tools/notes.py' x", True),
        ("rg --pre tools/notes.py x; awk -f tools/notes.py", True),
        ("tools/notes.py", True),
        ("make x; pytest tools/notes.py", True),
        ("git add tools/notes.py && git commit -m 'Read notes.py'", False),
        ("cat tools/notes.py | head -20", False),
        ("ls -la tools/notes.py; wc -l tools/notes.py", False),
        ("python tools/other.py", False),
    ],
)
def test_a_script_that_downloads_taints_only_if_it_is_run(command: str, runs: bool) -> None:
    scripts = sources.DownloadScriptTracker()
    written = Observation("tool", 1, action="write", files=("tools/notes.py",), change="+import requests")
    assert not scripts.runs_download(written)
    assert scripts.runs_download(Observation("tool", 2, action="run", command=command)) is runs


@pytest.mark.parametrize(
    "written",
    [
        Observation("tool", 1, action="write", command="cat > tools/notes.py <<'E'\nimport requests\nE"),
        Observation("tool", 1, action="edit", files=("README.md", "tools/notes.py"), change="+import requests"),
    ],
)
def test_a_script_that_downloads_is_found_however_it_was_written(written: Observation) -> None:
    scripts = sources.DownloadScriptTracker()
    assert not scripts.runs_download(written)
    assert scripts.runs_download(Observation("tool", 2, action="run", command="python tools/notes.py"))


def test_a_script_that_downloads_taints_even_if_it_is_named_like_a_local_program() -> None:
    scripts = sources.DownloadScriptTracker()
    scripts.runs_download(Observation("tool", 1, action="write", files=("bin/test",), change="+import requests"))
    commands = ("bin/test --all", "git add bin/test")
    assert [scripts.runs_download(Observation("tool", 2, action="run", command=each)) for each in commands] == [
        True,
        False,
    ]


def test_a_program_that_prints_only_file_names_is_local_whatever_the_files() -> None:
    shown = {
        command: classify_command(f"{command} ~/Downloads/page.html") for command in ("ls -la", "stat", "cat", "head")
    }
    assert shown == {"ls -la": "local", "stat": "local", "cat": "remote", "head": "remote"}
    copied = (
        "cp ~/Downloads/a.md . && cat a.md",
        "mv ~/Downloads/a.md .",
        "ln -s ~/Downloads/a.md .",
        'ls "$(cat ~/Downloads/a)"',
    )
    assert [classify_command(each) for each in copied] == ["remote"] * len(copied)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<div>this element is broken since today</div>", "<div>this element is broken since today</div>"),
        ("why is <user_id>1</user_id> wrong?", "why is <user_id>1</user_id> wrong?"),
        ("the <my-table> of this page is empty", "the <my-table> of this page is empty"),
        ("look <mcp:result>somebody wrote these words</mcp:result> here", "look  here"),
        ("<a-b>one two three four</a-b> own <a-b>five</a-b>", ""),
    ],
)
def test_html_elements_stay_in_a_message_and_host_elements_are_removed(text: str, own: str) -> None:
    assert remove_host_elements(text) == own


@pytest.mark.parametrize(("word", "pattern"), sources.DOWNLOAD_PATTERNS.items())
@given(data=st.data())
def test_every_match_of_a_download_pattern_contains_its_word(word, pattern, data):
    assert word in data.draw(st.from_regex(pattern.pattern, fullmatch=True))


@pytest.mark.parametrize("pattern", sources.DOWNLOAD_PATTERNS.values())
@given(data=st.data())
def test_every_match_of_a_download_pattern_passes_the_pre_check(pattern, data):
    assert sources.may_be_remote(data.draw(st.from_regex(pattern.pattern, fullmatch=True)))
