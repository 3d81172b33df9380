"""Select the sentences by the user or the main agent that an entry quotes for its candidate.

Parts of a sentence that repeat tool output become typed tokens (staging/tokens.py). A sentence that loses words
other than articles in this way, or is split, is no longer readable and is skipped in favour of the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

from mind_skills.detectors.composing.quotes import SEPARATOR
from mind_skills.detectors.composing.sentences import (
    is_dependent,
    is_explanation,
    is_instruction,
    is_plan,
    is_remedy,
    is_self_contained,
    is_statement,
    shorten_sentence,
    split_sentences,
)
from mind_skills.detectors.model import Evidence
from mind_skills.detectors.words import BROKEN, contains_any, extract_tokens
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.staging import tokens
from mind_skills.staging.identity import normalise_text
from mind_skills.staging.model import MAX_CONTENT_LENGTH, TOOL_OUTPUT_TAINT, Candidate, is_quoted

CAUSE_SEPARATOR = SEPARATOR
"""Separates the quotations of a cause."""
_MAX_UNTRUSTED_LENGTH = 120
"""Maximum number of characters quoted from an agent that read untrusted text, since it may be paraphrasing that text."""
_ARTICLES = frozenset({"a", "an", "the"})
"""The only words of a sentence that the quote may lack."""
_MIN_WORDS, _MIN_PLAIN_WORDS = 4, 3
"""Minimum number of words in a quoted sentence, and of words that consist of letters only."""
_MIN_CLAUSE_WORDS = 5
"""Minimum number of words in a clause that is quoted alone because the rest of its sentence repeats tool output."""
MAX_QUOTE_LENGTH = 300
"""Maximum number of characters quoted from the agent, and from the user in a rule."""
_UNSPACED = compile_lazily(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Characters of scripts with few or no spaces, and of Korean, whose words may be whole phrases. Two count as one word."""
_SPEAKER = compile_lazily(r"^(?:agent|user): ")
_LOOSE_SPACE = compile_lazily(r" (?=[.,;:!?)\]]{1,3}(?:\s|\Z)|['’]s(?=[\s.,;:!?)]|\Z)|\(\))|(?<=[(\[]) ")
"""Spaces next to punctuation that remain when formatting is removed."""
_CAUSAL_CLAUSE = compile_lazily(r"\b(because|since|so) (\S.*)")
"""A clause that may be quoted instead of its sentence."""
_NO_PROBLEM = compile_lazily(r"\bno (?:\w+ )?(?:issue|error|problem|warning)|\[link\]|://")
"""Statements that there is no problem, and links; neither reports a failure."""
_NAME_JOINTS = compile_lazily(r"[._/-]")
_REQUEST = compile_lazily(
    r"(?i)(?:(?:ok(?:ay)?|so|yep|yes),? )?(?:please|let['’]?s|(?:can|could|would) (?:yo)?u|perform|prioriti[sz]e)\b"
)
"""Start of a request, in addition to the instructions that detectors/composing recognises."""
_FORM_FIELD = compile_lazily(r"\w+(?: \w+)?: ")
"""Start of a line in a form that the user filled in."""
_DRAWING = compile_lazily(r"[^\w\s.…]{4}|[\u2500-\u259f]|\A\[")
"""Lines drawn with characters in pasted text, and prefixes of log lines."""
_PUNCTUATION = ".,;:!?…()[]'’‘“”-–—·"
_PAIRS = {")": "(", "]": "["}


