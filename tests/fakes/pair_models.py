"""Models of pairs of texts, tiny and with random weights: they stand for those that cannot be had here."""

import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "beagle", "cat", "needs", "exercise", "tail", "manx", "the", "how", "a"]


def tiny_model(folder: Path, labels: Sequence[str] = ("relevance",)) -> Path:
    """A sequence classifier of transformers in ``folder``, with random weights and these classes."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel({word: index for index, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        model_max_length=64,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)
    torch.manual_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(
        vocab_size=len(WORDS),
        max_position_embeddings=64,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        initializer_range=1.0,
        **shape,
    )
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    return folder


def exported(folder: Path, source: Path) -> Path:
    """``source`` as a folder without its weights, with the graph where exporters of the hub put it."""
    import torch
    from transformers import BertForSequenceClassification

    names = ["input_ids", "attention_mask", "token_type_ids"]
    (folder / "onnx").mkdir(parents=True)
    for file in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(source / file, folder / file)
    given = torch.ones((1, 4), dtype=torch.long)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter that needs no further package is to go one day
        torch.onnx.export(
            BertForSequenceClassification.from_pretrained(source).eval(),
            (given, given, given),
            str(folder / "onnx" / "model.onnx"),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "length"} for name in names} | {"logits": {0: "pairs"}},
            dynamo=False,
        )
    return folder
