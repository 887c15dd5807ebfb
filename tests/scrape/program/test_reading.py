"""Program files: what is read, and that everything wrong is told with its line and field."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from webgeist.scrape.program import model
from webgeist.scrape.program.outline import outline
from webgeist.scrape.program.places import ProgramError
from webgeist.scrape.program.reading import VERBS, parse_program, read_program

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
program: organisations
about: All organisations, with their phone numbers.
viewport: mobile
steps:
  - load: http://directory.localhost:8000/sign-in
  - type: "{env:REGISTER_PASSWORD}"
    into: {css: input, name: password}
    enter: true
  - select: Large
    in: "#size"
  - scroll: end
  - wait: 5s
    for: table
  - for-each: row
    in:
      columns:
        name: {css: td a, text: Harbour Trust}
        link: {css: td a, attribute: href}
      rows: tr
    pages: all
    stop-after-duplicates: 30
    steps:
      - stop-when: {text: "{row.name}", is: Total}
      - skip-block: Organisation
        key: ["{row.name}", "{row.link}"]
        fresh: 7d
        retries: 2
        steps:
          - click: "{row.name}"
          - scrape:
              phone: {label: Phone}
              fax: .fax
            optional: [fax]
          - if: {not: {on-page: .closed}}
            steps:
              - output: {name: "{row.name}", phone: "{phone}", fax: "{fax}", page: "{url}"}
            else:
              - scroll: {css: footer}
          - for-each: person
            steps:
              - skip-block: Person
                key: "{person.Name}"
                within: Organisation
                fresh: {runs: 3}
                steps:
                  - output: {name: "{row.name}: {person.Name} {{new}}"}
"""


def test_every_step_is_read(tmp_path: Path) -> None:
    path = tmp_path / "program.yaml"
    path.write_text(WHOLE)
    program = read_program(path)
    assert (program.name, program.viewport) == ("organisations", "mobile")
    load, type_, select, scroll, wait, loop = program.steps
    assert load == model.Load(5, model.Template("http://directory.localhost:8000/sign-in"))
    assert isinstance(type_, model.Type)
    assert type_.into.features == {"css": "input", "name": "password"}
    assert (type_.enter, type_.text.holes) == (True, ("env:REGISTER_PASSWORD",))
    assert select == model.Select(9, model.Target({"css": "#size"}), model.Template("Large"))
    assert scroll == model.Scroll(11)
    assert wait == model.Wait(12, 5.0, model.Target({"css": "table"}))
    assert isinstance(loop, model.ForEach)
    assert (loop.name, loop.pages, loop.stop_after_duplicates) == ("row", None, 30)
    assert loop.relation.columns["link"] == model.Target({"css": "td a"}, attribute="href")
    assert loop.relation.rows == model.Target({"css": "tr"})
    stop, block = loop.steps
    assert isinstance(stop, model.StopWhen)
    assert isinstance(block, model.SkipBlock)
    assert block.fresh == model.Fresh(seconds=7 * 86_400)
    assert (block.retries, [part.text for part in block.key]) == (2, ["{row.name}", "{row.link}"])
    click, scrape, choice, people = block.steps
    assert click == model.Click(29, model.Target(cell="row.name"))
    assert isinstance(scrape, model.Scrape)
    assert scrape.optional == {"fax"}
    assert isinstance(choice, model.If)
    assert choice.condition.negated
    assert choice.otherwise == (model.Scroll(38, model.Target({"css": "footer"})),)
    assert isinstance(people, model.ForEach)
    assert (people.relation, people.pages) == (model.Relation(), 1)
    (person,) = people.steps
    assert isinstance(person, model.SkipBlock)
    assert (person.within, person.fresh) == (("Organisation",), model.Fresh(runs=3))


def test_the_whole_is_shown_as_an_outline() -> None:
    assert outline(parse_program(WHOLE)) == dedent("""\
        organisations
        All organisations, with their phone numbers.
          load http://directory.localhost:8000/sign-in
          type '{env:REGISTER_PASSWORD}' into css 'input', name 'password', then Enter
          select 'Large' in css '#size'
          scroll to the end
          wait for css 'table', 5 s at most
          for each row (name, link), on all pages of the list, until 30 in a row are known
            stop when '{row.name}' is 'Total'
            skip if Organisation ({row.name}, {row.link}) was done in the last 1 weeks
              click row.name
              scrape phone from label 'Phone'; fax from css '.fax' if it is there
              if css '.closed' is not on the page
                output name: {row.name}, phone: {phone}, fax: {fax}, page: {url}
              otherwise
                scroll to css 'footer'
              for each person (what the page repeats)
                skip if Person ({person.Name}) within Organisation was done in this or the last 3 full runs
                  output name: {row.name}: {person.Name} {{new}}
        """)


