"""Keys whose form is defined by their issuer: a table of prefixes and bodies, and the rules that are built from it.

To recognise another issuer's keys, add a row to ``KEY_FORMATS``. A body consists of space-separated words: ``alnum*36`` means 36
characters of the alphabet ``alnum``, ``alnum*20-40`` means 20 to 40, ``alnum*20+`` means at least 20; other words are literal. If keys
have a fixed length and nothing else looks like their prefix, require fewer characters, so that truncated keys match as well.

A prefix is first searched for literally, and only then is the word boundary before it checked, so a rule costs one substring search if
its prefix does not occur.

Sources, as of ``SOURCES_DATE``:

``issuer``: the issuer's own documentation or examples. ``gitleaks``: gitleaks/gitleaks, config/gitleaks.toml. ``betterleaks``:
betterleaks/betterleaks, config/betterleaks.toml. ``kingfisher``: mongodb/kingfisher, crates/kingfisher-rules/data/rules.
``trufflehog``: trufflesecurity/trufflehog, pkg/detectors. ``public code``: rules or examples on which several public repositories
agree, if the issuer publishes no format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.random_values import MAX_PREFIXED_SHARE
from mind_skills.redaction.values import compute_explained_share

SOURCES_DATE = "2026-11-22"
"""The date on which the sources were last read."""

ALPHABETS = {
    "alnum": "A-Za-z0-9",
    "word": "A-Za-z0-9_-",
    "name": "A-Za-z0-9_",
    "lower": "a-z0-9",
    "upper": "A-Z0-9",
    "digit": "0-9",
    "hex": "a-f0-9",
    "anyhex": "A-Fa-f0-9",
    "base32": "a-z2-7",
    "base64": "A-Za-z0-9+/=",
    "anybase64": "A-Za-z0-9+/=_-",
    "dotted": "A-Za-z0-9_.=-",
    "quoted": "A-Za-z0-9%-",
}
UUID = "hex*8 - hex*4 - hex*4 - hex*4 - hex*12"


class Format(NamedTuple):
    """A key format. ``prefixes`` are separated by spaces. ``edge`` contains further characters that must not precede a prefix.

    If ``is_ambiguous``, names and words may have this form as well, so the body must look random (random_values.py).
    """

    kind: str
    prefixes: str
    body: str
    source: str
    edge: str = ""
    is_ambiguous: bool = False


class MarkedFormat(NamedTuple):
    """A format of keys with a literal mark in the middle or at the end. ``before_mark`` and ``after_mark`` are bodies."""

    kind: str
    before_mark: str
    mark: str
    after_mark: str
    source: str


KEY_FORMATS: tuple[Format, ...] = (
    # cloud
    Format("aws-key", "AKIA ASIA ABIA ACCA", "upper*16", "issuer"),
    Format("aws-bedrock-key", "ABSK", "base64*60+", "issuer"),
    Format("aws-bedrock-key", "bedrock-api-key-", "base64*60+", "public code"),
    Format("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", "anybase64*100+", "issuer", edge="+/"),
    Format("aws-appsync-key", "da2-", "lower*26", "public code", edge="-"),
    Format("aws-marketplace-key", "amzn.mws.", UUID, "public code"),
    Format("google-key", "AIza", "word*35", "issuer"),
    Format("google-key", "AQ.Ab", "word*40+", "public code"),
    Format("google-token", "ya29.", "word*20+", "issuer"),
    Format("google-refresh-token", "1//0", "word*40+", "issuer"),
    Format("google-secret", "GOCSPX-", "word*20+", "issuer"),
    Format("alibaba-key", "LTAI", "alnum*16-22", "betterleaks"),
    Format("cloudflare-token", "cfk_ cfut_ cfat_", "word*40+", "issuer"),
    Format("cloudflare-ca-key", "v1.0-", "hex*24 - hex*100+", "gitleaks"),
    Format("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "hex*40+", "issuer"),
    Format("fly-token", "fo1_ fm1r_ fm1a_ fm2_", "anybase64*40+", "issuer"),
    Format("heroku-key", "HRKU-", "word*36+", "issuer"),
    Format("netlify-token", "nfp_", "alnum*36+", "issuer"),
    Format("openshift-token", "sha256~", "word*43", "gitleaks"),
    Format("render-key", "rnd_", "alnum*20+", "public code", is_ambiguous=True),
    Format("scalingo-token", "tk-us-", "word*48", "gitleaks", edge="-"),
    Format("tailscale-key", "tskey-", "alnum*6+ - alnum*8+", "issuer"),
    Format("tailscale-key", "tskey-", "word*20+", "issuer"),
    Format("upcloud-token", "ucat_", "alnum*24+", "betterleaks"),
    Format("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "word*50+", "kingfisher"),
    Format("yandex-key", "AQVN", "word*35-40", "gitleaks"),
    Format("yandex-token", "t1.", "word*8+ . word*60+", "gitleaks"),
    Format("defined-networking-key", "dnkey-", "word*26 - word*40+", "gitleaks"),
    # source hosting, builds, packages
    Format("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "name*30+", "issuer"),
    Format("github-token", "ghs_ ghu_", "digit*1+ _ word*30+ . word*20+ . word*20+", "issuer"),
    Format("github-pat", "github_pat_", "name*22+", "issuer"),
    Format(
        "gitlab-token",
        "glpat- glimt- gloas- gldt- glrt- glrtr- glft- glcbt- glptt- glsoat- glffct- glagent- glwt-",
        "dotted*16+",
        "issuer",
    ),
    Format("gitlab-runner-token", "GR1348941", "word*20+", "gitleaks"),
    Format("npm-token", "npm_", "alnum*36", "issuer"),
    Format("pypi-token", "pypi-Ag", "word*30+", "issuer"),
    Format("rubygems-key", "rubygems_", "hex*40+", "issuer"),
    Format("crates-token", "cio", "alnum*32", "issuer", edge="-"),
    Format("nuget-key", "oy2", "lower*43", "issuer", edge="-"),
    Format("clojars-token", "CLOJARS_", "lower*50+", "gitleaks"),
    Format("docker-token", "dckr_pat_ dckr_oat_", "word*20+", "issuer"),
    Format("artifactory-key", "AKCp", "alnum*60+", "gitleaks"),
    Format("artifactory-token", "cmVmd", "alnum*59", "gitleaks", edge="+/"),
    Format("deno-token", "ddp_ ddo_", "alnum*36", "betterleaks"),
    Format("circleci-token", "CCIPAT_ CCIPRJ_", "name*40+", "kingfisher"),
    Format("buildkite-token", "bkua_", "hex*40", "issuer"),
    Format("buildkite-agent-token", "bkct_ bkcqt_ bktx_ bkpt_", "alnum*1+ . alnum*20+", "public code"),
    Format("buildkite-agent-token", "bkct_ bkcqt_ bktx_ bkpt_", "alnum*20+", "public code"),
    Format("harness-token", "pat. sat.", "word*22 . alnum*24 . alnum*20", "gitleaks"),
    Format("octopus-key", "API-", "upper*26", "gitleaks", edge="-"),
    Format("infracost-token", "ico-", "alnum*32", "gitleaks", edge="-", is_ambiguous=True),
    Format("pulumi-token", "pul-", "hex*40", "issuer"),
    Format("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim.", "alnum*40+", "issuer"),
    Format("doppler-token", "dp.st.", "word*2-35 . alnum*40+", "issuer"),
    Format("vault-token", "hvs. hvb. hvr.", "word*24+", "issuer"),
    Format("sonar-token", "squ_ sqp_ sqa_", "hex*40", "issuer"),
    Format("sourcegraph-token", "sgp_", "hex*40", "gitleaks"),
    Format("sourcegraph-token", "sgp_", "alnum*5-16 _ hex*40", "gitleaks"),
    Format("sourcegraph-token", "slk_ sgamp_", "name*40+", "trufflehog"),
    Format("socket-token", "sktsec_", "word*30+", "public code"),
    Format("openvsx-token", "ovsxat_", UUID, "public code"),
    Format("snyk-token", "snyk_uat. snyk_sat.", "alnum*8 . word*8+ . word*8+", "public code"),
    Format("aikido-token", "AIK_CI_ AIK_SECRET_", "alnum*20+", "betterleaks"),
    Format("endor-key", "endr+", "word*16", "betterleaks"),
    Format("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", "alnum*16", "gitleaks"),
    # models and their tools
    Format("hugging-face-token", "hf_ api_org_", "alnum*30+", "issuer"),
    Format(
        "inference-key", "gsk_ xai- pplx- nvapi- tvly- jina_ e2b_", "word*32+", "issuer", edge="-", is_ambiguous=True
    ),
    Format("inference-key", "csk-", "lower*48", "trufflehog", edge="-"),
    Format("inference-key", "tgp_v1_", "word*43", "betterleaks"),
    Format("inference-key", "fw_", "alnum*20+", "public code", is_ambiguous=True),
    Format("inference-key", "rpa_", "alnum*40+", "betterleaks", is_ambiguous=True),
    Format("voyage-key", "pa-", "word*40-50", "public code", edge="-", is_ambiguous=True),
    Format("replicate-token", "r8_", "alnum*37", "issuer"),
    Format("elevenlabs-key", "sk_", "anyhex*48", "kingfisher"),
    Format("langsmith-key", "lsv2_pt_ lsv2_sk_", "hex*32 _ hex*6+", "issuer"),
    Format("llamacloud-key", "llx-", "alnum*40+", "betterleaks", edge="-"),
    Format("firecrawl-key", "fc-", "anyhex*32", "kingfisher", edge="-"),
    Format("browserbase-key", "bb_live_ bb_test_", "word*27+", "kingfisher", is_ambiguous=True),
    Format("apify-token", "apify_api_", "alnum*30+", "kingfisher"),
    Format("composio-key", "ak_ ck_", "word*20", "kingfisher", is_ambiguous=True),
    Format("brave-key", "BSA", "word*24-40", "betterleaks", edge="+/-", is_ambiguous=True),
    Format("cursor-key", "key_", "hex*64", "betterleaks"),
    Format("cursor-key", "crsr_", "word*32+", "public code"),
    Format("context7-key", "ctx7sk-", UUID, "public code"),
    Format("daytona-key", "dtn_", "hex*40+", "public code"),
    Format("cartesia-key", "sk_car_", "word*20+", "kingfisher", is_ambiguous=True),
    Format("devin-key", "apk_user_ apk_", "base64*80+", "betterleaks"),
    Format("devin-key", "cog_", "base32*52", "betterleaks"),
    Format("wandb-key", "wandb_v1_", "name*40+", "public code"),
    # databases and data
    Format("databricks-token", "dapi", "hex*32", "issuer"),
    Format("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "dotted*30+", "issuer"),
    Format("supabase-key", "sbp_ sb_secret_", "word*20+", "issuer"),
    Format("pinecone-key", "pcsk_", "alnum*5-6 _ alnum*50+", "kingfisher"),
    Format("neon-key", "napi_", "lower*40+", "public code"),
    Format("mongodb-atlas-secret", "mdb_sa_sk_", "word*40", "betterleaks"),
    Format("cockroachdb-key", "CCDB1_", "alnum*22 _ alnum*40", "betterleaks"),
    Format("clickhouse-key", "4b1d", "alnum*38", "gitleaks", is_ambiguous=True),
    Format("elastic-key", "essu_", "anybase64*60+", "betterleaks"),
    Format("astra-token", "AstraCS:", "alnum*16+ : anyhex*40+", "public code"),
    Format("xata-key", "xau_", "alnum*25+", "public code"),
    Format("prefect-key", "pnu_ pnb_", "alnum*36", "gitleaks"),
    Format("airtable-token", "pat", "alnum*14 . hex*64", "issuer"),
    # chat and mail
    Format("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp-", "quoted*10+", "issuer"),
    Format("sendgrid-key", "SG.", "word*16-32 . word*30+", "issuer"),
    Format("mailgun-key", "key-", "hex*32", "issuer", edge="-"),
    Format("brevo-key", "xkeysib- xsmtpsib-", "hex*64 - alnum*16", "gitleaks"),
    Format("resend-key", "re_", "alnum*8 _ alnum*20+", "public code", is_ambiguous=True),
    Format("mailersend-token", "mlsn.", "alnum*40+", "public code"),
    Format("klaviyo-key", "pk_", "hex*34", "betterleaks"),
    Format("clickup-token", "pk_", "digit*7-9 _ alnum*32", "betterleaks"),
    Format("typeform-token", "tfp_", "dotted*40+", "gitleaks"),
    # payment and shops
    Format(
        "stripe-key",
        "sk_live_ sk_test_ sk_prod_ sk_org_live_ sk_org_test_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_ ek_live_ ek_test_",
        "alnum*10+",
        "issuer",
    ),
    Format("stripe-secret", "whsec_", "base64*16+", "issuer"),
    Format("square-token", "sq0atp- sq0csp-", "word*22+", "issuer"),
    Format("square-token", "EAAA", "word*56-64", "gitleaks", edge="+/-", is_ambiguous=True),
    Format("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_ pdl_test_apikey_", "name*40+", "issuer"),
    Format("polar-token", "polar_oat_", "alnum*40+", "public code"),
    Format("plaid-token", "access-production- access-development- access-sandbox-", UUID, "gitleaks"),
    Format("razorpay-key", "rzp_live_ rzp_test_", "alnum*14+", "public code"),
    Format("flutterwave-key", "FLWSECK_TEST- FLWSECK-", "lower*32 -X", "gitleaks"),
    Format("shippo-token", "shippo_live_ shippo_test_", "anyhex*40", "gitleaks"),
    Format("duffel-token", "duffel_live_ duffel_test_", "word*43", "gitleaks"),
    Format("easypost-key", "EZAK EZTK", "alnum*54", "gitleaks"),
    Format("lob-key", "live_ test_", "hex*35", "gitleaks"),
    Format("gocardless-token", "live_", "word*40", "gitleaks", is_ambiguous=True),
    Format("braintree-token", "access_token$production$ access_token$sandbox$", "lower*16 $ hex*32", "public code"),
    Format("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", "anyhex*32", "issuer"),
    # measuring, flags, errors
    Format("grafana-token", "glsa_", "name*32+", "issuer"),
    Format("grafana-token", "glc_ eyJrIjoi", "anybase64*32+", "betterleaks"),
    Format("sentry-token", "sntrys_ sntryu_", "anybase64*40+", "issuer"),
    Format("newrelic-key", "NRAK- NRII- NRIQ-", "word*27+", "issuer"),
    Format("newrelic-key", "NRJS-", "hex*19", "gitleaks"),
    Format("dynatrace-token", "dt0c01.", "upper*24 . upper*64", "gitleaks"),
    Format("posthog-key", "phx_ phs_ pha_ phr_", "alnum*40+", "kingfisher"),
    Format("honeycomb-key", "hcaik_ hcaic_", "lower*40+", "public code"),
    Format("axiom-token", "xaat- xapt-", UUID, "public code"),
    Format("configcat-key", "configcat-sdk-1/", "word*22 / word*22", "betterleaks"),
    # everything else
    Format("adobe-secret", "p8e-", "word*32", "gitleaks"),
    Format("age-key", "AGE-SECRET-KEY-1", "upper*50+", "issuer"),
    Format("nostr-key", "nsec1", "lower*58", "issuer"),
    Format("extended-key", "xprv tprv yprv zprv", "alnum*100+", "issuer"),
    Format("atlassian-token", "ATATT3 ATCTT3", "dotted*60+", "issuer"),
    Format("bitbucket-password", "ATBB", "alnum*32", "issuer"),
    Format("cal-key", "cal_live_", "hex*32", "public code"),
    Format("canva-secret", "cnvca", "word*40+", "betterleaks"),
    Format("contentful-token", "CFPAT-", "word*43", "public code"),
    Format("dropbox-token", "sl.", "dotted*120+", "issuer"),
    Format("facebook-token", "EAA", "alnum*90+", "issuer"),
    Format("figma-token", "figd_", "word*36+", "issuer"),
    Format("frameio-token", "fio-u-", "word*60+", "gitleaks"),
    Format("hubspot-token", "pat-na1- pat-na2- pat-eu1-", UUID, "issuer"),
    Format("inngest-key", "signkey-prod- signkey-test- signkey-branch-", "hex*32+", "public code"),
    Format("intra42-secret", "s-s4t2ud- s-s4t2af-", "hex*64", "gitleaks"),
    Format("linear-key", "lin_api_ lin_oauth_", "alnum*30+", "issuer"),
    Format("mapbox-token", "sk.eyJ", "word*40+ . word*20+", "issuer"),
    Format("notion-token", "ntn_ secret_", "alnum*43-50", "issuer"),
    Format("onepassword-token", "ops_eyJ", "word*60+", "issuer"),
    Format("onepassword-key", "A3-", "upper*6 - upper*11 - upper*5 - upper*5 - upper*5", "issuer"),
    Format("onepassword-key", "A3-", "upper*6 - upper*6 - upper*5 - upper*5 - upper*5 - upper*5", "issuer"),
    Format("postman-key", "PMAK-", "hex*24 - hex*34", "issuer"),
    Format("readme-key", "rdme_", "lower*60+", "gitleaks"),
    Format("trigger-key", "tr_dev_ tr_prod_", "alnum*16+", "public code", is_ambiguous=True),
    Format("twilio-key", " ".join(f"SK{digit}" for digit in "0123456789abcdef"), "hex*31", "issuer"),
)

MARKED_FORMATS: tuple[MarkedFormat, ...] = (
    MarkedFormat("terraform-token", "alnum*14", ".atlasv1.", "dotted*50+", "issuer"),
    MarkedFormat("mailchimp-key", "hex*32", "-us", "digit*1-2", "issuer"),
    MarkedFormat("maxmind-key", "alnum*6 _ alnum*29", "_mmk", "", "gitleaks"),
    MarkedFormat("azure-devops-token", "alnum*76", "AZDO", "alnum*4-5", "kingfisher"),
    MarkedFormat("azure-ai-key", "alnum*52", "JQQJ99", "alnum*20+", "public code"),
)


class Rule(NamedTuple):
    """A rule for keys of one form. Every match contains at least one of the ``hints``.

    ``is_key`` returns whether a match is a key; if it is None, every match is. ``kind`` is the label in the redaction marker, if it
    differs from the name.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    is_key: Callable[[Match[str]], bool] | None = None
    kind: str = ""


