"""All settings with their defaults and limits: each has one line saying what it is for."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class BrowserSettings(Section):
    executable: str | None = Field(
        None, description="Path of the Chromium to use; found by itself when unset."
    )
    arguments: str = Field("", description="More arguments for Chromium, as on a command line.")
    start_seconds: float = Field(20, gt=0, description="How long Chromium may take to start.")
    command_seconds: float = Field(20, gt=0, description="How long one browser command may take.")
    memory_bytes: int = Field(
        2_000_000_000,
        gt=0,
        description="Memory of Chromium, all processes, above which a fresh one takes its place.",
    )


class CaptureSettings(Section):
    viewport: str = Field(
        "desktop",
        pattern=r"^(desktop|laptop|tablet|mobile|[1-9]\d{1,4}x[1-9]\d{1,4})$",
        description="desktop, laptop, tablet, mobile or WIDTHxHEIGHT.",
    )
    deterministic: bool = Field(
        True, description="Frozen clock and random, animations brought to their end."
    )
    screenshot: Literal["jpeg", "png", "none"] = Field(
        "jpeg", description="Format of the full-page picture: jpeg, png or none."
    )
    jpeg_quality: int = Field(85, ge=1, le=100, description="Quality of JPEG screenshots.")
    scroll: bool = Field(True, description="Scroll pages that load something when scrolled.")
    user_agent: str | None = Field(None, description="User agent; Chromium's own when unset.")


class LimitSettings(Section):
    navigation_seconds: float = Field(
        30, gt=0, description="From asking for a page to its load event."
    )
    settle_seconds: float = Field(10, gt=0, description="From the load event to a page at rest.")
    capture_seconds: float = Field(90, gt=0, description="A whole capture, everything included.")
    analysis_seconds: float = Field(60, gt=0, description="One analysis of one capture.")
    nodes: int = Field(250_000, gt=0, description="Nodes of one page.")
    pixels: int = Field(400_000_000, gt=0, description="Pixels of one full-page screenshot.")
    tile_pixels: int = Field(8_192, ge=512, le=16_000, description="Height of one screenshot tile.")
    requests: int = Field(10_000, gt=0, description="Recorded requests of one page.")
    messages: int = Field(
        1_000, gt=0, description="Recorded console messages and dialogs of one page."
    )
    scroll_screens: int = Field(40, ge=0, description="Screens scrolled through for lazy content.")
    file_bytes: int = Field(100_000_000, gt=0, description="Bytes of a document, loaded or saved.")
    metrics: int = Field(50, ge=0, description="Metrics that are run on one page.")
    metric_seconds: float = Field(1, gt=0, description="How long one metric may take on a page.")
    metric_bytes: int = Field(65_536, gt=0, description="Bytes of one metric's result, as JSON.")
    metric_file_bytes: int = Field(262_144, gt=0, description="Bytes of one metric's file.")


class GateSettings(Section):
    allow_private: bool = Field(
        False,
        description="Let pages reach addresses that are not public: this machine, this network.",
    )
    allow: str = Field(
        "",
        description="Networks that pages may reach all the same, as in 10.1.0.0/16.",
    )
    connect_seconds: float = Field(15, gt=0, description="How long a server may take to connect.")

    @field_validator("allow")
    @classmethod
    def _networks(cls, text: str) -> str:
        for network in text.split():
            ip_network(network)
        return text


class RecorderSettings(Section):
    form: Literal["proxy", "browser"] = Field(
        "proxy",
        description="Who talks to servers: proxy (ours, records every byte) or browser (Chromium).",
    )
    body_bytes: int = Field(
        2_000_000_000, gt=0, description="Recorded bytes of one body; a longer one is cut."
    )
    idle_seconds: float = Field(
        60, gt=0, description="How long a server may be silent while it is waited for."
    )


class CrawlSettings(Section):
    tabs: int = Field(2, ge=1, le=64, description="Pages that a worker visits at the same time.")
    workers: int = Field(
        1, ge=1, le=64, description="Processes that visit pages, each with a browser of its own."
    )
    publish_seconds: float = Field(
        900, ge=0, description="How often a running crawl makes a release of what it has; 0: never."
    )
    contact: str = Field(
        "", description="Where site owners reach you, as URL or e-mail; part of the user agent."
    )
    robots: bool = Field(True, description="Obey robots.txt.")
    delay_seconds: float = Field(1, ge=0, description="Between two pages of one host.")
    longest_delay_seconds: float = Field(
        3600, ge=0, description="The longest wait that a host may ask for, or earn by failing."
    )
    attempts: int = Field(3, ge=1, description="How often a page is tried.")
    host_failures: int = Field(
        8, ge=1, description="Failures of a host in a row after which it is given up."
    )
    refresh_least_hours: float = Field(
        1, gt=0, description="The shortest interval that --refresh auto chooses for a page."
    )
    refresh_most_days: float = Field(
        30, gt=0, description="The longest interval that --refresh auto chooses for a page."
    )
    ignored_parameters: str = Field(
        "utm_* gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid igshid mc_cid mc_eid _ga _gl",
        description="Query parameters that do not make another page; * stands for any ending.",
    )
    url_length: int = Field(4_000, gt=0, description="Characters of an address.")
    path_segments: int = Field(30, gt=0, description="Segments of an address's path.")
    repeated_segments: int = Field(
        3, gt=0, description="How often one segment may stand in an address's path."
    )
    same_shape: int = Field(
        5_000, gt=0, description="Pages whose addresses differ only in numbers and query values."
    )
    sitemap_bytes: int = Field(50_000_000, gt=0, description="Bytes of one sitemap, unpacked.")
    sitemap_urls: int = Field(
        1_000_000, gt=0, description="Addresses taken from a host's sitemaps."
    )


class ApiSettings(Section):
    host: str = Field(
        "127.0.0.1", description="Address to listen on; any but this machine's own needs tokens."
    )
    port: int = Field(8787, ge=0, le=65_535, description="Port of the API; 0 for any free one.")
    pages_port: int = Field(
        8788, ge=0, le=65_535, description="Port of the second origin, which shows captured HTML."
    )
    token_file: str | None = Field(
        None, description="File with the hashes of tokens; without it nobody needs one."
    )
    output: str | None = Field(
        None, description="Store whose rows are @output; else those of the repository's state.db."
    )
    cors: str = Field("", description="Origins whose pages may ask the API, as in https://a.org.")
    threads: int = Field(4, ge=1, le=64, description="Quick requests worked on at the same time.")
    queries: int = Field(
        2, ge=1, le=64, description="Queries and pictures worked on at the same time."
    )
    query_seconds: float = Field(30, gt=0, description="How long a query may take.")
    query_rows: int = Field(100_000, gt=0, description="Rows of a query's answer.")
    query_memory_mb: int = Field(2_048, ge=64, description="Megabytes that queries may take.")
    waiting: int = Field(
        256, ge=0, description="Requests that wait for their turn; more are sent away."
    )
    waiting_seconds: float = Field(30, gt=0, description="How long a request waits for its turn.")
    body_bytes: int = Field(2_000_000, gt=0, description="Bytes of a request's body.")
    body_seconds: float = Field(30, gt=0, description="How long a request's body may take.")
    streams: int = Field(16, ge=1, description="Streams that are open at the same time.")
    stream_seconds: float = Field(
        3_600, gt=0, description="How long a stream may take; then it is cut, and says so."
    )
    stall_seconds: float = Field(
        30,
        gt=0,
        description="How long a client may take nothing of its answer; then it is cut off.",
    )
    page_rows: int = Field(1_000, ge=1, description="Captures on one page of a list.")
    picture_pixels: int = Field(
        50_000_000, gt=0, description="Pixels of one picture that is put together."
    )


class WatchSettings(Section):
    file: str | None = Field(None, description="File that notices are added to, a JSON line each.")
    webhook: str | None = Field(None, description="Address that notices are sent to, by POST.")
    apprise: str | None = Field(
        None, description="Service that notices are sent to, as Apprise writes addresses."
    )
    mail_to: str | None = Field(None, description="E-mail address that notices are sent to.")
    mail_from: str = Field("webgeist@localhost", description="E-mail address that they come from.")
    smtp_host: str = Field("localhost", description="Mail server.")
    smtp_port: int = Field(587, ge=1, le=65_535, description="Port of the mail server.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the mail server is spoken to: starttls, tls or none."
    )
    smtp_user: str = Field("", description="User of the mail server; empty: nobody logs in.")
    smtp_password_file: str | None = Field(
        None, description="File with the password; else it is in WEBGEIST_SMTP_PASSWORD."
    )
    attempts: int = Field(
        8, ge=1, description="How often a notice is tried; a minute, two, … an hour in between."
    )
    channel_seconds: float = Field(30, gt=0, description="How long a channel may take to confirm.")


class Settings(Section):
    browser: BrowserSettings = BrowserSettings()
    capture: CaptureSettings = CaptureSettings()
    limits: LimitSettings = LimitSettings()
    gate: GateSettings = GateSettings()
    recorder: RecorderSettings = RecorderSettings()
    crawl: CrawlSettings = CrawlSettings()
    api: ApiSettings = ApiSettings()
    watch: WatchSettings = WatchSettings()
