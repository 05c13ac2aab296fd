"""Whether a text tells if one may do something."""

from time import process_time

import pytest

from pipelines.query.extracts.language.whether_one_may import tells_whether_one_may


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Can I bring my dog?", "Dogs are welcome in the garden wing. They are not allowed in the yard."),
        ("Can I keep a cat?", "Small animals need none. Dogs and cats need the written consent of the owner."),
        ("May I take a taxi?", "- Taxis, unless agreed beforehand"),
        ("Can we pay with Baltic Card?", "We accept cash; no Baltic Card. A reminder costs 5 crowns."),
        ("Can I bring my dog?", "Dogs must be on a lead."),
        ("Can I edit the chart?", "Charts may be edited by the pilot."),
        ("Can I use the chart?", "Charts may only be used at sea."),
        ("Can we pay by card?", "Cards are accepted in the bar."),
        ("Can I take my bicycle?", "Bicycles must be left outside."),
        ("Am I allowed to use candles in the cabin?", "Candles in a cabin are forbidden."),
    ],
)
def test_what_grants_or_forbids_the_thing_tells_it(question: str, text: str) -> None:
    assert tells_whether_one_may(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Can I pay by card?", "The code is only on your key card."),
        ("Can I bring my dog?", "Dogs bark at night."),
        ("Can I bring my dog to the beach?", "Dogs are welcome in the garden wing."),
        ("Can I call the dog warden?", "No dog warden is aboard."),
        ("Where can I leave my dog?", "Dogs are welcome in the garden wing."),
        ("Can I swim?", "No swimming."),
        ("Can I edit plugins?", "Plugins must be listed by name."),
        ("Can I delete the cache directory?", "The cache directory may grow to 2 GB."),
        ("Must I wear a lifebelt?", "Lifebelts are not made here."),
        ("Can I bring my bicycle?", "Bicycles may be stolen from the pier."),
        ("Can I take a canoe?", "Our canoes must be painted each year."),
        ("Can I delete a skipper?", "Skippers are allowed to add boats."),
        ("Can we sell our passes?", "Passes are not accepted on night ferries."),
        ("Should I take the ferry?", "Ferries are not permitted in the bay."),
        ("Can I use harbour variables?", "Harbour variables never override the file."),
    ],
)
def test_other_texts_do_not(question: str, text: str) -> None:
    assert not tells_whether_one_may(question, text)


def test_it_is_told_in_linear_time() -> None:
    started = process_time()
    tells_whether_one_may("Can I bring " + " " * 50_000 + "dogs", "no " * 50_000)
    tells_whether_one_may("Can I bring dogs?", "no dogs " * 5_000 + " " * 50_000)
    assert process_time() - started < 5
