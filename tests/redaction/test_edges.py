"""What is redacted, to the character, at the edges of the rules: lengths, numbers of digits, names, quotes, ends, distances."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from mind_skills.redaction import random_values, values
from mind_skills.redaction.decoding import decode
from mind_skills.redaction.secrets import redact
from mind_skills.redaction.session import is_memorable, is_public_name

TOKEN = "Zk3Jq8vXn2Lw9Rt5Yb7H"
DIGITS, UUID = "9f86d081884c7d659a2feaa0c55ad015", "550e8400-e29b-41d4-a716-446655440000"
KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
BEGIN, END = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
EDGES = {
    "length": "password: «q7w8e9» ¦ password: q7w8e ¦ PASSWORD=«horsey» ¦ token: «a1b2c3d4» ¦ token: a1b2c3d"
    ' ¦ token: «q7w8-e9r2» ¦ token: «qxzjvkwpbgdfr1» ¦ token: "qxzjvkwpbgdf1" ¦ the token is q7w8e',
    "words": "password: horsebattery ¦ password: horse-battery ¦ password=«horse-battery»"
    ' ¦ password="«ab cd ef»" ¦ --password «horse1» ¦ token: ab.cd(12) ¦ password: $abc$def1 ¦ password: «x7$abq9w2»',
    "name": f"token_id={UUID} ¦ secret_id=«{UUID}» ¦ token=0x{DIGITS}a1b2c3d4"
    " ¦ hwpw=q7w8e9r2 ¦ hwPw=«q7w8e9r2» ¦ rootpw=«q7w8e9r2» ¦ bypass=q7w8e9r2 ¦ PASS: q7w8e9r2"
    ' ¦ $password:q7w8e9r2 ¦ if key == "password": "q7w8e9r2"',
    "separator": 'password | «q7w8e9» ¦ pass | q7w8e9 ¦ setToken("«q7w8e9r2»") ¦ setx API_KEY «q7w8e9r2»'
    ' ¦ password = "«old1x9»" -> "«q7w8e9r2»"',
    "option": "x -storepass «q7w8e9r2» ¦ tool --x-api-key «q7w8e9r2» ¦ пароль: «q7w8e9r2» ¦ İpassword: «q7w8e9»"
    " ¦ signingkey := '«winter2024!»' ¦ apikey: str = «winter2024!» ¦ x $password:q7w8e9r2"
    ' ¦ "secret" -> "«winter2024!»"',
    "end": "password=«q7w8e9»&name=x ¦ ?password=«q7w8e9»&9x ¦ password=«q7w8e9&9x» y ¦ password=«q7w8e9»;user=x"
    r""" ¦ <password>«q7w8e9»</password> ¦ password = "«q7w8e9" "r2t5y6»" ¦ {\\\"password\\\": \\\"«q7w8e9»\\\"}""",
    "quotes": """password=«"q7w8e9"x» ¦ say "a'b password=«q7w8e9»'x" y"""
    """ ¦ "password=«q7w\\"8e9»" x ¦ \\"password=«q7w8e9»\\" x ¦ echo "x"; password=«q7w8"e9»"""
    """ ¦ {\\"password\\":\\"«q7w8\\\\\\"e9»\\"} ¦ password=f(q7w8e9) ¦ password=[q7w8e9]"""
    f""" ¦ password=«"{'a1' * 256}"»""",
    "decoded": r"a%3Dpassword%3D«q7w8%21e9» y ¦ password\x3d«q7w8e9r2»\x20x ¦ password\075«q7w8e9r2»\040x"
    " ¦ password&#61;«q7w8e9r2»&#32;x ¦ password&#x3D;«q7w8e9r2»&#x20;x ¦ password[0m=[32m«q7w8e9r2»[0m x",
    "table": "name;token\nbob;«q7w8e9r2»\n\nx;q7w8e9r2"
    " ¦ | name | password |\n|---|---|\n| a | «q7w8e9» |\n| b c | «winter2024!» |\n| x |\n| y | q7w8e9 |"
    ' ¦ n,password\n"a, b","«q7w8,e9r2»" ¦ COPY users (id, password) FROM stdin;\n1\t«q7w8e9r2»\n2\tx9\n\\.\n3\tq7w8e9r2',
    "block": f"«{BEGIN}\n{KEY[:-1]}»\n ¦ {BEGIN}\n{KEY[:-2]}\n ¦ «{BEGIN}\n{KEY[:-2]}\n{END}» ¦ {BEGIN}\n{KEY[:-3]}\n{END}"
    f" ¦ {KEY[:-1]}\n{END} ¦ «{KEY[:16]}\n{KEY[:16]}\n{END}» ¦ a\n«{KEY}{END}» x ¦ x «{BEGIN}\n{KEY}\nab1=»\ny",
    "place": "https://h.test/reset/q7w8e9r2 ¦ https://h.test/reset/«q7w8e9r2t5y6u1i3» ¦ Bearer abcdefghijklmnop"
    " ¦ Authorization: «q7w8e9r2t5y6u1i3» ¦ curl -u bob:«q7w» x ¦ curl -u bob:q7 x ¦ curl -u bob:123456 x ¦ mysql -p«q7w8e9» y"
    " ¦ mysql -pq7w8e y ¦ mysql x | foo -pq7w8e9"
    " ¦ insert into t (id, password, token) values (1, '«q7w8e9»', '«q7w8e9r2»'), (2, 'horse', NULL), (3, '«horses»','x');"
    " ¦ create table t (id int, password text);\ninsert into t values (1, '«q7w8e9»'); ¦ insert into t values (1, 'q7w8e9');",
    "token": f"api key{' ' * 45}«{TOKEN}» ¦ {TOKEN}\napi key ¦ api key\n«{TOKEN}»,\n«{TOKEN[::-1]}» ¦ x\n«{TOKEN}» token"
    f" ¦ «session={TOKEN}» ¦ token sha256:{TOKEN} ¦ token arn:aws:iam::1:{TOKEN} ¦ key base64:{TOKEN}"
    f" ¦ use {DIGITS} as id of the token ¦ FOO_SHA={DIGITS} ¦ STRIPE_LIVE=«{UUID}» ¦ key: {UUID} ¦ root with «{DIGITS}»",
    "around": f"<b>token</b> «{DIGITS}» ¦ login {'x' * 70} «Xk!vQz#r9» ¦ «Xk!vQz#r9» {'x' * 16} login"
    " ¦ [x 1] password:\n[x 2] «q7w8e9r2» ¦      1\tpassword:\n     2\t  «q7w8e9r2t5» ¦ mysql -p«-q7w8e9» x ¦ password=/etc/passwd"
    " ¦ curl -u 'bob:«q7w 8e9»' x ¦ insert into t (password) values ('«q7w8e9»'), ('«r2''t5y6»'); x ('z9')",
    "header": "Authorization: q7-8e-9r-2t-5y-6u1 ¦ Authorization: «q7wxeyrztyyzuqi9z» ¦ FOO='«q7w8e9r2»'\ncurl -u bob:$FOO x"
    " ¦ XFOO='q7w8e9r2'\ncurl -u bob:$FOO x ¦ Cookie: a=shop-order-main; b=«q7w8e9r2t5y6» ¦ postgres://bob:changeme@h/x",
    "group": "secrets:\n  a-id: q7w8e9r2\n  live: «q7w8e9r2»\nlast: q7w8e9r2"
    ' ¦ {"headers": {"x-request-id": "q7w8e9r2", "x-a": "«q7w8e9r2»", "b": "shop"}}'
    " ¦ heroku config:set A=«q7w8e9r2» GIT_SHA=q7w8e9r2 B=shop",
    "password": "login «Xk!vQz#r» now ¦ use Xk!vQz#r now ¦ login: foo bar\n- «Xk!vQz#r9» ¦ login(Xk!vQz#r9(1))"
    " ¦ ADMIN_KEY=«winter2024!» ¦ password '«kT9vQ2x!»'. ¦ login x@corp.de9 ¦ login pkg@1.2.3-Ab ¦ login Foo_Bar.2x.Baz"
    " ¦ login Qx7.Wq9.Zk3 ¦ «jf9V9J93f» is the login ¦ try token=«WZb@Build#» now ¦ try kQjWfw^b9Zzz now"
    " ¦ the password is: «token^ddWvV^Get**» ¦ try «Kdxbq=V29#» now ¦ «River.9d73dd» is the login ¦ login «741&Zebra»."
    " ¦ mysql -x «jb9~138#» ¦ login Main_Main** ¦ «Main*332**» is the login ¦ mysql -x «^2077!bvQKK.Main» ¦ mysql -x «wXJ%7xd7»",
}  # fmt: skip
"""Texts, in which guillemets stand around every secret."""


