"""The words by which people and agents give signals, as compiled patterns: lists to read and extend, no judgement.

English only, collected from real sessions. Each pattern is one alternation without nested repetition, so that it stays
linear in the length of the text.
"""

from __future__ import annotations

import re

from mind_skills.detectors.phrases import phrases
from mind_skills.observations.later import compile_later


def any_of(*alternatives: str) -> re.Pattern[str]:
    """One pattern of all alternatives, in any case."""
    return compile_later("|".join(alternatives), re.IGNORECASE)


def _not(verbs: str) -> str:
    """A negated auxiliary before one of the verbs, at most two words between."""
    return (
        r"\b(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|won['’]t|will not|would(?: not|n['’]t)|do(?:es)?(?: not|n['’]t)"
        r"|did(?: not|n['’]t)|(?:is|are|was|were|has|have)(?: not|n['’]t)|not) (?:\w{1,30} ){0,2}(?:" + verbs + r")\w*"
    )


_INSIGHT = {
    # the cause is named
    "root cause": r"root cause",
    "turns out": r"turns out",
    "the trick ": r"the trick (?:is|was)",
    "key insight": r"key insight",
    "real ": r"(?:the )?real (?:issue|problem|cause|bug|reason)",
    "found ": r"found (?:the|it|why|out).{0,30}\b(?:bug|cause|issue|problem|culprit)|\bfound it\b",
    " bug": r"critical bug|this is (?:a|the) bug",
    " explains": r"(?:this|that|which|it) explains",
    "s why": r"(?:that|this)(?:'s| is) why",
    "the ": r"the (?:actual )?(?:issue|problem|bug|cause|culprit|reason) (?:is|was|here|in)\b"
    r"|the (?:fix|bug|error|failure|warning) (?:is|was|comes from|came from|happens|occurs) (?:that|because|when|in|due)",
    "because": r"(?:happens|fails?|failing|failed|broken|breaks|broke|errors?|hangs?|wrong|empty|missing|hidden|crash\w{0,4})"
    r" (?:\w{1,30} ){0,3}because",
    "see |understand |know ": r"i (?:now )?(?:see|understand|know) (?:the|what the|why the|now the|where the)"
    r" (?:issue|problem|bug|error|cause|failure)",
    # a fact that is not obvious
    "intuitive": r"counter-?intuitive",
    "not obvious": r"not obvious",
    "surprisingly": r"surprisingly",
    "misleading": r"misleading",
    "the opposite": r"the opposite",
    "false positive": r"false positive",
    "race condition": r"race condition",
    "off-by|off by": r"off[- ]by[- ]one",
    "dangling|stale|circular|orphaned": r"(?:dangling|stale|circular|orphaned)"
    r" (?:cache|process|build|state|reference|dependency|import|pointer|lock)",
    "known ": r"known (?:\w+ )?(?:issue|limitation|bug)",
    "deprecated": r"deprecated",
    "no longer ": r"no longer (?:exist|support|accept|need)\w*",
    "silently": r"(?:is|was|being) silently|silently (?:drop|ignor|fail|swallow|truncat)\w*",
    # how one thing does another
    "los|drop|swallow|strip|ignore|overwrite|shadow|mask": r"(?:loses|lost|losing|drops?|swallows?|strips?|ignores?|overwrites?"
    r"|shadows?|masks?) (?:the|its|all|every)\b",
    "not |n't ": r"(?:does not|doesn't|do not|don't|didn't|did not)"
    r" (?:propagate|preserve|inherit|persist|escape|submit|match|include|resolve|take)",
    "which ": r"\bwhich (?:truncates|drops|causes|leads|breaks|ignores|prevents|overrides|hides|skips|fails|loses)\b",
    "lead to": r"\b(?:can|will) lead to\b",
    "this ": r"\bthis (?:causes|prevents|breaks|overrides)\b",
    "to be": r"needs? to be (?:on|in|before|after|the)\b|has to be",
    "must be ": r"must be (?:\w{1,30} ){0,3}(?:before|after|first)",
    "expect": r"expects? (?:a|an|the|it|each)\b",
}
INSIGHT = phrases(_INSIGHT)
"""A cause, or a fact that is not obvious, put into words."""
MAY_BE_INSIGHT = phrases({**_INSIGHT, "found ": r"found (?:the|it|why|out)|\bfound it\b"})
"""What stands in whatever matches those, with nothing in it that could be a secret."""

