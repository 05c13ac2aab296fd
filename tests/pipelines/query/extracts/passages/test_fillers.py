import pytest

from pipelines.query.extracts.passages.fillers import is_filler, is_index, is_reading_list

PLACE = ("Crew Handbook", "Training and Qualifications")


@pytest.mark.parametrize(
    "shown",
    [
        "Training and qualifications.",
        "STANDARDS FOR CREW OPERATIONS",
        "UNITING CREWS BY PROVIDING APPROPRIATE TOOLS REQUIRED TO FIGHT FIRES ACT OF 2001",
        "Dear Mr Smith and colleagues,",
        "What training must the crew have completed? And by when?",
        "I have reviewed the ______________ program and certify it.",
        "Training and qualifications of crews . . . . . . . . . . . 12",
        "Figure 9.38. The hatch of a hold",
        "Equation 2.1. The static load",
        "Table 4: Loads by hold",
        "See Safely Empty a Hold for more details.",
        "Available Languages: en | fr | pt-br",
        "The hatches of a hold are described in Section 5.2, \u201cHatches\u201d.",
        "The form of the log is documented in the log(5) manual page.",
        "For more information about holds, see the loading guide.",
        "For some more general usage hints see also --hold-size.",
        "For examples of holds that leak, see Safe harbours.",
        "For information about the seals of a hold, see Hatches and seals.",
        "hold(1), hold-empty(1) and hold-fill(8)",
        "May June Mo Tu We Th Fr Sa Su " + " ".join(map(str, range(1, 32))),
        "Read Holds and Hatches to learn more about what a crew empties first, and how to seal it.",
        "See the loading guide for how to empty a hold that leaks.",
        "See also: how to load See also: hatches and seals",
        "Tutorial: hold path",
        "See also: hold.seal for a complete description of all seals.",
        "See the loading reference. See the design docs for guidance on choosing a hold.",
        "See the section hold.",
        "You will meet hatches in the next chapter.",
        "Read the next chapter on holds in order to know how many tons of corn each of them takes before it leaks.",
        "The following sections will refer to these holds and explain the differences between them.",
        "Loading the hold is addressed in a dedicated section.",
        "To learn more, read the guide. Please refer to the manual for further instructions.",
    ],
)
def test_headings_salutations_questions_blanks_and_pointers_answer_nothing(shown: str) -> None:
    assert is_filler(shown, PLACE)


@pytest.mark.parametrize(
    "shown",
    [
        "The crew must have completed basic fire training.",
        "Figure 3 shows the hatch of a hold, and table 4 the loads.",
        "Tables 4 and 5 are in the guide for loading",
        "The log is described in words that every guide knows.",
        "Ropes are covered in tar, and hatches are explained on deck.",
        "Languages: the crew speaks Danish and some German on board.",
        "Why so much? Crews work far from any road.",
        "Basic fire training, map reading, first aid",
        "See a doctor within a day if the wound is deep.",
        "The crew may leave the ship on 30 April. Those who stay must sign. Yours faithfully,",
        "Read the label before you open a hold.",
        "See also: hatches open inwards.",
        "Guide: the hold of a lugger takes nine tons. It has one hatch.",
        "Tonnage: nine tons",
        "The following sections of the hull leak: bow and stern.",
        "See the doctor of the port before you load.",
        "Read the page number, write it down and open the hold. Then load.",
        "Read the label to learn what the hold takes.",
        "For holds of more than a ton, check the hatch twice.",
        "For information about seals, ask the mate of the ferry.",
        "The crew empties the hold by hand. See the guide for details.",
        "DO NOT OPEN THE LID WHILE THE LAMP IS LIT, FOR THE GLASS IS HOT AND WILL BREAK.",
        "It takes snake_case names and ...",
        "hold(1) is older than hold-empty(1)",
        "The loads of the holds are 1 2 3 4 5 6 7 8 9 10 11 12 13 14 tons.",
    ],
)
def test_informative_sentences_are_kept(shown: str) -> None:
    assert not is_filler(shown, PLACE)


@pytest.mark.parametrize(
    ("items", "heading"),
    [
        (["- Learn about hatches.", "- Read the loading guide.", "- See how a hold is emptied."], "Holds"),
        (["- Hatches", "- The loading guide"], "See also"),
        (["- Hatches and their seals"], "What's next?"),
        (["- Deploy to a harbour", "- Add seals to Hatches", "- Read the news of 3 April", "- Hatches"], "Next steps"),
        (["- Ada orders the ropes.", "- The book of ropes (Piotr)"], "Further reading"),
    ],
)
def test_a_list_of_other_pages_answers_nothing(items: list[str], heading: str) -> None:
    assert is_reading_list(items, ("Crew Handbook", heading))


@pytest.mark.parametrize(
    ("items", "heading"),
    [
        (["1. Read the label.", "2. Open the hatch."], "Holds"),
        (["- See a doctor within a day."], "Wounds"),
        (["- basic fire training", "- map reading"], "What the next crew needs"),
        (["- a passport", "- proof of training"], "Additional documentation"),
        (["- Ada orders the ropes.", "- Paint the hull by Friday", "- Sell the old sails"], "Next steps"),
        (["- Book the crane (Piotr)", "- Tar the jetty \u2013 Ada Moor", "- Piotr will call the yard"], "What's next?"),
        (["- ☐ inspection on 3 April", "- ☐ new sails, due: week 20"], "Next step"),
    ],
)
def test_a_list_that_says_something_is_kept(items: list[str], heading: str) -> None:
    assert not is_reading_list(items, ("Crew Handbook", heading))


@pytest.mark.parametrize("heading", ["Index", "INDEX", "Part VI Index", "Appendix B: Subject index", "Sachregister"])
def test_the_index_of_a_book_has_pages(heading: str) -> None:
    assert is_index(heading, "ropes, 12, 14-16")
    assert not is_index(heading, "The index of a table speeds up its search.")


@pytest.mark.parametrize("heading", ["Index of ropes", "Indexes", "Ropes"])
def test_other_headings_are_no_index(heading: str) -> None:
    assert not is_index(heading, "ropes, 12")
