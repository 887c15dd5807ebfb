"""Plausible English without meaning: the same seed always tells the same story.

Sentences are filled from templates, so they have the lengths, punctuation and word frequencies of
written English, which is what text features and change detection look at.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


def _words(text: str) -> tuple[str, ...]:
    """A word list; an underscore stands for a space inside one entry."""
    return tuple(word.replace("_", " ") for word in text.split())


NOUNS = _words("""harbour river market garden library workshop bridge valley kitchen station archive museum
street window lantern orchard signal engine festival journey letter map meadow mountain neighbour
notebook painting path photograph plan question railway recipe record road school season shelter
story studio summer teacher theatre tower town train village voice wall weather winter forest
island machine method morning office parliament pattern farm field ferry factory evening council
coast city choir castle canal camera building border boat bicycle bakery award argument
author answer budget clinic company crew design device drawing experiment fabric figure glass
grant harvest hospital idea instrument laboratory language lesson lighthouse material measure
model network novel orchestra paper park pier policy port portrait price project proposal report
rule sample survey team theory timetable tool tradition translation trial university vessel
volunteer""")

ADJECTIVES = _words("""quiet early bright old new careful distant local northern simple patient sudden
slow broad narrow warm cold clear gentle steady honest ordinary familiar forgotten generous modest
open private public rare remote restless rural sharp small smooth soft southern sturdy subtle
tall tidal unexpected unlikely urban useful western wild wooden young ambitious annual careless
cheap complete costly curious daily delicate eastern empty excellent famous final fragile hidden
independent late lasting lively long lost medieval modern natural official popular practical
recent reluctant shared silent skilled solid strange temporary thorough uneven""")

VERBS = _words("""opened changed followed built restored measured described carried crossed found kept
repaired welcomed watched studied shared questioned painted noticed mapped lifted learned joined
improved imagined guarded gathered funded explored doubted discussed designed defended
counted collected closed celebrated borrowed avoided arranged answered accepted tested
rebuilt reported rescued returned reviewed revived saved shaped supported surprised taught
tracked translated trusted united visited""")

PLACES = _words("""Aldermouth Brackenfield Calder_Bay Dunmore Eastwick Fallow_Hill Greyhaven Holmstead Inverlee Juniper_Cross Kestrel_Point
Langford Marlow_Sands Northgate Oakhurst
Penrose Quayside Ravensworth Saltmarsh Thornbury Upper_Wold Venn_Valley Westerby Yarrow Yewdale""")

GIVEN = _words("""Ada Amir Ana Arthur Beatrice Boris Carla Chen Clara Daniel Dara Diego Edith Elena Emil
Esther Farah Felix Freya Grace Hana Henry Ines Isaac Ivan Jamal Joan Jonas Kavita Kofi Laila Leo
Lucia Magnus Maria Mei Miriam Nadia Nils Noor Olga Omar Paula Petra Ravi Rosa Ruth Samuel Sofia
Tariq Theo Uma Vera Viktor Wanda Yara Yusuf Zoe""")

FAMILY = _words("""Abbott Adeyemi Alvarez Andersen Barlow Becker Bennett Castillo Chandra Cohen Costa
Dawson Dubois Eriksen Farrell Fischer Garner Haddad Hartley Holm Ibrahim Jansen Kaplan Keller
Kovac Larsen Lindqvist Marsh Mensah Moreau Nakamura Novak Okafor Olsen Osman Park Pereira Quinn
Rahman Ramirez Rossi Sandoval Schmidt Sharma Silva Stone Tanaka Thorne Valdez Vogel Walker Weiss
Whitfield Yamada Zhou""")

COMPANY_ENDS = _words(
    "Works &_Sons Collective Supply_Co. Studio Group Partners Institute Press Foundry Lab Trading"
)

TITLES = (
    "The {adj} {noun} of {place}",
    "How a {adj} {noun} {verb} the {noun}",
    "Why the {noun} still matters in {place}",
    "{place} and its {adj} {noun}",
    "Inside the {adj} {noun} that {verb} {place}",
    "A {noun}, a {noun} and a {adj} {noun}",
    "What the {adj} {noun} left behind",
    "The {noun} nobody {verb}",
    "After the {noun}: a {adj} {noun} for {place}",
    "{number} ways to see a {adj} {noun}",
    "Who owns the {noun} of {place}?",
    "A letter from {place}: the {adj} {noun}",
    "{person} and the {adj} {noun}",
    "When {place} {verb} its {noun}",
    "The last {noun} on the {adj} road",
    "No more {noun}: {place} votes for a {adj} {noun}",
    "They {verb} a {noun} and found a {noun}",
    "In praise of the {adj} {noun}",
)

SENTENCES = (
    "The {adj} {noun} {verb} the {noun} long before anyone in {place} had thought of it.",
    "In {place}, a {noun} is rarely just a {noun}.",
    "“We {verb} the {noun} because nobody else would,” says {person}, who has worked here for {number} years.",
    "It took {number} months, two {adj} meetings and one {noun} to settle the matter.",
    "Few people {verb} the {adj} {noun}; fewer still remember why.",
    "When the {noun} closed, {person} {verb} what was left and moved to {place}.",
    "Some {verb} it, others only {verb} the {noun} from a distance.",
    "The first {noun} was {adj}, and the second was hardly better.",
    "According to {company}, the {noun} will cost about {number} million and last for a generation.",
    "There was a {adj} {noun} on the table, and next to it a {noun}.",
    "By the end of the {adj} season the {noun} had {verb} almost everything around it.",
    "That is, in short, what the {noun} taught the {noun}.",
    "Nobody expected the {adj} {noun} to return so soon.",
    "On most days the {noun} is {adj}, but after rain it can be surprisingly {adj}.",
    "A {adj} {noun} {verb} the old {noun}, and {place} has not been the same since.",
    "“It is a {adj} {noun},” {person} told us, “and I would not change it for any {noun}.”",
    "Of the {number} thousand people who {verb} the {noun}, {number} came back the following year.",
    "The {noun} between {place} and {place} remains {adj}.",
    "What matters now is whether the {noun} can be {verb} without losing its {adj} character.",
    "Still, the numbers are clear: {number} percent of visitors {verb} the {noun} last year.",
    "For a while the {adj} {noun} seemed to be winning.",
    "{person} keeps a {noun} in the hall, {adj} and slightly out of place.",
    "Ask three people about the {noun} and you will hear four {adj} answers.",
    "The plan was simple: a {adj} {noun}, a {noun} and, if money allowed, a second {noun}.",
    "It was {person} of {company} who first {verb} the {noun}, in {place}.",
    "Between the {noun} and the {noun} there is a {adj} gap that nobody has measured.",
    "Then the {noun} {verb} the {noun}, and everything slowed down.",
    "You can still see it from the road to {place}, just behind the {adj} {noun}.",
    "Critics call it {adj}; {person} prefers the word {adj}.",
    "Last week a {noun} arrived without a sender, {number} pages long and entirely {adj}.",
    "None of this would matter if the {noun} were not so {adj}.",
    "The {noun} has room for {number} people, a {noun} and very little else.",
)


class Prose:
    """A writer with a seed. Two with the same seed say the same, in the same order."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def pick(self, seq: Sequence[T]) -> T:
        return self._random.choice(seq)

    def number(self, lo: int, hi: int) -> int:
        """A whole number from `lo` to `hi`, both included."""
        return self._random.randint(lo, hi)

    def word(self) -> str:
        return self.pick(NOUNS)

    def place(self) -> str:
        return self.pick(PLACES)

    def person(self) -> str:
        return f"{self.pick(GIVEN)} {self.pick(FAMILY)}"

    def company(self) -> str:
        return f"{self.pick(FAMILY + PLACES)} {self.pick(COMPANY_ENDS)}"

    def title(self, words: int = 5) -> str:
        """A headline of about so many words; always that many when `words` is three or less."""
        if words <= 3:
            parts = self._random.sample(ADJECTIVES, words - 1)
            return " ".join([*parts, self.word()]).capitalize()
        nearest = min(abs(len(form.split()) - words) for form in TITLES)
        forms = [form for form in TITLES if abs(len(form.split()) - words) <= nearest + 1]
        return self._fill(self.pick(forms))

    def sentence(self) -> str:
        return self._fill(self.pick(SENTENCES))

    def paragraph(self, sentences: int = 5) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def _fill(self, form: str) -> str:
        """Fills each slot on its own, with what is new to the sentence, and mends 'a old'."""
        parts = form.split("{")
        text = parts[0]
        for part in parts[1:]:
            slot, rest = part.split("}", 1)
            value = self._fresh(slot, text)
            text = _with_article(text, value) + value + rest
        return text[0].upper() + text[1:]

    def _fresh(self, slot: str, text: str) -> str:
        """A value for the slot that the sentence does not have yet."""
        value = self._slot(slot)
        while value in text:
            value = self._slot(slot)
        return value

    def _slot(self, slot: str) -> str:
        if slot in _SLOTS:
            return self.pick(_SLOTS[slot])
        if slot == "number":
            return str(self.number(3, 90))
        return self.person() if slot == "person" else self.company()


_SLOTS = {"adj": ADJECTIVES, "noun": NOUNS, "verb": VERBS, "place": PLACES}


def _with_article(text: str, following: str) -> str:
    vowel = following[0] in "aeiou" and not following.startswith(("uni", "use"))
    if vowel and (text in ("a ", "A ") or text.endswith((" a ", " A ", "“a ", "“A "))):
        return text[:-1] + "n "
    return text
