from pathlib import Path

from app.settings import Settings, data_folder, metrics_token


def test_the_data_folder_is_the_one_given() -> None:
    assert data_folder(Path("here"), {"FOOTNOTE_DATA": "there"}) == Path("here")


def test_else_the_data_folder_is_named_by_the_environment() -> None:
    assert data_folder(None, {"FOOTNOTE_DATA": "there"}) == Path("there")


def test_else_the_data_folder_lies_in_the_working_directory() -> None:
    assert data_folder(None, {"FOOTNOTE_DATA": ""}) == Path(".footnote")


def test_the_token_is_not_shown_with_the_settings() -> None:
    assert "secret" not in repr(Settings(data=Path("data"), local_token="secret"))


def test_the_token_of_the_metrics_comes_from_the_environment_and_is_not_shown() -> None:
    assert metrics_token({"FOOTNOTE_METRICS_TOKEN": "secret"}) == "secret"
    assert metrics_token({"FOOTNOTE_METRICS_TOKEN": ""}) is None
    assert metrics_token({}) is None
    assert "secret" not in repr(Settings(data=Path("data"), metrics_token="secret"))
