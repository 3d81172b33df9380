"""Secrets that a command prints, that a sentence repeats, or that a syntax contains without a name: count what a session leaves.

``python -m tests.redaction.attack_sessions [--draws N]`` draws each kind with each form of ``VALUES``. In a template ``«S»`` is the
secret, ``«A»`` and ``«B»`` are its halves.
"""

from __future__ import annotations

import argparse
import base64
import re
import string
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from mind_skills.redaction.session import SessionSecrets
from tests.redaction.attack_values import ALNUM, HEX, chosen, draw_characters, password

PIECE = 6
_MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")
_SIGNS = "!@#%^&*-_+=."
_OTHERS = "".join(sign for sign in string.punctuation if sign not in _SIGNS)


def _base64(random: Random) -> str:
    return base64.b64encode(random.randbytes(random.choice((24, 32, 33)))).decode()


VALUES: dict[str, Callable[[Random], str]] = {
    "hex": lambda random: draw_characters(random, HEX, random.choice((32, 40, 48, 64))),
    "uuid": lambda random: str(UUID(int=random.getrandbits(128), version=4)),
    "base64": _base64,
    "token": lambda random: draw_characters(random, ALNUM, 30) + random.choice("abcdef") + random.choice("23456789"),
    "password": lambda random: password(random, without=_OTHERS),
    "chosen": chosen,
}
KNOWN_FORMS = ("hex", "uuid", "base64", "token")
"""Forms that are recognised by their alphabet and length, next to a word for a secret."""