CONCLUSION = phrases(
    {
        "root cause": r"root cause",
        "found ": r"found (?:the|it).{0,30}(?:bug|cause|issue|problem|culprit)",
        "bug": r"this is (?:the|a) bug",
        "turns out": r"turns out",
        "actual |real ": r"the (?:actual |real )(?:issue|problem|cause|bug)",
        "s why": r"that(?:'s| is) why|explains why",
    }
)
"""What an investigation ends with: the narrow part of INSIGHT."""

SETBACK = phrases(
    {
        "not |n't |n’t ": _not(
            "execut|submit|send|start|accept|support|appl|match|includ|show|creat|work|run|pick|read|see|cover|propagat|escap|expand|load"
            "|updat|return|list|respond|transition|process|trigger|persist|visible|available|enough|allowed|possible"
            "|gone|there|delet|remov|chang|respect|hono|kept|complet"
        ),
        "miss|mangled|malformed|reversed|bogus|swallow|truncat|drop|stripped|ignor": r"\b(?:misses|missed|mangled|malformed|reversed|bogus"
        r"|swallow(?:s|ed)|truncat(?:es|ed)|drops|dropped|stripped|ignor(?:es|ed))\b",
        "opposite |wrong ": r"\b(?:opposite|wrong) (?:direction|order|way)\b",
        "behind ": r"\bbehind (?:the|a) (?:\w+ )?(?:limit|cap)\b",
        "hit ": r"\bhit (?:a |an |the )?(?:\w+[ -]){0,3}(?:expansion|limit|cap|error|bug|restriction|rule|conflict|quirk)\b",
        "failing|broken|rejected|blocked|capped|deprecated|unsupported|read-only": r"\b(?:is|are) (?:currently |still )?"
        r"(?:failing|broken|rejected|blocked|capped|deprecated|unsupported|read-only)\b",
        "fail": r"\bfail(?:s|ed) (?:because|on|with|due|since)\b",
        "reject|refuse|forbids|blocks": r"\b(?:rejected|refused|forbids|refuses|blocks)\b",
        "only ": r"\bonly (?:shows|returns|lists|reads|supports|accepts|sees)\b",
        "false positive": r"\bfalse positive\b",
        "misleading": r"\bmisleading\b",
        "turns out": r"\bturns out\b",
        "silently": r"\bsilently\b",
    }
)
"""Something behaved other than the agent expected."""

TURN = phrases(
    {
        "use ": r"\buse (?:the |a |an )?[`\w]",
        "instead": r"\binstead\b",
        "switch": r"\bswitch(?:ing|ed)? to\b",
        "correct": r"\bcorrect(?:ing|ed)?\b",
        "rather than": r"\brather than\b",
        "around": r"\bwork ?around\b",
        "properly": r"\bproperly\b",
        "retry": r"\bretry(?:ing)? with\b",
        "replac": r"\breplac(?:e|ing|ed)\b",
        "so i": r"\bso i(?:['’]m| am|['’]ll| will)\b",
        "bypass": r"\bbypass",
        "fall": r"\bfall(?:ing)? back\b",
        "re-add|readd": r"\bre-?add",
        "re-run|rerun": r"\bre-?run(?:ning)? with\b",
    }
)
"""The agent now does it another way."""

