"""Invented secrets, made while a test runs, so that no file of this project contains what a scanner takes for a secret.

``ISSUED``: keys that their issuer made recognisable, by the name of the rule that detects them. ``PLACED``: texts in which
only the place or the name gives a secret away, with the secret. ``WRAPPED``: texts around an issued key.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from random import Random

UPPER, LOWER, DIGITS, HEX = "ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "0123456789", "0123456789abcdef"
WORD = UPPER + LOWER + DIGITS
DASHES = "-" * 5

Maker = Callable[[Random], str]
Placed = Callable[[Random], tuple[str, str]]


def body(random: Random, alphabet: str, length: int) -> str:
    """Random characters of an alphabet, with letters and digits among them."""
    made = [random.choice(alphabet) for _ in range(length)]
    for place in range(0, length - 2, 5):
        made[place] = random.choice([c for c in alphabet if c.isalpha()])
        made[place + 2] = random.choice([c for c in alphabet if c.isdigit()])
    return "".join(made)


def key(start: str, alphabet: str, length: int, *more: str | int) -> Maker:
    """A maker of keys: ``start`` without its blank, a body, then further pieces; numbers are lengths of bodies."""
    return lambda random: "".join(
        piece if isinstance(piece, str) else body(random, alphabet, piece)
        for piece in (start.replace(" ", ""), length, *more)
    )


def encoded(maker: Maker) -> Maker:
    return lambda random: base64.b64encode(maker(random).encode()).decode()


def pem(kind: str) -> Maker:
    """A private key of ten lines."""

    def made(random: Random) -> str:
        lines = "\n".join(body(random, WORD, 64) for _ in range(10))
        return f"{DASHES}BEGIN {kind}PRIVATE KEY{DASHES}\n{lines}\n{DASHES}END {kind}PRIVATE KEY{DASHES}\n"

    return made


ISSUED: dict[str, tuple[Maker, ...]] = {
    "aws-key": (key("AK IA", UPPER + DIGITS, 16), key("AS IA", UPPER + DIGITS, 16)),
    "aws-bedrock-key": (key("AB SK", WORD, 100),),
    "google-key": (key("AI za", WORD, 35),),
    "google-token": (key("ya 29.", WORD, 60),),
    "google-refresh-token": (key("1/ /0", WORD, 60),),
    "google-secret": (key("GOC SPX-", WORD, 28),),
    "github-token": tuple(key(f"gh {c}_", WORD, 36) for c in "pousr"),
    "github-pat": (key("github _pat_", WORD, 22, "_", 59),),
    "gitlab-token": tuple(key(f"gl {c}-", WORD, 20) for c in ("pat", "imt", "dt", "rt", "cbt", "ptt", "soat", "agent")),
    "slack-token": (
        key("xo xb-", DIGITS + "A", 12, "-", 13, "-", 24),
        key("xo xp-", WORD, 40),
        key("xa pp-1-", WORD, 24),
    ),
    "stripe-key": (key("sk _live_", WORD, 24), key("rk _test_", WORD, 24)),
    "stripe-secret": (key("wh sec_", WORD, 32),),
    "npm-token": (key("np m_", WORD, 36),),
    "pypi-token": (key("py pi-AgEIcHlwaS5vcmc", WORD, 80),),
    "rubygems-key": (key("ruby gems_", HEX, 48),),
    "crates-token": (key("ci o", WORD, 32),),
    "nuget-key": (key("oy 2", LOWER + DIGITS, 43),),
    "clojars-token": (key("CLO JARS_", HEX, 60),),
    "docker-token": (key("dckr _pat_", WORD, 27),),
    "artifactory-key": (key("AK Cp", WORD, 69),),
    "api-key": (
        key("sk -", WORD, 48),
        key("sk -proj-", WORD, 20, "_", 20),
        key("sk -ant-api03-", WORD, 90, "-AA"),
        key("sk -or-v1-", HEX, 64),
        key("sk -", HEX, 32),
    ),
    "hugging-face-token": (key("hf _", WORD, 34),),
    "inference-key": (
        key("gs k_", WORD, 52),
        key("xa i-", WORD, 80),
        key("pp lx-", WORD, 48),
        key("nv api-", WORD, 64),
    ),
    "replicate-token": (key("r8 _", WORD, 37),),
    "langsmith-key": (key("lsv2 _pt_", HEX, 32, "_", 10),),
    "sendgrid-key": (key("S G.", WORD, 22, ".", 43),),
    "mailgun-key": (key("ke y-", HEX, 32),),
    "mailchimp-key": (key("", HEX, 32, "-us", "12"),),
    "twilio-key": (key("S K", HEX, 32),),
    "digitalocean-token": (key("dop _v1_", HEX, 64),),
    "heroku-key": (key("HR KU-", WORD, 60),),
    "netlify-token": (key("nf p_", WORD, 36),),
    "fly-token": (key("fm 2_", WORD, 80), key("fo 1_", WORD, 43)),
    "shopify-token": (key("shp at_", HEX, 32),),
    "square-token": (key("sq0 atp-", WORD, 22),),
    "facebook-token": (key("EA A", WORD, 150),),
    "dropbox-token": (key("sl .", WORD, 140),),
    "databricks-token": (key("da pi", HEX, 32),),
    "planetscale-token": (key("pscale _tkn_", WORD, 43),),
    "supabase-key": (key("sb p_", HEX, 40), key("sb _secret_", WORD, 32)),
    "vault-token": (key("hv s.", WORD, 90), key("hv b.", WORD, 120)),
    "terraform-token": (key("", WORD, 14, ".atlas" + "v1.", 67),),
    "pulumi-token": (key("pu l-", HEX, 40),),
    "doppler-token": (key("dp .pt.", WORD, 43), key("dp .st.dev.", WORD, 43)),
    "tailscale-key": (key("ts key-auth-", WORD, 16, "-", 32),),
    "grafana-token": (key("gl sa_", WORD, 32, "_", 8),),
    "sentry-token": (key("sn trys_", WORD, 80),),
    "newrelic-key": (key("NR AK-", UPPER + DIGITS, 27),),
    "sonar-token": (key("sq u_", HEX, 40),),
    "circleci-token": (key("CC IPAT_", WORD, 22, "_", 40),),
    "buildkite-token": (key("bk ua_", HEX, 40),),
    "postman-key": (key("PM AK-", HEX, 24, "-", 34),),
    "linear-key": (key("lin _api_", WORD, 40),),
    "notion-token": (key("nt n_", WORD, 46), key("secret _", WORD, 43)),
    "figma-token": (key("fi gd_", WORD, 40),),
    "airtable-token": (lambda r: "pat" + body(r, WORD, 14) + "." + body(r, HEX, 64),),
    "atlassian-token": (key("ATA TT3", WORD, 180),),
    "bitbucket-password": (key("AT BB", WORD, 32),),
    "hubspot-token": (key("pat -na1-", HEX, 8, "-", 4, "-", 4, "-", 4, "-", 12),),
    "onepassword-token": (key("ops _eyJ", WORD, 250),),
    "onepassword-key": (key("A 3-", UPPER + DIGITS, 6, "-", 6, "-", 5, "-", 5, "-", 5, "-", 5),),
    "nostr-key": (key("nsec 1", LOWER + DIGITS, 58),),
    "extended-key": (key("xprv 9s21ZrQH143K", WORD, 96),),
    "age-key": (key("AGE -SECRET-KEY-1", UPPER + DIGITS, 58),),
    "jwt": (key("ey J", WORD, 33, ".ey" + "J", 40, ".", 43),),
    "encoded-token": (
        encoded(key("gh p_", WORD, 36)),
        encoded(key("sk -ant-api03-", WORD, 90)),
        encoded(key("AK IA", UPPER + DIGITS, 16)),
        encoded(key("gl pat-", WORD, 20)),
    ),
    "encoded-key": (encoded(pem("")), encoded(pem("RSA "))),
}

WRAPPED = {
    "alone": "{}",
    "json": '{{"x": "{}", "y": 1}}',
    "escaped json": '"{{\\"x\\": \\"{}\\"}}"',
    "yaml": "on:\n  x: {}\n  y: 2\n",
    "env file": "A=1\nX={}\nB=2\n",
    "query": "GET https://h.test/a?x={}&y=1",
    "flag": "tool --x {} --y",
    "flag with equals": "tool --x={}",
    "header": "curl -H 'X: {}' https://h.test",
    "log line": "2026-01-01T00:00:00Z INFO got {} from peer",
    "code": "const x = `{}`;",
    "diff": "-x={}\n+x=",
    "between escapes": "one\\n{}\\ntwo",
    "percent encoded": "u=a%3D{}%26y",
    "in a table": "| x | {} |",
    "in brackets": "[{}]",
}


def word(length: int = 24, alphabet: str = WORD, text: str = "{}") -> Placed:
    """A maker of texts that contain a body of letters and digits."""

    def made(random: Random) -> tuple[str, str]:
        secret = body(random, alphabet, length)
        return text.format(secret), secret

    return made


def _phrase(random: Random, text: str = 'mnemonic: "{}"') -> tuple[str, str]:
    secret = " ".join("".join(random.choice(LOWER) for _ in range(5)) for _ in range(12))
    return text.format(secret), secret


def _block(kind: str, text: Callable[[str], str]) -> Placed:
    """A private key in another form; the secret is a line from its middle."""

    def made(random: Random) -> tuple[str, str]:
        block = pem(kind)(random)
        return text(block), block.split("\n")[5]

    return made


def _indented(block: str) -> str:
    return "key: |\n" + "".join(f"    {line}\n" for line in block.splitlines()) + "next: 1\n"


PLACED: dict[str, dict[str, Placed]] = {
    "slack-webhook": {"": word(24, text="https://hooks.slack.com/serv" + "ices/T00000000/B00000000/{}")},
    "bearer": {
        "header": word(32, text="-H 'X-Auth: Bearer {}'"),
        "in prose": word(32, text="sent it with bearer {} and got 401"),
    },
    "authorization": {
        "basic": word(28, text="Authorization: Basic {}"),
        "in json": word(32, text='{{"authorization": "token {}"}}'),
        "raw": word(32, text="> authorization: {}"),
        "capitals": word(32, text="git -c http.extraheader='AUTHORIZATION: basic {}' fetch"),
    },
    "cookie": {
        "request": word(32, text="Cookie: theme=dark; sid={}; a=b"),
        "reply": word(40, text="set-cookie: session={}; Path=/"),
    },
    "url-password": {
        "postgres": word(12, text="psql postgres://app:{}@db.internal:5432/app"),
        "redis": word(12, text="redis://:{}@cache:6379/0"),
        "mongodb": word(12, text='"mongodb+srv://root:{}@cluster0.example.test/?w=1"'),
        "amqp": word(12, text="amqps://svc:{}@mq:5671/vhost"),
        "basic": word(12, text="fetch('https://deploy:{}@ci.example.test/job')"),
    },
    "url-token": {"": word(32, HEX, "git clone https://{}@git.example.test/a/b")},
    "curl-user": {
        "short": word(10, text="curl -u admin:{} https://h.test"),
        "long": word(10, text="curl --user 'a:{}' x"),
    },
    "database-password": {
        "mysql": word(12, text="mysql -u root -p{} shop < dump.sql"),
        "traced": word(12, text="++ mysql -u root '-p{}' shop"),
        "twine": word(32, text="twine upload -u __token__ -p {} dist/*"),
        "redis": word(12, text="redis-cli -h cache -a {} ping"),
        "docker": word(12, text="docker login -u me -p {} registry.test"),
        "sshpass": word(12, text="sshpass -p '{}' ssh host"),
        "mongo": word(12, text="mongo -u me -p {} shop"),
        "cqlsh": word(12, text="cqlsh -u me -p {} h.test"),
        "poetry": word(32, text="poetry publish -u __token__ -p {}"),
        "7z": word(12, text="7z x -p{} backup.7z"),
        "unzip": word(12, text="unzip -P {} backup.zip"),
        "sqlcmd": word(12, text="sqlcmd -S h.test -U sa -P {}"),
        "ldapsearch": word(12, text="ldapsearch -x -D cn=me -w {} -b dc=test"),
        "keychain": word(12, text="security add-generic-password -a me -s app -w {}"),
    },
    "telegram-token": {"": word(34, text="https://api.telegram.org/bot123456789:" + "AA{}/getMe")},
    "azure-secret": {"": word(34, text="value abc8" + "Q~{} made")},
    "signed-url": {
        "azure": word(44, text="https://a.blob.core.windows.net/c/f?sv=2024-01-01&sr=b&sig={}%3D"),
        "amazon": word(64, HEX, "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Sig" + "nature={}"),
        "a content network": word(80, text="https://cdn.test/a?Expires=1&Sig" + "nature={}&Key-Pair-Id=K"),
    },
    "seed-phrase": {"": _phrase, "env": lambda random: _phrase(random, "MNEMONIC='{}'")},
    "jwk": {"": word(43, text='{{"kty": "EC", "crv": "P-256", "d": "{}"}}')},
    "putty-key": {"": word(64, text="PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{}\nAAAA\nPrivate-MAC: x")},
    "key block": {
        "whole": _block("RSA ", lambda b: f"cat id\n{b}done"),
        "openssh": _block("OPENSSH ", lambda b: b),
        "encrypted": _block("ENCRYPTED ", lambda b: b),
        "json": _block("", lambda b: '{"private_key": "' + b.replace("\n", "\\n") + '", "x": 1}'),
        "env": _block("EC ", lambda b: 'KEY="' + b.replace("\n", "\\n") + '"\nA=1\n'),
        "yaml": _block("", _indented),
        "quoted": _block("", lambda b: "".join(f"> {line}\n" for line in b.splitlines())),
        "windows lines": _block("RSA ", lambda b: b.replace("\n", "\r\n")),
        "without its end": _block("EC ", lambda b: b[: b.index(DASHES + "END")]),
        "without its begin": _block("EC ", lambda b: "cut here\n" + b.split("\n", 2)[2]),
        "pgp": _block("PGP ", lambda b: b.replace(f"KEY{DASHES}", f"KEY BLOCK{DASHES}")),
    },
    "pass": {
        "env": word(10, text="DB_PASSWORD={}\n"),
        "env of letters": word(12, text="DB_PASSWORD={}horse"),
        "short name": word(10, text="SMTP_PASS={}"),
        "quoted in a shell": word(8, text="export PGPASSWORD='{}!'"),
        "yaml": word(8, text="  password: {}"),
        "json": word(8, text='{{"user": "a", "password": "{}"}}'),
        "escaped json": word(8, text='"{{\\"password\\": \\"{}\\"}}"'),
        "flag": word(8, text="tool --password {} db"),
        "list of arguments": word(8, text='["tool", "--password", "{}", "db"]'),
        "connection string": word(10, text="Server=db;User Id=sa;Password={};Encrypt=true"),
        "properties": word(10, text="spring.datasource.password={}"),
        "php": word(10, text="'passwd' => '{}',"),
        "netrc": word(10, text="machine h.test login me password {}"),
        "xml": word(10, text="<server><password>{}</password></server>"),
        "openssl": word(10, text="openssl rsa -passin pass:{} -in k"),
        "passphrase": word(10, text="GPG_PASSPHRASE: {}"),
        "name and value": word(10, text="- name: DB_PASSWORD\n  value: {}\n"),
        "block": word(10, text="db:\n  password: |\n            {}\n  user: a\n"),
        "bold": word(10, text="- **Password:** {}"),
        "bold name": word(10, text="**Password**: `{}`"),
        "cell": word(10, text="| Name | Value |\n|---|---|\n| DB_PASSWORD | `{}` |"),
        "flag with one dash": word(10, text="keytool -genkey -storepass {} -alias a"),
        "instead of a setting": word(10, text="const password = process.env.DB_PASSWORD ?? '{}'"),
        "old and new": word(10, text='~ password = "old" -> "{}"'),
        "sql": word(10, text="ALTER ROLE app WITH LOGIN PASSWORD '{}';"),
        "setter": word(10, text='user.setPassword("{}");'),
    },
    "pw": {
        "": word(10, text="ADMIN_PWD={}"),
        "short": word(10, text="ADMIN_PW={}"),
        "connection string": word(10, text="Uid=sa;Pwd={};"),
        "glued": word(10, text="dbpw: {}"),
    },
    "psw": {"": word(10, text="smtp_pswd={}")},
    "secret": {
        "ini": word(40, text="aws_secret_access_key = {}"),
        "env": word(40, text="export AWS_SECRET_ACCESS_KEY={}"),
        "command": word(40, text="aws configure set aws_secret_access_key {}"),
        "client": word(32, text="client_secret={}&grant_type=x"),
        "rails": word(64, HEX, "SECRET_KEY_BASE={}"),
        "stored": word(24, text='"SecretString": "{}",'),
        "otp": word(32, UPPER + "234567", "otpauth://totp/a?secret={}&issuer=b"),
        "name and value": word(32, text='{{"name": "APP_SECRET", "value": "{}"}}'),
    },
    "token": {
        "json": word(24, text='"accessToken": "{}"'),
        "query": word(24, HEX, "GET /hook?token={}&x=1"),
        "header": word(20, text="PRIVATE-TOKEN: {}"),
        "npmrc": word(32, HEX, "//registry.example.test/:_auth" + "Token={}"),
        "toml": word(24, text='token = "{}"'),
        "python": word(24, text="headers['X-Auth-Token'] = '{}'"),
        "npm": word(32, HEX, "npm config set //registry.example.test/:_auth" + "Token {}"),
        "arrow": word(24, text="token -> {}"),
    },
    "key": {
        "python": word(20, text="api_key = '{}'"),
        "header": word(32, HEX, "X-Api-Key: {}"),
        "flag": word(20, text="tool --api-key={}"),
        "azure": word(86, text="AccountName=x;AccountKey={}==;EndpointSuffix=y"),
        "wallet": word(64, HEX, "PRIVATE_KEY=0x{}"),
        "url": word(32, text="https://h.test/v1?apikey={}"),
        "sentence": word(40, HEX, "the API key {} expired"),
    },
    "credential": {"": word(24, text="credential: '{}'")},
    "_auth": {"": word(28, text="//r.example.test/:_auth={}")},
}
