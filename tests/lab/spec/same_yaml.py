# SPDX-License-Identifier: Apache-2.0
"""Texts that our reader of YAML accepts, through PyYAML: same_yaml.py ACCEPTED [SLOW]

ACCEPTED is the file that same_yaml.c has written. All are read by PyYAML's parser in C (libyaml), and one in SLOW
(default: 20) by the one in Python, which is another. Each must find the same tree, without places.
"""

import struct
import sys

import yaml


def lines_of(node, key="-", depth=0):
    start = " " * depth
    if isinstance(node, yaml.ScalarNode):
        yield f"{start}0 [{key}] [{node.value}]\n"
    elif isinstance(node, yaml.MappingNode):
        yield f"{start}1 [{key}] [-]\n"
        for key_node, value in node.value:
            yield from lines_of(value, key_node.value, depth + 1)
    else:
        yield f"{start}2 [{key}] [-]\n"
        for value in node.value:
            yield from lines_of(value, "-", depth + 1)


def tree_of(text, loader):
    try:
        return "".join(lines_of(yaml.compose(text, Loader=loader)))
    except yaml.YAMLError as error:
        return f"refused: {error}"


def records(file):
    while head := file.read(8):
        text, tree = struct.unpack("=II", head)
        yield file.read(text).decode(), file.read(tree).decode()


def main():
    slow = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    counts = {yaml.CBaseLoader: 0, yaml.BaseLoader: 0}
    different = 0
    with open(sys.argv[1], "rb") as file:
        for number, (text, tree) in enumerate(records(file)):
            for loader in (yaml.CBaseLoader,) if number % slow else tuple(counts):
                theirs = tree_of(text, loader)
                counts[loader] += 1
                if theirs != tree:
                    different += 1
                    if different <= 10:
                        print(f"DIFFERENT:\n{text}\nours:\n{tree}{loader.__name__}:\n{theirs}")
    for loader, count in counts.items():
        print(f"PyYAML, {loader.__name__}: {count} texts")
    print(f"{different} of them different")
    return 1 if different else 0


sys.exit(main())