PRINTED = (
    ("python -c 'import os; print(dict(os.environ))'", "{'PATH': '/bin', 'SHOP_LIVE': '«S»'}"),
    ("git show HEAD:config/secrets.yml", "production:\n  live: «S»\n"),
    ("git diff HEAD~1 -- config/credentials.yml", "@@ -1 +1 @@\n-live: «S»\n+live: x\n"),
    ("bin/rails console <<< 'User.first.api_key'", '=> "«S»"\n'),
    ("cat terraform.tfstate", '{"type": "random_password", "attributes": {"length": 32, "result": "«S»"}}'),
    ("""ruby -e 'puts ENV["STRIPE_SECRET_KEY"]'""", "«S»"),
    ("""bundle exec rails runner 'puts ENV.fetch("APP_TOKEN")'""", "Running via Spring preloader\n«S»\n"),
    ("""python3 -c 'import os; print(os.environ["API_KEY"])'""", "«S»\n"),
    ("""python -c "import os;print(repr(os.getenv('DB_PASSWORD')))\"""", "'«S»'"),
    ("""node -p 'process.env.AUTH_TOKEN'""", "«S»"),
    ("""php -r 'echo getenv("MAIL_PASSWORD");'""", "«S»"),
    ("printenv HELIUS_API_KEY", "«S»"),
    ("docker compose exec -T web printenv SECRET_KEY_BASE", "«S»\n"),
    ("echo $DEPLOY_TOKEN", "«S»"),
    ("""echo "key: ${API_KEY}\"""", "key: «S»"),
    ("source .env && echo ok $SESSION_SECRET", "ok «S»"),
    ("env | grep -i token", "MY_TOKEN=«S»"),
    ("kubectl get secret db -o jsonpath='{.data.password}' | base64 -d", "«S»"),
    ("kubectl get secrets/app -n prod -o go-template='{{.data.key}}'; echo", "«S»\n"),
    ("vault kv get -field=value secret/app/stripe", "«S»"),
    ("vault read -field=token auth/x", "«S»"),
    ("aws configure get aws_secret_access_key", "«S»"),
    ("aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text", "«S»"),
    ("aws ssm get-parameter --name /prod/db --with-decryption --query Parameter.Value --output text", "«S»"),
    ("gcloud secrets versions access latest --secret=stripe", "«S»"),
    ("gcloud auth print-access-token", "«S»"),
    ("az keyvault secret show --vault-name v --name db --query value -o tsv", "«S»"),
    ("az storage account keys list -n shop --query '[0].value' -o tsv", "«S»"),
    ("terraform output -raw db_password", "«S»"),
    ("""tofu output admin_token""", '"«S»"'),
    ("pulumi config get dbPassword", "«S»"),
    ("op read op://prod/stripe/credential", "«S»"),
    ("op item get stripe --fields password --reveal", "«S»"),
    ("pass show shop/stripe", "«S»\nurl: https://stripe.com"),
    ("gopass show -o db/root", "«S»"),
    ("bw get password github", "«S»"),
    ("security find-generic-password -s shop -w", "«S»"),
    ("secret-tool lookup service shop", "«S»"),
    ("heroku config:get RAILS_MASTER_KEY -a shop", "«S»"),
    ("flyctl ssh console -C 'printenv TOKEN'", "Connecting to fdaa:0:1... complete\n«S»"),
    ("doppler secrets get API_KEY --plain", "«S»"),
    ("bin/rails credentials:show", "stripe:\n  live: «S»\n"),
    ("ansible-vault view group_vars/all/vault.yml", "vault_db: «S»"),
    ("sops -d secrets.enc.yaml", "db: «S»\nhost: db.internal"),
    ("gpg -dq token.gpg", "«S»"),
    ("openssl rand -hex 32", "«S»"),
    ("openssl rand -base64 24 | tr -d '\\n'", "«S»"),
    ("head -c 32 /dev/urandom | base64", "«S»"),
    ("uuidgen | tee .token", "«S»"),
    ("pwgen -s 32 1", "«S»"),
    ("python3 -c 'import secrets; print(secrets.token_urlsafe(32))'", "«S»"),
    ("""node -e "console.log(require('crypto').randomBytes(32).toString('hex'))\"""", "«S»"),
    ("bin/rails secret", "«S»"),
    ("mix phx.gen.secret", "«S»"),
    ("wg genkey", "«S»"),
    ("jq -r .apiKey config.json", "«S»"),
    ("""cat config.json | jq '.stripe.secret'""", '"«S»"'),
    ("yq '.database.password' values.yaml", "«S»"),
    ("grep STRIPE_SECRET .env | cut -d= -f2", "«S»"),
    ("awk -F= '/API_KEY/{print $2}' .env", "«S»"),
    ("sed -n 's/^DB_PASSWORD=//p' .env", "«S»"),
    ("cat /run/secrets/db", "«S»"),
    ("cat config/master.key", "«S»"),
    ("cat ~/.vault-token; echo", "«S»\n"),
    ("cat .secrets/stripe.txt", "«S»"),
    ("type C:\\keys\\api_token.txt", "«S»"),
    ("Get-Content .\\token.txt", "«S»"),
    ("Write-Output $env:API_TOKEN", "«S»"),
    ("""psql -Atc "select api_key from users limit 1" shop""", "«S»"),
    ("""sqlite3 app.db 'SELECT token FROM sessions'""", "«S»\n"),
    ("redis-cli get session:secret", '"«S»"'),
    ("consul kv get app/db_password", "«S»"),
    ("git config --get github.token", "«S»"),
    ("gh auth token", "«S»"),
    ("npm config get //registry.npmjs.org/:_authToken", "«S»"),
    ("php artisan key:generate --show", "base64:«S»"),
    ("ssh web 'cat /etc/shop/api_key'", "«S»"),
    ("for k in API_KEY DB_PASSWORD; do printenv $k; done", "«S»\nlocalhost"),
    ("jq -r '.[] | .id, .token' tokens.json", "".join(f"{n}\n«S»\n" for n in range(15))),
    ("Read /srv/shop/.env", "     1→NODE_ENV=production\n" * 14 + "     15→SHOP_LIVE=«S»\n"),
    ("Write deploy/.env.production", "# live\nSHOP_LIVE=«S»\nPORT=8080\n"),
    ("Edit .env", 'SHOP_LIVE="«S»"'),
    ("Grep SHOP_ /srv/shop/.env", "3:SHOP_LIVE=«S»"),
    ("Grep SHOP_", "src/shop.py:3:import os\n.env.local:12:SHOP_LIVE=«S»\n"),
    ("cat terraform.tfvars", 'region = "eu-west-1"\nlive   = "«S»"\n'),
    ("dotenv get STRIPE_SK", "«S»"),
    ("keyctl print 12345", "«S»"),
    ("rails runner 'p Rails.application.credentials.stripe'", '{:live=>"«S»"}'),
    ("bao kv get -field=token kv/app", "«S»"),
    ("powershell -c '[Environment]::GetEnvironmentVariable(\"API_KEY\")'", "«S»"),
    ("argocd admin initial-password -n argocd", "«S»\n\n This password must be only used for first time login."),
    ("eyaml decrypt -s ENC[PKCS7,x]", "«S»"),
    ("rclone reveal YmFy", "«S»"),
    ("nmcli -s -g 802-11-wireless-security.psk connection show home", "«S»"),
    ("vault write -f auth/approle/role/ci/secret-id", "Key          Value\n---          -----\nsecret_id    «S»"),
    # settings of other programs, with secrets under any name
    ("cat /proc/1/environ | tr '\\0' '\\n'", "PATH=/usr/bin\nMAILER=«S»\nHOME=/root"),
    ("systemctl show shop -p Environment", "Environment=NODE_ENV=production PAYMENTS=«S»"),
    ("python -c 'import app; print(app.settings)'", "Settings(debug=False, stripe_live='«S»', url='x')"),
    ("doppler secrets --json", '{"SHOP_LIVE": {"computed": "«S»"}, "PORT": {"computed": "8080"}}'),
    (
        "aws secretsmanager get-secret-value --secret-id prod/db",
        '{\n    "Name": "prod/db",\n    "SecretString": "{\\"user\\":\\"app\\",\\"live\\":\\"«S»\\"}"\n}',
    ),
    ("kubectl get secret shop -o yaml", "apiVersion: v1\ndata:\n  live: «S»\nkind: Secret\n"),
    ("helm get values shop", "USER-SUPPLIED VALUES:\nstripe:\n  live: «S»\n"),
    ("heroku config -a shop", "=== shop Config Vars\nLIVE: «S»\nPORT: 80\n"),
    ("terraform show", 'resource "x" "y" {\n    live = "«S»"\n    name = "shop"\n}\n'),
    ("terraform output", 'live = "«S»"\nregion = "eu-west-1"\n'),
    ("argocd app get-resource shop --output secret", "live: «S»"),
    ("echo aGk= | base64 -d", "«S»\n"),
    # tools of servers, with what they are asked for
    (
        "mcp__playwright__browser_evaluate () => localStorage.getItem('access_token')",
        '### Result\n"«S»"\n### Page state\n- Page URL: http://localhost:3000/\n- Page Title: Shop',
    ),
    (
        "mcp__chrome-devtools__evaluate_script () => { return {...localStorage} }",
        'Script ran on page and returned:\n```json\n{"theme":"dark-blue","sb":"«S»","seen":"2026-11-01T10:00:00Z"}\n```',
    ),
    ("mcp__chrome-devtools__evaluate_script () => document.cookie", '"theme=dark; sid=«S»; lang=en"'),
    ("mcp__browser__get_cookies http://localhost", '[{"name":"sid","value":"«S»","domain":"localhost","path":"/"}]'),
    ("mcp__filesystem__read_text_file /srv/shop/.env", "PORT=80\nSHOP_LIVE=«S»\n"),
    ("mcp__kubernetes__kubectl_get secret shop yaml", "apiVersion: v1\ndata:\n  live: «S»\nkind: Secret\n"),
    # what is printed among words, and by a command in the middle of others
    ("vault kv get secret/app", "The value of stripe is now «S» and expires soon"),
    ("cat > notes.txt <<'E'\n" + "a plain line\n" * 200 + "E\nop read op://shop/db\n" + "make all\n" * 200, "«S»"),
)
"""Commands that name a secret or make one, and their output."""

