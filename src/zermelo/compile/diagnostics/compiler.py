"""What the compiler complains of, said for a person: the deepest place in somebody's own file, and the reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from zermelo.compile.diagnostics.source import Function, Place, line_of, nodes, with_helpers

_REASONS = [  # what Numba says → what a person needs to hear; the deepest one counts, which stands last
    (r"Unknown attribute '?(\w+)'? of type Module\(<module '([\w.]+)'[^\n]*", r"compiled rules cannot use \2.\1"),
    (r"Unknown attribute '?(\w+)'? of type ([^\n]+)", r"\2 has no '\1'"),
    (r"unsupported opcode \(STORE_GLOBAL\)", r"rules cannot change global names: all that changes stands in the state"),
    (r"Untyped global name '(\w+)'[^\n]*", r"compiled rules cannot use '\1'"),
    (r"variable '(\w+)' referenced before assignment", r"'\1' may be used before it has a value"),
    (r"Cannot unify ([^\n]+?) for '(\w+)[.\d]*'", r"'\2' is one kind of value here and another there (\1)"),
    (r"Can't unify return type[^\n]*", r"it returns one kind of value here and another there"),
    (r"Cannot cast ([^\n]+?) to (\w+)(?=[:\n]|$)[^\n]*", r"\1 cannot be put into a field of kind \2"),
    (r"Use of unsupported NumPy function '([\w.]+)'[^\n]*", r"\1 cannot be compiled"),
    (r"Exception matching is limited[^\n]*", r"exceptions cannot be told apart in compiled rules"),
    (r"The use of yield in a closure is unsupported[^\n]*", r"a generator cannot be compiled: use a loop"),
    (r"compiler re-entrant to the same function signature", r"a helper cannot call itself: use a loop"),
    (r"Cannot bind 'args=\(([^']*)\) kws=[^']*' to signature '([^']*)'[^\n]*", r"called with (\1), but it takes \2"),
    (r"Invalid use of ([^\n]+) with parameters \(([^\n]*)\)", r"\1 cannot be called with (\2)"),
    (r"\*args in function call should be a tuple[^\n]*", r"only a tuple can be unpacked with *"),
    (r"Unsupported constraint encountered: del [^\n]*", r"del cannot be compiled"),
    (r"Type of variable '[^\n]*cannot be determined[^\n]*", r"the kind of a value here cannot be told"),
    (r"module '([\w.]+)' has no attribute '(\w+)'", r"\1 has no '\2'"),
    (
        r"No implementation of function [^\n]* found for signature:\s*>>> (?:empty|zeros|ones|full|arange)\([^\n]*\)",
        r"an array cannot be made so: use a field of the state",
    ),
    (
        r"No implementation of function [^\n]* found for signature:\s*>>> (\w+)\(([^\n]*)\)",
        r"\1 cannot be done with (\2)",
    ),
]
_WORDS = [  # Numba's types → words
    (r"Record\((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*\)", "the state"),
    (r"Literal\[int\]\((-?\d+)\)", r"\1"),
    (r"Literal\[bool\]\((\w+)\)", r"\1"),
    (r"Literal\[str\]\(([^()]*)\)", r"'\1'"),
    (r"nestedarray\((\w+), \(([^()]*)\)\)", r"an array field of \1"),
    (r"[Aa]rray\((\w+), \d+d, \w+[^()]*\)", r"an array of \1"),
    (r"(?:reflected )?list\([^()]*\)(?:<iv=[^>]*>)?|LiteralList\((?:[^()]|\([^()]*\))*\)", "a list"),
    (r"DictType\[[^\n]*\](?:<iv=[^>]*>)?", "a dict"),
    (r"unicode_type", "text"),
    (r"\bnone\b", "None"),
]
_OPERATORS = {  # the functions behind operators
    "setitem": "x[i] = y",
    "getitem": "x[i]",
    "contains": "in",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_STATEMENTS: list[tuple[type[ast.AST], str]] = [  # what Python has and compiled rules have not
    (ast.Import, "import stands at the top of the file, not in the rules"),
    (ast.ImportFrom, "import stands at the top of the file, not in the rules"),
    (ast.ClassDef, "a class cannot be compiled"),
    (ast.With, "with cannot be compiled"),
    (ast.Global, "rules cannot change global names: all that changes stands in the state"),
    (ast.Try, "try … except cannot be compiled: test beforehand instead"),
    (ast.Yield, "yield cannot be compiled"),
    (ast.JoinedStr, "text cannot be put together in compiled rules"),
    (ast.Dict, "a dict cannot be compiled here: use a field of the state or a tuple"),
]


def plain_type(text: str) -> str:
    for pattern, word in _WORDS:
        text = re.sub(pattern, word, text)
    return text


def read_complaint(rule: Function, error: Exception) -> tuple[Place, str]:
    """The deepest place in somebody's own file that a complaint names, and the reason."""
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    functions = list(with_helpers(rule))
    place, head = _place(functions, message)
    if place is None:
        place = _guess(functions, error) or (rule, rule.__code__.co_firstlineno)
        head = head.partition("candidate implementation")[
            0
        ]  # what follows was tried inside the compiler's own functions
    return place, _statement(place) or _reason(head) or _last_resort(head, error)