@pytest.mark.parametrize("edge", EDGES)
def test_exactly_the_secret_is_redacted_at_the_edges_of_a_rule(edge: str) -> None:
    for text in EDGES[edge].split(" ¦ "):
        values: list[str] = []
        cleaned = redact(re.sub("[«»]", "", text), values)
        assert {*re.findall("«([^»]*)»", text)} <= {*values}
        assert re.sub(r"\[redacted:[a-z-]+\]", "«»", cleaned) == re.sub("«[^»]*»", "«»", text)
        assert redact(cleaned) == cleaned


def test_each_decoded_character_is_at_the_place_of_its_escape() -> None:
    parts = r"a %41 b \u0042 \x43 \104 c =3D =0A &#67; &#x44; &quot; &amp; d \n \" \\ %7e e".split()
    decoded = decode("".join(parts))
    assert decoded is not None
    assert decoded.text == 'aAbBCDc=\nCD"&d\n"\\~e'
    spans = [decoded.get_original_span(index, index + 1) for index in range(len(decoded.text))]
    assert ["".join(parts)[start:stop] for start, stop in spans] == parts
    unchanged = decode("one%20two\x1b[1mthree\x1b[0m")
    assert unchanged is not None
    assert (unchanged.text, unchanged.get_original_span(1, 6)) == ("one twothree", (1, 8))
    assert (unchanged.get_original_span(6, 9), unchanged.get_original_span(9, 12)) == ((8, 15), (15, 18))