REPEATED = (
    'The variable IS set to "«S»", so that is not it.',
    "PRIMARY=«S» and the rest is empty",
    'It answered invalid key "«S»".',
    "I cannot decrypt with key «S».",
    "Log in as admin / «S»",
    "Es ist auf `«S»` gesetzt.",
    "La valeur est «S», je la copie.",
    "値は「«S»」です",
    "curl https://h.test/v1/me -H 'X-Thing: «S»'",
    "value «A»\n«B» over two lines",
    'const a = "«A»" + "«B»"',
    "old=«S»;new=x",
    "(«S»)",
    "https://h.test/a?x=«S»&y=1",
)
"""How an agent repeats what was printed earlier in the session."""

SENTENCES = (
    'API_KEY IS set to "«S»"',
    'The token in the environment is "«S»"',
    'The server said: invalid key "«S»"',
    "error: cannot decrypt with key «S»",
    "You can log in with admin / «S»",
    "login: admin password: «S»",
    "Your new API key is:\n\n«S»\n\nKeep it safe.",
    "Here is the token:\n\n    «S»\n",
    "Secret access key\n\n«S»",
    "the password is «S»",
    "I set the password to «S» for now",
    "I used «S» as the password",
    "use `«S»` as API key",
    "unlock it with the passphrase «S»",
    "otp: «S»",
    "one-time password «S»",
    "recovery code: «S»",
    "Das Passwort lautet «S»",
    "Das neue Kennwort ist: «S»",
    "Der Schlüssel ist «S»",
    "Le mot de passe est «S»",
    "La clé API est «S»",
    "La contraseña es «S»",
    "El token es «S»",
    "A senha é «S»",
    "Пароль: «S»",
    "Ключ API: «S»",
    "токен доступа «S»",
    "密码是 «S»",
    "密钥：«S»",
    "パスワードは «S» です",
    "トークン: «S»",
    "비밀번호는 «S» 입니다",
    "la password è «S»",
    "het wachtwoord is «S»",
    "authentication failed for token «S»",
    "rejected credential «S» (expired)",
    "signed with secret «S»",
    "`MASTER_KEY` → `«S»`",
    "my new token (expires tomorrow): «S»",
    "login bob / «S»",
    "Hasło do bazy: «S»",
    "Het wachtwoord is «S»",
    "Mật khẩu là «S»",
    "सांकेतिक पासवर्ड: «S»",
    "the webhook secret should be «S»",
    "rotate this key: «S»",
    "Bearer «S»",
    "key mismatch: expected secret «S»",
    "пароль от админки — «S»",
    "APIキーは «S» です",
    "API 키: «S»",
    "Found a hard-coded password in src/config.ts line 12: `«S»`",
    "The `.env` has STRIPE_LIVE set to `«S»`.",
    "I generated a random one: `«S»` and stored it as JWT_SECRET.",
    "the staging site has basic auth, staging / «S»",
    "use bob@h.test with «S» to sign in",
)