def _place(functions: list[Function], message: str) -> tuple[Place | None, str]:
    """The first place named, since a complaint begins with the innermost; and what is said before it."""
    named = r'File "([^"]+)", line (\d+)|(?:at|from|location:) (\S+) \((\d+)\)'
    for found in re.finditer(named, message):
        file, line = Path(found[1] or found[3]).name, int(found[2] or found[4])
        for function in functions:
            code = function.__code__
            last = max((n or 0 for _, _, n in code.co_lines()), default=code.co_firstlineno)
            if Path(code.co_filename).name == file and code.co_firstlineno <= line <= last:
                return (function, line), message[: found.start()]
    return None, message


def _guess(functions: list[Function], error: Exception) -> Place | None:
    """Numba loses the place of some mistakes: where a word of its complaint, or what it cannot do, stands."""
    words = set(re.findall(r"'(\w+)'", str(error))) | set(re.findall(r">>> (\w+)\(", str(error))[:1])
    suspects = tuple(kind for kind, _ in _STATEMENTS)
    for function in functions:
        for node in nodes(function):
            named = getattr(node, "attr", None) or getattr(node, "id", None)
            to_field = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
            if named in words or isinstance(node, suspects) or (to_field and isinstance(error, AssertionError)):
                return function, line_of(node, function)
    return None


def _statement(place: Place) -> str:
    """Is there something at the place that no compiled function can have?"""
    function, line = place
    for node in nodes(function):
        for kind, reason in _STATEMENTS:
            if isinstance(node, kind):
                first = line_of(node, function)
                last = getattr(node, "end_lineno", first)
                if first == line or (isinstance(node, ast.Try) and first <= line <= last):
                    return reason
    return ""


def _reason(head: str) -> str:
    deepest, reason = -1, ""
    for pattern, plain in _REASONS:
        for found in re.finditer(pattern, head):
            if found.start() > deepest:
                deepest, reason = found.start(), found.expand(plain).strip()
    operator = reason.partition(" ")[0]
    if operator in _OPERATORS and "cannot be done" in reason:
        reason = f"'{_OPERATORS[operator]}'{reason[len(operator) :]}"
    if reason.startswith("called with"):
        reason = f"{re.findall(r'>>> (?:[a-z]+ = )?(.+?)[(]', head)[-1]} is {reason}"
    return plain_type(reason)


def _last_resort(head: str, error: Exception) -> str:
    if isinstance(error, AssertionError):
        return "an array field is written cell by cell, s.field[i] = …"
    lines = [line.strip() for line in head.splitlines() if line.strip() and "pipeline" not in line]
    if lines and re.fullmatch(r"'\w+'", lines[-1]):  # Numba's bare KeyError, from a helper that reads the state
        return f"the state has no field {lines[-1]}"
    said = plain_type(lines[-1].rstrip(":")) if lines else type(error).__name__
    return f"cannot be compiled ({said.partition(' Raised from')[0].rstrip('.')})"
