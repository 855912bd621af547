"""Mutants: a small game drawn at random, and up to three changes to its text drawn at random. A number is a mutant."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz.bases import BASES

UNCHANGED = 0.02  # of all mutants, so many are right: no door may find fault with them
NUMBERS = (0, 1, -1, 2, 7, 100, 127, 128, 255, 40_000, 1 << 31, (1 << 63) - 1, -(1 << 63), 0.5, 1e300)
KINDS = ("i1", "u1", "i2", "u2", "i4", "i8", "u8", "?", "f4", "U3")
RETURNS = ("None", "-1", "-7", "0", "1", "3", "1000000", "1.5", "True", "'text'", "(1, 2)", "[1, 2]", "s", "1 << 62")
COMPARE = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
BINARY = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.LShift, ast.BitAnd)
INSERTED = (
    "while True:\n    pass",
    "while s.{field} >= 0:\n    pass",
    "raise ValueError('no')",
    "assert False",
    "s.{field} = 1 // (s.{field} - s.{field})",
    "s.{field} = 300",
    "s.{field} = -200",
    "s.{field} += 1",
    "s.{field} = 0.5",
    "s.{field} = 'x'",
    "s.{array}[40] = 1",
    "s.{array}[10_000_000] = 1",
    "s.{array}[-50] = 1",
    "s.{array}[s.{field}] = s.{field}",
    "s.unheard_of = 1",
    "unheard_of()",
    "return 7",
    "return",
    "import os\nos.getpid()",
    "x = [0] * 1000",
    "x = {{}}",
    "x = 'text' + str(s.{field})",
    "print(s.{field})",
    "x = 0\nfor i in range(1 << 40):\n    x += i & 1",
)
WRITTEN = (
    "{out}[len({out})] = 1",
    "{out}[len({out}) + 3] = 1",
    "{out}[100_000_000] = 1",
    "{out}[-1] = 99",
    "{out}[-1000] = 99",
    "for i in range(len({out}) + 5):\n    {out}[i] = i",
    "{out}[0] = 1 << 62",
    "{out}[0] = -5",
    "{out}[0] = 0.5",
    "{out}[0] = {out}[1]",
    "{out}[0] = float('nan')",
)


@dataclass(frozen=True)
class Mutant:
    number: int
    base: str
    changes: tuple[str, ...]
    text: str

    def file(self) -> str:
        """The text, with what was done to it."""
        done = "\n".join(f"#   {change}" for change in self.changes) or "#   nothing"
        return f'"""Mutant {self.number}, of {self.base}."""\n{done}\n{self.text}'


def mutant(seed: int, number: int) -> Mutant:
    """Mutant `number` of the run with this seed; the same whenever it is asked for."""
    rng = random.Random(f"{seed}/{number}")
    base = rng.choice(list(BASES))
    text, ranges = BASES[base]
    tree = ast.parse(text.format(**{name: rng.randint(*span) for name, span in ranges.items()}))
    changes: list[str] = []
    wanted = 0 if rng.random() < UNCHANGED else rng.choice((1, 1, 1, 2, 2, 3))
    while len(changes) < wanted:
        change = rng.choice(CHANGES)
        told = change(tree, rng)
        if told:
            changes.append(f"{change.__name__}: {told}")
    return Mutant(number, base, tuple(changes), ast.unparse(ast.fix_missing_locations(tree)) + "\n")


# -- what is done to them: each changes the tree in place and tells how, or "" where there is nothing to change --------


def _rules(tree: ast.Module) -> ast.ClassDef:
    return next(node for node in tree.body if isinstance(node, ast.ClassDef))


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _nodes(tree: ast.AST, kind: type) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if isinstance(node, kind)]


def _short(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:60]


def a_declaration(tree: ast.Module, rng: random.Random) -> str:
    call = _rules(tree).decorator_list[0]
    word = rng.choice([k for k in call.keywords if k.arg != "name"])
    before = _short(word.value)
    if rng.random() < 0.2:
        call.keywords.remove(word)
        return f"without {word.arg}"
    value = rng.choice((1, 2, 3, 0, -1, 1000, 10**12, None, "'x'", 0.5)) if rng.random() < 0.7 else rng.choice(NUMBERS)
    word.value = ast.parse(str(value), mode="eval").body
    return f"{word.arg}={value} for {before}"


def a_field(tree: ast.Module, rng: random.Random) -> str:
    state = next(node for node in _rules(tree).body if isinstance(node, ast.Assign))
    i = rng.randrange(len(state.value.keys))
    kind = state.value.values[i]
    if isinstance(kind, ast.Tuple) and rng.random() < 0.6:
        kind.elts[1] = ast.parse(f"({rng.choice((1, 2, 3, 0, 1000))},)", mode="eval").body
    elif isinstance(kind, ast.Tuple):
        kind.elts[0] = ast.Constant(rng.choice(KINDS))
    elif rng.random() < 0.15:
        del state.value.keys[i], state.value.values[i]
        return "one field less"
    else:
        state.value.values[i] = ast.Constant(rng.choice(KINDS))
    return f"{_short(state.value.keys[i])} is {_short(state.value.values[i])}"


def a_number(tree: ast.Module, rng: random.Random) -> str:
    found = [n for f in _functions(tree) for n in _nodes(f, ast.Constant) if type(n.value) in (int, float)]
    node = rng.choice(found)
    before = node.value
    node.value = rng.choice((before + 1, before - 1, -before, before * 100, rng.choice(NUMBERS)))
    return f"{node.value} for {before}"


def a_comparison(tree: ast.Module, rng: random.Random) -> str:
    node = rng.choice([n for f in _functions(tree) for n in _nodes(f, ast.Compare)] or [None])
    if node is None:
        return ""
    node.ops[0] = rng.choice(COMPARE)()
    return _short(node)


def an_operator(tree: ast.Module, rng: random.Random) -> str:
    found = [n for f in _functions(tree) for n in [*_nodes(f, ast.BinOp), *_nodes(f, ast.AugAssign)]]
    node = rng.choice(found)
    node.op = rng.choice(BINARY)()
    return _short(node)


def a_statement_gone(tree: ast.Module, rng: random.Random) -> str:
    function = rng.choice(_functions(tree))
    body, i = _body(function, rng)
    told = _short(body[i])
    body[i] = ast.Pass()
    return f"{told} of {function.name}"


def a_statement_twice(tree: ast.Module, rng: random.Random) -> str:
    function = rng.choice(_functions(tree))
    body, i = _body(function, rng)
    body.insert(i, body[i])
    return f"{_short(body[i])} of {function.name}"


def a_return(tree: ast.Module, rng: random.Random) -> str:
    found = [(f, n) for f in _functions(tree) for n in _nodes(f, ast.Return)]
    function, node = rng.choice(found)
    text = rng.choice(RETURNS)
    if node.value is not None and rng.random() < 0.4:
        text = f"({ast.unparse(node.value)}) {rng.choice(('+ 1', '- 1', '* 2', '+ 0.5', '* -1'))}"
    node.value = ast.parse(text, mode="eval").body
    return f"{function.name} returns {text}"


def an_insertion(tree: ast.Module, rng: random.Random) -> str:
    function = rng.choice([node for node in _rules(tree).body if isinstance(node, ast.FunctionDef)])
    state = next(node for node in _rules(tree).body if isinstance(node, ast.Assign)).value
    arrays = [k.value for k, v in zip(state.keys, state.values, strict=True) if isinstance(v, ast.Tuple)] or ["none"]
    fields = [k.value for k, v in zip(state.keys, state.values, strict=True) if isinstance(v, ast.Constant)] or ["none"]
    outs = [a.arg for a in function.args.args if a.arg in ("out", "index", "value", "probability")]
    text = rng.choice(WRITTEN if outs and rng.random() < 0.6 else INSERTED)
    text = text.format(out=rng.choice(outs or ["out"]), field=rng.choice(fields), array=rng.choice(arrays))
    if rng.random() < 0.5:
        inside = "\n".join("    " + line for line in text.splitlines())
        text = f"if s.{rng.choice(fields)} == {rng.randint(0, 4)}:\n{inside}"
    body, i = _body(function, rng)
    body[i:i] = ast.parse(text).body if "return" not in text else ast.parse(f"def f():\n{_indented(text)}").body[0].body
    return f"{text!r} in {function.name}"


def a_name(tree: ast.Module, rng: random.Random) -> str:
    function = rng.choice(_functions(tree))
    names = [n for n in _nodes(function, ast.Name) if isinstance(n.ctx, ast.Load)]
    if len({n.id for n in names}) < 2:
        return ""
    node = rng.choice(names)
    before = node.id
    node.id = rng.choice(sorted({n.id for n in names} - {before}))
    return f"{node.id} for {before} in {function.name}"


def a_function_gone(tree: ast.Module, rng: random.Random) -> str:
    rules = _rules(tree)
    function = rng.choice([node for node in rules.body if isinstance(node, ast.FunctionDef)])
    rules.body.remove(function)
    return function.name


def _body(function: ast.FunctionDef, rng: random.Random) -> tuple[list[ast.stmt], int]:
    """A list of statements somewhere in a function, and a place in it."""
    lists = [function.body]
    for node in ast.walk(function):
        lists += [part for name in ("body", "orelse") if isinstance(part := getattr(node, name, None), list) and part]
    chosen = rng.choice([part for part in lists if part])
    return chosen, rng.randrange(len(chosen))


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


CHANGES: tuple[Callable[[ast.Module, random.Random], str], ...] = (
    a_declaration,
    a_declaration,
    a_field,
    a_field,
    a_number,
    a_number,
    a_comparison,
    an_operator,
    a_statement_gone,
    a_statement_twice,
    a_return,
    a_return,
    an_insertion,
    an_insertion,
    an_insertion,
    a_name,
    a_function_gone,
)
