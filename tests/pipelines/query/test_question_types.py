import time

import pytest

from pipelines.query.question_types import asks_condition, names_new, question_form, question_kind, question_thing


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much exercise does a beagle need?", "number"),
        ("What percentage of puppies is deaf?", "number"),
        ("How much does a ticket cost?", "money"),
        ("What is the price of a puppy?", "money"),
        ("What salary does a trainer get?", "money"),
        ("What do guests pay for a berth?", "money"),
        ("What does a deckhand earn?", "money"),
        ("What do the guests pay for?", None),
        ("What does the crew pay attention to?", None),
        ("How much memory does the cache cost?", "number"),
        ("What are the costs of a slow index?", None),
        ("When was the breed recognised?", "date"),
        ("And when did the club close?", "date"),
        ("In which year did the club close?", "date"),
        ("By when must a puppy be registered?", "date"),
        ("What is the deadline for the show?", "date"),
        ("When is the fee due?", "date"),
        ("When should a puppy eat?", "time"),
        ("Which day is it shown?", "time"),
        ("Do you know when the ferry leaves?", "time"),
        ("Since when the ferry has a bar?", "time"),
        ("If it rains, when does the ferry leave?", "time"),
        ("The ferry leaves when?", "time"),
        ("What should be done when the ferry is late?", None),
        ("When the ferry is late, what should be done?", None),
        ("Does the bar open when the ferry is late?", None),
        ("Who bred the first one?", "name"),
        ("Where do Manx cats come from?", "name"),
        ("How do I brush a cat?", None),
        ("Why do cats purr?", None),
        ("Wie alt wird ein Hund?", None),
    ],
)
def test_the_type_of_a_question_is_recognised(question: str, kind: str | None) -> None:
    assert question_kind(question) == kind


def test_words_of_the_question_are_not_its_answer() -> None:
    assert names_new("number", "A beagle needs 60 minutes.", "How long a walk does a beagle need?")
    assert not names_new("number", "The 2 dogs ran.", "How far did the 2 dogs run?")
    assert names_new("time", "A puppy eats before it sleeps.", "When should a puppy eat?")
    assert not names_new("time", "A puppy eats.", "When should a puppy eat?")
    assert names_new("time", "Puppy class: Wed, room 2.", "When is the puppy class?")
    for hours in ("Opens: 9", "Hours: 9:30", "Sunday: closed", "Sunday, 9am", "Sunday at noon"):
        assert names_new("time", hours, "When does the school open on Sunday?")
    for hours in ("Sunday: 13.30\u201318.00", "Leave the room by 11.00.", "Music until 23.30, then silence."):
        assert names_new("date", hours, "Until when are you open on Sunday?")
    for figure in ("Boats from 9.50 EUR", "Moor it at 2.30 m.", "Take 13.30 with you."):
        assert not names_new("date", figure, "Until when are you open?")
    assert not names_new("time", "On Sunday it opens 2 rooms, or 30 % of them.", "When does it open on Sunday?")
    assert names_new("date", "The kennel opened on 4 Mar.", "When was the kennel opened?")
    assert not names_new("date", "The kennel on Mar Road opened in the sun.", "When was the kennel opened?")
    assert names_new("name", "They were bred by Louis Dobermann.", "Who bred the Dobermann?")
    assert not names_new("name", "the Dobermann is a guard dog.", "Who bred the Dobermann?")
    assert not names_new("name", "By then the Dobermann was known.", "Who bred the Dobermann?")
    assert not names_new("name", "the Dobermann is in Breeds.txt.", "Who bred the Dobermann?")
    assert not names_new("name", "one with a lead: 900 NOK, with VAT.", "Who bred the Dobermann?")
    assert names_new("name", "- Louis Dobermann: bred it", "Who bred the dog?")


@pytest.mark.parametrize(
    ("said", "is_name"),
    [
        ("Works Mon, Tue and Fri. Special interest: knots.", False),
        ("Teaches beginners on Sat.", False),
        ("Special interest: knots by Oona.", True),
        ("Oona says: tie it twice.", True),
        ("Works with Oona on Tue.", True),
    ],
)
def test_a_weekday_and_the_beginning_of_a_label_or_a_line_of_work_are_no_names(said: str, is_name: bool) -> None:
    assert names_new("name", said, "Who ties the knots?") == is_name


