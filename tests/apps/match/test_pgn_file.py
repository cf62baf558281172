"""The PGN file of a match: written, read again, and repaired wherever it was cut off."""

from dataclasses import replace
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ox88.apps.match.game import FinishedGame, Fixture
from ox88.apps.match.match import pairings, schedule
from ox88.apps.match.pgn_file import PgnFile, game_tags, match_id
from ox88.errors import Ox88Error
from ox88.rules import GameEnd
from tests.apps.match.scripted import games_in

NAMES = ["Größe", "b ({1-0}) [x]", "c"]
PAIRINGS = pairings(3, "round-robin")
MATCH = match_id("these", "settings")
FIXTURES = list(schedule(3, "round-robin", 4))
RESULTS = ["1-0", "0-1", "1/2-1/2"]


def played(fixture: Fixture, result: str, failure: str = "") -> FinishedGame:
    """A game of a few moves, with clocks and scores."""
    game = chess.pgn.Game()
    game.headers.update(game_tags(fixture, NAMES, MATCH, "2030.01.02") | {"Result": result, "Termination": "because"})
    if failure:
        game.headers["Failure"] = f"Black: {failure}"
    node: chess.pgn.GameNode = game
    for number, move in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
        node = node.add_variation(chess.Move.from_uci(move))
        node.set_clock(10 - number)
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(number), chess.WHITE), 5)
    return FinishedGame(GameEnd(result, "because"), str(game), failure, chess.BLACK if failure else None)


def record(path: Path, match: str = MATCH) -> PgnFile:
    return PgnFile(path, match, NAMES, PAIRINGS)


def reread(path: Path) -> dict[Fixture, FinishedGame]:
    """The games that a match finds in its file when it resumes."""
    file = record(path)
    file.close()
    return file.games


def write(path: Path, fixtures: list[Fixture], failure: str = "") -> dict[Fixture, FinishedGame]:
    """Write games to a file. Returns what a match should find in it."""
    games = {}
    writing = record(path)
    for number, fixture in enumerate(fixtures):
        result = RESULTS[number % 3]
        game = played(fixture, result, failure)
        writing.add(game)
        games[fixture] = replace(game, pgn="")
    writing.close()
    return games


def test_two_matches_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    first = record(path)
    with pytest.raises(Ox88Error, match=r"games\.pgn is being written by another match: wait"):
        record(path)
    first.add(played(FIXTURES[0], "1-0"))
    first.close()
    second = record(path)
    assert list(second.games) == FIXTURES[:1]
    second.close()
    assert [file.name for file in tmp_path.iterdir()] == ["games.pgn"]


@pytest.mark.parametrize("failure", ["", "crash", "illegal move", "protocol error"])
def test_games_are_read_again(tmp_path: Path, failure: str) -> None:
    path = tmp_path / "games.pgn"
    written = write(path, FIXTURES, failure)
    content = path.read_bytes()
    assert reread(path) == written
    assert path.read_bytes() == content
    by_python_chess = games_in(path)
    assert [game.headers["Result"] for game in by_python_chess] == [game.end.result for game in written.values()]
    assert by_python_chess[1].headers["White"] == NAMES[1]
    assert by_python_chess[1].headers["Round"] == "1.2"
    assert by_python_chess[0].end().clock() == 7
    assert by_python_chess[0].headers.get("Failure", "Black: ") == f"Black: {failure}"


def complete(tmp_path: Path) -> bytes:
    path = tmp_path / "complete.pgn"
    if not path.exists():
        write(path, FIXTURES[:4], "crash")
    return path.read_bytes()


@given(st.integers(0, 10_000))
@example(0)
@example(1)
def test_a_file_cut_at_any_byte(tmp_path_factory: pytest.TempPathFactory, place: int) -> None:
    """Finished games are kept, an unfinished one is removed; with the missing games the file is the same again."""
    folder = tmp_path_factory.getbasetemp()
    content = complete(folder)
    path = folder / "cut.pgn"
    path.write_bytes(content[: place % (len(content) + 1)])
    going_on = record(path)
    known = list(going_on.games)
    assert known == FIXTURES[: len(known)]
    assert len(known) >= content[: place % (len(content) + 1)].count(b"\n\n\n") // 2
    for number in range(len(known), 4):
        going_on.add(played(FIXTURES[number], RESULTS[number % 3], "crash"))
    going_on.close()
    assert path.read_bytes() == content


