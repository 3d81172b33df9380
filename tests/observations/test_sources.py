"""The source of a command's output, however the command is written, and of what other tools return."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations import sources
from mind_skills.observations.builders import build_tool_call, remove_host_elements
from mind_skills.observations.model import Action, Source
from mind_skills.observations.read import open_log
from mind_skills.observations.sources import classify_command, classify_file
from tests.testkit.stories import as_antigravity, as_claude_code, as_codex, as_gemini, as_opencode
from tests.testkit.stories.story_file import Step, Story

UNLISTED = """incus exec c1 -- cat a|lxc exec c ls|multipass exec vm -- ls|vagrant ssh|systemctl status|journalctl -u web|dmesg|loginctl
stripe events list|logcli query x|promtool query|svn log|hg log|p4 changes|fossil timeline|unzip -p spec.docx|tldr tar|info bash|cheat tar
pydoc requests|docker run IMAGE|docker run --rm node npm test|podman run x|docker logs web|docker compose -f a.yml logs web
docker compose up|docker pull x|docker inspect x|docker --context x logs a|kubectl get pods|kubectl logs web|helm get values x|k9s
argocd app logs x|aws s3 ls|gcloud logging read x|az boards query|doctl apps logs|heroku logs|vercel logs|wrangler tail|sam logs
serverless logs|pulumi logs|ngrok http 80|op item get x|vault read x|pass show x|mail -f mbox|rclone cat a:b|mc cat a/b|duckdb x
rsync host:a .|scp host:a .|ssh prod cat a|sftp h|nc h 80|socat - tcp:h:80|grpcurl x:80 list|kcat -C -t x|nats sub x|snowsql -q x
mosquitto_sub -t x|dig x.test|ping x.test|whois x.test|tmux capture-pane -p|screen -ls|script -q /dev/null stripe x|nix run nixpkgs#x
npx cowsay hi|uvx some-tool|pipx run x|bunx x|pnpm dlx x|go run github.com/x/y@latest|./node_modules/.bin/x|~/.local/bin/x|/opt/x/bin/x|/a/b
.venv/bin/x|$HOME/bin/x|"/Applications/A b.app/Contents/MacOS/a" x|x.exe a|node /usr/lib/x/cli.js|python ~/.claude/skills/x/run.py
bash ~/x.sh|openssl s_client -connect x:443|psql -h prod -c x|mysql -hdb -e x|psql "$DATABASE_URL"|redis-cli -u redis://x.test get a
mongosh mongodb://x.test/db|npm view react|pip index versions x|python -m pip index versions x|cargo search x|brew info x|apt show x
gem search x|npm audit|conda search x|go doc net/http|less ~/Downloads/a|strings a.PDF|cat a.docx|tail -f /var/log/syslog
cat node_modules/a/README.md|cat .git/FETCH_HEAD|cat .git/refs/remotes/origin/main|sqlite3 ~/Library/Mail/x
jq . ~/.claude/projects/a/b.jsonl|cp ~/Downloads/a.md . && cat a.md|jq . ~/.codex/history.jsonl|cat ~/Maildir/new/1|cat /var/spool/mail/a
sqlite3 ~/.local/share/opencode/opencode.db x|cat /usr/share/doc/a/README|cat /v/site-packages/a-1.dist-info/METADATA
python -m pypdf a.pdf|python -m markitdown a.docx|python -m pydoc requests|./x a.pdf|PGHOST=db.x.test psql -c x|env PGHOST=db.x.test psql
PGSERVICE=prod psql|export PGHOST=$H; psql|psql "host=db.x.test dbname=a"|psql -c '\\! stripe x'|psql -c "copy a from program 'stripe x'"
python -c "import tweeter; tweeter.get()"|python -c "import json, service as s; s.get()"|node -e "require('superagent').get(u)"
node -e "new (require('ws'))(u)"|node --input-type=module -e "import x from 'some-client'; x.get()"
ruby -rrest-client -e "puts RestClient.get(u)"
ruby -e "require 'faye'; x.get(u)"|perl -MMojo::UserAgent -e "print(x(1))"|python -c "__import__('tweeter').get()"|cat a % python - <<E
from tweeter import get
print(get(1))
E|sqlite3 a.db '.shell stripe x'|sqlite3 a.db '.import "%stripe x" a'|make --eval='a:;stripe x' a"""
WRAPPED = r"""find . -exec @ {} \;|find . -exec sh -c '@ $1' _ {} +|fd -x @|rg --pre @ x|xargs -n1 @ < a|cat a % xargs @|time -p @
timeout 5 @|env -i A=1 @|sudo -u x @|doas @|nice -n 5 @|nohup @ &|watch @|strace -f @|command @|exec @|flock a @|parallel @ ::: a|wsl @
busybox @|bash -c '@ x'|bash -ce '@ x'|ksh -c '@ x'|/bin/sh -lc '@'|cmd /c "@ x"|pwsh -Command "@ x"|su dev -c '@ x'|eval "@ x"
trap '@ x' EXIT|sh -c "sh -c 'sh -c \"@ x\"'"|uv run @|poetry run @|bundle exec @|npm exec -- @|npx -y @|pnpm exec @|direnv exec . @
mise exec -- @|docker exec web @|docker compose exec web @|a=$(@); echo $a|echo `@`|echo "a $(echo $(@))"|diff <(@) a|(cd a; @)|{ @; }|! @
ls&@|ls; @|ls && @|ls %% @|if true; then @; fi|while read f; do @ $f; done|case x in a) @;; esac|function f { @; }; f|f() { @; }; f
T=@; $T x|T='@ x'; eval "$T"|for t in ls @; do $t; done|echo '@ x' % bash|bash <<< '@ x'|. <(@)|git bisect run @
git submodule foreach '@ x'|git -c alias.x='!@' x|python -c "import os; os.system('@ x')"|python -c "subprocess.run(['@', 'x'])"
node -e "execSync('@ x')"|cat a %
@|awk '{print % "@"}' a
bash <<E
@
E|cat <<E
$(@)
E|cat > a.sh <<'E'
@
E
bash a.sh|python - <<E
subprocess.check_output(["@"])
E"""
"""Ways to run a program, which stands at the place of ``@``."""
SPELLINGS = r"""c''url x.test|\curl x.test|"cu"rl x.test|c\url x.test|$'curl' x.test|/usr/bin/curl x.test|curl.exe x.test
CURL=curl; $CURL x.test|curl x.test localhost|curl -x localhost:3128 x.test|curl $URL|wget -qO- https://x.test|claude -p 'read it'
npx opencode-ai run x|pbpaste|xclip -o|lynx -dump x.test|chromium --dump-dom https://x.test|python -m yt_dlp x|make fetch-docs
npm run sync-issues|./scripts/download.sh|python scripts/fetch_docs.py|go run ./cmd/fetch|bash scripts/sync.sh|node a.js https://x.test
pandoc https://x.test|irm x.test|x https://x.test|deno run https://x.test/a.ts|python -c "import requests"
python -c "import openai; x.ask()"
python -c "asyncio.run(asyncio.open_connection(h, 80))"|node -e "fetch(u)"
php -r 'fsockopen($h, 80);'|exec 3<>/dev/tcp/x.test/80; cat <&3|osascript -e 'tell application "Mail" to get x'|osascript -e 'the clipboard'
python -c "import pyperclip"|xmllint --html https://x.test/a|python - <<E
print(urlopen(u).read())
E|python -m scrapy crawl x|tox -e fetch|nox -s download-data|python -m cProfile -o a.prof scripts/download_issues.py|cat > a.py <<'E'
import httpx
E
python a.py"""
STARTED = r"""python -c "import subprocess as s; s.run(['@','x'])"|python -c "from subprocess import run as r; r(['/usr/bin/@', u])"
python -c "import os; os.execlp('@','@','x')"|python -c "import asyncio; asyncio.run(asyncio.create_subprocess_shell('@ x'))"
ipython -c '!@ x'|perl -e 'print `@ x`'|perl -e 'system "@", "x"'|ruby -e 'puts `@ x`'|php -r 'echo `@ x`;'
node -e "require('child_process').exec('@ x',f)"|bun -e 'await Bun.$`@ x`'|lua -e 'os.execute("@ x")'|Rscript -e 'system2("@","x")'
julia -e 'run(`@ x`)'|elixir -e 'System.cmd("@",["x"])'|osascript -e 'do shell script "@ x"'|source /dev/stdin <<< "@ x"
cmake -E env @ x|npx nodemon --exec '@ x'"""
"""Code and tools that start a program, which stands at the place of ``@``."""
STARTED_UNSEEN = r"""gdb -batch -ex '!stripe x'|lldb -o 'platform shell stripe x'|make -f - <<< 'a:;stripe x'|ip netns exec a stripe x"""
UNKNOWN = r"""$(which curl) x|$X|"$TOOL" x|${TOOL} x|eval $X|$'\x63url' x|{curl,-s,x}|/usr/bin/c?rl x|echo c3Ry % base64 -d % sh
cat a; echo 'a|git log upstream|git log @{u}|git log HEAD..@{upstream}|git log origin/main...HEAD|git show upstream/main
git show FETCH_HEAD|git show "$REV"|git show $(git rev-parse origin/main)|git show $(git branch -r % head -1)|git diff main...origin/x
git diff --stat main..origin/x|git log --all|git log --oneline remotes/fork/x|R=origin/x; git show $R
for r in HEAD origin/x; do git show $r; done|git fetch fork|git fetch origin pull/3/head|git pull https://x.test/r main
git clone x.test:a/b|git checkout FETCH_HEAD|git svn log|git foo|git show origin/main:$f
gh pr checkout 12|gh run view 12 --log|gh run list"""
ISSUE = """gh issue view 12|gh api repos/o/r/issues|gh pr view 3 --json title,body|gh release list --json name|glab mr view 3
jira issue view A|gh issue close 12|bd list|x=$(gh pr diff 3)|gh='gh -R o/r'; $gh issue view 3|C:\\tools\\gh.exe issue view 3
& "C:\\Program Files\\GitHub CLI\\gh.exe" issue view 3"""
LOCAL = r"""prove -l t|busted|pants test ::|npx hardhat test|latexmk -pdf a.tex|verilator --lint-only a.v|colcon build|ansible-lint
python -m cProfile -s time x.py|python -m pdb -m pytest|cmake -E env A=1 ctest|nodemon --exec 'python x.py'|gdb -batch -ex run ./x
python -c "import shutil; shutil.which('curl')"|python -c "print('curl x')"|python -c "subprocess.run(['ls', 'curl'])"|tox -e py311
ls -la % grep '%'|grep ';' a.c|awk -F '%' '{print $1}' a|cat a && sed -i 's#https://a#https://b#' a|rg https://x.test src
rg curl|echo "see https://x.test" >> a|which curl|command -v curl|man curl|ls ~/Downloads|jq -r '.a % .b' x.json|cat <<< x
diff <(sort a) <(sort b)|pytest -q 2>&1 % tail -3|uv run pytest|npx eslint .|poetry run mypy .|bundle exec rspec
cargo test -p x -- --nocapture|go test ./...|tsc --noEmit|mvn -q test|./gradlew test|.\gradlew.bat test|dotnet test|turbo run build
make -j4 all|just x|npm run x|npm run docs|yarn workspace a test|~/.cargo/bin/cargo build|node_modules/.bin/jest
/repo/.venv/bin/python -m pytest|PY=.venv/bin/python; $PY -m pytest|source .venv/bin/activate|./x|bin/x a|scripts/x.sh|python x.py
python -u -m pkg|node x.js|go run ./cmd|bash scripts/x.sh "a b"|sh -x ./run.sh|php artisan test|cargo run -- x|pip install requests
uv add httpx|uv sync|go mod download|npm install axios|sudo apt-get install -y curl|brew install wget|pandoc a.md -o a.pdf
git log -3 && git diff HEAD~1|git log origin/main..HEAD|S=abc; git show $S|for c in abc def; do git show $c; done
git show $(git rev-parse HEAD~1)|git log $(git merge-base main HEAD)..HEAD|git diff "$BASE"...HEAD|git show HEAD:$f|git log --grep upstream
git grep origin|git push origin x|git fetch && git pull --rebase 2>&1|git remote add up https://x.test/r|git stash; git checkout main
PGHOST=localhost psql -c x|psql "host=/tmp dbname=a"|psql -c "select * from a where host='x'"|sqlite3 a.db .schema|xmllint a.xml
git commit -m "see https://x.test, by curl"|docker build .|docker compose up -d|docker ps|docker exec db psql -c 'select 1'
psql -h localhost -c 'select 1'|sqlite3 a.db x|redis-cli get a|curl -s localhost:8000/a|curl -H 'Origin: https://x.test' 127.0.0.1:8000/a
wget -qO- http://[::1]:80/|http :8000/a|terraform validate|gh pr create --title x --body "see https://x.test"
gh pr view 3 --json number,state|gh auth status|gh run rerun 12|mind-skills show 1|for i in 1 2; do echo $i; done
while read -r x; do echo "$x"; done < a|[[ -n $x && $y == z ]] && ls|case $x in a) ls;; *) pwd;; esac|f() { pytest; }; f
a=(b c); echo "${a[@]}"|echo $((1 + (2 * 3)))|export A=1; pytest|trap 'rm -f x' EXIT|# it's; curl x|ls # and it's
find . -name x -exec sh -c 'wc -l "$1"' _ {} \;|git ls-files % xargs wc -l|kill -9 $(lsof -t -i:3000)|python -c "open('sync-x/a.yml')"
python -c "subprocess.run(['git', 'status'])"|python -c "import json, sys as s; json.load(s.stdin)"
python -c "import openpyxl; print(openpyxl.__version__)"
node -e "require('node:fs').readFileSync('a')"|node -e "require('./a').run()"|node -e "import('./a.js').then(x => x.run())"
ruby -rjson -e "p JSON.parse(x)"
perl -MList::Util=sum -e "print(sum(1))"|python -c "print('import it from there')"
cat a % python -m json.tool|Get-ChildItem -Recurse % Where-Object { $_.Name -match 'x' }
$x = Get-Content a.txt; $x.Length|Write-Host "`n=== it's ==="|python - <<'E'
print(1)
E|cat > a.sh <<'E'
pytest
E
bash a.sh|cat > a.md <<'E'
`curl x.test`
E|git commit -m "$(cat <<'E'
it's a (test) of `curl`
E
)"|cat > a.py <<'E'
import requests
E
git add a.py"""


def commands(text: str) -> list[str]:
    """Split at ``|`` and, outside here-documents and pipelines, at ends of lines. ``%`` stands for ``|``."""
    parts = [[part] if "<<" in part or "%\n" in part else part.split("\n") for part in text.split("|")]
    return [command.replace("%", "|") for part in parts for command in part]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("remote", UNLISTED),
        ("remote", WRAPPED.replace("@", "stripe")),
        ("web", SPELLINGS),
        ("remote", UNKNOWN),
        ("web", STARTED.replace("@", "curl")),
        ("remote", STARTED.replace("@", "kubectl")),
        ("remote", STARTED_UNSEEN),
        ("issue", ISSUE),
        ("local", LOCAL),
    ],
)
def test_only_what_is_listed_or_belongs_to_the_project_is_local(expected: Source, text: str) -> None:
    assert {each: classify_command(each) for each in commands(text)} == dict.fromkeys(commands(text), expected)


@given(
    st.text() | st.lists(st.sampled_from([*"'\"$(`)|;&{}\n\\<#=", "ls", "x=", "for a in", "git", "<<E\n", "-c", "@'"]))
)
def test_any_text_has_a_source(text: str | list[str]) -> None:
    assert classify_command("".join(text)) in ("local", "web", "issue", "remote")


@pytest.mark.parametrize(
    "unit", ["$(", "`", "xargs ", "find -exec ", "<<E ", "E\n", "x <<E\nE\n", "@'\n", "$((", "[[ ", "x=$x;", "'", "a@"]
)
@pytest.mark.parametrize("frame", ["{}", "bash <<E\n{}\nE", "cat <<E\n{} curl x.test", 'echo "{}"'])
def test_a_command_of_any_length_is_read_in_linear_time(frame: str, unit: str) -> None:
    start = process_time()
    classify_command(frame.format(unit * 30_000))
    assert process_time() - start < 2


@pytest.mark.parametrize("padding", [0, 2_000, 40_000])
def test_a_long_here_document_is_read_like_a_short_one(padding: int) -> None:
    fill = "x = 1\n" * padding
    code = fill + "urlopen(u)\n" + fill
    assert classify_command(f"python3 - <<'E'\n{code}E\n") == "web"
    assert classify_command(f"cat > a.py <<'E'\n{code}E\npython3 a.py") == "web"
    assert classify_command(f"cat > a.py <<'E'\n{code}E\nls") == "local"
    assert classify_command(f"cat > a.md <<'E'\n{code}E\ngh issue view 4") == "issue"
    assert classify_command("bash <<'E'\n" + "ls\n" * padding + "stripe x\nE") == "remote"
    assert classify_command("ls\n" * padding) == ("local" if padding < 7_000 else "remote")


def test_files_of_others_are_recognised_by_their_paths() -> None:
    of_others = """node_modules/a/README.md|/x/site-packages/a/notes.txt|/home/a/Downloads/p.html|/var/log/app.log|.git/FETCH_HEAD