def test_a_deadline_is_told_by_a_day() -> None:
    asked = "By when must a puppy be registered?"
    assert names_new("date", "Puppies are registered by 3 March.", asked)
    assert names_new("date", "A puppy is registered within eight (8) weeks of its birth.", asked)
    assert names_new("date", "Puppies are registered by 9:30.", asked)
    assert not names_new("date", "Since 2018 puppies have been registered.", asked)


def test_pounds_of_weight_are_no_price() -> None:
    asked = "How much does a beagle cost?"
    assert names_new("money", "A puppy costs 900 pounds.", asked)
    assert names_new("money", "- Puppy; This week: 901.50", asked)
    assert not names_new("money", "A beagle is drawn by Kennel 3.11 and newer.", asked)
    assert not names_new("money", "Beagles weigh 20 to 25 pounds.", asked)
    assert not names_new("money", "Their weight is 20 pounds (9 kg).", asked)


def test_a_period_says_when_beside_what_it_is_counted_from() -> None:
    asked = "When was the beagle vaccinated?"
    assert names_new("date", "It was vaccinated two weeks after its birth.", asked)
    assert names_new("date", "It was vaccinated within the first week.", asked)
    assert not names_new("date", "It was tired during the first weeks.", asked)
    assert not names_new("date", "Fever lasts for a day or two.", asked)


@pytest.mark.parametrize(
    "said",
    [
        "This breeds a game that runs on your computer. Games over the Internet take as long.",
        "You may meet it on Monday.",
        "Puppies need what other puppies need.",
        "If the URL is wrong, read the HTTP log.",
    ],
)
def test_words_with_a_capital_are_not_all_names(said: str) -> None:
    assert not names_new("name", said, "Who bred the dog?")


@pytest.mark.parametrize(
    "said",
    [
        "Two hundred came.",
        "There are 450 of them.",
        "In 1995 there were 12.",
        "2.5 litres",
        "In 12 countries.",
        "About 2.5 thousand.",
    ],
)
def test_a_count_is_a_number(said: str) -> None:
    assert names_new("number", said, "How many breeders are there?")


@pytest.mark.parametrize(
    "said",
    [
        "Since 1995 there are more.",
        "Kennel 0.93 Release 5 has more.",
        "Chapter 12 says.",
        "About 70%.",
        "They meet daily.",
        "Since: 7.3; Until: 9.0",
        "They use ebb2flow and k9s.",
        "They breed for 3rd parties.",
    ],
)
def test_a_year_a_version_or_the_number_of_a_chapter_counts_nothing(said: str) -> None:
    assert not names_new("number", said, "How many breeders are there?")


@pytest.mark.parametrize(
    "said", ["in 1885", "on 3 May", "in March", "in the 19th century", "20 BC", "on 2019-04-01", "three years later"]
)
def test_what_is_past_was_at_a_date(said: str) -> None:
    assert names_new("date", f"It was recognised {said}.", "When was it recognised?")


@pytest.mark.parametrize("said", ["during a show", "before the club was", "when it may be shown", "in section 3.1.3"])
def test_other_words_about_time_are_no_dates(said: str) -> None:
    assert not names_new("date", f"It was recognised {said}.", "When was it recognised?")


@pytest.mark.parametrize(
    "said",
    [
        "It costs $12.",
        "12 EUR a head",
        "Entry is free.",
        "Price: 25; Age: 3",
        "5 million dollars",
        "Ticket: day; Summer (\u20ac): 14",
        "k\u00a3: Tickets; Plan: 20; Sold: 18",
        "Boat: Heron; Weekday \u00a3/h: 11",
    ],
)
def test_money_is_named_by_a_currency_or_a_price(said: str) -> None:
    assert names_new("money", said, "How much does a ticket cost?")


