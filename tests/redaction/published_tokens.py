"""Keys in the forms that their issuers use now; ``ISSUED`` contains them together with those of planted.py.

Lengths and alphabets are those of the sources that redaction/prefixes.py names. Unlike in planted.py, each character is
drawn independently.
"""

from __future__ import annotations

from random import Random

from tests.redaction.planted import DIGITS, HEX, Maker
from tests.redaction.planted import ISSUED as PLANTED

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
ALNUM, BASE36, CAPITALS = UPPER + LOWER + DIGITS, LOWER + DIGITS, UPPER + DIGITS
WORD, BASE64, BASE32 = ALNUM + "_-", ALNUM + "+/", LOWER + "234567"
UUID: tuple[tuple[str, int] | str, ...] = ((HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12))


def drawn(start: str, *parts: tuple[str, int] | str) -> Maker:
    """A maker of keys: ``start`` without its blank, then pieces; (alphabet, length) is a random piece."""

    def made(random: Random) -> str:
        pieces = [part if isinstance(part, str) else _free(random, *part) for part in parts]
        return start.replace(" ", "") + "".join(pieces)

    return made


def _free(random: Random, alphabet: str, length: int) -> str:
    """Random characters that neither begin nor end with a dash, if the alphabet allows it."""
    made = "".join(random.choices(alphabet, k=length))
    return f"{random.choice(ALNUM) if set(alphabet) >= set(ALNUM) else made[0]}{made[1:-1]}" + (
        random.choice(ALNUM) if set(alphabet) >= set(ALNUM) else made[-1]
    )


def discord(random: Random) -> str:
    """A bot's token: its number in base64, a time, a signature."""
    import base64

    number = str(random.randrange(10**17, 10**18)).encode()
    return f"{base64.b64encode(number).decode().rstrip('=')}.{_free(random, WORD, 6)}.{_free(random, WORD, 38)}"