def _is_sk_key(match: Match[str]) -> bool:
    """Return whether a key begins like an issuer's keys, or has a long part, a letter and a digit.

    This excludes the names of packages and CSS classes.
    """
    body = match[1]
    if body.startswith(("ant-", "proj-", "or-v1-", "svcacct-", "admin-", "None-", "lf-")):
        return True
    has_long_part = any(len(part) >= 20 for part in re.split("[-_]", body))
    return has_long_part and any(c.isdigit() for c in body) and any(c.isalpha() for c in body)


_WORD_END = r"(?![A-Za-z0-9])"
_WORD_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))"
"""The start of a key without a prefix: the start of a word, or the end of an undecoded escape."""
_REPETITION = compile_lazily(r"([a-z0-9]+)\*(\d+)(?:(\+)|-(\d+))?")


def build_expression(body: str) -> str:
    """Build the regular expression for a body of the table. Raises KeyError for an unknown alphabet."""
    parts: list[str] = []
    for word in body.split():
        match = _REPETITION.fullmatch(word)
        if match is None:
            parts.append(re.escape(word))
            continue
        alphabet, minimum, is_open, maximum = match.groups()
        repetition = f"{{{minimum},}}" if is_open else f"{{{minimum},{maximum}}}" if maximum else f"{{{minimum}}}"
        parts.append(f"[{ALPHABETS[alphabet]}]{repetition}")
    return "".join(parts)


