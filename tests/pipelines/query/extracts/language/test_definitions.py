import pytest

from pipelines.query.extracts.language.definitions import bare_heading, definition_of, definition_of_any


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is a ferry?", "Ferries are boats that carry cars."),
        ("What are ferries?", "A ferry is a boat that carries cars."),
        ("What is a cookie?", "Cookies are cakes that are baked twice."),
        ("What is a sprit?", "Each boat has a set of sprits, which are poles that hold the sail up."),
        ("What is a sprit?", "She carries a \u201csprit\u201d, which holds the sail up."),
        ("What is a sprit?", "A \u201dsprit\u201d is a pole that holds the sail up."),
        ("What does DOLP mean?", "\u201cDOLP\u201d is a list of long passages."),
        ("What is a wheel?", "A wheel is a ZIP-format archive with a special name."),
        ("What is middleware?", "Middleware is a framework of hooks."),
        ("What is a checkpoint?", "Checkpoints are points in the course at which the log is written."),
        ("What is a constraints file?", "Constraints files are text files that limit what is chosen."),
        ("What are type hints?", "Code is read more often than written. Type hints are the way to annotate it."),
        ("What are taints?", "A taint is a property of a node."),
        ("And what's the WSGI standard?", "The WSGI standard describes servers. The WSGI standard is the main one."),
        ("What is LDL?", "LDL (low-density lipoprotein) is the cholesterol that blocks arteries."),
        ("What is LDL?", "Low-density lipoprotein (LDL) is the cholesterol that blocks arteries."),
        ("What is Ebb?", "EbbBackup (short: Ebb) is a program for backups."),
        ("Define insulin resistance", "Insulin resistance means that cells answer less to insulin."),
        ("What exactly is e-mail?", "E-mail refers to messages between computers."),
        ("What is a mooring fee?", "The mooring fee of a guest boat is the sum for one night."),
        ("What are moorings?", "Moorings are another kind of anchorage."),
        ("What is a bowline?", "Sailors tie one. The knot that does not slip is called a bowline."),
        ("What is a bowline?", "Sailors tie some. A knot that does not slip is a bowline."),
        ("What is a mooring?", "As the chapter on harbours says, a mooring is a place to make fast."),
        ("What is a capstan used for?", "A capstan is used to wind ropes."),
        ("What is a bowline in sailing?", "A bowline is a knot that does not slip."),
        ("What does tide do?", "You can use tide(place) to learn when the water is high."),
        ("What does a capstan do?", "Some ships have one. Use the capstan to wind ropes."),
        ("What is ETA?", "8 ETA is a time at which a ship is expected."),
        ("What does the depth key of an anchor do?", "Depth key means how far it sinks."),
        ("What is drifting?", "Sailors fear it. Drifting occurs when an anchor does not hold."),
        ("What is a berth?", "The main purpose of the berth is to keep a boat where she is."),
        ("What is Ebb?", "The Ebb project's goal is to bring every boat home."),
        ("What is AIS?", "Automatic identification system, or AIS, is a radio that tells where ships are."),
        ("What is Ebb?", "Ebb 'the quick one' is a board for harbours."),
        ("What is a slip?", "Slips allow you to pull boats ashore."),
        ("What is a slip?", "A slip offers an easy way to pull boats ashore."),
        ("What does the tide gauge show?", "A tide gauge is a ruler in the water."),
        ("What does the furl command do?", "Furl rolls up the sail."),
        ("What does furl do?", "Furl is quick. Furl rolls up the sail."),
        ("What is time in harbour?", "Time in harbour is the share of days at a berth."),
        ("What is NDS?", "The racks are built on NDS, the Net Drying Scheme, a standard of the guild."),
        ("What is a bowline?", "He tied it with a bowline, a knot that does not slip."),
        ("What is a yawl?", "Boats with a mast behind the rudder, called yawls, are rare."),
    ],
)
def test_a_sentence_that_says_what_the_thing_is_is_a_definition(question: str, text: str) -> None:
    definition = definition_of(question)
    assert definition is not None
    assert definition.stands_in(text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is a wheel?", "WHEEL is metadata. The wheels of the cart are round."),
        ("What does furl do?", "Furl takes these options."),
        ("What does furl do?", "Furl commands roll up the sail."),
        ("What does furl mean?", "Furl rolls up the sail."),
        ("What is a wheel?", "Nobody knows what a wheel is a part of."),
        ("What is a bowline?", "The file is called bowline settings."),
        ("What is a bowline?", "The first knot that he tied is a bowline."),
        ("What is a bowline?", "A knot that holds is a bowline or a hitch."),
        ("What is middleware?", "Each middleware component is responsible for a task."),
        ("What is a checkpoint?", "Checkpoints are fairly expensive, for they are always on the way."),
        ("What is a mooring?", "In this example, the mooring is the one at the pier."),
        ("What is a mooring?", "When the tide is out, a mooring is a muddy place."),
        ("What is the default of DEBUG?", "The default of DEBUG can be changed."),
        ("What is LDL?", "Many doctors (and LDL) is a matter of taste."),
        ("What is beets?", "Beet is the command line."),
        ("What is Ebb?", "Ebb is used widely across all ports."),
        ("What is a slip?", "Slips allow nothing but small boats."),
        ("What is a slip?", "A slip offers room for two boats."),
        ("What does HTTPS mean?", "HTTP means something else."),
        ("What is a bowline in sailing?", "Sailing is a sport."),
        ("What is a bowline?", "They need a bowline, a line and a hook of steel."),
        ("What is a bowline?", "They need a bowline, a piece of canvas, and a hook."),
    ],
)
def test_a_sentence_about_the_thing_is_no_definition(question: str, text: str) -> None:
    definition = definition_of(question)
    assert definition is None or not definition.stands_in(text)