SYNTAXES = (
    "HELIUS_API_KEY=«S»",
    'HELIUS_API_KEY="«S»"',
    "export PRIVATE_TOKEN='«S»'",
    "api_key: «S»",
    '{"apiKey":"«S»"}',
    '{"api_key": "«S»", "x": 1}',
    'curl -H "x-api-key: «S»" https://h.test',
    "-H 'X-Auth-Token: «S»'",
    "control: client_secret=«S»",
    "https://h.test/?token=«S»",
    "https://rpc.h.test/?api-key=«S»",
    "wss://h.test/ws?access_token=«S»&x=1",
    'jwt.sign(payload, "«S»")',
    "jwt.sign({ id }, '«S»', { expiresIn: '1h' })",
    "jwt.verify(token, '«S»')",
    'createHmac("sha256", "«S»")',
    "crypto.createHmac('sha512', '«S»').update(x)",
    'hmac.new(b"«S»", body, sha256)',
    'Fernet(b"«S»")',
    "Fernet('«S»')",
    "vault login «S»",
    "vault login -method=token «S»",
    "https://h.test/reset/«S»",
    "https://h.test/password/reset/«S»",
    "https://h.test/invite/«S»",
    "api_key: >-\n  «S»\n",
    "password: |\n  «S»\n",
    "token: >\n    «S»\nname: x",
    'secret = (\n    "«S»"\n)',
    'const apiKey =\n  "«S»";',
    "API key\n-------\n«S»",
    "token:\n\n  «S»",
    'const token = "«A»" + "«B»";',
    "API_KEY = 'A1«A»' \\\n          '«B»'",
    "token: «A»\n«B»",
    'new Client("«S»") // api key',
    'Client(api_key="«S»")',
    "client.setToken('«S»')",
    'os.environ["API_TOKEN"] = "«S»"',
    'os.environ.setdefault("SECRET_KEY", "«S»")',
    "ENV['SECRET_KEY_BASE'] = '«S»'",
    "process.env.API_KEY = '«S»'",
    "process.env.API_KEY || '«S»'",
    "$env:API_TOKEN = '«S»'",
    "setx API_TOKEN «S»",
    "set -gx API_TOKEN «S»",
    "heroku config:set API_KEY=«S»",
    "fly secrets set API_KEY=«S»",
    "ENV API_KEY «S»",
    "ARG TOKEN=«S»",
    "--api-key «S»",
    "--api-key=«S»",
    "--token «S»",
    "<apiKey>«S»</apiKey>",
    '<add key="ApiKey" value="«S»" />',
    "| API key | «S» |",
    "apikey = «S»",
    'api_key := "«S»"',
    "secret_key => '«S»',",
    "X-API-KEY: «S»",
    "Authorization: Token «S»",
    "Authorization: Bearer «S»",
    "machine h.test login me password «S»",
    'SetSecret("«S»")',
    'api_key: !!str "«S»"',
    '"credentials": ["dev","«S»"]',
    "<entry><key>apiKey</key><value>«S»</value></entry>",
    "<name>db.password</name>\n  <value>«S»</value>",
    '<secret name="db">«S»</secret>',
    '{"value":"«S»","name":"API_TOKEN"}',
    '{"key": "api_key", "type": "string", "value": "«S»"}',
    "INSERT INTO users (name, password) VALUES ('bob', '«S»');",
    "REPLACE INTO api_tokens (id, token) VALUES (1, '«S»')",
    "ALTER USER app WITH ENCRYPTED PASSWORD '«S»'",
    'expect "assword:"\nsend "«S»\\r"',
    "aws ssm put-parameter --name /prod/db/password --value «S» --type String",
    "az keyvault secret set --vault-name v --name db --value «S»",
    "kind: Secret\nstringData:\n  db: «S»\n",
    "echo 'STRIPE_LIVE=«S»' >> .env",
    "+++ b/.env\n@@ -1 +1 @@\n+STRIPE_LIVE=«S»",
    'api_key <- "«S»"',
    'password := []byte("«S»")',
    "AES.new(bytes.fromhex('«S»'), AES.MODE_GCM)",
    "Environment=PAYMENTS_KEY=«S»",
    "-const STRIPE_KEY = '«S»';",
    '[mcp_servers.x.env]\nSHOP_LIVE = "«S»"',
    "curl -H 'X-Shop-Key: «S»' https://h.test",
    "secret_id              = «S»",
    "SecretID:         «S»",
    '"adminPassword": {\n  "value": "«S»"\n}',
    '"db_password": {\n    "sensitive": true,\n    "type": "string",\n    "value": "«S»"\n  }',
    '{"ParameterKey": "DbPassword", "ParameterValue": "«S»"}',
    "--parameters ParameterKey=DbPassword,ParameterValue=«S»",
    '{\n  "type" : "secret",\n  "value" : "«S»"\n}',
    '3) "access_token"\n4) "«S»"\n5) "expires"',
    '{secret_key_base, <<"«S»">>}',
    'parser.add_argument("--token", default="«S»")',
    "printf '%s' '«S»' | gcloud secrets create live --data-file=-",
    "echo -n '«S»' | cryptsetup luksOpen /dev/sda1 data -",
    "mosquitto_pub -h h.test -u bob -P '«S»' -t x -m y",
    "snmpwalk -v3 -u bob -A «S» -X «S» h.test",
    "cypher-shell -u neo4j -p '«S»'",
    "COPY public.tokens (id, user_id, token) FROM stdin;\n1\t2\t«S»\n\\.",
)


