"""A light English stemmer: the forms of one word fall together; it need not be the word a dictionary would name.

Made for words of software work: British and American spellings meet, agents in -er stay as they are (a server is not
what serves, a user not what is used), short words are left alone.
"""

from __future__ import annotations

VOWELS = frozenset("aeiouy")

# Forms that no rule finds, and words that a rule would spoil.
IRREGULAR = {
    form: base
    for form, _, base in (
        pair.partition("=")
        for pair in (
            "alias=alias aliases=alias appendices=appendix ate=eat began=begin begun=begin bound=bind broke=break "
            "broken=break built=build came=com canvas=canvas canvases=canvas caught=catch children=child chose=choos "
            "chosen=choos css=css died=die dies=die dying=die drew=draw drawn=draw eaten=eat embed=embed embeds=embed "
            "fallen=fall fell=fall fed=feed forgot=forget forgotten=forget format=format formats=format formatted=format "
            "formatter=format formatting=format found=find froze=freez frozen=freez gave=giv given=giv gone=go went=go "
            "goes=go grew=grow grown=grow held=hold hidden=hid hid=hid https=http hung=hang ios=ios kept=keep "
            "kubernetes=kubernetes lost=los losing=los macos=macos matrices=matrix indices=index indexes=index "
            "vertices=vertex met=meet news=news overridden=overrid overrode=overrid overwritten=overwrit "
            "overwrote=overwrit pandas=pandas postgres=postgres ran=run redis=redis rose=ris sent=send shown=show "
            "shrank=shrink shrunk=shrink species=species spent=spend spun=spin string=string strings=string stuck=stuck "
            "taken=tak took=tak thread=thread threw=throw thrown=throw written=writ wrote=writ wrong=wrong bias=bias "
            "responsive=responsiv evening=evening evenings=evening cors=cors core=core cores=core runes=runes "
            "usable=usable unusable=unusable gas=gas lens=lens lenses=lens atlas=atlas speed=speed always=always has=has "
            "was=was this=this process=process processes=process access=access accesses=access address=address "
            "addresses=address series=series windows=windows os=os dns=dns tls=tls aws=aws js=js used=use using=use "
            "resolution=resolv resolutions=resolv sped=speed slept=sleep swept=sweep read=read tore=tear torn=tear "
            "ground=ground left=leav leaving=leav"
        ).split()
    )
}

# Endings and how many letters must stay before them; the first that fits is taken off. Grouped by their last letter,
# so that a word is only held against the few that can fit.
ENDINGS: dict[str, tuple[tuple[str, int], ...]] = {
    "n": (("ization", 3), ("isation", 3), ("ation", 4), ("sion", -1), ("tion", -1)),
    "r": (("izer", 4), ("iser", 4), ("ator", 4)),
    "e": (("able", 4), ("ible", 4), ("ance", 5), ("ence", 5), ("ize", 4), ("ise", 5), ("ate", 4), ("ive", 4)),
    "t": (("ment", 4), ("ent", 5), ("ant", 5), ("at", 4)),
    "y": (("ability", 3), ("ibility", 3), ("ancy", 5), ("ency", 5), ("ity", 4), ("ably", 4), ("ibly", 4), ("ly", 4)),
    "s": (("ness", 4),),
    "z": (("iz", 4),),
}


def stem(word: str) -> str:
    """The common form of a word: ``caching``, ``cached`` and ``caches`` are all ``cach``.

    Case does not matter. What is no English word in ASCII letters (a number, another script) comes back in lower case.
    """
    word = word.lower()
    known = IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _without_ending(_without_inflection(word))


def _without_inflection(word: str) -> str:
    """The word without plural, past and -ing."""
    last = word[-1]
    if last == "s":
        word = _singular(word)
    elif last == "d" and word[-2] == "e":
        if word.endswith("ied") and len(word) > 4:
            return word[:-3] + "y"
        if len(word) > 4 and not word.endswith("eed"):
            return _verb(word, word[:-2])
    elif last == "g" and word.endswith("ing") and len(word) > 5:
        return _verb(word, word[:-3])
    return word


def _singular(word: str) -> str:
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ss", "us", "is")):
        return word
    singular = word[:-1]
    return IRREGULAR.get(singular, singular)


def _verb(word: str, base: str) -> str:
    """The verb that is left of a form in -ed or -ing, if what is left can be one."""
    if not VOWELS.intersection(base):
        return word
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        base = base[:-1]
    elif len(base) > 6 and base.endswith("is"):  # serialised, as serialized
        base = base[:-2]
    return IRREGULAR.get(base, base)


def _without_ending(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, least in ENDINGS.get(word[-1], ()):
        if word.endswith(ending):
            if least < 0 and len(word) > 5:  # -sion, -tion: the s and the t belong to the word
                word = word[:-3]
                break
            if least >= 0 and len(word) - len(ending) >= least:
                word = word[: -len(ending)]
                break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
        if len(word) > 5 and word.endswith(("iz", "at")):
            word = word[:-2]
    if len(word) > 2 and word[-1] == "y" and word[-2] not in VOWELS:
        word = word[:-1] + "i"
    return word
