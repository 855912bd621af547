"""Golden drawings for a terminal."""

from tests.drawing.tree.recorded_search import COIN, THREE, search, searched
from zermelo.drawing import draw, game_tree, tree_text
from zermelo.games.tree import tree_game


def golden(text):
    return "\n".join(line[8:] for line in text.strip("\n").splitlines()).rstrip()


def test_game_1_after_alpha_beta():
    assert tree_text(searched()) == golden("""
        ▲ 1  [-∞, ∞]  ★
        ├─ A ▼ -50  [-∞, ∞]
        │  ├─ a ■ -50
        │  └─ b ■ 50
        ┝━ B ▼ 1  [-50, ∞]  ★
        │  ┝━ a ■ 1  ★
        │  └─ b ■ 3
        └─ C ▼ ≤-5  [1, ∞]
           ├─ a ■ -5
           └─ b ✂  -5 ≤ 1

        ▲ MAX   ▼ MIN   ✂ pruned   ★ optimal play
    """)


def test_what_was_pruned_is_shown_where_the_game_is_known():
    game = tree_game("[[3, 12], [2, [4, 6]]]")
    assert tree_text(search(game), game=game, legend=False).splitlines()[-3:] == [
        "   └─ b ✂ △  2 ≤ 3",
        "      ├─ a □ 4",
        "      └─ b □ 6",
    ]


def test_a_coin():
    assert tree_text(searched(COIN), legend=False).splitlines()[-7:] == [
        "┕━ C ● -2  [-24.5, ∞]  ★",
        "   ┝━ tails (0.5) ▼ -5  [-∞, ∞]  ★",
        "   │  ┝━ a ■ -5  ★",
        "   │  └─ b ■ 15",
        "   ┕━ heads (0.5) ▼ 1  [-∞, ∞]  ★",
        "      ┝━ a ■ 1  ★",
        "      └─ b ■ 3",
    ]


def test_three_players():
    assert tree_text(searched(THREE)) == golden("""
        ▲ p0 (5, 4, 5)  ★
        ├─ a ▼ p1 (4, 3, 2)
        │  ├─ a ◆ p2 (1, 2, 6)
        │  │  ├─ a ■ (1, 2, 6)
        │  │  └─ b ■ (6, 1, 2)
        │  └─ b ■ (4, 3, 2)
        ┕━ b ▼ p1 (5, 4, 5)  ★
           ├─ a ■ (6, 1, 2)
           ┕━ b ◆ p2 (5, 4, 5)  ★
              ├─ a ■ (7, 4, 1)
              ┕━ b ■ (5, 4, 5)  ★

        ★ optimal play
    """)


def test_a_game_nobody_searched():
    game_1 = tree_game()
    assert tree_text(game_tree(game_1, depth=1)) == golden("""
        ▲
        ├─ A □
        ├─ B □
        └─ C □

        ▲ MAX   □ depth limit
    """)


def test_halfway_through_a_search():
    assert draw(searched(), upto=15, title="Game 1").text == golden("""
        Game 1
        step 15 of 27: enter b with [-50, 1]
        ▲ ≥-50  [-50, ∞]  ★
        ┝━ A ▼ -50  [-∞, ∞]  ★
        │  ┝━ a ■ -50  ★
        │  └─ b ■ 50
        ├─ B ▼ ≤1  [-50, 1]
        │  ├─ a ■ 1
        │  └─ b ■  ◂
        └─ C ▽
           ├─ a □
           └─ b □

        ▲ MAX   ▼ MIN   ★ best so far
    """)


def test_many_pruned_moves_are_one_line():
    assert "└─ ✂ 5 moves  1 ≤ 2" in tree_text(searched("[2, [1, 3, 4, 5, 6, 7]]"))
