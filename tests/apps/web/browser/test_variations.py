"""The tree of moves in Analyse."""

import io
import re
from typing import Any

import chess.pgn
from hypothesis import HealthCheck, given, settings

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.web.positions import describe_tree, open_game
from tests.apps.web.browser.conftest import Tab
from tests.apps.web.test_analysing import annotated_games

NAMES = OpeningNames({})
VARIED = """[Event "A"]
[White "B \\"C\\""]
[Annotator "D"]
[Result "1-0"]

{ Before. } 1. e4 $1 { King's pawn [%clk 0:01:00] } ( { Or } 1. d4 d5 ( 1... Nf6 $10 2. c4 ) 2. c4 )
( 1. c4 { English } ) 1... e5 $6 2. Nf3 { [%eval 0.35] } 1-0
"""


def sides(tab: Tab) -> list[str]:
    """The variations in the list, as text."""
    return [" ".join(text.split()) for text in tab.page.locator(".moves > .side").all_inner_texts()]


def pgn_of(tab: Tab) -> str:
    """The movetext of the game on the page."""
    return " ".join(tab.download_pgn().split("\n\n", 1)[1].split())


def test_no_variation_deletes_another(study: Tab) -> None:
    study.play("e2e4", "e7e5")
    study.keys("ArrowLeft")
    study.play("c7c5", "g1f3")
    study.keys("ArrowLeft")
    study.play("b1c3")
    study.keys("ArrowUp", "ArrowRight")
    study.play("g8f6")
    study.keys("ArrowUp")
    study.play("d2d4")
    assert study.moves() == ["e4", "e5"]
    assert sides(study) == ["1. d4", "1… c5 2. Nf3 ( 2. Nc3 )", "1… Nf6"]
    assert pgn_of(study) == "1. e4 ( 1. d4 ) 1... e5 ( 1... c5 2. Nf3 ( 2. Nc3 ) ) ( 1... Nf6 ) *"
    study.page.reload()
    study.wait_for_moves(2)
    assert sides(study) == ["1. d4", "1… c5 2. Nf3 ( 2. Nc3 )", "1… Nf6"]
    study.wait_for_square("d4", "white pawn")


def test_all_of_a_pgn_is_kept(study: Tab) -> None:
    study.open_pgn(VARIED, moves=3)
    assert study.moves() == ["e4!", "e5?!", "Nf3"]
    assert sides(study) == ["Or 1. d4 d5 ( 1… Nf6 = 2. c4 ) 2. c4", "1. c4 English"]
    assert study.page.locator(".moves > .comment").all_inner_texts() == ["Before.", "King's pawn"]
    assert study.page.locator("h2:visible").first.inner_text() == 'B "C" \u2013 ?'
    assert tree_of(study.download_pgn()) == tree_of(VARIED)
    study.page.get_by_label("with comments, variations and analysis").uncheck()
    bare = study.download_pgn()
    assert bare.endswith("\n\n1. e4 e5 2. Nf3 1-0\n")
    assert "Annotator" not in bare


def tree_of(text: str) -> tuple[Any, ...]:
    """All that a PGN says, by python-chess."""
    game = read(text)
    tags = {name: value for name, value in game.headers.items() if value.strip("?.")}
    return tags, describe_tree(game, NAMES)


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


WRITE = """async ([nodes, tags]) => {
    const { Study } = await import("/static/study.js");
    const study = new Study();
    study.open({ nodes, tags });
    const { listed } = await import("/viewer/tree.js");
    return [study.pgn(), listed(study.root)];
}"""


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=annotated_games())
def test_what_is_opened_and_written_is_equal(study: Tab, game: chess.pgn.Game) -> None:
    """To python-chess and to Ox88: clocks, evaluations, drawings, passes, variations and comments."""
    text = game.accept(chess.pgn.StringExporter())
    opened = open_game(text, NAMES)
    written, listed = study.page.evaluate(WRITE, [opened["nodes"], opened["tags"]])
    assert listed == opened["nodes"]
    assert notes_of(read(written)) == notes_of(read(text))
    assert not [command for command in re.findall(r"\[%[^]]*]", written) if "\n" in command]
    again = open_game(written, NAMES)
    assert (again["nodes"], again["errors"]) == (opened["nodes"], [])


def notes_of(game: chess.pgn.Game) -> list[tuple[Any, ...]]:
    """What python-chess knows of each position."""
    nodes: list[chess.pgn.GameNode] = [game]
    for node in nodes:
        nodes += node.variations
    notes = []
    for node in nodes:
        comments = [" ".join(text.split()) for text in (node.comment, node.starting_comment)]
        arrows = [arrow.pgn() for arrow in node.arrows()]
        place = (node.board().fen(), getattr(node, "move", None), node.parent and nodes.index(node.parent))
        notes.append((*place, node.nags, node.clock(), node.emt(), node.eval(), arrows, *comments))
    return notes