def _build_prefix_expression(prefix: str, edge: str = "") -> str:
    r"""Build an expression for ``prefix`` at the start of a word or after an undecoded escape (``\n`` in nested JSON, ``%3D`` in a URL).

    ``edge`` contains further characters that must not precede the prefix.
    """
    prefix_width = f".{{{len(prefix)}}})"
    return (
        re.escape(prefix)
        + rf"(?:(?<![A-Za-z0-9_{edge}]{prefix_width}|(?<=\\[nrt]{prefix_width}|(?<=%[0-9A-F][0-9A-F]{prefix_width})"
    )


def _make_issuer_rule(
    name: str,
    prefixes: str,
    body: str | Callable[[], str],
    *,
    edge: str = "",
    is_key: Callable[[Match[str]], bool] | None = None,
    kind: str = "",
) -> Rule:
    """Build the rule for keys that begin with one of the space-separated ``prefixes`` and continue with the expression ``body``.

    A ``body`` that is a function builds the expression when it is needed.
    """

    def build_pattern() -> str:
        starts = [_build_prefix_expression(prefix, edge) for prefix in prefixes.split()]
        return f"(?:{'|'.join(starts)})({body() if callable(body) else body})"

    return Rule(name, tuple(prefixes.split()), compile_lazily(build_pattern, re.DOTALL), is_key, kind)


