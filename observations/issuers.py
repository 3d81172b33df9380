"""Keys that their issuer made recognisable: a fixed prefix, then a body of a known alphabet and length.

The forms are those that the issuers document, or print in their own examples. A prefix is sought literally, and only
then is it looked whether it begins a word, so that a rule costs one substring search where its prefix does not occur.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import NamedTuple

from mind_skills.observations.later import Later

Replace = str | Callable[[Match[str]], str]


class Rule(NamedTuple):
    """``hints``: characters of which every match holds at least one; ``replace`` is what ``re.sub`` takes.

    ``needs``: further characters of which every text with a match holds at least one, where the hints are too common.
    """

    name: str
    hints: tuple[str, ...]
    pattern: Later
    replace: Replace
    needs: tuple[str, ...] = ("",)


def mark(kind: str) -> str:
    """What stands in the place of a secret."""
    return f"[redacted:{kind}]"


def _solid(match: Match[str]) -> str:
    """``sk-`` keys are mixed letters and digits; ``sk-`` names (packages, CSS classes) are words joined by dashes."""
    body = match[1]
    if body.startswith(("ant-", "proj-", "or-v1-", "svcacct-", "admin-", "None-", "lf-")):
        return mark("api-key")
    solid = any(len(part) >= 20 for part in re.split("[-_]", body))
    if solid and any(c.isdigit() for c in body) and any(c.isalpha() for c in body):
        return mark("api-key")
    return match[0]


def _issuer(name: str, prefixes: str, body: str, *, edge: str = "", replace: Replace = "") -> Rule:
    r"""The rule for keys that begin with one of ``prefixes`` (parted by blanks) where a word begins.

    A word also begins behind an escape that was not undone (``\n`` in JSON within a text, ``%3D`` in an address).
    ``edge`` are further characters that must not stand before a prefix.
    """
    starts: list[str] = []
    for prefix in prefixes.split():
        skip = f".{{{len(prefix)}}})"
        begins = rf"(?:(?<![A-Za-z0-9_{edge}]{skip}|(?<=\\[nrt]{skip}|(?<=%[0-9A-F][0-9A-F]{skip})"
        starts.append(re.escape(prefix) + begins)
    whole = starts[0] if len(starts) == 1 else f"(?:{'|'.join(starts)})"
    return Rule(name, tuple(prefixes.split()), Later(whole + body, re.DOTALL), replace or mark(name))


_E = r"(?![A-Za-z0-9])"
_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_B64 = r"[A-Za-z0-9+/_-]"


def _encoded_key(match: Match[str]) -> str:
    """A PEM file in base64, as Kubernetes keeps it: keys go, certificates stay."""
    import binascii

    head = binascii.a2b_base64(match[0][:48].replace("-", "+").replace("_", "/"))
    return mark("private-key") if b"PRIVATE KEY" in head else match[0]


ISSUERS: tuple[Rule, ...] = (
    _issuer("aws-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}" + _E),
    _issuer("google-key", "AIza", _W + r"{35}" + _E),
    _issuer("google-token", "ya29.", _W + r"{20,}"),
    _issuer("google-secret", "GOCSPX-", _W + r"{20,}"),
    _issuer("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{30,}"),
    _issuer("github-pat", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    _issuer(
        "gitlab-token",
        "glpat- glimt- gloas- gldt- glrt- glft- glcbt- glptt- glsoat- glffct- glagent-",
        r"[A-Za-z0-9_=.-]{16,}",
    ),
    _issuer("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[A-Za-z0-9%-]{10,}"),
    _issuer("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_", _A + r"{10,}"),
    _issuer("stripe-secret", "whsec_", r"[A-Za-z0-9+/=]{16,}"),
    _issuer("npm-token", "npm_", _A + r"{36}" + _E),
    _issuer("pypi-token", "pypi-Ag", _W + r"{30,}"),
    _issuer("rubygems-key", "rubygems_", r"[a-f0-9]{40,}"),
    _issuer("crates-token", "cio", _A + r"{32}" + _E, edge="-"),
    _issuer("nuget-key", "oy2", r"[a-z0-9]{43}" + _E, edge="-"),
    _issuer("clojars-token", "CLOJARS_", r"[a-z0-9]{50,}"),
    _issuer("docker-token", "dckr_pat_ dckr_oat_", _W + r"{20,}"),
    _issuer("artifactory-key", "AKCp", _A + r"{60,}"),
    _issuer("api-key", "sk-", f"({_W}{{20,}})", edge="-", replace=_solid),
    _issuer("hugging-face-token", "hf_ api_org_", _A + r"{30,}"),
    _issuer(
        "inference-key",
        "gsk_ xai- pplx- nvapi- tvly- jina_ e2b_",
        r"(?=[A-Za-z_-]{0,40}[0-9])" + _W + r"{32,}",
        edge="-",
    ),
    _issuer("replicate-token", "r8_", _A + r"{37}" + _E),
    _issuer("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[a-f0-9]{32}_[a-f0-9]{6,}"),
    _issuer("sendgrid-key", "SG.", _W + r"{16,32}\." + _W + r"{30,64}"),
    _issuer("mailgun-key", "key-", r"[a-f0-9]{32}" + _E, edge="-"),
    Rule(
        "mailchimp-key",
        ("us1", "us2", "us3", "us4", "us5", "us6", "us7", "us8", "us9"),
        Later(r"(?<![0-9a-f])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9-])"),
        mark("mailchimp-key"),
    ),
    Rule(
        "twilio-key",
        tuple(f"SK{digit}" for digit in "0123456789abcdef"),
        Later(r"SK(?:(?<![A-Za-z0-9_].{2})|(?<=\\[nrt].{2})|(?<=%[0-9A-F][0-9A-F].{2}))[a-f0-9]{32}" + _E),
        mark("twilio-key"),
    ),
    _issuer("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{40,}"),
    _issuer("heroku-key", "HRKU-", _W + r"{36,}"),
    _issuer("netlify-token", "nfp_", _A + r"{36,}"),
    _issuer("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[A-Fa-f0-9]{32}" + _E),
    _issuer("square-token", "sq0atp- sq0csp-", _W + r"{22,}"),
    _issuer("facebook-token", "EAA", _A + r"{90,}"),
    _issuer("dropbox-token", "sl.", r"[A-Za-z0-9_.-]{120,}"),
    _issuer("databricks-token", "dapi", r"[a-f0-9]{32}" + _E),
    _issuer("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.-]{30,}"),
    _issuer("supabase-key", "sbp_ sb_secret_", _W + r"{20,}"),
    _issuer("vault-token", "hvs. hvb. hvr.", _W + r"{24,}"),
    Rule(
        "terraform-token",
        (".atlasv1.",),
        Later(r"\.atlasv1\.(?<=[A-Za-z0-9]{14}\.atlasv1\.)[A-Za-z0-9_=-]{50,}"),
        mark("terraform-token"),
    ),
    _issuer("pulumi-token", "pul-", r"[a-f0-9]{40}" + _E),
    _issuer("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim.", r"(?:[a-z0-9_-]{2,35}\.)?" + _A + r"{40,}"),
    _issuer("tailscale-key", "tskey-", r"[A-Za-z0-9-]{20,}"),
    _issuer("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_=+/]{32,}"),
    _issuer("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_-]{40,}"),
    _issuer("newrelic-key", "NRAK- NRII- NRIQ-", _W + r"{27,}"),
    _issuer("sonar-token", "squ_ sqp_ sqa_", r"[a-f0-9]{40}" + _E),
    _issuer("circleci-token", "CCIPAT_", r"[A-Za-z0-9_]{40,}"),
    _issuer("buildkite-token", "bkua_", r"[a-f0-9]{40}" + _E),
    _issuer("postman-key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _issuer("linear-key", "lin_api_ lin_oauth_", _A + r"{30,}"),
    _issuer("notion-token", "ntn_ secret_", _A + r"{43,50}" + _E),
    _issuer("figma-token", "figd_", _W + r"{36,}"),
    _issuer("airtable-token", "pat", _A + r"{14}\.[a-f0-9]{64}" + _E),
    _issuer("atlassian-token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{60,}"),
    _issuer("bitbucket-password", "ATBB", _A + r"{32}" + _E),
    _issuer("hubspot-token", "pat-na1- pat-eu1- pat-na2-", r"[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}"),
    _issuer("onepassword-token", "ops_eyJ", _W + r"{60,}"),
    _issuer("onepassword-key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}" + _E),
    _issuer("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
    _issuer("jwt", "eyJ", _W + r"{8,}\." + _W + r"{8,}(?:\." + _W + r"*){1,3}", edge="-"),
    _issuer("aws-bedrock-key", "ABSK", r"[A-Za-z0-9+/=]{60,}"),
    _issuer("google-refresh-token", "1//0", _W + r"{40,}"),
    _issuer("fly-token", "fo1_ fm1r_ fm1a_ fm2_", r"[A-Za-z0-9+/=_-]{40,}"),
    _issuer(
        "encoded-token",
        # ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xoxb- xoxp- AKIA sk_live_ sk-ant- sk-proj- npm_ AIza, in base64
        "Z2hwX Z2hvX Z2h1X Z2hzX Z2hyX Z2l0aHViX3BhdF Z2xwYXQt eG94Yi eG94cC QUtJQ c2tfbGl2ZV c2stYW50L c2stcHJvai bnBtX QUl6Y",
        _B64 + r"{20,}={0,2}",
        edge="+/",
    ),
    _issuer("encoded-key", "LS0tLS1CRUdJTi", _B64 + r"{60,}={0,2}", edge="+/", replace=_encoded_key),
)
