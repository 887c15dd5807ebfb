"""webgeist watch: look at pages again and again, and tell what changed."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import session_of
from webgeist.cli.targets import DelayOption

if TYPE_CHECKING:
    from datetime import timedelta

    from webgeist.cli.output import Output
    from webgeist.cli.watching import Round, Watch, Watched
    from webgeist.settings import Settings
    from webgeist.watch.channels import Channel
    from webgeist.watch.notices import Notice

app = typer.Typer(add_completion=False, rich_markup_mode=None)
_TROUBLES = 5  # rounds in a row that may fail before a watch ends


@app.command()
def watch(
    ctx: typer.Context,
    urls: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[URL...]", show_default=False, help="Pages; none: those of the last crawl."
        ),
    ] = None,
    *,
    repo: RepoOption = HERE,
    every: Annotated[
        str,
        typer.Option(
            "--every",
            "--refresh",
            metavar="AGE|auto",
            help="Look at each page after 30m, 12h, 7d; auto: by how often it changed.",
        ),
    ] = "auto",
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="DQL", help="Tell also when the answer to this changes."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", dir_okay=False, help="Add a JSON line for each."),
    ] = None,
    webhook: Annotated[
        str | None,
        typer.Option("--webhook", metavar="URL", help="POST each as JSON to this address."),
    ] = None,
    apprise: Annotated[
        str | None,
        typer.Option("--apprise", metavar="URL", help="Send each to a service of Apprise."),
    ] = None,
    mail: Annotated[
        str | None,
        typer.Option("--mail", metavar="ADDRESS", help="Send each by e-mail; see settings watch."),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="One round, for cron; else go on until Ctrl-C.")
    ] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="With --once: exit with 6 if there was news.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say when each page is due, and why.")
    ] = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print a JSON document for each, a line each.")
    ] = False,
    delay: DelayOption = None,
    allow_private: Annotated[
        bool | None,
        typer.Option("--allow-private", help="Let pages and channels reach this network."),
    ] = None,
) -> None:
    """Crawl pages of a repository again when they are due, and tell of important changes.

    Told is on stdout, and to a file, a webhook, a service of Apprise (the extra apprise) or by
    e-mail where asked for. Each notice has an id and arrives at least once: it is kept until the
    channel has confirmed, over any stop, and tried again after a minute, two, up to an hour,
    watch.attempts times. A page that shows a bot wall or an error is told on stderr as not
    comparable, and raises no alarm. Passwords are never arguments: watch.smtp_password_file, or
    WEBGEIST_SMTP_PASSWORD.

    Exit codes: 0 done; 1 a notice was not delivered yet; 3 no page could be visited; 6 news, with
    --exit-code; 7 another watch or writer is at work; 11 stopped by Ctrl-C, everything is saved.

    Example: webgeist watch https://example.org/terms --every 12h --file news.jsonl --repo my-pages

    Example: webgeist watch --once --refresh auto --webhook https://example.org/hook --repo my-pages
    """
    from webgeist.cli.query import read_query
    from webgeist.cli.watching import Watch, Watched

    session = session_of(ctx)
    flags = {
        "crawl.delay_seconds": delay,
        "gate.allow_private": allow_private,
        "watch.file": None if file is None else str(file),
        "watch.webhook": webhook,
        "watch.apprise": apprise,
        "watch.mail_to": mail,
    }
    settings = session.load_settings(flags, folder=repo).settings
    asked = None if query is None else read_query(query)
    watched = Watched(tuple(urls or ()), _age(every), asked)
    if dry_run:
        _tell_due(session.output, watched, repo, settings, as_jsonl=as_jsonl)
        return
    output = session.output
    channels = [_console(output, as_jsonl=as_jsonl), *_channels(settings)]
    watching = Watch(repo, watched, settings, output, channels)
    watching.open()
    try:
        code = _once(watching, exit_code=exit_code) if once else _go_on(watching)
    finally:
        watching.close()
    if code:
        raise typer.Exit(code)


def _age(text: str) -> timedelta | None:
    """None is by how often a page changed. Looking without a pause would be no manners."""
    from webgeist.crawl.plan import parse_age
    from webgeist.errors import UsageError

    if text == "auto":
        return None
    age = parse_age(text)
    if not age:
        raise UsageError("--every 0 never rests", remedy="--every 30m; --once looks once")
    return age


# --- where notices go --------------------------------------------------------------------------


def _console(output: Output, *, as_jsonl: bool) -> Channel:
    from webgeist.watch.channels import Console

    def tell(notice: Notice) -> None:
        if as_jsonl:
            output.line(notice.to_dict())
        else:
            output.data(one_line(notice.headline))
        output.flush()

    return Console(tell)


def _channels(settings: Settings) -> list[Channel]:
    """Those that settings and flags ask for."""
    from webgeist.capture.gate import Gate
    from webgeist.crawl.run import user_agent
    from webgeist.watch.apprise import AppriseService
    from webgeist.watch.channels import LinesFile
    from webgeist.watch.mail import Mail, Server
    from webgeist.watch.webhook import Webhook

    wanted, gate = settings.watch, Gate.of(settings.gate)
    seconds = wanted.channel_seconds
    found: list[Channel] = []
    if wanted.file:
        found.append(LinesFile(Path(wanted.file)))
    if wanted.webhook:
        found.append(Webhook(wanted.webhook, gate, user_agent(settings), seconds=seconds))
    if wanted.apprise:
        found.append(AppriseService(wanted.apprise, gate, seconds=seconds))
    if wanted.mail_to:
        who = wanted.smtp_user, _password(settings) if wanted.smtp_user else ""
        server = Server(wanted.smtp_host, wanted.smtp_port, wanted.smtp_security, *who)
        found.append(Mail(server, wanted.mail_from, wanted.mail_to, gate, seconds=seconds))
    return found


def _password(settings: Settings) -> str:
    from webgeist.errors import SettingsError

    path = settings.watch.smtp_password_file
    if path is None:
        if "WEBGEIST_SMTP_PASSWORD" not in os.environ:
            raise SettingsError(
                "watch.smtp_user has no password",
                remedy="set watch.smtp_password_file or WEBGEIST_SMTP_PASSWORD",
            )
        return os.environ["WEBGEIST_SMTP_PASSWORD"]
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise SettingsError(f"watch.smtp_password_file cannot be read: {error}") from error


# --- rounds ------------------------------------------------------------------------------------


def _once(watching: Watch, *, exit_code: bool) -> ExitCode:
    from webgeist.cli.crawling import stops_on_signal

    with stops_on_signal() as stops:
        done = watching.round(stops)
    _say(watching.output, done)
    if done.stopped:
        return ExitCode.INTERRUPTED
    if done.undelivered:
        return ExitCode.ERROR
    if done.failed:
        return ExitCode.FAILED_PAGES
    return ExitCode.CHANGED if exit_code and done.important else ExitCode.DONE


def _go_on(watching: Watch) -> ExitCode:
    """Round after round until Ctrl-C. What goes wrong later than in the first is tried again."""
    from webgeist.cli.crawling import stops_on_signal
    from webgeist.errors import WebgeistError
    from webgeist.watch.outbox import pause

    troubles, rounds = 0, 0
    with stops_on_signal() as stops:
        while not stops.asked:
            try:
                done = watching.round(stops)
            except WebgeistError as error:
                troubles += 1
                if not rounds or troubles >= _TROUBLES:
                    raise
                watching.output.warn(f"{error}; trying again in {pause(troubles):g} s")
                stops.wait(pause(troubles))
                continue
            troubles, rounds = 0, rounds + 1
            _say(watching.output, done)
            if not done.stopped:
                stops.wait(done.wait)
    return ExitCode.INTERRUPTED


def _say(output: Output, done: Round) -> None:
    output.say(
        f"{done.visited} pages visited, {done.important} news, {done.undelivered} not delivered; "
        f"the next is due in {_time(done.wait)}"
    )


def _tell_due(
    output: Output, watched: Watched, repo: Path, settings: Settings, *, as_jsonl: bool
) -> None:
    from webgeist.cli.watching import intervals

    for each in intervals(repo, watched, settings, output):
        if as_jsonl:
            output.line(asdict(each))
        else:
            why = f"{each.changes} changes in {each.visits} visits"
            when = f"due in {_time(each.due_in)}" if each.due_in else "due now"
            output.data(one_line(f"{each.url}  every {_time(each.seconds)} ({why}), {when}"))


def _time(seconds: float) -> str:
    for unit, length in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"