FORMS = {
    values.is_generated: "abcdefg1 a12 «q7w8» abcdefgh «abcdefg!» abcdef! «abcdefg1!» abcd-efgh-ijkl-mnop «AbcDefGhiJklMnoPqrSt»"
    " AbcDefGhiJklMnoPqrS AbcDefGhiJklMnoPqrS_ abcdefghijklmnopqrst «abcdefghijklmnop1234» «a1b2c3d4» abcd12 1234",
    values.is_digits: f"«{DIGITS}» {DIGITS[1:]} «{DIGITS * 4}» {DIGITS * 4}a {'a' * 32} «0x{DIGITS}» 0x{DIGITS}a1b2c3d4 «{UUID}» {UUID}0",
    values.is_chosen: f"«Ab1!efgh» Ab1!efg «{'Ab1!' * 8}» {'Ab1!' * 8}x Abc!efgh 1234567! Ab1_efgh",
    values.is_base64: f"«{TOKEN}HqK3» {TOKEN}HqK getUserNameFromTheStore/Value1x «kQzVxWjBqHnXzKvT» kQzVxWjBqHnXzKv"
    " ConfigurationManagerFactory src/components/Button/Index «Zk3J_q8vXn2Lw9Rt5Yb7H» Zk3J_q8vXn2Lw9Rt5Yb7 Shop_Order_Number_2024_Main"
    " kqzvxwjbqhnxzkvT «zkqjqevxnslwrrtsybth/ABx1»",
    values.is_wordlike: "«horse2battery» horse2battery3x ho «getX» shopQzx «order-2024» qxzjvk horseqxz «userIDNumber» «abc12» HTTPServer",
    values.is_reference: f"«$abc» «${{x}}» «<your-token>» «/etc/x» «1.2.3» «None» «xxxx» «pre-${{DB_PASS}}-post» {'a' * 64}$"
    f" «0x{DIGITS}a1b2c3d4» q7w8",
    values.is_code: "«foo(bar)» «ab[12];» «foo.bar.baz()» «qxz.vkw(1)» «abcdefghijk;» abcdefghijkl; a=>b «user!» pass99!",
    values.is_setting: "«x7k-2q» x7-2q abc-1! shop-12 https://a1b2! 123456 Zebra «q7w8e9» qxzjvk",
    is_memorable: f"«{TOKEN * 20}» {TOKEN * 20}x abcdefgh qxzjvkwp «a1b2c3d4» 7f3k9Q2 «7f3k9Qz2» horse-battery «qxzj-vkwp» $PW"
    " /etc/passwd 1234567890",
    is_public_name: "«userId» «commit_sha» «GIT_COMMIT» secret_id token «GPG_KEY» API_KEY valid",
    random_values.is_object_id: "«toolu_01A09q90qw» q7w8e9r2 «ami-0a1b2c3d» i-12 «01JBRRGKEEHYQD3CE5456Q70S0»",
    random_values.names_secret: "«token» keyboard «key» monkey commit bypass «pwd»",
    random_values.names_public: "«commit» «id» token video «sha256»",
    values.is_identifier: "«SHOP-12» «v1.2.3-rc.1» «feature/api-2» qxzjvkw-12 shop",
}  # fmt: skip


@pytest.mark.parametrize("is_of_form", FORMS, ids=lambda function: function.__name__)
def test_exactly_the_words_in_guillemets_have_a_form(is_of_form: Callable[[str], bool]) -> None:
    words = FORMS[is_of_form].split()
    assert [word for word in words if is_of_form(word.strip("«»")) != word.startswith("«")] == []
