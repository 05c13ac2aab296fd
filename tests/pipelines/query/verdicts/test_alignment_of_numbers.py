import pytest

from pipelines.query.verdicts.alignment import swaps


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Door 3 is used for visitors and door 8 for staff.",
            "Door 8 is used for visitors and door 3 for staff.",
        ),
        (
            "Port 80 is used for HTTPS and port 443 for HTTP.",
            "Port 443 is used for HTTPS and port 80 for HTTP.",
        ),
        (
            "The limit for small rooms is 90 guests.",
            "The limit for small rooms is 15 guests.\nThe limit for large rooms is 90 guests.",
        ),
        ("The retry limit is one attempt.", "The retry limit is two attempts."),
        ("You can keep up to 50 items in the shed.", "You must keep at least 50 items in the shed."),
        ("The firm has 500 employees.", "The firm has fewer than 500 employees."),
        ("Parcels larger than 5 kg are refused.", "Parcels up to 5 kg are refused."),
        ("It holds more than 50 people.", "It holds no more than 50 people."),
        ("The timeout is 30 seconds or more.", "The timeout is at most 30 seconds."),
    ],
)
def test_a_number_in_anothers_place_or_with_another_bound_is_a_swap(claim: str, passage: str) -> None:
    assert swaps(claim, passage.split("\n"), passage)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Port 80 is used for HTTPS and port 443 for HTTP.",
            "Port 443 is used for HTTP and port 80 for HTTPS.",
        ),
        ("Doors 3 and 8 are locked.", "Doors 8 and 3 are locked."),
        ("The locked doors are 2, 3 and 8.", "The locked doors are 3, 8 and 2."),
        (
            "It costs 20 euros in May and 10 euros in June.",
            "It costs 10 euros in June and 20 euros in May.",
        ),
        (
            "Keys are kept for 30 days.",
            "Spare keys are kept for 30 days.\nKeys are kept for 30 days, badges for 7 days.",
        ),
        ("Parcels larger than 5 kg are refused.", "Parcels up to 5 kg are taken, larger ones are refused."),
        ("It must not be more than 50 kg.", "It must be at most 50 kg."),
        ("The limit is 500 kg for all lifts.", "The limit is up to 500 kg for all lifts."),
        ("At least 50 people came.", "50 or more people came."),
        ("No fewer than 50 people came.", "At least 50 people came."),
        ("Adults over 26 years pay.", "Adults older than 26 years pay."),
        ("The pump delivers 1500 litres.", "The pump delivers 1 500 litres."),
        ("The letter s stands for seconds.", "The letter s stands for seconds here."),
        ("The rate is 0.5 of the fee.", "The rate is .5 of the fee."),
        ("The mass is 1.5 kg in total.", "The mass is 1,5 kg in total."),
        ("The trial lasts 24 hours in all.", "The trial lasts one day in all."),
        ("One dog came to the park.", "1 dog came to the park."),
    ],
)
def test_the_same_numbers_in_another_order_or_notation_swap_nothing(claim: str, passage: str) -> None:
    assert swaps(claim, passage.split("\n"), passage) == ()
