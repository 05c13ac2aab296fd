"""MDX: components that hold others, such as tabs and steps."""

from __future__ import annotations

import time

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def file(text: str) -> ParsedDocument:
    document = read(text.encode(), name="a.mdx")
    assert_blocks_fit(document)
    return document


@pytest.mark.parametrize("tab", ["Tab", "Tabs.Tab", "TabItem"])
def test_tabs_are_named_by_the_items_of_what_holds_them(tab: str) -> None:
    document = file(
        f'<Tabs groupId="tide" items={{[\'Ebb\', "Flood"]}}>\n  <{tab}>\n    Wait `here`.\n  </{tab}>\n'
        f"  <{tab}>Go *out*.</{tab}>\n\n  <{tab}>Third.</{tab}>\n</Tabs>\n\n<{tab}>After.</{tab}>\n"
    )
    assert shown_blocks(document) == [
        ("caption", 0, "Ebb"),
        ("paragraph", 0, "Wait here."),
        ("caption", 0, "Flood"),
        ("paragraph", 0, "Go out."),
        ("paragraph", 0, "Third."),
        ("paragraph", 0, "After."),
    ]


def test_a_tab_with_a_title_of_its_own_keeps_it() -> None:
    assert file("<Tabs items={['Ebb']}>\n<Tab title=\"Low\">\nWait.\n</Tab>\n</Tabs>\n").text == "Low\n\nWait."


def test_steps_are_items_in_their_order_with_what_they_hold() -> None:
    document = file(
        '## Moor\n\n<Steps>\n  <Step title="Throw the `rope`">\n    Two of them.\n\n    ```bash\n    throw  2\n'
        "      <b>\n    ```\n\n    <Note>\n      Dry ones.\n    </Note>\n\n    - bow\n  </Step>\n"
        '  <Step title="Check" />\n  <Step title="Pay &amp; sign">Ask *Anna*.</Step>\n</Steps>\n\nDone.\n\n'
        '<Steps>\n<Step title="Leave">\nSlowly.\n</Step>\n</Steps>\n'
    )
    assert shown_blocks(document) == [
        ("heading", 2, "Moor"),
        ("item", 1, "1. Throw the rope"),
        ("paragraph", 2, "Two of them."),
        ("code", 2, "throw  2\n  <b>"),
        ("note", 2, "Note: Dry ones."),
        ("item", 3, "  - bow"),
        ("item", 1, "2. Check"),
        ("item", 1, "3. Pay & sign"),
        ("paragraph", 2, "Ask Anna."),
        ("paragraph", 0, "Done."),
        ("item", 1, "1. Leave"),
        ("paragraph", 2, "Slowly."),
    ]


def test_tabs_stand_in_steps_and_steps_in_items() -> None:
    document = file(
        "- Moor:\n\n  <Steps>\n"
        "    <Step title=\"Wait\">\n      <Tabs items={['Ebb']}>\n        <Tab>\n          Long.\n"
        "        </Tab>\n      </Tabs>\n    </Step>\n  </Steps>\n\n- Leave.\n"
    )
    assert shown_blocks(document) == [
        ("item", 1, "- Moor:"),
        ("item", 2, "  1. Wait"),
        ("caption", 3, "Ebb"),
        ("paragraph", 3, "Long."),
        ("item", 1, "- Leave."),
    ]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (
            'import A from "a"\n\n<Steps>\n<Step title="Moor">\nWait.\n\n## Next\n',
            [("item", 1, "1. Moor"), ("paragraph", 0, "Wait."), ("heading", 2, "Next")],
        ),
        (
            '<Steps>\n<Step title="Moor">\nWait.\n</Steps>\n\n## Next\n\n<Step>Go.</Step>',
            [("item", 1, "1. Moor"), ("paragraph", 2, "Wait."), ("heading", 2, "Next"), ("paragraph", 0, "Go.")],
        ),
        (
            '<Step title="Moor">\nWait.\n</Step>\n\n</Steps>\n\n## Next\n',
            [("caption", 0, "Moor"), ("paragraph", 0, "Wait."), ("heading", 2, "Next")],
        ),
    ],
)
def test_a_step_without_an_end_or_a_beginning_takes_no_more_than_its_own(
    text: str, blocks: list[tuple[str, int, str]]
) -> None:
    assert shown_blocks(file(text)) == blocks


@pytest.mark.parametrize(
    ("info", "title"),
    [
        ("bash rope", "rope"),
        ("js moor.js lines {1,2} theme={null}", "moor.js"),
        ('ts title="moor.ts" copy', "moor.ts"),
    ],
)
def test_code_in_a_group_has_its_title(info: str, title: str) -> None:
    document = file(f"<CodeGroup>\n```{info}\nmoor\n```\n```sh\nleave\n```\n</CodeGroup>\n\n```{info}\nwait\n```\n")
    assert [(kind, text) for kind, _, text in shown_blocks(document)] == [
        ("caption", title),
        ("code", "moor"),
        ("code", "leave"),
        ("code", "wait"),
    ]


@pytest.mark.parametrize(
    "part",
    [
        '<Steps><Step title="a">\n',
        '<Steps>\n<Step title="a">\nb\n</Step>\n',
        '<Step title="a">\n</Step>\n',
        "<Tabs items={['a']}>\n",
        "<CodeGroup>\n```a title=\n```\n",
    ],
)
def test_many_components_that_hold_others_are_read_in_a_moment(part: str) -> None:
    began = time.process_time()
    assert_blocks_fit(read(f"<Note>\nHi.\n</Note>\n{part * 1_000}\n</Step></Steps>".encode(), name="a.mdx"))
    assert time.process_time() - began < 10