class QuoteSelector:
    """Selector of the sentences that an entry quotes for its candidate, each at most once.

    At most ``MAX_QUOTE_LENGTH`` characters of the agent's text are quoted in total, or ``_MAX_UNTRUSTED_LENGTH`` if it read untrusted
    text.
    """

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        self._tool_output = _join_tool_output(candidate)
        self._statements = [_normalise(text) for text in list_statements(candidate)]
        self._user_texts = [_normalise(text) for text in list_statements(candidate, "user: ")]
        is_untrusted = any(source != TOOL_OUTPUT_TAINT for source in candidate.taint)
        self._agent_quota = _MAX_UNTRUSTED_LENGTH if is_untrusted else MAX_QUOTE_LENGTH
        self._quoted: list[str] = []

    def quote_rule(self) -> str:
        """Return the user's rule, however short; empty if the evidence does not contain it."""
        rule = self._candidate.cause or self._candidate.title
        text = _neutralise(rule, self._tool_output, self._candidate.repeats)[1]
        return tokens.cut_at_word(text, MAX_QUOTE_LENGTH) if is_stated(self._candidate, rule) else ""

    def quote_cause(self, limit: int, *, only_explaining: bool = False, call: str = "") -> str:
        """Return a stated cause; empty if none may be quoted. With ``only_explaining``, it must state cause and effect.

        Causes that share words with the symptom or the remedy are preferred. If the remedy is to make the failed ``call``
        differently, a cause that shares none with these or with the call is about something else, and is not quoted.
        """
        topic_words = _extract_words(f"{self._candidate.symptom} {self._candidate.remedy} {call}")
        parts = [part for part in _get_cause(self._candidate).split(CAUSE_SEPARATOR) if part]
        parts = [part for part in parts if not call or _extract_words(part) & topic_words]
        statements = [each for part in parts for each in (part, *split_sentences(part))]
        complete = sorted(filter(is_statement, statements), key=lambda each: not _extract_words(each) & topic_words)
        if only_explaining:
            return self._select_first(filter(is_explanation, complete), limit)
        explanations = filter(is_explanation, self._list_sentences())
        related = [each for each in explanations if len(_extract_words(each) & topic_words) > 1]
        quote = self._select_first([*complete, *related], limit)
        return quote or self._select_first(statements, limit, _extract_clause)

    def quote_remedy(self, limit: int, *, call: str = "") -> str:
        """Return a statement of what was done: one that the detector selected, else one about the remedy; empty if there is none.

        If the remedy is to make the failed ``call`` differently, the statement must share words with the call, the symptom or the
        remedy.
        """
        topic_words = _extract_words(self._candidate.remedy)
        topic_words = topic_words or _extract_words(f"{self._candidate.symptom} {self._candidate.cause}")
        selected = [each for e in self._candidate.evidence if is_quoted(e) and (each := self._find_remedy_statement(e))]
        actions = (each for each in self._list_sentences() if is_remedy(each) and not is_plan(each))
        related = [each for each in actions if _extract_words(each) & topic_words]
        related.sort(key=lambda each: -len(_extract_words(each) & topic_words))
        call_words = _extract_words(f"{self._candidate.symptom} {self._candidate.remedy} {call}")
        selected = [each for each in selected if not call or _extract_words(each) & call_words]
        return self._select_first([*selected, *related], limit)

    def has_reduced_quota(self) -> bool:
        """Return whether the agent's remaining quota is smaller than a full quote, so that cause and remedy have to share it."""
        return self._agent_quota < MAX_QUOTE_LENGTH

    def _find_remedy_statement(self, part: Evidence) -> str:
        """Return the first sentence of a quote that states what was done and is not part of the cause; else empty.

        Only quotes that detectors/composing/evidence.py selected as a cause or a change count. A sentence that states a plan
        counts only if it is part of the episode.
        """
        if part.role not in ("change", "cause") or not part.summary.startswith("agent: "):
            return ""
        others = (each for each in split_sentences(part.content) if each not in self._candidate.cause)
        return next(
            (
                each
                for each in others
                if is_remedy(each) and not (part.statement_line not in (0, part.line) and is_plan(each))
            ),
            "",
        )

    def quote_complaint(self, limit: int, *, is_secondary: bool = False) -> str:
        """Return the user's complaint; with ``is_secondary`` (a symptom is shown already), only if it reports a failure."""
        symptoms = (e.summary for e in self._candidate.evidence if e.role == "symptom")
        user_texts = [text for text in symptoms if text.startswith("user: ")]
        texts = [self._candidate.symptom, *(_SPEAKER.sub("", text) for text in user_texts[:1])]
        parts = [each for text in texts for each in (text, *split_sentences(text)) if each]
        parts = [each for each in parts if each[-1] != ":" and not (is_instruction(each) or is_plan(each))]
        parts = [each for each in parts if not (_FORM_FIELD.match(each) or _REQUEST.match(each))]
        failures = [each for each in parts if contains_any(each.lower(), BROKEN) and not _NO_PROBLEM.search(each)]
        return self._select_first(failures if is_secondary else [*failures, *parts], limit)

    def quote_title(self, limit: int) -> str:
        """Return the title if it is a sentence of the user or the agent that can be quoted alone."""
        title = self._candidate.title
        return self._select_first([title] if is_self_contained(title) else [], limit)

    def _list_sentences(self) -> list[str]:
        return [
            each
            for text in (*list_statements(self._candidate), self._candidate.title)
            for each in split_sentences(text)
        ]

    def _select_first(self, texts: Iterable[str], limit: int, extract: Callable[[str, str], str] | None = None) -> str:
        for text in texts:
            if not text or text.endswith("…") or _is_mangled(text) or not _occurs_in(text, self._statements):
                continue
            is_by_user = any(_normalise(text).rstrip("….") in each for each in self._user_texts)
            before, after = _neutralise(text, self._tool_output, self._candidate.repeats)
            quote = extract(before, after) if extract else after if _is_readable(before, after) else ""
            if not quote or any(_overlaps(quote, other) for other in self._quoted):
                continue
            shortened = shorten_sentence(quote, limit if is_by_user else min(limit, self._agent_quota))
            if not shortened:
                continue
            self._quoted.append(quote)
            self._agent_quota -= 0 if is_by_user else len(shortened)
            return shortened
        return ""


def is_stated(candidate: Candidate, text: str) -> bool:
    """Return whether the evidence contains ``text`` as a statement of the user or the main agent."""
    return _occurs_in(text, [_normalise(each) for each in list_statements(candidate)])


