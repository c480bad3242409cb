"""Arguments as models send them."""

from __future__ import annotations

import pytest

from remember.errors import RefusedInput
from remember.serve.arguments import taken
from remember.serve.declared import TOOLS, input_schema, output_schema

SEARCH = next(tool for tool in TOOLS if tool.name == "memory_search").params
UPDATE = next(tool for tool in TOOLS if tool.name == "memory_update").params


@pytest.mark.parametrize("value", [["a", "b"], '["a", "b"]', "a,b", " a , b "])
def test_a_list_may_come_as_a_string(value) -> None:
    assert taken("t", SEARCH, {"query": "q", "tag": value}).texts("tag") == ("a", "b")


@pytest.mark.parametrize("value", [5, "5", " 5 ", 5.0])
def test_a_number_may_come_as_a_string(value) -> None:
    assert taken("t", SEARCH, {"query": "q", "limit": value}).count("limit") == 5


@pytest.mark.parametrize(("value", "flag"), [(True, True), ("true", True), ("False", False), (None, False), ("", False)])
def test_a_flag_may_come_as_a_string(value, flag: bool) -> None:
    assert taken("t", UPDATE, {"id": "a", "content": "b", "confirm": value}).flag("confirm") is flag


def test_null_stands_for_what_is_left_out() -> None:
    given = taken("t", SEARCH, {"query": "q", "tag": None, "limit": None, "kind": None, "scope": None})
    assert given.texts("tag") == () and given.count("limit") is None and given.text("kind") is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "q", "tags": ["a"]}, "'tag'"),
        ({"qeury": "q"}, "'query'"),
        ({"query": "q", "maximum": 3}, "it takes query"),
        ({}, "needs the argument 'query'"),
        ({"query": None}, "needs the argument 'query'"),
        ({"query": {"a": 1}}, "not a text"),
        ({"query": "q", "limit": "many"}, "not a whole number"),
        ({"query": "q", "limit": True}, "not a whole number"),
        ({"query": "q", "tag": [1]}, "not a list of texts"),
        ({"query": "q", "tag": "[1"}, "not a list of texts"),
        ({"query": "q", "kind": "poem"}, "none of fact, note, text"),
        ({"query": "\ud800"}, "not valid UTF-8"),
    ],
)
def test_what_is_unknown_missing_or_unsuitable_is_refused_with_the_nearest(arguments, said: str) -> None:
    with pytest.raises(RefusedInput) as caught:
        taken("memory_search", SEARCH, arguments)
    assert said in caught.value.message + caught.value.hint


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_valid_and_take_what_the_program_takes(tool) -> None:
    import jsonschema

    made = input_schema(tool.params)
    jsonschema.Draft202012Validator.check_schema(made)
    jsonschema.Draft202012Validator.check_schema(output_schema(tool.gives))
    assert made["type"] == "object" and made["additionalProperties"] is False
    assert all(isinstance(schema["type"], str) for schema in made["properties"].values())
    values = {"text": "x", "count": 3, "flag": True, "texts": ["a"]}
    arguments = {param.name: (param.choices[0] if param.choices else values[param.kind]) for param in tool.params}
    jsonschema.validate(arguments, made)
    jsonschema.validate({name: value for name, value in arguments.items() if name in made["required"]}, made)
    taken(tool.name, tool.params, arguments)