_BROKEN = {
    "not |n't |n’t ": _not(
        "work|run|re-?run|start|build|compil|load|show|see|display|appear|visible|find|found|produc|captur|count|open|connect|pass"
        "|trigger|updat|save|return|render|match|respond|appl|handl|propagat|inherit|includ|persist|set"
    ),
    "fail|broken|break|bug|crash|hang|stuck|freez|tim": r"\b(?:fails?|failing|failed|failure|broken|breaks?|bug(?:gy)?|crash\w*|hangs?"
    r"|stuck|freez\w*|tim(?:es|ed|ing) out)\b",
    "wrong|incorrect|weird|strange|unexpected|regression|silently": r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|weird|strange|unexpected(?:ly)?"
    r"|regression|silently)\b",
    "can break": r"\bcan break\b",
    "error|exception": r"\b\w+(?:error|exception): |\berror: |\berrors? when\b",
    "traceback": r"\btraceback\b",
    "panic": r"\bpanic: ",
    "root cause|infinite loop|leak|race condition|deadlock": r"\b(?:root cause|infinite loop|leak(?:s|ing|ed)?"
    r"|race condition|deadlock\w*)\b",
}
BROKEN = phrases(_BROKEN)
"""A user says that something is broken, in words that no request for something new would hold."""

REPORT = phrases(
    {
        **_BROKEN,
        "missing|deprecat": r"\b(?:missing|deprecat\w+)\b",
        "error|exception|warning|traceback|panic": r"\b(?:error|exception|warning|traceback|panic)s?\b[:\s]",
        "rror|xception": r"\b\w+(?:error|exception)\b(?=[:(\"']| when| if| as soon| whenever)",
        "exception|error": r"\b(?:g[eo]t\w*|see\w*|saw|thr[eo]w\w*|rais\w+|with|an?|the|in) (?:\w+[ .]){0,2}\w+(?:error|exception)\b",
        "why ": r"\bwhy (?:did|does|do|is|are|was|isn't|doesn't)\b"
        r"(?! (?:we|you|they) (?!get|see|lose|have|still|end|always|never))",
        "still ": r"\bstill (?:have|get|see|show|the)\w*\b",
        "never ": r"\bnever (?:captured|called|passed|set|updated)\b",
        "debug|investigate|diagnose|troubleshoot|bug": r"^\s*(?:debug|investigate|diagnose|troubleshoot|bug)\b",
    }
)
"""A user says that something is wrong."""

CAUSE = phrases(
    {
        "root cause": r"root cause",
        "because": r"because",
        "this happens": r"this happens",
        "due to": r"due to",
        "caus": r"caused by|causing|causes?\b",
        "evaluates to": r"evaluates to",
        "the problem is|the issue is|the bug is": r"the (?:problem|issue|bug) is",
        "returns early": r"returns early",
        "never ": r"never (?:passed|called|set|updated)",
        "is null|is undefined|is never|is always": r"is (?:null|undefined|never|always)",
        "without ": r"without (?:updating|checking|calling)",
        "not |n't ": r"(?:do|did)(?: not|n't) (?:propagate|preserve|inherit|persist|escape|match|include|resolve|carry|reach|update)",
        "doesn't": r"doesn't",
        "does not": r"does not",
        "silently": r"silently",
        "skip": r"skips?\b",
        "incorrectly": r"incorrectly",
        "can break": r"can break",
    }
)
"""A report that already says why."""

GUESS = phrases(
    {
        "hypothes": r"\bhypothes[ie]s\b",
        "cause": r"\b(?:likely|possible|probable|suspected|potential) (?:root )?causes?\b",
        "not sure why": r"\bnot sure why\b",
    }
)
"""A report says that its cause is not established."""

