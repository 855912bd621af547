"""Why a move is best: a search of every move, as text, as JSON, as a tree."""

from zermelo.search.explain.explain import explain
from zermelo.search.explain.explanation import Explanation

__all__ = ["Explanation", "explain"]
