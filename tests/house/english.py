"""What plain English means here, and how it is measured: the words not to use, and long sentences."""

import re

MOST_WORDS, MOST_MEAN = 25, 15  # in a sentence, and on average
FRAGMENT = 4                    # fewer words are a label, no sentence

# What not to say -> what to say instead.
INSTEAD = {
    r"told": "reported, given, distinguished",
    r"(stand|stands|stood) out": "is an outlier",
    r"two kinds|(fall|falls) apart": "two groups",
    r"wander(s|ed|ing)?|moves": "rotates",
    r"in turns?": "serialised, or rotating",
    r"(hand|hands|handed|handing) (it )?out": "dynamic scheduling",
    r"evened": "smoothed",
    r"levell(ed|ing)": "equalised",
    r"doubted": "inconclusive",
    r"settled": "confirmed",
    r"asides?": "note",
    r"in vain": "a failed poll",
    r"stretch(es)?": "segment",
    r"usual(ly)?": "baseline, default",
    r"suspects?": "candidates",
    r"besides?": "in addition to, next to",
    r"epochs?": "iteration",
}
BANNED = [(re.compile(rf"(?<![\w-])({words})(?![\w-])", re.I), better)
          for words, better in INSTEAD.items()]
END = re.compile(r"(?<=[.?!])[)\"'’]*\s+(?=[\"'(]*[A-Z0-9`%<\\.-]|[a-z_]+:)|\n+")
WORD = re.compile(r"\S*[A-Za-z0-9]\S*")


def banned(text):
    """(word, what to say instead) of each that the text has."""
    return [(match.group(0), better) for pattern, better in BANNED for match in pattern.finditer(text)]


def sentences(text):
    return [part.strip() for part in END.split(text) if part.strip()]


def length(sentence):
    return len(WORD.findall(sentence))


class Measure:
    """What is wrong with the texts of one source, and how long their sentences are."""

    def __init__(self):
        self.faults, self.lengths = [], []

    def add(self, where, text):
        self.faults += [f"{where}: \"{word}\": say {better}" for word, better in banned(text)]
        for sentence in sentences(text):
            words = length(sentence)
            if words >= FRAGMENT:
                self.lengths.append(words)
            if words > MOST_WORDS:
                self.faults.append(f"{where}: {words} words: {sentence[:70]}...")

    def mean(self):
        return sum(self.lengths) / max(len(self.lengths), 1)

    def all_faults(self, name):
        if self.mean() > MOST_MEAN:
            return [*self.faults, f"{name}: {self.mean():.1f} words a sentence"]
        return self.faults
