"""`zermelo experiment td-or-q`."""

import json

PLAIN = ("--option", "compiled=false", "--runs", 1, "--games", 20, "--games", 40)


def test_a_small_game(zermelo_cli):
    shown = zermelo_cli("experiment", "td-or-q", "nim", *PLAIN)
    assert shown.code == 0, shown.err
    assert shown.out.startswith("nim: greedy play after n games against itself with ε = 0.5")
    assert "SARSA" in shown.out
    told = json.loads(zermelo_cli("experiment", "td-or-q", "nim", *PLAIN, "--json").out)
    assert [row["games"] for row in told["rows"]] == [20, 40] * 4


def test_a_game_without_features(refused):
    assert "Q(s, a) needs features" in refused("experiment", "td-or-q", "pig", *PLAIN)
