"""The page docs/planes.md says what the games declare; the symmetries of a board."""

import re
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.games._shared.symmetries import turned_and_mirrored, with_policy

PAGE = (Path(__file__).parents[2] / "docs" / "planes.md").read_text()
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| ([a-z0-9-]+) \| (\d.*?) \| (.+?) \| (.+?) \|", PAGE, re.MULTILINE)}


def test_the_page_lists_every_game_with_planes():
    loaded = [zermelo.load(name) for name in zermelo.games()]
    shown = {game.name: game.variant for game in loaded if getattr(game, "variant", None)}
    assert set(ROWS) == {name for name, variant in shown.items() if variant.plane_shape}
    for name, (planes, policy, images) in ROWS.items():
        variant = shown[name]
        assert planes == " × ".join(map(str, variant.plane_shape)), name
        assert policy == (f"{variant.policy_size:,}" if variant.policy_size else "–"), name
        symmetries = variant.presentation.get("symmetries")
        assert images == (str(len(symmetries())) if symmetries else "–"), name


@pytest.mark.parametrize(("height", "width", "count"), [(3, 3, 8), (3, 5, 4), (1, 4, 2), (2, 2, 8), (1, 1, 1)])
def test_boards_turned_and_mirrored(height, width, count):
    images = turned_and_mirrored(height, width)
    assert len(images) == len({tuple(image) for image in images}) == count
    assert (images[0] == np.arange(height * width)).all()
    together = {tuple(a[b]) for a in images for b in images}
    assert together == {tuple(image) for image in images}, "one after the other is one of them again"


def test_a_quarter_turn_is_drawn_right():
    assert [6, 3, 0, 7, 4, 1, 8, 5, 2] in [image.tolist() for image in turned_and_mirrored(3, 3)]
    assert with_policy(turned_and_mirrored(1, 2), others=2)[1][1].tolist() == [1, 0, 2, 3]


def test_games_without_planes_say_so():
    game = zermelo.load("nim-heaps", compiled=False)
    with pytest.raises(zermelo.GameError, match=r"nim-heaps has no planes\(s, out\)"):
        game.planes(game.start())
    backgammon = zermelo.load("backgammon", compiled=False)
    with pytest.raises(zermelo.GameError, match="backgammon has no policy_size"):
        backgammon.policy_index(backgammon.start(), 0)
