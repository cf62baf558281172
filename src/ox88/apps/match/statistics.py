"""What results say about strength: Elo with its error, likelihood of superiority, and the sequential test.

Two games with one opening and reversed colours are a pair. Their results are correlated, so errors and tests count
pairs: five outcomes, of 0, 1/2, 1, 3/2 and 2 points (Michel Van den Bergh's pentanomial model,
https://www.cantate.be/Fishtest/).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # Points per game, for each outcome of a pair.
GAME_SCORES: Final = (0.0, 0.5, 1.0)
CONFIDENCE: Final = 1.959964  # Half a 95 % interval, in standard errors.
ERROR_RATE: Final = 0.05  # The sequential test's, for both kinds of error.
_LARGEST_ELO: Final = 2000.0
_NORMALISED: Final = 800 / math.log(10)  # Normalised Elo for one standard deviation.
_RARE: Final = 1e-3  # A count of 0 is taken as this, since 0 has no logarithm.


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


def expected_score(elo: float) -> float:
    """Points per game of a player who is `elo` stronger, by the logistic curve."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The inverse of `expected_score`; bounded for scores of 0 and 1."""
    least = expected_score(-_LARGEST_ELO)
    score = min(max(score, least), 1 - least)
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True, slots=True)
class Sample:
    """counts: how often each outcome was seen. scores: points per game of each outcome."""

    counts: tuple[float, ...]
    scores: tuple[float, ...]

    @property
    def size(self) -> float:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return sum(n * score for n, score in zip(self.counts, self.scores, strict=True)) / self.size

    @property
    def variance(self) -> float:
        """The variance of one outcome about the mean of the sample."""
        mean = self.mean
        return sum(n * (score - mean) ** 2 for n, score in zip(self.counts, self.scores, strict=True)) / self.size

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.size)


def score_estimate(sample: Sample) -> Estimate:
    mean, reach = sample.mean, CONFIDENCE * sample.error
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def elo_estimate(sample: Sample) -> Estimate:
    """The Elo difference, with the interval of the score."""
    score = score_estimate(sample)
    return Estimate(elo_of_score(score.value), elo_of_score(score.low), elo_of_score(score.high))


def normalised_elo_estimate(sample: Sample) -> Estimate:
    """The lead per game in standard deviations of a game, scaled so that it is near Elo where few games are drawn.

    Unlike Elo, it says how many games show the difference, whatever the openings and the share of draws. (Michel Van
    den Bergh, "Normalized Elo", https://www.cantate.be/Fishtest/normalized_elo_practical.pdf.)
    """
    games = 2 if sample.scores == PAIR_SCORES else 1
    deviation = math.sqrt(games * sample.variance)
    score = score_estimate(sample)

    def normalised(share: float) -> float:
        elo = _NORMALISED * (share - 0.5) / max(deviation, 1e-9)
        return min(max(elo, -_LARGEST_ELO), _LARGEST_ELO)

    return Estimate(normalised(score.value), normalised(score.low), normalised(score.high))


def superiority(sample: Sample) -> float:
    """The likelihood of superiority: that the true score is above one half, by the normal distribution."""
    error = sample.error
    if error == 0:
        return 0.5 if sample.mean == 0.5 else float(sample.mean > 0.5)
    return 0.5 * (1 + math.erf((sample.mean - 0.5) / error / math.sqrt(2)))


def log_likelihood_ratio(sample: Sample, elo0: float, elo1: float) -> float:
    """Logarithm of the generalised likelihood ratio of two hypotheses: the strength is elo1, or elo0.

    A hypothesis says only the mean score. Its likelihood is the likelihood of the likeliest distribution with this
    mean.
    """
    if sample.size == 0:
        return 0.0
    counts = [max(count, _RARE) for count in sample.counts]
    size = sum(counts)
    shares = [count / size for count in counts]
    likeliest0 = _likeliest(shares, sample.scores, expected_score(elo0))
    likeliest1 = _likeliest(shares, sample.scores, expected_score(elo1))
    return size * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(shares, likeliest0, likeliest1, strict=True))


def _likeliest(shares: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Of all distributions with this mean, the one under which the shares are likeliest.

    Each share p becomes p / (1 + t (score - mean)). The mean falls as t rises, so bisection finds the right t.
    """
    deviations = [score - mean for score in scores]
    low, high = -1 / max(deviations), -1 / min(deviations)
    for _ in range(60):  # Enough for the full precision of floating-point numbers.
        t = (low + high) / 2
        if sum(p * d / (1 + t * d) for p, d in zip(shares, deviations, strict=True)) > 0:
            low = t
        else:
            high = t
    return [p / (1 + t * d) for p, d in zip(shares, deviations, strict=True)]


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential probability ratio test: is the strength elo1 rather than elo0?"""

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """The logarithm of the ratio that accepts elo1; its negative accepts elo0."""
        return math.log((1 - ERROR_RATE) / ERROR_RATE)

    def ratio(self, pairs: Sample) -> float:
        return log_likelihood_ratio(pairs, self.elo0, self.elo1)

    def accepted(self, pairs: Sample) -> float | None:
        """The Elo that the test has accepted; None if it needs more games."""
        ratio = self.ratio(pairs)
        if abs(ratio) < self.bound:
            return None
        return self.elo1 if ratio > 0 else self.elo0