def program(steps: str) -> str:
    return "program: p\nsteps:\n" + "".join(f"  {line}\n" for line in dedent(steps).splitlines())


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        ("", 1, "", "empty"),
        ("- a", 1, "", "names with values"),
        ("steps: []", 1, "", "program is missing"),
        ("program: p", 1, "", "steps is missing"),
        ("program: p\nsteps: []", 2, "steps", "no step"),
        ("program: p\nsteps: {}", 2, "steps", "a list is needed"),
        ("program: p\nstep: []", 2, "step", "did you mean steps?"),
        ("program: p\nprogram: q", 2, "program", "twice"),
        ("program: [p\n", 2, "", "no YAML"),
        ("program: &a p\nsteps: *a", 2, "", "no aliases"),
        ("program: ''\nsteps: []", 1, "program", "no name"),
        (program("- clik: a"), 3, "steps[0]", "did you mean click?"),
        (program("- click: a\n  load: b"), 3, "steps[0]", "two steps"),
        (program("- {}"), 3, "steps[0]", "there is no step"),
        (program("- load: []"), 3, "steps[0].load", "a text is needed"),
        (program("- load:"), 3, "steps[0].load", "not nothing"),
        (program("- load: '{nobody}'"), 3, "steps[0].load", "nothing gives 'nobody' a value"),
        (program("- load: '{env:KEY}'"), 3, "steps[0].load", "may only be typed"),
        (program("- type: x"), 3, "steps[0]", "into is missing"),
        (program("- type: x\n  into: a\n  enter: 7"), 5, "steps[0].enter", "true or false"),
        (program("- wait: soon"), 3, "steps[0].wait", "a number is needed"),
        (program("- wait: -1"), 3, "steps[0].wait", "less than 0"),
        (program("- wait: 2h"), 3, "steps[0].wait", "no step waits"),
        (program("- click: {colour: red}"), 3, "steps[0].click.colour", "no feature 'colour'"),
        (program("- click: {attribute: href}"), 3, "steps[0].click", "nothing says"),
        (program("- click: '{row.name}'"), 3, "steps[0].click", "nothing gives 'row.name'"),
        (program("- scrape: {}"), 3, "steps[0].scrape", "nothing is named"),
        (program("- scrape: {url: a}"), 3, "steps[0].scrape.url", "no name for a value"),
        (program("- scrape: {a: b}\n  optional: [c]"), 4, "steps[0].optional", "not scraped"),
        (program("- output: {}"), 3, "steps[0]", "a row needs a column"),
        (program("- for-each: 7\n  steps: [{load: a}]"), 3, "steps[0].for-each", "no name"),
        (program("- for-each: row"), 3, "steps[0]", "steps is missing"),
        (
            program("- for-each: row\n  pages: some\n  steps: [{load: a}]"),
            4,
            "steps[0].pages",
            "a whole number",
        ),
        (
            program("- skip-block: A\n  key: []\n  steps: [{load: a}]"),
            4,
            "steps[0].key",
            "the list is empty",
        ),
        (
            program("- skip-block: A\n  key: '{url}'\n  within: B\n  steps: [{load: a}]"),
            5,
            "steps[0].within",
            "B is not open",
        ),
        (
            program("- skip-block: A\n  key: x\n  fresh: {days: 3}\n  steps: [{load: a}]"),
            5,
            "steps[0].fresh.days",
            "there is no 'days'",
        ),
        (
            program("- skip-block: A\n  key: x\n  steps:\n    - skip-block: A\n      key: y"),
            6,
            "steps[0].steps[0].skip-block",
            "inside itself",
        ),
        (program("- stop-when: {text: a}"), 3, "steps[0].stop-when", "a condition is missing"),
        (
            program("- stop-when: {text: a, matches: '('}"),
            3,
            "steps[0].stop-when.matches",
            "no regular expression",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, line: int, field: str, words: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse_program(text)
    assert (caught.value.line, caught.value.field) == (line, field)
    assert words in str(caught.value)


def test_names_live_where_they_were_given() -> None:
    inside = "- for-each: a\n  steps:\n    - scrape: {x: b}\n- output: {x: '{x}'}"
    with pytest.raises(ProgramError, match="nothing gives 'x' a value"):
        parse_program(program(inside))
    parse_program(program("- if: {on-page: a}\n  steps:\n    - scrape: {x: b}\n- load: '{x}'"))


def test_deep_and_large_files_are_refused() -> None:
    with pytest.raises(ProgramError, match="nested too deeply"):
        parse_program("[" * 2000)
    with pytest.raises(ProgramError, match="at most"):
        parse_program("#" * 1_000_001)


def read_or_refused(text: str) -> bool:
    """Nothing else happens."""
    try:
        return bool(parse_program(text).steps)
    except ProgramError as error:
        return error.line >= 1


@given(st.text(max_size=300))
def test_any_text_is_a_program_or_an_error(text: str) -> None:
    assert read_or_refused(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "in", "steps", "key", *VERBS]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.lists(values, max_size=3))
def test_steps_of_any_form_are_read_or_refused(steps: object) -> None:
    assert read_or_refused(yaml.safe_dump({"program": "p", "steps": steps}))


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain", "plain"),
        ("{a} and {loop.b}", "1 and 2"),
        ("{{a}} {a}", "{a} 1"),
        ("{missing}!", "!"),
        ("{", "{"),
    ],
)
def test_templates(text: str, filled: str) -> None:
    known = {"a": "1", "loop.b": "2", "missing": None}
    assert model.Template(text).fill(known) == filled


def test_a_template_that_is_one_hole_can_be_missing() -> None:
    assert model.Template("{a}").value({"a": None}) is None
    assert model.Template("{a}").value({"a": "x"}) == "x"
    assert model.Template("{a}.").value({"a": None}) == "."