def test_a_bare_number_is_not_a_price() -> None:
    assert not names_new("money", "Our 25th family day is on 3 May; bring your tickets.", "How much is a ticket?")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("What are type hints?", "definition"),
        ("What types of volumes are there?", "list"),
        ("What type of volume is it?", "list"),
        ("Which access modes can a volume have?", "list"),
        ("What comes with the puppy?", "list"),
        ("What is included in the fee?", "list"),
        ("What is the difference between a node and a topic?", "comparison"),
        ("How are nodes and topics different?", "comparison"),
        ("How is a node different from a topic?", "comparison"),
        ("Is a node or a topic cheaper?", "comparison"),
        ("Is a node older than a topic?", "comparison"),
        ("Can I send a node or a topic?", "yesno"),
        ("What are the different types of nodes?", "list"),
        ("Which different harbours are there?", "list"),
        ("Which gales affect small harbours?", "list"),
        ("What engine troubles happen at sea?", "list"),
        ("What are common troubles of old ferries?", "list"),
        ("What are harbour pilots?", "definition"),
        ("What causes gales?", None),
        ("What happens when harbours are closed?", None),
        ("What happens if engines fail?", None),
        ("Which island harbours are there?", "list"),
        ("In which order do the boats leave?", "list"),
        ("What is the order of precedence at sea?", "list"),
        ("What is the order of magnitude of the tide?", None),
        ("What is the order number of the sail?", None),
        ("Which pilot commands two ferries?", None),
        ("How do I drain a node?", "howto"),
        ("Are secrets encrypted?", "yesno"),
        ("When was it built?", None),
    ],
)
def test_the_words_of_a_question_say_which_form_of_answer_is_asked_for(question: str, form: str | None) -> None:
    assert question_form(question) == form


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("Which access modes does a volume offer?", "access modes"),
        ("What are the exit codes of the tool?", "exit codes"),
        ("What types of volumes are there?", ""),
        ("How do I drain a node?", ""),
        ("Which different harbours are there?", "harbours"),
        ("What are the three main harbours?", "main harbours"),
        ("What engine troubles affect old ferries?", "engine troubles"),
        ("Which test run options are there?", "test run options"),
    ],
)
def test_a_question_names_the_thing_that_it_asks_for(question: str, thing: str) -> None:
    assert question_thing(question) == thing


@pytest.mark.parametrize(
    "question", ["when " * 20_000, "when, what " * 20_000, "which order " * 20_000 + "what is the"]
)
def test_many_words_that_may_ask_take_no_time(question: str) -> None:
    started = time.process_time()
    question_kind(question)
    question_form(question)
    assert time.process_time() - started < 5


def test_one_of_several_and_an_ordinal_are_no_number() -> None:
    asked = "How many children does a worker start?"
    assert not names_new("number", "It is replaced with a new one, the first of its kind.", asked)
    assert names_new("number", "It starts one for each processor.", asked)


def test_a_port_is_a_number() -> None:
    assert question_kind("What is the default port of the server?") == "number"


@pytest.mark.parametrize("said", ["every 12 months", "once a year", "three times", "annually", "at an interval of 5 s"])
def test_how_often_is_a_frequency(said: str) -> None:
    assert names_new("number", f"The club meets {said}.", "How often does the club meet?")


@pytest.mark.parametrize("said", ["for 3 hours", "in room 7", "since 1987"])
def test_another_number_does_not_say_how_often(said: str) -> None:
    assert not names_new("number", f"The club meets {said}.", "How often does the club meet?")


def test_each_of_what_is_asked_about_does_not_say_how_often() -> None:
    assert not names_new("number", "Every boat pays a fee.", "How often does a boat pay?")
    assert names_new("number", "A boat pays every spring.", "How often does a boat pay?")


def test_how_often_until_something_ends_is_a_count() -> None:
    assert names_new("number", "The limit is 6.", "How often is a call made before it is given up?")


def test_the_number_of_an_item_is_no_answer() -> None:
    assert not names_new("number", "To reach it:\n3. Ask for the port.", "Which port does it use?")
    assert names_new("number", "To reach it:\n3. Ask for port 80.", "Which port does it use?")


