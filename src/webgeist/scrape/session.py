"""One run under way: which blocks are open, what the log says of a key, what becomes permanent."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from webgeist.errors import UsageError
from webgeist.scrape.blocks import State
from webgeist.scrape.duplicates import Duplicates
from webgeist.scrape.freshness import Record, is_fresh, steady
from webgeist.scrape.keeper import Keeper
from webgeist.scrape.log import Done, Visits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from webgeist.scrape.blocks import Block
    from webgeist.scrape.freshness import Freshness
    from webgeist.scrape.keys import Key
    from webgeist.scrape.log import Begun, Log
    from webgeist.scrape.rows import Draft

# The innermost block of each run under way, by the run's number in this process. Tasks have their
# own: a task that was started inside a block is inside it.
_INNERMOST: ContextVar[Mapping[int, Block]] = ContextVar("webgeist_innermost")


@dataclass
class Counts:
    """What a run has done so far."""

    rows: int = 0
    committed: int = 0
    skipped: int = 0
    abandoned: int = 0
    held_by_others: int = 0


class Session:
    """The blocks of one run. `clock` gives seconds since 1970, `sleep` waits."""

    def __init__(
        self,
        log: Log,
        begun: Begun,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.begun = begun
        self.sleep = sleep
        self.counts = Counts()
        self.visits: dict[str, Visits] = defaultdict(Visits)
        self._log = log
        self._clock = clock
        self._newest = float("-inf")
        self.started = self.now()
        self._keeper = Keeper(log, begun, self.tidy)
        self._tokens = count(1)
        self._met: set[bytes] = set()
        self._left: deque[Block] = deque()
        self._passed: list[tuple[Key, Freshness]] = []
        self._watching: WeakKeyDictionary[Duplicates, Block | str | None] = WeakKeyDictionary()
        self._turn = threading.RLock()  # asynchronous blocks are decided and committed in threads
        self.over = False

    def now(self) -> float:
        """The time, which never runs backwards within a run."""
        self._newest = steady(self._clock(), self._newest)
        return self._newest

    # --- which blocks are open -----------------------------------------------------------------

    def innermost(self) -> Block | None:
        """The block whose body runs here."""
        block = _INNERMOST.get({}).get(id(self))
        while block is not None and not block.is_open:
            block = block.above
        return block

    def open_blocks(self) -> list[Block]:
        """The blocks around this place, the innermost first."""
        found, block = [], self.innermost()
        while block is not None:
            found.append(block)
            block = block.above
        return found

    def push(self, block: Block) -> None:
        block.state = State.OPEN
        others = {run: each for run, each in _INNERMOST.get({}).items() if each.is_open}
        _INNERMOST.set({**others, id(self): block})

    # --- entering ------------------------------------------------------------------------------

    def place(self, block: Block) -> None:
        """See where in the program the block stands."""
        if self.over:
            raise RuntimeError(
                "the run is over: a block belongs into the body of its with statement"
            )
        block.above = self.innermost()

    def decide(self, block: Block) -> bool:
        """Whether the body is to run: no record is fresh enough, and nobody else is at it."""
        with self._turn:
            return self._decide(block)

    def _decide(self, block: Block) -> bool:
        self.visits[block.key.block].entered += 1
        self.tidy()
        records = self._log.records(self.begun, block.key)
        if self._is_fresh(records, block):
            return self._skipped(block, records)
        block.token = str(next(self._tokens))
        held = self._log.take(self.begun, block.key, block.token, records)
        if held is None:
            return self._held_by_others(block)
        if held is not records and self._is_fresh(held, block):  # done by another run just now
            self._log.give_back(self.begun, block.key, block.token)
            return self._skipped(block, held)
        self._met.add(block.key.digest)
        self._tell(block, duplicate=False)
        return True

    def _is_fresh(self, records: Sequence[Record], block: Block) -> bool:
        return is_fresh(records, block.wanted, self.now())

    def _skipped(self, block: Block, records: Sequence[Record]) -> bool:
        block.state = State.SKIPPED
        self.counts.skipped += 1
        self.visits[block.key.block].skipped += 1
        known = max(record.logical for record in records) < self.begun.logical
        if known or block.key.digest in self._met:
            self._tell(block, duplicate=True)
        self._met.add(block.key.digest)
        return False

    def _held_by_others(self, block: Block) -> bool:
        block.state = State.SKIPPED
        self.counts.held_by_others += 1
        self._passed.append((block.key, block.wanted))
        return False

    def watch(self, most: int, name: str | None) -> Duplicates:
        """Count duplicates among the blocks of a name, or directly inside the one open here."""
        made = Duplicates(most)
        self._watching[made] = name or self.innermost()
        return made

    def _tell(self, block: Block, *, duplicate: bool) -> None:
        if not self._watching:
            return
        for each, level in list(self._watching.items()):
            if level in (block.above, block.key.block):
                each.saw(duplicate=duplicate)

    # --- leaving -------------------------------------------------------------------------------

    def commit(self, block: Block) -> None:
        """The body reached its end: the record and its rows become permanent, or nothing does."""
        with self._turn:
            self._commit(block)

    def _commit(self, block: Block) -> None:
        if self.over or not block.is_open:
            self.abandon(block)
            raise RuntimeError(f"block {block.key.block} ended after what it stands in was left")
        durable = self._keeper.wants_sync()
        record = Record(self.now(), self.begun.logical, block.wanted.content)
        done = Done(block.key, block.token, record, block.rows)
        if self._log.commit(self.begun, done, durable=durable):
            block.state = State.COMMITTED
            self._keeper.wrote(durable=durable)
            self.counts.committed += 1
            self.counts.rows += len(block.rows)
            self.visits[block.key.block].committed += 1
        else:
            self._held_by_others(block)
        block.rows = []

    def abandon(self, block: Block) -> None:
        """The body was left: its rows are as if they had never been."""
        block.state = State.ABANDONED
        block.rows = []
        self.counts.abandoned += 1
        self._left.append(block)  # Python may be anywhere when it drops a loop: no question now

    def tidy(self) -> None:
        """Let others have the blocks that were left; the end of the run does it for the last."""
        while self._left:
            block = self._left.popleft()
            self._log.give_back(self.begun, block.key, block.token)

    def output(self, row: Draft) -> None:
        """Belongs to the innermost block; outside of any it is permanent at once."""
        block = self.innermost()
        if block is not None:
            block.rows.append(row)
            return
        self._log.output(self.begun, row)
        self._keeper.wrote(durable=True)
        self.counts.rows += 1

    def sync(self) -> None:
        self._keeper.sync()

    def end(self, *, reached: bool) -> str:
        """The run is over: it `reached` its end, or failed. Its outcome."""
        self._keeper.close()
        outcome = ("full" if self._whole() else "shared") if reached else "failed"
        self.over = True
        self._log.end(self.begun, self.now(), outcome, self.visits)
        return outcome

    def _whole(self) -> bool:
        """Whether what others held when this run came by is done by now."""
        return all(
            is_fresh(self._log.records(self.begun, key), wanted, self.now())
            for key, wanted in self._passed
        )

    def ancestors(self, names: Sequence[str], block: str) -> list[Key]:
        """The keys of the open blocks with these names. UsageError where one is not open."""
        opened = {each.key.block: each.key for each in self.open_blocks()}
        if block in opened:
            raise UsageError(
                f"block {block} is open already, and cannot stand inside itself",
                remedy="give the inner one another name",
            )
        for name in names:
            if name not in opened:
                raise UsageError(
                    f"block {block} is to be within {name}, which is not open here",
                    remedy=f"open are: {', '.join(opened) or 'none'}",
                )
        return [opened[name] for name in dict.fromkeys(names)]