class Left(NamedTuple):
    draws: int
    left: int
    example: str


def is_left(seen: str, secret: str, text: str) -> bool:
    """Whether the secret, or six or more of its characters that occur nowhere else in the text, are left."""
    seen = _MARK.sub("\n", seen)
    around = text.replace(secret, "\n")
    half = (len(secret) + 1) // 2
    around = around.replace(secret[:half], "\n").replace(secret[half:], "\n")
    pieces = (secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1))
    return secret in seen or any(piece in seen and piece not in around for piece in pieces)


def fill(template: str, secret: str) -> str:
    secret = quote(secret, safe="") if "://" in template else secret
    half = (len(secret) + 1) // 2
    return template.replace("«S»", secret).replace("«A»", secret[:half]).replace("«B»", secret[half:])


def print_secret(command: str, output: str, later: str, secret: str) -> tuple[str, str]:
    """The output of a command, and a later text of the same session, as they are shown."""
    session = SessionSecrets()
    shown = session.note_output(command, fill(output, secret))
    session.note(shown)
    session.note(fill(later, secret))
    return session.clean(shown), session.clean(fill(later, secret))


def attack(kind: str, form: str, draws: int, count: Callable[[str, Random], tuple[bool, str]]) -> Left:
    left, example = 0, ""
    for number in range(draws):
        random = Random(f"{kind} {form} {number}")
        is_one_left, text = count(VALUES[form](random), random)
        left += is_one_left
        example = example or (text if is_one_left else "")
    return Left(draws, left, example)


