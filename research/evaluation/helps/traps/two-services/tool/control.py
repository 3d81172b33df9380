"""The command of the switchboards."""

import argparse
import sys

from boardlink import Board, NoAnswer
from places import FIRST


def main(arguments):
    if arguments[:1] == ["--serve"]:
        from holding import hold

        return hold(arguments[1])
    parser = argparse.ArgumentParser(prog="switch")
    parser.add_argument("-b", metavar="BOARD", dest="board", default=FIRST, help="another board than the one of the office")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all settings")
    command = commands.add_parser("get", help="one setting")
    command.add_argument("name")
    command = commands.add_parser("set", help="change one setting")
    command.add_argument("name")
    command.add_argument("value")
    options = parser.parse_args(arguments)
    try:
        return act(options)
    except NoAnswer as error:
        print(f"switch: {error}", file=sys.stderr)
        return 1


def act(options):
    board = Board(options.board)
    if options.command == "list":
        for name, value in board.ask("list").items():
            print(f"{name} = {value}")
    elif options.command == "get":
        print(board.ask("get", options.name))
    else:
        print(f"{options.name} = {board.ask('set', options.name, options.value)}")
    return 0
