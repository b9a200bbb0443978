"""The graph of a scope, and what one memory rests on."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retain import Edge, Graph, Memory, Node
from retain.errors import InvalidInput, NotFound

NASTY = 'Ben said "a & b" <b>`x`</b>\x08 ]]> --> |'


def moved(memory: Memory) -> tuple[str, str]:
    ids = []
    for town, day in (("Oslo", "2025-01-01"), ("Rome", "2025-06-01")):
        added = memory.add(f"I moved to {town} with Ben.", user_id="u", timestamp=day)["results"]
        ids.append(next(one["id"] for one in added if one["kind"] == "fact"))
    return ids[0], ids[1]


def test_edges_say_what_rests_on_what_and_what_replaced_what(memory: Memory) -> None:
    oslo, rome = moved(memory)
    memory.add("Ben is late.", user_id="other")
    graph = memory.graph(user_id="u", include_superseded=True)
    labels = {node.id: node.label for node in graph.nodes}
    edges = {(labels[one.source], one.type, labels[one.target]) for one in graph.edges}
    assert ("User lives in Rome.", "supersedes", "User lives in Oslo.") in edges
    assert ("User lives in Rome.", "derived_from", "I moved to Rome with Ben.") in edges
    assert ("I moved to Oslo with Ben.", "mentions", "Ben") in edges
    assert "Ben is late." not in labels.values()
    present = memory.graph(user_id="u", entities=False)
    assert oslo not in {node.id for node in present.nodes}
    assert {node.kind for node in present.nodes} == {"message", "fact"}
    assert [one.type for one in present.edges if one.source == rome] == ["derived_from"]


def test_limits_and_kinds_leave_no_loose_ends(memory: Memory) -> None:
    moved(memory)
    for options in ({"kinds": ["fact"]}, {"top_k": 1}, {"as_of": "2025-02-01"}):
        graph = memory.graph(user_id="u", **options)
        ids = {node.id for node in graph.nodes}
        assert ids
        assert all({one.source, one.target} <= ids for one in graph.edges)


def test_a_trace_goes_down_to_what_was_said(memory: Memory) -> None:
    oslo, _ = moved(memory)
    traced = memory.trace(oslo)
    assert (traced["memory"], traced["status"]) == ("User lives in Oslo.", "superseded")
    (source,) = traced["rests_on"]
    assert (source["kind"], source["memory"]) == ("message", "I moved to Oslo with Ben.")
    assert source["quote"] in source["memory"]
    assert source["rests_on"] == []
    with pytest.raises(NotFound):
        memory.trace("no such memory")


def test_other_programs_can_read_it(memory: Memory) -> None:
    memory.add(NASTY, user_id="u", infer=False)
    moved(memory)
    graph = memory.graph(user_id="u")
    assert json.loads(graph.to_json()) == graph.to_dict()
    check_forms(graph)


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5), st.data())
def test_any_text_makes_a_readable_file(texts: list[tuple[str, str]], data: st.DataObject) -> None:
    nodes = [Node(f"{number}{text}", "fact", label) for number, (text, label) in enumerate(texts)]
    ends = st.sampled_from([node.id for node in nodes])
    edges = [Edge(data.draw(ends), "related", data.draw(ends), texts[0][0]) for _ in range(3)]
    check_forms(Graph(nodes, edges))


def check_forms(graph: Graph) -> None:
    """Both forms hold every node and edge, and parse."""
    parsed = ElementTree.fromstring(graph.to_graphml().encode("utf-8"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(parsed.findall(f".//{space}node")) == len(graph.nodes)
    assert len(parsed.findall(f".//{space}edge")) == len(graph.edges)
    lines = graph.to_mermaid().splitlines()
    assert lines[0] == "flowchart LR"
    assert len(lines) == 1 + len(graph.nodes) + len(graph.edges)
    for line in lines[1 : 1 + len(graph.nodes)]:
        opened = re.fullmatch(r'  n\d+[^"]+"([^"]*)"[^"]+', line)
        assert opened, line
        assert not set(opened[1]) & set("<>`")


@pytest.mark.parametrize("wrong", [{}, {"user_id": "u", "top_k": -1}, {"user_id": "u", "kinds": 3}])
def test_what_cannot_be_drawn_is_refused(memory: Memory, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        memory.graph(**wrong)  # type: ignore[arg-type]
