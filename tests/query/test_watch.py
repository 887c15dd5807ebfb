"""One thread ends what takes too long, and nothing else."""

from __future__ import annotations

import threading

from webgeist.query.watch import Stop, Watch


def test_what_takes_too_long_is_ended() -> None:
    ended = threading.Event()
    with Watch().over(0.01, ended.set) as watched:
        assert ended.wait(10)
    assert watched.ended


def test_what_is_over_in_time_is_left_alone() -> None:
    watch = Watch()
    with watch.over(60, lambda: None) as first, watch.over(60, lambda: None) as second:
        pass
    assert not first.ended
    assert not second.ended


def test_a_nearer_deadline_wakes_the_thread() -> None:
    watch, late, soon = Watch(), threading.Event(), threading.Event()
    with watch.over(3600, late.set), watch.over(0.01, soon.set):
        assert soon.wait(10)
        assert not late.is_set()


def test_one_thread_for_all() -> None:
    watch = Watch()
    before = threading.active_count()
    for _ in range(50):
        with watch.over(60, lambda: None):
            pass
    assert threading.active_count() <= before + 1


def test_what_does_not_hear_is_told_again() -> None:
    told, twice = [], threading.Event()

    def end() -> None:
        told.append(1)
        if len(told) == 2:
            twice.set()

    with Watch().over(0.01, end):
        assert twice.wait(10)


def test_what_is_hurried_is_ended_at_once() -> None:
    watch, ended = Watch(), threading.Event()
    with watch.over(3600, ended.set) as watched:
        watch.hurry(watched)
        assert ended.wait(10)
    assert watched.ended


def test_a_stop_ends_what_runs_and_what_begins_later() -> None:
    stop, ends = Stop(), []
    with stop.ending(lambda: ends.append("first")):
        stop.stop()
        assert ends == ["first"]
    with stop.ending(lambda: ends.append("second")):
        assert ends == ["first", "second"]
    stop.stop()
    assert ends == ["first", "second"]
