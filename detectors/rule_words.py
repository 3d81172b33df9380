"""Words that distinguish rules from tasks, mostly as compiled patterns. None is specific to the subject of a project.

The features in rule_features.py use them; none decides by itself. The words in other languages have the same meanings as
the English ones. The author had read the labelled sessions, so the accuracy measured on those sessions is optimistic.
"""

from __future__ import annotations

import re

from mind_skills.redaction.lazy_pattern import compile_lazily

LASTING = compile_lazily(
    r"\b(?:always|never|whenever|from now on|going forward|in (?:the )?future|every ?time|each time|no longer|at all times"
    r"|by default|any ?more|immer|niemals|nie|künftig|stets|ab jetzt|toujours|jamais|désormais|siempre|nunca|jamás|sempre|mai"
    r"|altijd|nooit|alltid|aldrig|zawsze|nigdy|всегда|никогда)\b"
    r"|항상|절대|반드시|앞으로|매번|常に|必ず|絶対|今後|毎回|总是|永远|始终|必须|以后|一律",
    re.IGNORECASE,
)
UNIVERSAL = compile_lazily(
    r"\b(?:all|every|everything|each|any|anything|only|alle|jede[rsnm]?|nur|tous|toutes|chaque|seulement|todos|todas|cada|solo"
    r"|sólo|somente|tutti|tutte|ogni)\b|모든|모두|전부|만\b|すべて|全て|のみ|だけ|所有|每个|只",
    re.IGNORECASE,
)
FORBIDS = compile_lazily(
    r"\b(?:(?<!\bi )do(?: not|n['’]?t)|must not|mustn['’]?t|should not|shouldn['’]?t|can ?not|can['’]?t be|never|not allowed"
    r"|stop \w{1,30}ing|avoid|without \w|(?:please|and|just) no \w|nicht|kein\w{0,2}|niemals|nie|ne \w{1,30} pas|jamais|nunca|jamás"
    r"|não|mai|niet|nooit|inte|aldrig|nigdy|нельзя|не|никогда)\b"
    r"|^no (?!problem|worries|idea|longer|need)\w|하지 ?마|말고|말아|ないで|しない|せず|禁止|不要|不能|别|勿",
    re.IGNORECASE,
)
CONTRAST = compile_lazily(
    r"\b(?:instead|rather than|not \w|over \w|statt|anstatt|sondern|plutôt|au lieu|en vez|en lugar|em vez|invece|вместо)"
    r"|대신|아닌|아니라|말고|ではなく|じゃなく|の代わり|而不是|代替",
    re.IGNORECASE,
)
OBLIGES = compile_lazily(
    r"\b(?:must|should|shall|needs? to|ha(?:ve|s) to|ought to|required|supposed to|is to be|are to be|muss|müssen|soll(?:en|te)?"
    r"|doi[st]|doivent|faut|debes?|deben|hay que|deve[m]?|moet(?:en)?|должн\w{1,3}|надо)\b|해야|되어야|べき|なければ|必须|应该|需要",
    re.IGNORECASE,
)
WANTS = compile_lazily(
    r"\bi(?:['’]d| would)? (?:do not |don['’]?t |never |only |really |much |greatly |always )?(?:want|wish|prefer|value|expect)\b"
    r"(?! (?:you )?to\b)|\bich bevorzuge\b|\bje préfère\b|\b(?:prefiero|prefiro)\b",
    re.IGNORECASE,
)
REASONED = compile_lazily(
    r"\b(?:because|cause|bc|since|so that|so we|as (?:it|that|this|we|the)|otherwise|weil|damit|denn|parce|car|porque|perché|потому)\b"
    r"|때문|니까|므로|から|ので|ため|因为",
    re.IGNORECASE,
)
OCCASION = compile_lazily(
    r"\b(?:when(?:ever)?|before|until|unless|if|except|wenn|bevor|quand|avant|cuando|antes|quando|если|когда)\b"
    r"|경우|때\b|전에|場合|とき|前に|如果|之前",
    re.IGNORECASE,
)
INSTRUCTIONS = compile_lazily(
    r"\b(?:claude|agents?|gemini|copilot-instructions|cursorrules|contributing)\.md\b|\b(?:rules?|conventions?|guidelines?"
    r"|polic(?:y|ies)|standards?|standing orders?|instructions?|regeln?|règles?|reglas?|правил\w{0,3})\b"
    r"|규칙|가이드|지침|ルール|規約|规则|规范",
    re.IGNORECASE,
)
"""An instruction file, or a word for its content."""
TASK = compile_lazily(
    r"(?:add|address|apply|audit|build|bump|change|check|clean|commit|compare|continue|convert|create|debug|delete|deploy"
    r"|do(?! not\b)|drop|examine|execute|explain|find|finish|fix|generate|get|give|go|implement|install|investigate|look|make|mention"
    r"|merge|move|note|open|pick|plan|pull|push|put|read|reformat|refactor|reduce|release|remove|rename|replace|reply|research"
    r"|reset|restart|resume|retry|revert|review|rewrite|run|save|see|send|set|show|start|summari[sz]e|take|tell|test|try|turn|undo"
    r"|update|verify|view|wait|write)\b",
    re.IGNORECASE,
)
"""The verb of a one-time action at the start of a sentence; words in ``LEAD`` may precede it."""
LEAD = frozenset(
    """ok okay yes yeah yep no and also now then so please great perfect first next just well hey hi alright can could would
    you we i let lets let's let’s think maybe probably might need have should want to plus""".split()
)
POINTING = compile_lazily(
    r"\b(?:this|that|these|those|it|its|here|there|above|below|now|again)\b|이거|저거|위의|これ|それ|这个|那个",
    re.IGNORECASE,
)
PAST = compile_lazily(
    r"\b(?:was|were|did|didn['’]?t|had|got|went|failed|saw|made|said|meant|broke|tried|seems?|looks?|still|i['’]m|i am|it['’]s)\b"
    r"|했|었|ました|でした",
    re.IGNORECASE,
)
REFERENCE = compile_lazily(
    r"https?://|#\d|\bline \d|\b\d{3}|:\d|\b(?:pr|phase|step|option|item|issue) #?\d", re.IGNORECASE
)
HEDGED = compile_lazily(
    r"\b(?:maybe|perhaps|probably|i (?:think|guess|suppose)|not sure|might|could|would|wonder\w{0,3}|vielleicht|peut-être|quizás?"
    r"|talvez)\b|かもしれ|아마|可能|也许",
    re.IGNORECASE,
)
DENIED = compile_lazily(
    r"\b(?:do not|don['’]?t|must not|should not|shouldn['’]?t|never|not|no|instead of|rather than|avoid|without|stop|than|over"
    r"|nicht|kein\w{0,2}|niemals|nie|statt|pas|jamais|nunca|jamás|não|mai|niet|nooit|inte|aldrig|nigdy|не|никогда)\b",
    re.IGNORECASE,
)
"""Negations and comparisons, followed by what is rejected."""
