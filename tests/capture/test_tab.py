"""What a tab sees of a page beside its document: frames, shadow roots, messages, workers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.conftest import Site, Studio

    from webgeist.capture.model import Capture
    from webgeist.page.model import Page

FRAMED = "<style>body { margin: 0 }</style><b>framed</b>"


def page_of(capture: Capture) -> Page:
    assert capture.page is not None, capture.info.reason
    return capture.page


def messages(capture: Capture) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in capture.info.messages]


def test_frames_of_any_origin_are_in_the_table_with_the_pages_coordinates(
    studio: Studio, site: Site
) -> None:
    site.add("/framed", FRAMED)
    place = "position:absolute;left:{}px;top:300px;border:5px solid;padding:7px"
    html = "".join(
        f"<iframe src='{site.url('/framed', host)}' style='{place.format(left)}'></iframe>"
        for host, left in (("127.0.0.1", 100), ("localhost", 500))
    )
    capture = studio.shoot(site.add("/", f"<p>outer</p>{html}"))
    page = page_of(capture)
    assert len(page.documents) == 3
    bold = page.find("b")
    assert [page.text(node) for node in bold] == ["framed", "framed"]
    assert [page.boxes[node][:2].tolist() for node in bold] == [[112, 312], [512, 312]]
    for node, frame in zip(bold, page.find("iframe"), strict=True):
        assert frame < node < page.end[frame]
        assert page.documents[int(page.document[node])].owner == frame


def test_open_shadow_roots_are_in_the_table(studio: Studio, site: Site) -> None:
    html = """<div id=host>light</div><script>
      document.getElementById("host").attachShadow({ mode: "open" }).innerHTML =
        "<em style='color: rgb(1,2,3)'>shadow</em><slot></slot>";
    </script>"""
    page = page_of(studio.shoot(site.add("/", html)))
    inside = page.find("em")[0]
    assert page.text(inside) == "shadow"
    assert page.style(inside)["color"] == "rgb(1, 2, 3)"
    shadows = page.nodes.column("shadow").to_pylist()
    assert shadows[inside] == "open"
    assert shadows[page.find("div")[0]] is None


def test_pseudo_elements_say_what_they_show(studio: Studio, site: Site) -> None:
    html = "<style>p::before{content:'→ '}p::after{content:'!'}</style><p>words</p>"
    page = page_of(studio.shoot(site.add("/", html)))
    rows = page.nodes.select(["pseudo", "rendered_text"]).to_pylist()
    told = [(row["pseudo"], row["rendered_text"]) for row in rows if row["pseudo"]]
    assert sorted(told) == [("after", "!"), ("before", "→ ")]


def test_nodes_without_layout_are_kept_without_boxes(studio: Studio, site: Site) -> None:
    html = "<p style='display:none'>hidden <b>too</b></p><p>shown</p>"
    page = page_of(studio.shoot(site.add("/", html)))
    hidden, shown = page.find("p")
    assert page.text(hidden) == "hidden too"
    assert np.isnan(page.boxes[hidden]).all()
    assert page.nodes.column("style_own")[hidden].as_py() is None
    assert page.boxes[shown][2] > 0


def test_dialogs_are_recorded_and_refused(studio: Studio, site: Site) -> None:
    html = """<p><script>alert("hello"); document.body.append(
      [confirm("sure?"), prompt("name?", "x")].join())</script>"""
    capture = studio.shoot(site.add("/", html))
    page = page_of(capture)
    assert page.text(page.find("body")[0]) == "false,"
    assert messages(capture) == [
        ("dialog-alert", "hello"),
        ("dialog-confirm", "sure?"),
        ("dialog-prompt", "name?"),
    ]


def test_a_question_before_leaving_does_not_hold_the_camera(studio: Studio, site: Site) -> None:
    html = "<p>x<script>onbeforeunload = (event) => event.preventDefault()</script>"
    assert studio.shoot(site.add("/", html)).ok


def test_console_errors_exceptions_and_missing_files_are_recorded(
    studio: Studio, site: Site
) -> None:
    html = """<p>x<img src=/missing.gif><script>console.error("broken", 7); console.log("chatter")
      </script><script>undefinedName.x</script>"""
    capture = studio.shoot(site.add("/", html))
    told = dict(messages(capture))
    assert told["console-error"] == "broken 7"
    assert "undefinedName is not defined" in told["exception"]
    assert "404" in told["log-network"]
    assert "chatter" not in str(told)


def test_a_workers_requests_are_the_pages_requests(studio: Studio, site: Site) -> None:
    site.add("/data", "done", headers={"content-type": "text/plain"})
    site.add(
        "/worker.js",
        "fetch('/data').then((answer) => answer.text()).then(postMessage)",
        headers={"content-type": "text/javascript"},
    )
    html = "<p>x</p><script>new Worker('/worker.js').onmessage = (e) => document.body.append(e.data)</script>"
    capture = studio.shoot(site.add("/", html))
    page = page_of(capture)
    assert page.text(page.find("body")[0]) == "x done"
    assert site.url("/data") in capture.requests.column("url").to_pylist()


def test_workers_of_workers_and_shared_ones_are_the_pages_too(studio: Studio, site: Site) -> None:
    script = {"content-type": "text/javascript"}
    site.add("/nested", "n", headers={"content-type": "text/plain"})
    site.add("/shared", "s", headers={"content-type": "text/plain"})
    inner = "fetch('/nested').then(a => a.text()).then(postMessage)"
    site.add("/inner.js", inner, headers=script)
    outer = "new Worker('/inner.js').onmessage = e => postMessage(e.data)"
    site.add("/outer.js", outer, headers=script)
    common = (
        "onconnect = e => fetch('/shared').then(a => a.text()).then(t => e.ports[0].postMessage(t))"
    )
    site.add("/shared.js", common, headers=script)
    html = """<p>x</p><script>const say = e => document.body.append(e.data);
      new Worker('/outer.js').onmessage = say; new SharedWorker('/shared.js').port.onmessage = say;
      </script>"""
    capture = studio.shoot(site.add("/", html))
    asked = Counter(capture.requests.column("url").to_pylist())
    assert asked == Counter(site.url(path) for path in site.log)
    assert asked[site.url("/nested")] == asked[site.url("/shared")] == 1


def test_pop_ups_are_told_and_do_not_open(studio: Studio, site: Site) -> None:
    html = """<title>before</title><p>x<a href=/link target=_blank>a</a>
      <form action=/form target=_blank></form><script>
      open('/pop', '_blank', 'width=100'); open('/other', '_blank', 'noopener');
      document.links[0].click(); document.forms[0].submit();
      const blank = open('about:blank', 'named'); if (blank) blank.location.assign('/assigned');
      document.title = 'after'</script>"""
    capture = studio.shoot(site.add("/", html))
    assert capture.info.metadata is not None
    assert capture.info.metadata.title == "after"
    told = [site.url(path) for path in ("/pop", "/other", "/link", "/form?")]
    assert messages(capture) == [("pop-up", url) for url in (*told, "about:blank")]
    assert capture.requests.column("url").to_pylist() == [site.url("/")]
    assert site.log == ["/"]
    browser = studio.camera.places.browser
    assert browser is not None
    listed = studio.door.run(browser._running.connection.send("Target.getTargets"))
    assert not [info for info in listed["targetInfos"] if site.url("/") in info["url"]]


def test_a_frame_inside_a_frames_element_keeps_the_tree_a_tree(studio: Studio, site: Site) -> None:
    site.add("/in", "<b>in</b>")
    html = """<iframe src='/in'></iframe><p>after</p><script>
      const inner = document.createElement("iframe"); inner.src = "/in?2";
      document.querySelector("iframe").append(inner) </script>"""
    page = page_of(studio.shoot(site.add("/", html)))
    for node in range(1, len(page)):
        parent = int(page.parent[node])
        assert page.end[node] <= page.end[parent]
        inside = [
            other for other in range(node + 1, int(page.end[node])) if page.parent[other] < node
        ]
        assert inside == []