def _has_random_body(match: Match[str]) -> bool:
    return compute_explained_share(match[1]) <= MAX_PREFIXED_SHARE


def _make_format_rule(form: Format) -> Rule:
    def build_body() -> str:
        return build_expression(form.body) + ("" if form.body.endswith("+") else _WORD_END)

    return _make_issuer_rule(
        form.kind, form.prefixes, build_body, edge=form.edge, is_key=_has_random_body if form.is_ambiguous else None
    )


def _make_marked_rule(form: MarkedFormat) -> Rule:
    def build_pattern() -> str:
        return f"{_WORD_START}{build_expression(form.before_mark)}{re.escape(form.mark)}{build_expression(form.after_mark)}{_WORD_END}"

    return Rule(form.kind, (form.mark,), compile_lazily(build_pattern))


def _is_encoded_key(match: Match[str]) -> bool:
    """Return whether a base64-encoded PEM file, as in a Kubernetes secret, contains a private key rather than a certificate."""
    import binascii

    head = binascii.a2b_base64(match[0][:48].replace("-", "+").replace("_", "/"))
    return b"PRIVATE KEY" in head


_WORD, _BASE64 = r"[A-Za-z0-9_-]", r"[A-Za-z0-9+/_-]"
_DISCORD_PREFIXES = tuple(f"{a}{b}{c}" for a in "MNO" for b in "DTjz" for c in "AEIMQUYcgk" if a != "O" or b in "DT")
"""The first characters of base64-encoded numbers: a Discord bot token begins with the bot's id, which is a number."""