def _occurs_in(text: str, normalised: Sequence[str]) -> bool:
    words = _normalise(text).rstrip("….")
    return bool(words) and any(words in each for each in normalised)


def _extract_words(text: str) -> frozenset[str]:
    """Return the topic words of a text, including those in the parts of dotted or hyphenated names."""
    return extract_tokens(text) | extract_tokens(_NAME_JOINTS.sub(" ", text))


def _extract_clause(before: str, after: str) -> str:
    """Return the causal clause at the end of a sentence, if it does not repeat tool output as the rest does; else empty.

    A clause with "so" states the consequence, so it is quoted as a sentence of its own.
    """
    suffix = _get_common_prefix(reversed(before.split()), reversed(after.split()))
    match = _CAUSAL_CLAUSE.search(" ".join(reversed(suffix)))
    if match is None or len(match[0].split()) < _MIN_CLAUSE_WORDS:
        return ""
    if is_plan(match[2]) or is_dependent(match[2]) or " I " in match[2]:
        return ""
    clause = _tidy_spaces(match[0])
    if match[1] == "so":
        clause = _tidy_spaces(match[2][0].upper() + match[2][1:])
        return clause if is_statement(clause) and _is_readable(clause, clause) else ""
    return clause if _is_readable(match[0], clause) else ""


def _neutralise(text: str, tool_output: str, repeats: Sequence[str]) -> tuple[str, str]:
    """Return a sentence on one line, and the same line with repeated tool output reduced to typed tokens."""
    neutral = tokens.neutralise_statement(text, MAX_CONTENT_LENGTH, tool_output, repeats)
    return _tidy_spaces(tokens.flatten_text(text)), _tidy_spaces(neutral)


def _is_mangled(text: str) -> bool:
    """Return whether a sentence would lose several characters as markup other than backticks, quotes and asterisks."""
    marked = tokens.replace_markup(text)
    return sum(before != after and before not in "`*\"'" for before, after in zip(text, marked, strict=True)) > 1


def _get_common_prefix(words: Iterable[str], others: Iterable[str]) -> list[str]:
    """List the words that both sequences begin with."""
    return [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False))]


def _is_readable(before: str, after: str) -> bool:
    """Return whether ``after`` is a readable version of ``before``: it keeps all words but articles, and brackets match."""
    words_before, words_after = _count_words(before), _count_words(after)
    common, unspaced = sum((words_before & words_after).values()), len(_UNSPACED.findall(after)) // 2
    keeps_first_word = list(words_before)[:1] == list(words_after)[:1]
    return (
        keeps_first_word
        and common == sum(words_after.values()) >= _MIN_WORDS - unspaced
        and _ARTICLES.issuperset(words_before - words_after)
        and sum(word.isalpha() and len(word) > 1 for word in words_after) >= _MIN_PLAIN_WORDS - unspaced
        and tokens.BREAK.strip() not in after
        and not _DRAWING.search(after)
        and _is_balanced(after)
    )


def _tidy_spaces(text: str) -> str:
    return _LOOSE_SPACE.sub("", text).strip(" ,;:–—·").removeprefix("- ")


def _count_words(text: str) -> Counter[str]:
    return Counter(stripped for word in text.split() if (stripped := word.strip(_PUNCTUATION)))


def _is_balanced(text: str) -> bool:
    """Return whether the brackets in ``text`` are balanced."""
    stack: list[str] = []
    for character in text:
        if character in _PAIRS.values():
            stack.append(character)
        elif character in _PAIRS and (not stack or stack.pop() != _PAIRS[character]):
            return False
    return not stack


def _overlaps(text: str, other: str) -> bool:
    return text.rstrip("….") in other or other.rstrip("….") in text


def _get_cause(candidate: Candidate) -> str:
    """Return the cause or, for a candidate of an older version that stored no statements, the first quote."""
    if candidate.cause or candidate.symptom or candidate.remedy:
        return candidate.cause
    return next(iter(list_statements(candidate)), "")


def list_statements(candidate: Candidate, speaker: str = "") -> list[str]:
    """List the quoted texts, those of the user last, because the user may have pasted tool output.

    ``speaker`` is ``"agent: "`` or ``"user: "``, or empty for both.
    """
    quotes = [e for e in candidate.evidence if is_quoted(e) and e.summary.startswith(speaker)]
    quotes.sort(key=lambda e: e.summary.startswith("user: "))
    return [text for e in quotes for text in (e.content, _SPEAKER.sub("", e.summary)) if text.strip()]


def _normalise(text: str) -> str:
    return " ".join(normalise_text(text).replace("*", "").replace("`", "").split())


def _join_tool_output(candidate: Candidate) -> str:
    """Return the tool output in the evidence, in the form that ``tokens.neutralise_statement`` expects."""
    tool_output = (f"{e.summary}\n{e.content}" for e in candidate.evidence if not is_quoted(e) and e.role != "change")
    return tokens.flatten_text("\n".join(tool_output)).casefold()
