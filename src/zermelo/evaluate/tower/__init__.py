"""Policy/value networks in JAX: a residual tower over `planes`, or a plain network over `features`.

    architecture.py  what the network is: its sizes, and its weights by name
    sight.py         what it is shown of positions
    judging.py       how it judges a batch of them (JAX)      cores.py   … on a processor, without JAX
    files.py         weights on disk: safetensors with a card, like those of every other evaluation

JAX is an extra (`pip install 'zermelo[zero]'`): nothing else of the library imports this package.
"""

from zermelo.core.game import GameError

MISSING = "policy/value networks need JAX and Optax: pip install 'zermelo[zero]'"


def need_jax_card(otherwise: str) -> None:
    """One sentence where JAX has no card."""
    import jax

    if jax.default_backend() == "cpu":
        raise GameError(f"JAX sees no graphics card here: pip install 'jax[cuda13]', or {otherwise}")


def need_jax() -> None:
    """One sentence where JAX is missing."""
    try:
        import jax  # noqa: F401
        import optax  # noqa: F401
    except ImportError:
        raise GameError(MISSING) from None