_SPECIAL_RULES: tuple[Rule, ...] = (
    _make_issuer_rule("api-key", "sk-", rf"{_WORD}{{20,}}", edge="-", is_key=_is_sk_key),
    _make_issuer_rule("jwt", "eyJ", rf"{_WORD}{{8,}}\.{_WORD}{{8,}}(?:\.{_WORD}*){{1,3}}", edge="-"),
    Rule(
        "discord-token",
        _DISCORD_PREFIXES,
        compile_lazily(
            rf"{_WORD_START}[MNO][DTjz][AEIMQUYcgk]{_WORD}{{20,23}}\.{_WORD}{{6}}\.{_WORD}{{27,40}}(?!{_WORD})"
        ),
    ),
    _make_issuer_rule(
        "encoded-token",
        # In base64: ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxb- xoxp- AKIA sk_live_ sk-ant- sk-proj- npm_ AIza
        "Z2hwX Z2hvX Z2h1X Z2hzX Z2hyX Z2l0aHViX3BhdF Z2xwYXQt eG94Yi eG94cC QUtJQ c2tfbGl2ZV c2stYW50L c2stcHJvai bnBtX QUl6Y",
        _BASE64 + r"{20,}={0,2}",
        edge="+/",
    ),
    _make_issuer_rule(
        "encoded-key", "LS0tLS1CRUdJTi", _BASE64 + r"{60,}={0,2}", edge="+/", is_key=_is_encoded_key, kind="private-key"
    ),
)

ISSUERS: tuple[Rule, ...] = (*map(_make_format_rule, KEY_FORMATS), *_SPECIAL_RULES)
"""Rules for keys that are recognised by their prefix."""
MARKED_KEYS: tuple[Rule, ...] = tuple(map(_make_marked_rule, MARKED_FORMATS))
"""Rules for keys that are recognised by a mark in the middle or at the end."""
