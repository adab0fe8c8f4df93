"""Loops of a graph: strongly connected parts, and those within them when the way back to their header is
taken away."""
import dataclasses


@dataclasses.dataclass
class Loop:
    header: int
    blocks: frozenset
    parent: object       # Loop or None
    many_entries: bool
    closing: frozenset   # blocks with an edge to the header


def order(nodes, edges):
    """Nodes by the time a search in depth leaves them."""
    left, seen = [], set()
    for root in nodes:
        stack = [] if root in seen else [(root, iter(edges(root)))]
        seen.add(root)
        while stack:
            node, others = stack[-1]
            fresh = next((other for other in others if other not in seen), None)
            if fresh is None:
                left.append(node)
                stack.pop()
            else:
                seen.add(fresh)
                stack.append((fresh, iter(edges(fresh))))
    return left


def components(nodes, edges):
    """Strongly connected components, by two searches (Kosaraju)."""
    inside = set(nodes)
    ahead = {node: [other for other in edges.get(node, ()) if other in inside] for node in nodes}
    back = {node: [] for node in nodes}
    for node in nodes:
        for other in ahead[node]:
            back[other].append(node)
    taken = set()
    for root in reversed(order(nodes, lambda node: ahead[node])):
        if root in taken:
            continue
        group = set(order([root], lambda node: [o for o in back[node] if o not in taken]))
        taken |= group
        if len(group) > 1 or root in ahead[root]:
            yield group


def header_of(group, edges, entry, all_nodes):
    """(header, whether it is one of several): what is entered from outside, first in order."""
    entered = {other for node in all_nodes if node not in group for other in edges.get(node, ())
               if other in group}
    if entry in group:
        entered.add(entry)
    first = next((node for node in all_nodes if node in entered), min(group))
    return first, len(entered) > 1


def nest(nodes, edges, entry, parent=None):
    """All loops, each after the one around it."""
    found = []
    for group in components(nodes, edges):
        header, many = header_of(group, edges, entry, nodes)
        closing = frozenset(node for node in group if header in edges.get(node, ()))
        loop = Loop(header, frozenset(group), parent, many, closing)
        inner = {node: [o for o in edges.get(node, ()) if o in group and o != header]
                 for node in group}
        found.append(loop)
        ordered = [node for node in nodes if node in group]
        found += nest(ordered, inner, header, loop)
    return found