@pytest.mark.parametrize(
    "question", ["How do I build a wheel?", "Which wheels exist?", "wheel", "", "What is it that a b c d e?"]
)
def test_other_questions_ask_for_no_definition(question: str) -> None:
    assert definition_of(question) is None


@pytest.mark.parametrize("question", ["What does the tide extension do?", "What is the tide extension for?"])
def test_this_speaks_of_the_thing_that_the_heading_names(question: str) -> None:
    definition = definition_of(question)
    assert definition is not None
    assert definition.stands_in("This is an add-on for reading tide tables.", "Tide extension")
    assert definition.stands_in("This add-on lets boats wait for the tide.", "Tide extension")
    assert not definition.stands_in("This is an add-on for reading tide tables.", "Wind extension")
    assert not definition.stands_in("This lets boats wait.", "Taking down a tide extension board")
    assert not definition.stands_in("It is an error to read it twice.", "Tide extension")
    assert not definition.stands_in("This must be enabled first.", "Tide extension")
    assert not definition.stands_in("Nothing is shown at high tide. This is a feature.", "Tide extension")


@pytest.mark.parametrize(
    ("question", "title", "is_of"),
    [
        ("What are peer dependencies?", "peerDependencies", True),
        ("What does the engines field mean?", "engines", True),
        ("What does npm ls do?", "npm-ls", True),
        ("What is a taint?", "Taints", True),
        ("What is the default value of rope-delay?", "rope-delay", False),
        ("What is a taint?", "Taints and tolerations", False),
        ("What is a taint?", "Taint plugin", True),
        ("What does the function belay do?", "belay", True),
        ("What is a keyboard?", "Board", False),
        ("What is a flagship?", "Ship", False),
        ("What is a taint?", "Taintedness", False),
        ("What does git stash do?", "git-stash(1) Manual Page", True),
        ("What is a command?", "\u2014", False),
        ("What is Ebb?", "Welcome to the Ebb documentation!", True),
        ("What is Ebb?", "Ebb: backups that you can trust", True),
        ("What is Ebb?", "Ebb manual", True),
        ("What is a taint?", "Taint support", True),
        ("What is a taint?", "About taints", True),
        ("What is a taint?", "Introduction to the taint", True),
        ("What is a taint?", "About tolerations", False),
        ("What is Ebb?", "The Ebb and flow manual", False),
        ("What does the belay statement do?", "10.6 The belay Statement", True),
    ],
)
def test_a_title_is_the_name_of_the_thing_however_its_words_are_joined(question: str, title: str, is_of: bool) -> None:
    definition = definition_of(question)
    assert definition is not None
    assert definition.is_of(title) == is_of


@pytest.mark.parametrize(
    ("heading", "bare"),
    [
        ("1.2.1. moorings", "moorings"),
        ("2.4 Zones of calm", "Zones of calm"),
        ("Chapter 7: Basics of tides", "Basics of tides"),
        ("A.2 Why?", "Why?"),
        ("TR 12 \u2013 The code of sailors", "The code of sailors"),
        ("NOTE-7: Buoys", "Buoys"),
        ("COG 4 boats", "COG 4 boats"),
        ("IV. Scope", "Scope"),
        ("2. Moorings \u2014 pilot 2.1 documentation", "Moorings"),
        ("Moorings | The pilot", "Moorings"),
        ("A mooring", "A mooring"),
        ("Two-way traffic", "Two-way traffic"),
        ("2024", "2024"),
    ],
)
def test_a_heading_is_bare_without_its_number_and_the_site(heading: str, bare: str) -> None:
    assert bare_heading(heading) == bare


@pytest.mark.parametrize("heading", ["1.2 Moorings", "Moorings \u2014 pilot documentation", "C. mooring"])
def test_a_numbered_heading_names_the_thing(heading: str) -> None:
    definition = definition_of("What is a mooring?")
    assert definition is not None
    assert definition.is_of(heading)


@pytest.mark.parametrize("question", ["What is a mooring?", "What are moorings?", "What's a mooring in sailing?"])
def test_what_a_thing_is_may_be_asked(question: str) -> None:
    assert definition_of_any(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What is the default fee?",
        "What is a boat's mark?",
        "What is new in 2.0?",
        "What are ropes made of?",
        "What is it?",
    ],
)
def test_what_something_else_is_may_be_asked_in_like_words(question: str) -> None:
    assert definition_of_any(question) is None
