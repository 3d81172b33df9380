"""Places of passwords and tokens that only their name or their place gives away, in the syntax of many tools.

In a template ``«S»`` is the secret as that syntax writes it, ``«P»`` a name for a password, ``«T»`` one for a token.
``without`` are symbols that the syntax cannot contain unescaped.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from html import escape
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from tests.redaction.attack_values import LABELS, PASS_NAMES, TOKEN_NAMES, password, token


def _json(text: str) -> str:
    return json.dumps(text)[1:-1]


WRITTEN: dict[str, Callable[[str], str]] = {
    "raw": str,
    "json": _json,
    "json in json": lambda s: _json(_json(s)),
    "shell '": lambda s: s.replace("'", "'\\''"),
    'shell "': lambda s: "".join("\\" + c if c in '$`"\\!' else c for c in s),
    "shell": lambda s: "".join(c if c.isalnum() or c in "_-./:=@%+,^~" else "\\" + c for c in s),
    "''": lambda s: s.replace("'", "''"),
    "'": lambda s: s.replace("\\", "\\\\").replace("'", "\\'"),
    "`": lambda s: s.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${"),
    "url": lambda s: quote(s, safe=""),
    "url, small": lambda s: "".join(c if c.isalnum() else f"%{ord(c):02x}" for c in s),
    "xml": lambda s: escape(s, quote=True),
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "user base64": lambda s: base64.b64encode(f"deploy:{s}".encode()).decode(),
}


class Place(NamedTuple):
    kind: str
    template: str
    written: str = "raw"
    without: str = ""

    def text(self, random: Random, secret: str) -> tuple[str, str]:
        """The text, and the secret as it appears in it."""
        form = WRITTEN[self.written](secret)
        text = self.template.replace("«P»", random.choice(PASS_NAMES)).replace("«T»", random.choice(TOKEN_NAMES))
        return text.replace("«S»", form), form

    def draw(self, random: Random) -> tuple[str, str]:
        """A text with a new secret, and the secret as it appears in it."""
        return self.text(random, token(random) if "«T»" in self.template else password(random, without=self.without))


_YAML = "!&*{}[],#|>@`\"'%?:-="
PLACES: tuple[Place, ...] = (
    # shells and environments
    Place("env file", "HOST=a\n«P»=«S»\nPORT=1\n"),
    Place("env file, token", "HOST=a\n«T»=«S»\nPORT=1\n"),
    Place("env file, double quotes", 'HOST=a\n«P»="«S»"\nPORT=1\n', without='"\\'),
    Place("export", "export «P»=«S»", "shell"),
    Place("export, single quotes", "$ export «P»='«S»' && make", "shell '"),
    Place("export, double quotes", 'export «P»="«S»"; make', 'shell "'),
    Place("before a command", "PGPASSWORD='«S»' psql -h db -U app", "shell '"),
    Place("fish", "set -gx DB_PASSWORD '«S»'", "'"),
    Place("powershell", '$env:«P» = "«S»"', without='"`$'),
    Place("cmd set", "set «P»=«S»\r\necho x", without='"&|<>^%'),
    Place("setx", "setx DB_PASSWORD «S»", without="\"&|<>^%'"),
    Place("docker -e", "docker run -e «P»='«S»' -p 1:1 image", "shell '"),
    Place("docker -e, quoted whole", 'docker run -e "«P»=«S»" image', 'shell "'),
    Place("dockerfile ENV", "FROM a\nENV «P»=«S»\nRUN b", without="\"'\\$"),
    Place("dockerfile ENV, blank", "FROM a\nENV DB_PASSWORD «S»\nRUN b", without="\"'\\$"),
    Place("build-arg", "docker build --build-arg «T»=«S» .", "shell"),
    Place("compose list", "    environment:\n      - «P»=«S»\n      - A=b\n", without="#"),
    Place("systemd", 'Environment="«P»=«S»"', without='"\\'),
    Place("make", "«P» := «S»\nall:\n", without="#$"),
    # files of settings
    Place("properties", "spring.datasource.«P»=«S»\nserver.port=1", without="\\"),
    Place("properties, blanks", "spring.datasource.«P» = «S»\nserver.port = 1", without="\\"),
    Place("ini", "[db]\nuser = a\n«P» = «S»\n", without="#;"),
    Place("ini, colon", "[db]\nuser: a\n«P»: «S»\n", without="#;"),
    Place("yaml", "db:\n  «P»: «S»\n  user: a\n", without=_YAML),
    Place("yaml, single quotes", "db:\n  «P»: '«S»'\n  user: a\n", "''"),
    Place("yaml, double quotes", 'db:\n  «P»: "«S»"\n  user: a\n', "json"),
    Place("yaml flow", '{user: a, «P»: "«S»", port: 1}', "json"),
    Place("toml", '«P» = "«S»"\n', "json"),
    Place("toml literal", "«P» = '«S»'\n", without="'"),
    Place("json", '{"user": "a", "«P»": "«S»", "port": 1}', "json"),
    Place("json, no blanks", '{"user":"a","«P»":"«S»","port":1}', "json"),
    Place("json, lines", '{\n  "user": "a",\n  "«P»": "«S»"\n}', "json"),
    Place("json, token", '{"user": "a", "«T»": "«S»"}', "json"),
    Place("json in json", '{"text": "{\\"«P»\\": \\"«S»\\", \\"a\\": 1}"}', "json in json"),
    Place("netrc", "machine h.test login me password «S»\n", without="\"'"),
    Place("npmrc", "//r.test/:_authToken=«S»\n«T»=x"),
    Place("pypirc", "[pypi]\nusername = __token__\npassword = «S»\n"),
    Place("maven", "<server><id>a</id><password>«S»</password></server>", "xml"),
    Place("xml attribute", '<db user="a" password="«S»" port="1"/>', "xml"),
    Place("xml key and value", '<add key="DbPassword" value="«S»"/>', "xml"),
    Place("plist", "<key>password</key>\n\t<string>«S»</string>", "xml"),
    Place("git config", "[sendemail]\n\tsmtpPass = «S»\n", without='"\\#;'),
    Place("my.cnf", "[client]\nuser=a\npassword=«S»\n", without="#\"'\\"),
    Place("name and value", "env:\n  - name: DB_PASSWORD\n    value: '«S»'\n", "''"),
    Place("name and value, json", '[{"name": "DB_PASSWORD", "value": "«S»"}]', "json"),
    # code
    Place("python", '«P» = "«S»"', "json", without="."),
    Place("python keyword", "connect(host='db', password='«S»', port=1)", "'"),
    Place("python dict", "{'user': 'a', 'password': '«S»'}", "'"),
    Place("python auth tuple", "requests.get(url, auth=('deploy', '«S»'))", "'"),
    Place("python HTTPBasicAuth", 'HTTPBasicAuth("deploy", "«S»")', "json"),
    Place("python setdefault", "os.environ.setdefault('DB_PASSWORD', '«S»')", "'"),
    Place("javascript", "const cfg = { user: 'a', password: '«S»' };", "'"),
    Place("javascript token", "const «T» = '«S»';", "'"),
    Place("template literal", "const password = `«S»`;", "`"),
    Place("go", 'dbPassword := "«S»"', "json"),
    Place("rust", 'let password: &str = "«S»";', "json"),
    Place("java", 'props.setProperty("db.password", "«S»");', "json"),
    Place("java setter", 'ds.setPassword("«S»");', "json"),
    Place("php define", "define('DB_PASSWORD', '«S»');", "'"),
    Place("php array", "'password' => '«S»',", "'"),
    Place("ruby", "password: '«S»',", "'"),
    Place("ruby rocket", ":password => '«S»'", "'"),
    Place("c#", 'public string Password { get; set; } = "«S»";', "json"),
    Place("terraform", 'resource "a" "b" {\n  master_password = "«S»"\n}', "json"),
    Place("terraform plan", '  + password = "«S»"\n  + port = 1', "json"),
    Place("terraform change", '  ~ password = "old-one-1" -> "«S»"\n', "json"),
    Place(
        "terraform default",
        'variable "db_password" {\n  type    = string\n  default = "«S»"\n}\n',
        "json",
    ),
    Place("sql identified by", "CREATE USER 'app'@'%' IDENTIFIED BY '«S»';", "''"),
    Place("sql identified with", "ALTER USER a IDENTIFIED WITH caching_sha2_password BY '«S»';", "''"),
    Place("sql oracle", 'ALTER USER a IDENTIFIED BY "«S»";', without='"'),
    Place("sql with password", "CREATE ROLE app LOGIN PASSWORD '«S»';", "''"),
    Place("sql set password", "SET PASSWORD FOR 'a'@'b' = PASSWORD('«S»');", "''"),
    Place("mongo", "db.createUser({user: 'a', pwd: '«S»', roles: []})", "'"),
    # addresses and headers
    Place("url", "psql postgres://app:«S»@db.internal:5432/app", without="/?#"),
    Place("url, percent", "DATABASE_URL=postgres://app:«S»@db.internal:5432/app", "url"),
    Place("url, quoted", 'url = "mysql://root:«S»@127.0.0.1/shop"', without='/?#"\\'),
    Place("url, redis", "redis://:«S»@cache:6379/0", without="/?#"),
    Place("query", "GET /login?user=a&password=«S»&next=1 HTTP/1.1", "url"),
    Place("form", "curl -d 'user=a&password=«S»' https://h.test", "url"),
    Place("jdbc query", "jdbc:postgresql://db/app?user=a&password=«S»&ssl=true", "url"),
    Place("connection string", "Server=db;User Id=sa;Password=«S»;Encrypt=true", without=";'\"={}"),
    Place("libpq", "host=db user=a password=«S» dbname=b", without="'\\"),
    Place("libpq, quotes", "host=db user=a password='«S»' dbname=b", "'"),
    Place("header", "X-Api-Key: «S»\nAccept: a"),
    Place("header in curl", "curl -H 'X-Auth-Token: «S»' https://h.test", without="'"),
    Place("cookie in curl", "curl -b 'session=«S»' https://h.test", without="';,\"\\"),
    Place("cookie jar", "h.test\tFALSE\t/\tTRUE\t1790000000\tsid\t«S»\n", without=';,"\\'),
    # programs
    Place("curl -u", "curl -u 'deploy:«S»' https://h.test", "shell '"),
    Place("curl --user", "curl --user deploy:«S» https://h.test", "shell"),
    Place("flag", "tool --password '«S»' db", "shell '"),
    Place("flag with =", "tool --password=«S» db", "shell"),
    Place("flag, json list", '["tool", "--password", "«S»", "db"]', "json"),
    Place("mysql -p", "mysql -u root -p'«S»' shop", "shell '"),
    Place("redis-cli -a", "redis-cli -h cache -a '«S»' ping", "shell '"),
    Place("sshpass -p", "sshpass -p '«S»' ssh host", "shell '"),
    Place("docker login -p", "docker login -u me -p «S» r.test", "shell"),
    Place("htpasswd -b", "htpasswd -bc .htpasswd admin '«S»'", "shell '"),
    Place("openssl pass", "openssl rsa -passin 'pass:«S»' -in k", "shell '"),
    Place("sqlplus", "sqlplus app/«S»@db:1521/x", without="/\\\"'@$`&|<>();"),
    Place("jdbc oracle", "jdbc:oracle:thin:app/«S»@db:1521:x", without="/\\\"'@"),
    Place("pgpass", "db.internal:5432:shop:app:«S»\n", without=":\\"),
    Place("docker auth", '{"auths": {"r.test": {"auth": "«S»"}}}', "user base64"),
    Place("kubernetes data", "kind: Secret\ndata:\n  password: «S»\n", "base64"),
    Place("kubernetes data, any name", "apiVersion: v1\nkind: Secret\ndata:\n  app: «S»\ntype: Opaque\n", "base64"),
    Place("kubernetes stringData", 'kind: Secret\nstringData:\n  password: "«S»"\n', "json"),
    Place("kubectl literal", "kubectl create secret generic a --from-literal=password='«S»'", "shell '"),
    Place("helm set", "helm install a b --set auth.password='«S»'", "shell '"),
    Place("aws configure", "AWS Secret Access Key [None]: «S»\nDefault region name [None]: x\n"),
    Place("aws configure set", "aws configure set aws_secret_access_key «S»", "shell"),
    Place("vault kv put", "vault kv put secret/app password='«S»'", "shell '"),
    Place("chpasswd", "echo 'root:«S»' | chpasswd", "shell '"),
    Place("password on stdin", "echo '«S»' | docker login --username a --password-stdin r.test", "shell '"),
    # what people and programs print
    Place("prompt", "Password: «S»\nLogin succeeded", without="."),
    Place("sentence", "the password is «S» for now", without=".,"),
    Place("log, key=value", 'level=info msg="connect" password=«S» attempt=2', without='"'),
    Place("log, quoted", 'connecting with password "«S»"', "json"),
    Place("csv", "name,username,password\nexample,a@h.test,«S»\n", without=',"'),
    Place("csv, quoted", '"url","username","password"\n"https://h.test","a","«S»"\n', without='"'),
    Place("table", " id | username | password \n----+----------+----------\n  1 | a | «S»\n", without="|"),
    Place("markdown table", "| User | Password |\n|---|---|\n| a | «S» |\n", without="|"),
    Place("dict in a log", "INFO settings: {'db': {'password': '«S»', 'user': 'a'}}", "'"),
    Place("dataclass in a log", "Settings(user='a', password='«S»', port=1)", "'"),
    *(
        Place(f"label, {language}: {label}", f"{label}{colon}«S»\n", without="." if ":" in colon else "")
        for language, labels in LABELS.items()
        for label, colon in zip(
            labels, (": ", " = ", "=", ": ", "：" if labels[0][0] > "Ā" else " : ", ": "), strict=True
        )
    ),
)
