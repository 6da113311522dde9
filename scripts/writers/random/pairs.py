"""Settings that cover every pair of features: each plan is the candidate with most uncovered pairs."""

import itertools
import random

CANDIDATES = 40


def pairs_of(plan):
    """The pairs of (feature, value) that a plan has."""
    return set(itertools.combinations(sorted((name, repr(value)) for name, value in plan.items()), 2))


def plans(features, count, seed, legal=lambda plan: True):
    """count plans, each a {feature: value}, with values from features ({feature: [value]}); and the pairs covered and possible.

    legal(plan) returns true if a writer can write it. Possible pairs are those of legal plans among many random ones.
    """
    rng = random.Random(seed)

    def draw():
        while True:
            plan = {name: rng.choice(values) for name, values in features.items()}
            if legal(plan):
                return plan

    possible = set().union(*(pairs_of(draw()) for _ in range(4000)))
    covered, chosen = set(), []
    for _ in range(count):
        best = max((draw() for _ in range(CANDIDATES if covered < possible else 1)), key=lambda plan: len(pairs_of(plan) - covered))
        covered |= pairs_of(best)
        chosen.append(best)
    return chosen, len(covered & possible), len(possible)