DENIAL = any_of(
    r"\b(?:it|that|this)(?:'s| is)? (?:still )?(?:wrong|broken|not (?:fixed|working|right|it))\b",
    r"\bstill (?:not|fail\w*|broken|wrong|crash\w*)|\bstill (?:doesn|isn|can)['’]?t\b|\bsame (?:error|issue|problem|thing)\b",
    r"\b(?:didn['’]?t|did not|doesn['’]?t|does not) (?:work|help|fix)\b|^\W*(?:nope|nah)\b|\b(?:as|like) before\b",
    r"\bno (?:change|difference|luck|effect|improvement)\b|\bnothing (?:has )?changed\b|\bto no avail\b",
    r"\bstill (?:there|happen\w*|see\w*|get\w*)\b|\b(?:it|this|that) still (?!works|passes|looks|runs|builds|holds)\w+s\b",
)
"""A user says that what was done does not work."""

APPROVAL = any_of(
    r"\b(?:thanks|thank you|perfect|awesome|great|nice|lgtm|works?(?: now| great| fine)?|good news|all good"
    r"|exactly(?= what| right| that|[.!,]|\s*\Z))\b"
)
"""A user says that it works."""

FOLLOW_UP = any_of(
    r"\s*(?:yes|yeah|yep|ok(?:ay)?|sure|go ahead|continue|sorry|please (?:do|go|continue|commit|push)|do (?:it|both|that)|thanks|perfect"
    r"|great|nice|works|good|commit|push|merge|and (?:commit|push)|now (?:commit|push)|then (?:commit|push)|approved|lgtm|try again|again"
    r"|retry)\b"
)
"""How a message begins that goes on with the task at hand."""

REQUEST = any_of(
    r"\s*(?:please |can you |could you |ok(?:ay)?,? |now |also,? |let'?s |i want to |i'd like |we should |add |remove |create |implement"
    r"|write |rename |update |refactor |generate |review |explain |what |how |is |are |does |do )"
)
"""How a message begins that asks for something rather than reports."""

PLAN = any_of(r"\s*(?:implement|execute|carry out) the following plan")
FIX_HEADING = any_of(
    r"^(?:plan:\s*)?(?:bug ?)?(?:fix|debug|resolve|investigate|repair)\b", r"\bbug\b", r"\bregression\b"
)
BATCH = any_of(r"\b(?:issues|comments|findings|suggestions|feedback|warnings|todos|improvements)\b")
"""Many small fixes under one heading, none of which is a learning of its own."""
CONDITIONAL = any_of(r"\b(?:if|unless|in case|would|might|could|may|should)\b[^.]*$")

FILLER = any_of(
    r"^(?:you're (?:absolutely )?right|(?:now |so |ok,? )?let(?:'s| me)|now i (?:see|understand|have)|now fix)\b",
    r"^(?:here's|looking at|i can see)\b",
    r"^(?:i (?:now )?(?:see|understand) (?:the|what the) (?:\w+ )?(?:issue|problem|bug)s?|this is a critical bug)\b",
    r"^(?:perfect|excellent|great|good|interesting|i'll|i need to|i should|ok(?:ay)?|wait|ah|hmm|found it|i found)\b",
)
"""How a sentence begins that says nothing a title could use."""

LEAD = any_of(
    r"^(?:now |so |ah,? |ok(?:ay)?,? |and |but |also,? |actually,? |wait[,—-]* |i see[,.:!—-]+ ?)",
    r"^i (?:now )?(?:see|understand) (?:the|what the) (?:\w+ )?(?:issue|problem|bug)s?[:.!—-]+ ?",
    r"^the (?:issue|problem|bug|root cause|failure) is (?:that |because )|^(?:the )?root cause(?: (?:confirmed|is))?[:!]+ ?",
    r"^found (?:it|the root cause)[:!]+ ?",
)
"""Words before the point, cut from a title."""

COMMON = frozenset(
    "this that with from have will when what which there their they them then than into only also after before because should would "
    "could does doesn didn isn the and for are was were not but can its it's let lets now need needs issue problem error errors file "
    "files code test tests line lines function check fix fixed using used use add added make sure here see same still just like more "
    "some all any been being where about other these those first your you run running change changes update updated new old".split()
)
"""Words that do not say what a text is about."""