def test_versions_are_numbers_and_version_control_is_not() -> None:
    assert question_kind("Which browser versions does it support?") == "number"
    assert question_kind("Which version control systems does it support?") is None
    assert question_kind("Which Moor.js versions does Ebb run on?") == "number"
    assert question_form("Which Moor.js versions does Ebb run on?") == "list"


@pytest.mark.parametrize("question", ["What is " + "a" * 3990 + "!", "What is " + "ab, " * 900 + "!"])
def test_long_words_take_no_time(question: str) -> None:
    began = time.process_time()
    assert question_form(question) is None
    names_new("number", question, question)
    names_new("money", "1" * 4000, question)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "question", ["how much " * 444, "what is " * 500, "how much what is " * 235, "which was a " * 333]
)
def test_the_beginning_of_a_question_about_money_many_times_takes_no_time(question: str) -> None:
    began = time.process_time()
    for _ in range(10):
        assert question_kind(question) != "money"
    assert time.process_time() - began < 0.5
    assert question_kind(f"{question} does it cost?") == "money"


def test_a_long_row_of_figures_takes_no_time_to_be_counted() -> None:
    started = time.process_time()
    names_new("number", "1." * 20_000, "How many boats are there?")
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    "said",
    [
        "/piers/north/ @anna @port/divers",
        "owner: @port/divers",
        "ask (@anna) first",
        "write to piers@harbour.example",
        "@anna",
    ],
)
def test_a_handle_and_a_mail_address_say_who(said: str) -> None:
    assert names_new("name", said, "Who looks after the piers?")
    assert not names_new("name", said, "Who is @anna of @port/divers, or piers@harbour.example?")


@pytest.mark.parametrize(
    "said", ["@cached\ndef tide(): ...", "@cached(size=3) is above it.", "a@b and 5 @ 3", "moor@2.1 is out", "@2x"]
)
def test_other_words_with_an_at_sign_say_nobody(said: str) -> None:
    assert not names_new("name", said, "Who looks after the piers?")


def test_a_handle_says_no_place() -> None:
    assert not names_new("name", "ask @anna first", "Where do the boats come from?")


@pytest.mark.parametrize("sign", ["@", "a", "@a", "a.", "a@", "@a/", " @", "\n@a", "-"])
def test_a_long_row_of_handles_takes_no_time(sign: str) -> None:
    started = time.process_time()
    names_new("name", sign * 20_000, "Who looks after the piers?")
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "question",
    [
        "Who must not sail?",
        "Who can't sail?",
        "who may hire a boat",
        "Who is entitled to a berth?",
        "When should I reef?",
    ],
)
def test_conditions_say_of_whom_and_when_something_may_be(question: str) -> None:
    assert asks_condition(question)
    assert question_kind(question) in (None, "time")


@pytest.mark.parametrize("question", ["Who can I ask?", "Who must be told?", "Who sails?", "When does it leave?"])
def test_other_questions_for_people_and_times_have_no_conditions(question: str) -> None:
    assert not asks_condition(question)
    assert question_kind(question) in ("name", "time")


def test_how_long_it_takes_is_not_how_much_it_is() -> None:
    assert not names_new("number", "The wash takes 75 minutes.", "How much is a wash?")
    assert names_new("number", "Wash: 30; 75 minutes", "How much is a wash?")
    assert names_new("number", "It is 6 weeks.", "How much is the notice period?")


def test_when_something_changed_is_told_by_a_version() -> None:
    asked = "When was support for sails dropped?"
    assert names_new("date", "Dropped in 1.22.0, low demand", asked)
    assert names_new("time", "It was removed with Ebb 4.1.", "Do you know when the lamp was removed?")
    assert not names_new("date", "Ebb 1.22.0 has no sails.", asked)
    assert not names_new("date", "Dropped in 1.22.0", "When was it dropped, in 1.22.0?")
    assert not names_new("date", "Dropped in 1.22.0", "When was the yard founded?")


def test_an_age_in_minutes_is_no_date() -> None:
    assert not names_new("date", "It floated when it was ten minutes old.", "When was the boat launched?")
    assert names_new("date", "The boat is sixty years old.", "When was the boat launched?")