a/spec.PDF
a.docx|inbox.mbox|C:\\a\\node_modules\\b\\README.md|.git/packed-refs|/x/.git/logs/refs/remotes/origin/main
C:\\a\\brain\\b\\.system_generated\\steps\\38\\content.md|/a/.system_generated/logs/transcript.jsonl
/home/a/Maildir/new/1|/var/spool/mail/a|/usr/share/doc/a/README|/x/site-packages/a.dist-info/METADATA|/home/a/.claude/history.jsonl
/home/a/.local/share/opencode/storage/part/a.json""".replace("\n", "|")
    own = "README.md|docs/a.md|node_modules/a/index.js|src/vendor.py|C:\\go\\pkg\\mod\\a\\b.go|.git/config|.git/COMMIT_EDITMSG|pdf.py"
    start = process_time()
    assert classify_file("a/" * 30_000 + "node_modules/b/README.md") == "remote"
    assert {classify_file(name) for name in of_others.split("|")} == {"remote"}
    assert {classify_file(name) for name in [*own.split("|"), "/a/brain/b/plan.md", "node_modules/" * 30_000]} == {
        "local"
    }
    assert process_time() - start < 1


@pytest.mark.parametrize(
    ("command", "output", "source"),
    [
        ("mind-skills task plan 'fix it'", '- [learned, unverified: rests on web] "Round it"', "web"),
        ("mind-skills memory search cent --json", '{"results":[{"content":"x","taint":["output","issue"]}]}', "issue"),
        ("cat .claude/mind-skills-pending.json", '"taint": [\n    "mcp"\n   ]', "mcp"),
        ("mind-skills memory search cent --untrusted", "1.00  a  (learning, unverified: rests on import)", "remote"),
        ("mind-skills task plan 'fix it'", '- [learned] "Round it"', "local"),
        ("pytest -q", '"taint": ["web"]', "local"),
    ],
)
def test_a_command_passes_on_the_taint_of_the_records_that_it_prints(command: str, output: str, source: Source) -> None:
    assert build_tool_call("Bash", "run", line=1, command=command, output=output).source == source


@pytest.mark.parametrize("action", ["read", "search"])
def test_what_reads_or_searches_files_of_others_is_untrusted(action: Action) -> None:
    calls = [build_tool_call("Tool", action, line=1, files=(name,)) for name in ("src/a.py", "/home/a/Downloads")]
    assert [call.source for call in calls] == ["local", "remote"]


@pytest.mark.parametrize("name", ["mind-skills_docs_get_page", "mcp__mind-skills__get_page", "mind_skills_plan_b"])
def test_a_tool_whose_name_only_begins_like_ours_is_not_ours(name: str) -> None:
    assert not sources.is_own_tool(name)


def find_sources(text: str, folder: Path) -> list[Source]:
    log = folder / ("log.json" if text.startswith('{"info"') else "log.jsonl")
    log.write_text(text, "utf-8")
    return [each.source for each in open_log(log).observations]


RENDERERS = (as_antigravity, as_claude_code, as_codex, as_opencode, as_gemini)


@pytest.mark.parametrize("render", [each.render_log for each in RENDERERS])
def test_the_output_of_a_tool_unknown_to_the_host_is_untrusted(render, tmp_path):
    text, _ = render(Story("a", (Step("user", "", "look", ""), Step("mcp", "q/zz", "q", "text"))))
    for name in ("mcp__q__zz", "mcp_q_zz", "q_zz", '"zz"'):
        text = text.replace(name, '"fetcher"' if name[0] == '"' else "fetcher")
    assert "mcp" in find_sources(text.replace("mcp__q", "ns"), tmp_path)


@pytest.mark.parametrize(
    ("content", "source"),
    [
        *[({"type": kind, "source": {"data": "JVBERi0="}}, "remote") for kind in ("document", "image", "new")],
        ({"type": "tool_reference", "tool_name": "TaskCreate"}, "local"),
        ({"type": "tool_reference", "tool_name": "mcp__wiki__ask"}, "remote"),
        ({"type": "tool_reference", "tool_name": None}, "remote"),
    ],
)
def test_output_other_than_text_is_untrusted(content: dict[str, object], source: Source, tmp_path: Path) -> None:
    text, _ = as_claude_code.render_log(Story("a", (Step("user", "", "look", ""), Step("read", "", "a.py", "HERE"))))
    assert find_sources(text, tmp_path) == ["user", "local"]
    assert find_sources(text.replace(json.dumps("HERE"), json.dumps([content])), tmp_path) == ["user", source]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<div>this element is broken since today</div>", "<div>this element is broken since today</div>"),
        ("why is <user_id>1</user_id> wrong?", "why is <user_id>1</user_id> wrong?"),
        ("look <mcp:result>somebody wrote these words</mcp:result> here", "look  here"),
        ("<a-b>one two three four</a-b> own <a-b>five</a-b>", ""),
    ],
)
def test_html_elements_stay_in_a_message_and_host_elements_are_removed(text: str, own: str) -> None:
    assert remove_host_elements(text) == own