PUBLISHED: dict[str, tuple[Maker, ...]] = {
    "aws-bedrock-key": (drawn("bedrock -api-key-", (BASE64, 120), "=="),),
    "cal-key": (drawn("cal _live_", (HEX, 32)),),
    "cartesia-key": (drawn("sk _car_", (ALNUM, 22)),),
    "contentful-token": (drawn("CF PAT-", (WORD, 43)),),
    "context7-key": (drawn("ctx7 sk-", *UUID),),
    "daytona-key": (drawn("dt n_", (HEX, 64)),),
    "github-token": (drawn("gh s_1234567_eyJ", (WORD, 60), ".eyJ", (WORD, 260), ".", (WORD, 86)),),
    "honeycomb-key": (drawn("hc aik_01", (BASE36, 56)),),
    "inngest-key": (drawn("sign key-prod-", (HEX, 64)),),
    "openvsx-token": (drawn("ovs xat_", *UUID),),
    "snyk-token": (drawn("snyk _uat.", (HEX, 8), ".", (WORD, 16), ".", (WORD, 17)),),
    "socket-token": (drawn("skt sec_", (WORD, 40), "_api"),),
    "xata-key": (drawn("xa u_", (ALNUM, 32)),),
    "google-key": (drawn("AQ .Ab8RN6", (WORD, 44)),),
    "aws-session-token": (drawn("IQoJb3 JpZ2luX2VjE", (BASE64, 300)), drawn("FwoGZX IvYXdzE", (BASE64, 300))),
    "aws-appsync-key": (drawn("da 2-", (BASE36, 26)),),
    "aws-marketplace-key": (drawn("amzn .mws.", *UUID),),
    "alibaba-key": (drawn("LT AI", (ALNUM, 20)), drawn("LT AI", (ALNUM, 17))),
    "cloudflare-token": tuple(drawn(f"{p[:2]} {p[2:]}_", (ALNUM, 40), (HEX, 8)) for p in ("cfk", "cfut", "cfat")),
    "cloudflare-ca-key": (drawn("v1 .0-", (HEX, 24), "-", (HEX, 146)),),
    "openshift-token": (drawn("sha 256~", (WORD, 43)),),
    "render-key": (drawn("rn d_", (ALNUM, 28)),),
    "scalingo-token": (drawn("tk -us-", (WORD, 48)),),
    "upcloud-token": (drawn("uc at_", (ALNUM, 26)),),
    "vercel-token": tuple(drawn(f"vc {c}_", (WORD, 50), (ALNUM, 6)) for c in "pairk"),
    "yandex-key": (drawn("AQ VN", (WORD, 36)),),
    "yandex-token": (drawn("t1 .", (WORD, 60), ".", (WORD, 86)),),
    "defined-networking-key": (drawn("dn key-", (BASE36, 26), "-", (BASE36, 52)),),
    "gitlab-runner-token": (drawn("GR 1348941", (WORD, 20)),),
    "artifactory-token": (drawn("cm Vmd", (ALNUM, 59)),),
    "deno-token": (drawn("dd p_", (ALNUM, 36)), drawn("dd o_", (ALNUM, 36))),
    "circleci-token": (drawn("CCI PRJ_", (ALNUM, 22), "_", (HEX, 40)),),
    "buildkite-agent-token": (drawn("bk ct_", (ALNUM, 12), ".", (ALNUM, 44)), drawn("bk pt_", (ALNUM, 40))),
    "harness-token": (drawn("pa t.", (WORD, 22), ".", (HEX, 24), ".", (ALNUM, 20)),),
    "octopus-key": (drawn("AP I-", (CAPITALS, 26)),),
    "infracost-token": (drawn("ic o-", (ALNUM, 32)),),
    "sourcegraph-token": (
        *(drawn("sg p_", (HEX, 40)), drawn("sg p_", (HEX, 16), "_", (HEX, 40))),
        *(drawn("sl k_", (HEX, 64)), drawn("sg amp_user_01", (ALNUM, 24), "_", (HEX, 64))),
    ),
    "aikido-token": (drawn("AIK _CI_", (ALNUM, 30)), drawn("AIK _SECRET_", (ALNUM, 64))),
    "endor-key": (drawn("en dr+", (ALNUM, 16)),),
    "settlemint-token": tuple(drawn(f"sm _{c}at_", (ALNUM, 16)) for c in "aps"),
    "inference-key": (
        drawn("cs k-", (BASE36, 48)),
        drawn("tg p_v1_", (WORD, 43)),
        drawn("fw _", (ALNUM, 22)),
        drawn("rp a_", (CAPITALS, 40), (ALNUM, 6)),
        drawn("tv ly-", (ALNUM, 32)),
    ),
    "voyage-key": (drawn("pa -", (WORD, 43)),),
    "elevenlabs-key": (drawn("sk _", (HEX, 48)),),
    "llamacloud-key": (drawn("ll x-", (ALNUM, 48)),),
    "firecrawl-key": (drawn("fc -", (HEX, 32)),),
    "browserbase-key": (drawn("bb _live_", (WORD, 27)), drawn("bb _test_", (WORD, 27))),
    "apify-token": (drawn("apify _api_", (ALNUM, 36)),),
    "composio-key": (drawn("ak _", (WORD, 20)), drawn("ck _", (WORD, 20))),
    "brave-key": (drawn("BS A", (WORD, 27)),),
    "cursor-key": (drawn("ke y_", (HEX, 64)), drawn("cr sr_", (HEX, 64))),
    "devin-key": (drawn("apk _user_", (BASE64, 150)), drawn("apk _", (BASE64, 90)), drawn("co g_", (BASE32, 52))),
    "wandb-key": (drawn("wandb _v1_", (ALNUM, 28), "_", (ALNUM, 49)),),
    "pinecone-key": (drawn("pc sk_", (ALNUM, 5), "_", (ALNUM, 63)), drawn("pc sk_", (ALNUM, 6), "_", (ALNUM, 63))),
    "neon-key": (drawn("na pi_", (BASE36, 64)),),
    "mongodb-atlas-secret": (drawn("mdb _sa_sk_", (WORD, 40)),),
    "cockroachdb-key": (drawn("CCDB 1_", (ALNUM, 22), "_", (ALNUM, 40)),),
    "clickhouse-key": (drawn("4b 1d", (ALNUM, 38)),),
    "elastic-key": (drawn("es su_", (WORD, 80), "=="),),
    "astra-token": (drawn("Astra CS:", (UPPER + LOWER, 24), ":", (HEX, 64)),),
    "prefect-key": (drawn("pn u_", (ALNUM, 36)), drawn("pn b_", (ALNUM, 36))),
    "maxmind-key": (drawn("", (ALNUM, 6), "_", (ALNUM, 29), "_m" + "mk"),),
    "azure-devops-token": (drawn("", (ALNUM, 52), "JQ" + "QJ77BAACAAAAAAAAAAAAAS", "AZ" + "DO", (ALNUM, 4)),),
    "azure-ai-key": (drawn("", (ALNUM, 52), "JQ" + "QJ99BFACYeBjFXJ3w3AAALACOG", (ALNUM, 4)),),
    "brevo-key": (drawn("xk eysib-", (HEX, 64), "-", (ALNUM, 16)), drawn("xs mtpsib-", (HEX, 64), "-", (ALNUM, 16))),
    "resend-key": (drawn("re _", (ALNUM, 8), "_", (ALNUM, 24)),),
    "mailersend-token": (drawn("ml sn.", (HEX, 64)),),
    "klaviyo-key": (drawn("pk _", (HEX, 34)),),
    "clickup-token": (drawn("pk _", (DIGITS, 8), "_", (CAPITALS, 32)),),
    "typeform-token": (drawn("tf p_", (ALNUM, 44), "_", (ALNUM, 14)),),
    "stripe-key": (
        drawn("sk _prod_", (ALNUM, 24)),
        drawn("sk _org_live_", (ALNUM, 40)),
        drawn("ek _live_", (ALNUM, 40)),
    ),
    "slack-token": (drawn("xw fp-", (DIGITS, 12), "-", (ALNUM, 30)),),
    "shopify-token": (drawn("shp tka_", (HEX, 32)),),
    "square-token": (drawn("EA AA", (WORD, 60)),),
    "paddle-key": (drawn("pdl _live_apikey_", (BASE36, 26), "_", (ALNUM, 22), "_", (ALNUM, 3)),),
    "polar-token": (drawn("polar _oat_", (ALNUM, 43)),),
    "plaid-token": (drawn("access -production-", *UUID), drawn("access -sandbox-", *UUID)),
    "razorpay-key": (drawn("rzp _live_", (ALNUM, 14)),),
    "flutterwave-key": (drawn("FLW SECK_TEST-", (HEX, 32), "-X"), drawn("FLW SECK-", (HEX, 32), "-X")),
    "shippo-token": (drawn("shippo _live_", (HEX, 40)), drawn("shippo _test_", (HEX, 40))),
    "duffel-token": (drawn("duffel _live_", (WORD, 43)), drawn("duffel _test_", (WORD, 43))),
    "easypost-key": (drawn("EZ AK", (ALNUM, 54)), drawn("EZ TK", (ALNUM, 54))),
    "lob-key": (drawn("li ve_", (HEX, 35)), drawn("te st_", (HEX, 35))),
    "gocardless-token": (drawn("li ve_", (WORD, 40)),),
    "braintree-token": (drawn("access_token $production$", (BASE36, 16), "$", (HEX, 32)),),
    "newrelic-key": (drawn("NR JS-", (HEX, 19)),),
    "grafana-token": (drawn("gl c_", (BASE64, 90), "=="), drawn("eyJr Ijoi", (BASE64, 90), "==")),
    "dynatrace-token": (drawn("dt 0c01.", (CAPITALS, 24), ".", (CAPITALS, 64)),),
    "posthog-key": tuple(drawn(f"ph {c}_", (ALNUM, 43)) for c in "xsar"),
    "axiom-token": (drawn("xa at-", *UUID), drawn("xa pt-", *UUID)),
    "configcat-key": (drawn("configcat -sdk-1/", (WORD, 22), "/", (WORD, 22)),),
    "adobe-secret": (drawn("p8 e-", (WORD, 32)),),
    "canva-secret": (drawn("cn vca", (WORD, 51)),),
    "frameio-token": (drawn("fi o-u-", (WORD, 64)),),
    "intra42-secret": (drawn("s- s4t2ud-", (HEX, 64)), drawn("s- s4t2af-", (HEX, 64))),
    "mapbox-token": (drawn("sk .eyJ", (WORD, 60), ".", (WORD, 22)),),
    "readme-key": (drawn("rd me_", (BASE36, 70)),),
    "trigger-key": (drawn("tr _dev_", (ALNUM, 20)), drawn("tr _prod_", (ALNUM, 20))),
    "discord-token": (discord,),
}

ISSUED: dict[str, tuple[Maker, ...]] = {
    kind: PLANTED.get(kind, ()) + PUBLISHED.get(kind, ()) for kind in sorted({*PLANTED, *PUBLISHED})
}
"""Every kind of key that is recognised by its form, with its makers."""