def count_printed(command: str, output: str) -> Callable[[str, Random], tuple[bool, str]]:
    def count(secret: str, random: Random) -> tuple[bool, str]:
        later = random.choice(REPEATED)
        shown, repeated = print_secret(command, output, later, secret)
        texts = fill(output, secret), fill(later, secret)
        later_form = quote(secret, safe="") if "://" in later else secret
        return is_left(shown, secret, texts[0]) or is_left(repeated, later_form, texts[1]), f"{shown!r} {repeated!r}"

    return count


def count_written(template: str) -> Callable[[str, Random], tuple[bool, str]]:
    def count(secret: str, random: Random) -> tuple[bool, str]:
        session, text = SessionSecrets(), fill(template, secret)
        session.note(text)
        seen = session.clean(text)
        return is_left(seen, quote(secret, safe="") if "://" in template else secret, text), f"{text!r} -> {seen!r}"

    return count


KINDS: dict[str, dict[str, Callable[[str, Random], tuple[bool, str]]]] = {
    "printed": {command: count_printed(command, output) for command, output in PRINTED},
    "sentences": {template: count_written(template) for template in SENTENCES},
    "syntaxes": {template: count_written(template) for template in SYNTAXES},
}


def attack_all(draws: int, group: str) -> Iterator[tuple[str, str, Left]]:
    """Yield the kind, the form and what is left."""
    for kind, count in KINDS[group].items():
        for form in VALUES:
            yield kind, form, attack(kind, form, draws, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--examples", type=int, default=200)
    given = parser.parse_args()
    for group in KINDS:
        found = list(attack_all(given.draws, group))
        for form in VALUES:
            rows = [left for _, each, left in found if each == form]
            left_count, draws = sum(row.left for row in rows), sum(row.draws for row in rows)
            print(f"{group:12} {form:10} {draws:7} {left_count:6}  {left_count / draws:.2%}")
        for kind, form, left in sorted(found, key=lambda row: -row[2].left)[: given.examples]:
            if left.left:
                print(f"    {left.left:4} {form:9} {kind[:50]!r:54} {left.example[:150]}")


if __name__ == "__main__":
    main()