def test_comments_and_glyphs_are_written(study: Tab) -> None:
    study.play("e2e4")
    study.open("Moves")
    comment = study.page.get_by_label("Comment", exact=True)
    comment.fill("A good {start}.\n  Best by test.")
    study.press("mistake")
    study.press("good move")  # In its place.
    study.press("White is slightly better")
    study.page.wait_for_selector(".moves > .comment:text-is('A good (start). Best by test.')")
    assert study.moves() == ["e4! +="]
    study.play("e7e5")
    assert comment.input_value() == ""
    study.press("blunder")
    study.page.wait_for_selector(".moves button.blunder")
    assert study.button("blunder").get_attribute("aria-pressed") == "true"
    study.press("blunder")
    study.wait_for_count(".moves button.blunder", 0)
    assert pgn_of(study) == "1. e4 $1 $14 { A good (start). Best by test. } 1... e5 *"
    study.open("Moves")
    study.keys("ArrowUp")
    comment.fill("Before.")
    assert pgn_of(study).startswith("{ Before. } 1. e4")
    study.reload(".moves > .comment:text-is('Before.')")
    study.keys("ArrowRight")
    study.page.wait_for_selector(
        "#spoken:has-text('e4. good move, White is slightly better. A good')", state="attached"
    )


NOT_DRAWN = """async () => {
    const draw = (letter) => {
        const context = new OffscreenCanvas(40, 40).getContext("2d");
        context.font = "20px system-ui, sans-serif";
        context.fillText(letter, 5, 28);
        return context.getImageData(0, 0, 40, 40).data.join();
    };
    const { signs } = await import("/viewer/words.js");
    const used = new Set(Array.from({ length: 256 }, (_, nag) => signs([nag])).join(""));
    const box = draw("\\uFDD0"); // No font has this character.
    return { count: used.size, missing: [...used].filter((letter) => draw(letter) === box) };
}"""


def test_every_sign_can_be_drawn(study: Tab) -> None:
    """Signs that fonts lack would be shown as empty boxes."""
    found = study.page.evaluate(NOT_DRAWN)
    assert found["count"] > 20
    assert found["missing"] == []


def test_a_variation_is_promoted_and_deleted_and_brought_back(study: Tab) -> None:
    study.play("e2e4", "e7e5")
    study.keys("ArrowLeft")
    study.play("c7c5", "g1f3")
    study.press("Promote")
    assert study.wait_for_moves(3) == ["e4", "c5", "Nf3"]
    assert sides(study) == ["1… e5"]
    assert not study.button("Promote").is_visible()
    study.keys("ArrowLeft")
    study.press("Delete from here")
    assert study.wait_for_moves(2) == ["e4", "e5"]
    assert sides(study) == []
    study.wait_for_square("c7", "black pawn")
    study.press("Undo: delete from 1… c5")
    assert study.wait_for_moves(3) == ["e4", "c5", "Nf3"]
    study.wait_for_square("c5", "black pawn")
    study.keys("Control+z")
    study.wait_for_moves(2)
    assert sides(study) == ["1… c5 2. Nf3"]
    assert study.page.get_by_role("button", name="Undo").is_hidden()
    study.press("Clear")
    study.wait_for_moves(0)
    study.open_pgn("1. d4 *", moves=1)
    study.open_pgn("1. c4 *")
    study.wait_for_square("c2", "white pawn")
    study.press("Undo: open another game")
    study.page.wait_for_selector(".moves >> text=d4")
    study.keys("Control+z")
    study.page.wait_for_selector(".moves >> text=e4")
    study.wait_for_moves(2)


def test_the_analysis_of_the_game_leaves_what_was_there(study: Tab) -> None:
    study.open_pgn("1. e4 e5 2. Qh5 { Early. } ( 2. Nf3 { Usual. } ) 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", moves=7)
    study.annotate()
    texts = " ".join(study.page.locator(".moves .comment").all_inner_texts())
    assert "Early." in texts
    assert "Usual." in texts
    assert "Blunder: " in texts
    assert any(side.startswith("2. Nf3 Usual.") for side in sides(study))
    assert len(sides(study)) > 1
    assert tree_of(study.download_pgn())[0]["Annotator"] == "Ox88"


def test_a_long_game_is_stepped_through_fast(study: Tab) -> None:
    """A step does not build the list of moves anew."""
    study.open_pgn("1. Nf3 Nf6 2. Ng1 Ng8 " * 150 + "*", moves=600)
    study.page.evaluate("document.querySelector('.moves button').dataset.old = 'yes'")
    study.keys("ArrowDown", "ArrowLeft", "ArrowLeft")
    study.wait_for_square("f3", "white knight")
    assert study.page.locator(".moves button[data-old=yes]").count() == 1


def test_a_game_of_chess960_is_written(study: Tab) -> None:
    study.set_position("1r2k1r1/6pp/8/8/8/8/6PP/1R2K1R1 w KQkq - 0 1", shows="b1, white rook")
    study.play("e1g1", "e8b8")
    assert study.moves() == ["O-O", "O-O-O"]
    game = chess.pgn.read_game(io.StringIO(study.download_pgn()))
    assert game is not None
    assert not game.errors
    assert game.end().board().board_fen() == "2kr2r1/6pp/8/8/8/8/6PP/1R3RK1"