@pytest.mark.parametrize("tail", [b"\0" * 4096, b"\n\n\n", b"\r\n"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_what_power_cuts_and_windows_leave(tmp_path: Path, tail: bytes, line_end: bytes) -> None:
    content = complete(tmp_path)
    path = tmp_path / "zeros.pgn"
    path.write_bytes(content.replace(b"\n", line_end) + tail)
    assert len(reread(path)) == 4
    assert line_end != b"\n" or path.read_bytes() == content


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (f'[Match "{MATCH}"]'.encode(), b'[Match "0123456789ab"]', "holds games of another match, or of this one with"),
        (f'[Match "{MATCH}"]\n'.encode(), b"", "holds games of another match"),
        (b'[Round "1.1"]', b'[Round "1"]', "has a game whose tags were changed"),
        (b'[Round "1.1"]', b'[Round "0.1"]', "has a game whose tags were changed"),
        (b'[Round "1.1"]', b'[Round "1.3"]', "has a game whose tags were changed"),
        ('[White "Größe"]'.encode(), b'[White "d"]', "has a game whose tags were changed"),
        (b'[Result "0-1"]', b'[Result "*"]', "has a game whose tags were changed"),
        (b'[Event "ox88 match"]', b'Event "ox88 match"]', "is not the record of a match"),
    ],
)
def test_files_that_are_no_record_of_this_match(tmp_path: Path, before: bytes, after: bytes, message: str) -> None:
    """They are refused and unchanged."""
    path = tmp_path / "games.pgn"
    content = complete(tmp_path).replace(before, after, 1)
    path.write_bytes(content)
    with pytest.raises(Ox88Error) as error:
        record(path)
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert path.read_bytes() == content


@settings(max_examples=50)
@given(st.binary(max_size=60) | st.text('[]"{}\n \0a1-02/*', max_size=40).map(str.encode))
def test_any_file_is_a_record_or_left_alone(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "foreign.pgn"
    path.write_bytes(content)
    try:
        found = reread(path)
    except Ox88Error:
        assert path.read_bytes() == content
        return
    assert found == {}
    assert b'[Event "ox88 match"]'.startswith(content.strip(b"\0\r\n "))


def test_a_torn_game_of_another_match_is_not_wiped(tmp_path: Path) -> None:
    assert len({match_id("a", 1), match_id("a", 2), match_id("a1"), match_id("a", "1")}) == 4
    path = tmp_path / "games.pgn"
    write(path, FIXTURES[:1])
    content = path.read_bytes()[:-20]
    path.write_bytes(content)
    with pytest.raises(Ox88Error, match="holds games of another match"):
        record(path, match_id("others"))
    assert path.read_bytes() == content


@pytest.mark.posix("links for everybody")
def test_a_torn_file_behind_a_link_is_mended_there(tmp_path: Path) -> None:
    path, link = tmp_path / "games.pgn", tmp_path / "link.pgn"
    write(path, FIXTURES[:1])
    path.write_bytes(path.read_bytes()[:-20])
    link.symlink_to(path)
    record(link).close()
    assert link.is_symlink()
    assert path.read_bytes() == b""


def test_a_match_without_games_leaves_only_a_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    record(path).close()
    assert list(tmp_path.iterdir()) == []
    path.touch()
    record(path).close()
    assert path.exists()


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(Ox88Error, match=r"missing.games.pgn cannot be used: No such file or directory"):
        record(tmp_path / "missing" / "games.pgn")
    with pytest.raises(Ox88Error, match="cannot be used: "):
        record(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk() -> None:
    writing = record(Path("/dev/full"))
    with pytest.raises(Ox88Error, match="/dev/full cannot be written: No space left on device"):
        writing.add(played(FIXTURES[0], "1-0"))
    writing.close()
