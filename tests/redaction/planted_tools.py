"""Secrets that the syntax of a tool, a table, or a name in another language gives away."""

from __future__ import annotations

import base64
from random import Random

from tests.redaction.planted import DIGITS, HEX, LOWER, WORD, Placed, body, word


def _encoded(random: Random, text: str, user: str = "") -> tuple[str, str]:
    secret = base64.b64encode((user + body(random, WORD, 18)).encode()).decode()
    return text.format(secret), secret


TOOLS: dict[str, dict[str, Placed]] = {
    "cookie-given": {"curl": word(24, text="curl -b 'sid={}' https://h.test")},
    "cookie-jar": {"": word(24, text="h.test\tFALSE\t/\tTRUE\t1790000000\tsid\t{}")},
    "account-added": {
        "rabbitmq": word(12, text="rabbitmqctl add_user shop '{}'"),
        "minio": word(12, text="mc admin user add local bob {}"),
        "windows": word(12, text="net user bob {} /add"),
    },
    "password-argument": {
        "mysql": word(12, text="pymysql.connect('h.test', 'root', '{}', 'shop')"),
        "perl": word(12, text="my $dbh = DBI->connect($dsn, 'root', '{}');"),
        "java": word(12, text='DriverManager.getConnection(url, "sa", "{}");'),
        "mail": word(12, text="server.login('bob@h.test', '{}')"),
        "requests": word(12, text="get(url, auth=('me', '{}'))"),
        "basic": word(12, text='HTTPBasicAuth("me", "{}")'),
        "named": word(12, text="ssh.connect('10.0.0.7', 22, 'deploy', '{}')"),
        "credential": word(12, text='new NetworkCredential("bob", "{}", "SHOP")'),
        "wrapped": word(12, text='client.get(url).basic_auth("bob", Some("{}")).send()'),
    },
    "account-pair": {
        "composer": word(12, text="composer config http-basic.repo.h.test bob '{}'"),
        "postfix": word(12, text="[smtp.h.test]:587 bob@h.test:{}"),
        "terraform": word(12, text='  auth = "admin:{}"'),
    },
    "account-address": {"slash": word(12, text="connect to shop_ro/{}@db.h.test:5432")},
    "user-and-password-options": {
        "ipmi": word(12, text="racadm -r 10.0.0.9 -u bob -p '{}' getsysinfo"),
    },
    "program-argument": {
        "openssl": word(12, text="openssl enc -aes-256-cbc -in a -out b -k '{}'"),
        "minio": word(12, text="mc alias set local http://localhost:9000 bob {}"),
        "hash": word(12, text="bcrypt.hashpw(b'{}', bcrypt.gensalt())"),
    },
    "literal-replaced": {"": word(12, text='@@\n-client = Shop("{}")\n+client = Shop(os.environ["SHOP_LIVE"])')},
    "shown-once": {"": word(24, text="alert: Copy your new key now\n- textbox [ref=e1]: {}\n")},
    "bound-parameter": {
        "update": word(12, text="UPDATE users SET password=$1 WHERE id=$2\nDETAIL: $1 = '{}', $2 = '3'"),
        "insert": word(12, text="INSERT INTO tokens (id, token) VALUES (?, ?)\n[generated in 0.1s] (3, '{}')"),
    },
    "settings-file-shown": {"": word(24, text="Content from @.env:\nPORT=80\nSHOP_LIVE={}\n")},
    "filled-field": {
        "script": word(12, text="document.querySelector('#password').value = '{}'"),
        "page": word(12, text="page.fill('input[name=password]', '{}')"),
    },
    "stored-cookie": {"": word(24, text='[{{"name": "sid", "value": "{}", "domain": "h.test"}}]')},
    "issuer-call": {"": word(24, text='client = Stripe("{}")')},
    "driver-address": {"go": word(12, text='sql.Open("mysql", "root:{}@tcp(127.0.0.1:3306)/shop")')},
    "settings-given": {
        "vault": word(12, text="vault kv put secret/shop host=db.internal live={} ttl=1h"),
        "heroku": word(12, text="heroku config:set PORT=80 STRIPE='{}' -a shop"),
        "fly": word(12, text="fly secrets set LIVE={}"),
    },
    "updated-row": {"": word(12, text="UPDATE settings SET value = '{}' WHERE name = 'stripe_secret';")},
    "variable-used": {
        "bearer": word(12, text="T='{}'; curl -H \"Authorization: Bearer $T\" https://h.test/me"),
        "password": word(12, text='P={}; mysql -uroot -p"$P" shop'),
    },
    "identified-by": {"": word(12, text="CREATE USER a IDENTIFIED BY '{}';")},
    "stored-secret": {
        "github": word(12, text='gh secret set DB_PASSWORD --body "{}"'),
        "parameter": word(12, text="aws ssm put-parameter --name /db --value '{}' --type SecureString"),
        "attached": word(12, text='gh secret set DB_PASSWORD -b"{}"'),
        "powershell": word(12, text='ConvertTo-SecureString "{}" -AsPlainText -Force'),
        "type first": word(12, text="aws ssm put-parameter --name /db --type SecureString --value '{}'"),
        "parameter's name": word(12, text="aws ssm put-parameter --name /db/password --type String --value {}"),
        "secrets manager": word(12, text="aws secretsmanager create-secret --name db --secret-string '{}'"),
        "key vault": word(12, text="az keyvault secret set --vault-name v --name db --value {}"),
        "literal": word(12, text="kubectl create secret generic db --from-literal=url='{}'"),
    },
    "settings-file-written": {
        "echo": word(12, text="echo 'SHOP_LIVE={}' >> .env"),
        "printf": word(12, text="printf 'SHOP_LIVE=%s' {} > deploy/.env"),
    },
    "settings-file-line": {
        "grep": word(12, text="app/.env:12:SHOP_LIVE={}"),
        "around": word(12, text='app/.env.local-12-SHOP_LIVE="{}"'),
    },
    "settings-file-changed": {
        "diff": word(12, text="--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n PORT=8080\n+SHOP_LIVE={}"),
        "patch": word(12, text="*** Add File: .env\n+SHOP_LIVE={}\n*** End Patch"),
        "kubernetes": word(12, text="kind: Secret\nstringData:\n  host: db.internal\n  live: {}\ntype: Opaque"),
        "kubernetes, quoted": word(12, text='stringData:\n  live: "{}"'),
    },
    "secret-section": {
        "toml": word(
            12, text='[connections]\nname = "db"\n\n[profiles.dev.secrets]\nmode = "dev"\n\nlive = "{}"\n\n[x]'
        ),
        "ini": word(12, text="[prod-credentials]\nlive={}\n"),
    },
    "secret-block": {
        "yaml": word(12, text="image: shop\nsecrets:\n  mode: dev\n\n  live: {}\nports: 2"),
        "list": word(12, text="  appCredentials:\n  - name: live\n    value: '{}'"),
    },
    "inserted-row": {
        "second column": word(12, text="INSERT INTO users (name, password) VALUES ('bob', '{}');"),
        "second row": word(12, text="insert into t (id, api_token, n)\nvalues (1, '', now()), (2, '{}', 'it''s')"),
    },
    "sent-at-prompt": {
        "expect": word(12, text='expect "assword:"\nsend "{}\\r"'),
        "in braces": word(12, text='expect "*?assphrase*" {{ send -- "{}\\r" }}'),
        "pexpect": word(12, text="child.expect('password:')\nchild.sendline('{}')"),
        "cypress": word(12, text="cy.get('input[name=password]').type('{}')"),
    },
    "account-list": {
        "json": word(12, text='"credentials": ["dev","{}"]'),
        "yaml": word(12, text="credentials: [dev, {}]"),
        "python": word(12, text="auth = ('dev', '{}')"),
    },
    "value-before-name": {"": word(12, text='{{"value":"{}","name":"API_TOKEN"}}')},
    "secret-object": {"json": word(12, text='{{"secrets": {{"live": "{}"}}}}')},
    "form-field": {
        "typed": word(12, text='{{"element":"Password field","ref":"e3","text":"{}"}}'),
        "filled": word(12, text='{{"name": "Admin password", "type": "textbox", "ref": "e3", "value": "{}"}}'),
    },
    "login-argument": {
        "wandb": word(40, HEX, "wandb login --relogin {}"),
        "cargo": word(32, text="cargo login {}"),
        "vault": word(20, text="vault login -method=token {}"),
        "github": word(40, HEX, 'gh auth login --with-token <<< "{}"'),
    },
    "signing-call": {
        "jwt": word(12, text='jwt.sign(payload, "{}")'),
        "node": word(12, text="createHmac('sha256', '{}')"),
        "python": word(12, text='hmac.new(b"{}", body, sha256)'),
        "fernet": word(12, text='Fernet(b"{}")'),
        "php": word(12, text="hash_hmac('sha256', $body, '{}')"),
        "aes": word(32, HEX, text="AES.new(bytes.fromhex('{}'), AES.MODE_GCM)"),
    },
    "address-key": {
        "version": word(32, HEX, text="https://eth.h.test/v2/{}"),
        "socket": word(32, HEX, text="wss://main.h.test/ws/v3/{}"),
    },
    "htpasswd": {"": word(12, text="htpasswd -bc .htpasswd me {}")},
    "oracle-login": {
        "sqlplus": word(12, text="sqlplus me/{}@db"),
        "jdbc": word(12, text="jdbc:oracle:thin:me/{}@db:1521:x"),
    },
    "pgpass": {"": word(12, text="db.h.test:5432:shop:me:{}")},
    "docker-auth": {"": lambda random: _encoded(random, '{{"auth": "{}"}}', "me:")},
    "kubernetes-secret": {"": lambda random: _encoded(random, "kind: Secret\ndata:\n  app: {}\n")},
    "password-piped": {
        "login": word(12, text="echo {} | docker login -u me --password-stdin"),
        "chpasswd": word(12, text="echo 'root:{}' | chpasswd"),
        "github": word(12, text="echo '{}' | gh secret set DB_PASSWORD"),
        "vercel": word(12, text='printf "{}" | vercel env add DB_PASSWORD production'),
    },
    "password-here-string": {
        "docker": word(12, text="docker login -u me --password-stdin <<< {}"),
        "github": word(12, text="gh secret set DEPLOY <<< '{}'"),
        "vercel": word(12, text='vercel env add DEPLOY production <<< "{}"'),
        "cryptsetup": word(12, text="cryptsetup luksOpen /dev/sda1 data <<< {}"),
    },
    "user-argument": {
        "httpie": word(12, text="http -a me:{} h.test/api"),
        "skopeo": word(12, text="skopeo copy --src-creds me:{} docker://a dir:b"),
        "smbclient": word(12, text="smbclient -U 'me%{}' //h.test/share"),
        "lftp": word(12, text="lftp -u me,{} h.test"),
    },
    "redis-config": {
        "server": word(12, text="requirepass {}"),
        "replica": word(12, text='masterauth "{}"'),
    },
    "rejected-value": {
        "pydantic": word(
            12,
            text="1 validation error for Settings\ndb_password\n"
            "  Input should be a valid integer [type=int_parsing, input_value='{}', input_type=str]",
        ),
    },
    "psk": {"": word(12, text='psk="{}"'), "ipsec": word(12, text=': PSK "{}"')},
    "kennw": {"": word(12, text="Kennwort: {}")},
    "contrase": {"": word(12, text="Contraseña: {}"), "plain": word(12, text="contrasena={}")},
    "senha": {"": word(12, text="Senha do banco: {}")},
    "mdp": {"": word(12, text="mdp = {}")},
    "clave": {"": word(12, text="Clave: {}")},
    "chave": {"": word(32, text="chave de API: {}")},
    "парол": {"": word(12, text="Пароль администратора: {}")},
    "секрет": {"": word(32, text="секрет: {}")},
    "ключ": {"": word(32, text="Ключ API: {}")},
    "токен": {"": word(32, text="токен: {}")},
    "密": {"": word(12, text="数据库密码：{}")},
    "秘": {"": word(32, text="秘密鍵: {}")},
    "口令": {"": word(12, text="口令：{}")},
    "令牌": {"": word(32, text="访问令牌: {}")},
    "暗証": {"": word(12, text="暗証番号: {}")},
    "パス": {"": word(12, text="パスワード：{}")},
    "トークン": {"": word(32, text="アクセストークン: {}")},
    "columns": {
        "csv": word(12, text="name,password\na,{}\n"),
        "table": word(12, text=" user | password \n---+---\n me | {}\n"),
    },
    "parameter": {"": word(32, text="https://h.test/v1?key={}")},
    "link": {
        "invitation": word(32, text="https://h.test/invite/{}"),
        "reset": word(24, text="see https://h.test/users/reset-password/{} now"),
        "shared": word(24, text="https://h.test/shared/{}"),
        "sharing": word(24, text="https://h.test/file-sharing/{}"),
        "in the query": word(24, text="https://h.test/reset?lang=en&t={}"),
        "in the fragment": word(24, text="https://h.test/invite#{}"),
        "discord": word(60, text="https://discord.com/api/web" + "hooks/123456789012345678/{}"),
        "teams": word(32, HEX, "https://a.webhook.office.com/webhookb2/x/Incoming" + "Webhook/{}/y"),
        "webhook": word(26, LOWER + DIGITS, "https://chat.test/hooks/{}"),
    },
    "directory-hash": {"": word(40, text="shown: {{SSHA}}{}")},
    "windows-hash": {"": word(32, HEX, "Administrator:500:aad3b435b51404eeaad3b435b51404ee:{}:::")},
    "postgres-hash": {"": word(32, HEX, "rolpassword md5{}")},
    "mysql-hash": {"": word(40, "ABCDEF" + DIGITS, "| root | *{} |")},
    "digest": {
        "aws": word(64, HEX, "Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Sig" + "nature={}"),
        "": word(32, HEX, 'Authorization: Digest username="a", realm="b", response="{}"'),
    },
    "framework-hash": {
        "django": word(43, text="pbkdf2_sha256$600000$aBcDeFgHiJkL1$" + "{}="),
        "werkzeug": word(64, HEX, "scrypt:32768:8:1$aBcDeFgH12345678${}"),
        "scram": word(44, text="SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0$" + "{}="),
    },
    "password-hash": {
        "bcrypt": word(53, text="| root | $2" + "b$12${} |"),
        "shadow": word(86, text="root:$6" + "$salt1234${}:19000:0"),
    },
}
