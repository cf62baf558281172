"""The public names, for type checkers; `__init__.py` imports each when it is first used."""

from ox88.apps.notebook.analysis import GameAnalysis as GameAnalysis
from ox88.apps.notebook.analysis import analyse_game as analyse_game
from ox88.apps.notebook.boards import Picture as Picture
from ox88.apps.notebook.boards import show as show
from ox88.apps.puzzles.puzzles import Puzzles as Puzzles
from ox88.apps.reasons.reason import Reason as Reason
from ox88.apps.reasons.reason import explain as explain
from ox88.batch.env.env import Env as Env
from ox88.batch.env.env import Step as Step
from ox88.batch.learning.engine import SearchResults as SearchResults
from ox88.batch.learning.people import HumanPolicy as HumanPolicy
from ox88.batch.pgn.explorer import Explorer as Explorer
from ox88.batch.pgn.games import Games as Games
from ox88.batch.pgn.reading import iter_pgn as iter_pgn
from ox88.batch.pgn.reading import read_pgn as read_pgn
from ox88.batch.pgn.reading import read_pgn_text as read_pgn_text
from ox88.batch.pgn.records import GameError as GameError
from ox88.batch.positions.notation import format_san as format_san
from ox88.batch.positions.notation import format_uci as format_uci
from ox88.batch.positions.notation import parse_san as parse_san
from ox88.batch.positions.notation import parse_uci as parse_uci
from ox88.batch.positions.packed import PositionFileError as PositionFileError
from ox88.batch.positions.positions import PositionFile as PositionFile
from ox88.batch.positions.positions import Positions as Positions
from ox88.batch.rows.arguments import IllegalMoveError as IllegalMoveError
from ox88.batch.rows.arguments import RowError as RowError
from ox88.batch.rules.fields import Outcome as Outcome
from ox88.batch.rules.legal_moves import LegalMoves as LegalMoves
from ox88.engines.modern.network.file import Network as Network
from ox88.engines.modern.network.file import NetworkError as NetworkError
from ox88.engines.modern.network.file import read_network as read_network
from ox88.errors import IllegalPositionError as IllegalPositionError
from ox88.errors import MissingFileError as MissingFileError
from ox88.errors import Ox88Error as Ox88Error
from ox88.fen import STARTPOS as STARTPOS
from ox88.fen import FenError as FenError
from ox88.setup import Setup as Setup
from ox88.setup import format_fen as format_fen
from ox88.setup import parse_fen as parse_fen
from ox88.simple.engines import Engine as Engine
from ox88.simple.engines import MicroMax as MicroMax
from ox88.simple.human_moves import human_moves as human_moves
from ox88.types import BLACK as BLACK
from ox88.types import WHITE as WHITE

__version__: str
