"""Training for the page: the handlers of its messages. There is one trainee on a server."""

import asyncio
import functools
from typing import TYPE_CHECKING, Final, cast

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.clock import NAMES
from ox88.apps.puzzles.games import OwnGame, own_games
from ox88.apps.puzzles.making import mistakes_of
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.train.exchange import read_training, write_training
from ox88.apps.train.sessions import Drill, Trainer
from ox88.apps.web import from_page, from_server
from ox88.apps.web.engine_pool import Lease, PooledEngine
from ox88.apps.web.messages import Tell
from ox88.apps.web.positions import describe_moves, describe_position
from ox88.engines.registry import MODERN
from ox88.rules import parse_move

if TYPE_CHECKING:
    from ox88.apps.web.session import AppState

_NO_NAMES: Final = OpeningNames({})  # Openings say nothing about a puzzle.


class Training:
    """What the pages ask of the trainer. The methods raise Ox88Error."""

    def __init__(self, state: "AppState") -> None:
        self.trainer = Trainer(state.store)
        self._state = state

    def prepare(self) -> None:
        """Read the open set, unless it is there already."""
        _ = self.trainer.open_puzzles.themes

    def begin(self, wish: from_page.Train) -> from_server.Drill:
        self.trainer.begin(wish.what, wish.theme, wish.keys, wish.length)
        return self._drill()

    def advance(self, done: str) -> from_server.Drill:
        self.trainer.advance(done)
        return self._drill()

    def play(self, key: str, move: str) -> from_server.Tried:
        before = self.trainer.current(key).board.copy()
        verdict, drill = self.trainer.play(key, move)
        before.push(parse_move(move, before))
        return {
            "type": "tried",
            "key": key,
            "verdict": verdict,
            "move": _moves(before)[-1],
            "moves": _moves(drill.board),
            "position": describe_position(drill.board, movable=verdict != "solved"),
            "session": self._session(),
            "answer": self._answer(),
        }

    def reveal(self, key: str, what: str) -> from_server.Revealed:
        square = chess.square_name(self.trainer.current(key).expected.from_square)
        (self.trainer.hint if what == "hint" else self.trainer.show)(key)
        return {"type": "revealed", "key": key, "hint": square, "session": self._session(), "answer": self._answer()}

    async def learn(self, wish: from_page.Learn, tell: Tell) -> from_server.Learnt:
        """Make puzzles of mistakes. What is found in a game is kept when the game has been looked at."""
        games = await asyncio.to_thread(self._games, wish)
        total, done, keys = sum(len(game.board.move_stack) for _, game in games), 0, list[str]()
        loop = asyncio.get_running_loop()

        def search(game: OwnGame, done: int, engine: PooledEngine) -> list[tuple[Puzzle, list[str]]]:
            def go_on(share: float) -> bool:
                looked = done + int(share * len(game.board.move_stack))
                loop.call_soon_threadsafe(tell, {"type": "progress", "done": looked, "total": total})
                return not engine.is_stopped()

            return mistakes_of(engine.placed, game, wish.most, go_on)

        for game_id, game in games:
            found = await self._state.engines.run(
                Lease(MODERN, self),
                functools.partial(search, game, done),
                lambda notice: tell({"type": "progress", "notice": notice}),
            )
            keys += self.trainer.keep(found)
            if game_id and wish.most == from_page.MOST_LEARNT:
                self.trainer.records.note_learnt(game_id)
            done += len(game.board.move_stack)
        return {"type": "learnt", "keys": keys[: from_page.MOST_LEARNT], "games": len(games)}

    def _games(self, wish: from_page.Learn) -> list[tuple[str, OwnGame]]:
        """The games that are wished for, with their ids if they were played here."""
        if wish.text:
            return [("", game) for game in own_games(wish.text, wish.player)]
        if wish.games:
            played = [self._state.load_game(game_id) for game_id in wish.games]
        else:
            played = list(self._state.unlearnt_games(self.trainer.records.learnt()))
        return [(game.id, OwnGame(game.board.copy(), game.side, game.id)) for game in played if not game.board.chess960]

    def export(self) -> str:
        """All of the training, as a file."""
        return write_training(self.trainer.records)

    def add(self, text: bytes) -> tuple[int, int]:
        """Add a file. Returns how many puzzles and answers are new."""
        return read_training(text, self.trainer.records)

    def statistics(self) -> from_server.Statistics:
        trainer = self.trainer
        found, rating = trainer.records.statistics(trainer.clock()), trainer.records.rating()
        return {
            "type": "statistics",
            "due": found.days[0],
            "fresh": found.fresh,
            "days": found.days,
            "today": found.today,
            "streak": found.streak,
            "best": trainer.records.best_rush(),
            "rating": round(rating.value),
            "deviation": round(rating.deviation),
            "ratings": [{"day": day, "rating": value} for day, value in found.ratings],
            "themes": [{"theme": theme, "seen": seen, "right": right} for theme, seen, right in found.themes],
            "open": trainer.open_puzzles.themes,
            "session": None if trainer.session is None or trainer.session.is_over else self._session(),
        }

    def _drill(self) -> from_server.Drill:
        drill = self.trainer.drill
        return {
            "type": "drill",
            "session": self._session(),
            "puzzle": None if drill is None else _describe(drill),
            "answer": self._answer(),
            "due": self.trainer.due_count(),
        }

    def _session(self) -> from_server.TrainingSession:
        session = self.trainer.going_on()
        outcomes = session.outcomes.values()
        return {
            "what": cast(from_server.TrainingKind, session.what),
            "theme": session.theme,
            "place": len(session.seen),
            "length": session.length,
            "right": session.right,
            "wrong": session.wrong,
            "grades": session.grades,
            "change": round(sum(outcome.answer.change for outcome in outcomes)),
            "back": sorted(outcome.due for outcome in outcomes if outcome.due is not None),
            "best": self.trainer.records.best_rush(),
            "seconds": None if session.end is None else max(session.end - self.trainer.clock(), 0.0),
            "over": session.is_over,
        }

    def _answer(self) -> from_server.Answered | None:
        drill = self.trainer.drill
        if drill is None or not drill.is_over:
            return None
        answer, due = self.trainer.going_on().outcomes[drill.puzzle.id]
        return {
            "solution": _moves(drill.solved_board()),
            "also": drill.also_san(),
            "themes": list(drill.puzzle.themes),
            "reason": drill.puzzle.reason,
            "grade": answer.grade,
            "due": due,
            "rating": round(answer.rating),
            "deviation": round(answer.deviation),
            "change": round(answer.change),
        }


def _describe(drill: Drill) -> from_server.Drilled:
    puzzle, start = drill.puzzle, drill.puzzle.board()
    played = start.copy()
    if puzzle.played:
        played.push_uci(puzzle.played)
    return {
        "key": puzzle.id,
        "kind": drill.kind,
        "fen": puzzle.fen,
        "previous": puzzle.moves[0],
        "start": start.fen(),
        "side": NAMES[start.turn],
        "rating": puzzle.rating,
        "again": drill.comes_back,
        "played": _moves(played)[0] if puzzle.played else None,
        "source": puzzle.source,
        "moves": _moves(drill.board),
        "position": describe_position(drill.board, movable=not drill.is_over),
        "hint": chess.square_name(drill.expected.from_square) if drill.is_hinted and not drill.is_over else "",
        "missed": drill.is_missed,
    }


def _moves(board: chess.Board) -> list[from_server.MoveData]:
    """The moves since the start of the puzzle."""
    return describe_moves(board, _NO_NAMES, after=1)
