"""Where instructions come from, frame by frame, by llvm-symbolizer."""
import json
import os
import subprocess


def ask(symbolizer, binary, addresses):
    """(address, frames as they are told) of each, innermost frame first."""
    text = "\n".join(hex(address) for address in addresses)
    done = subprocess.run([symbolizer, f"--obj={binary}", "--output-style=JSON", "--relative-address"],
                          input=text, text=True, capture_output=True, check=True)
    for line in done.stdout.splitlines():
        told = json.loads(line)
        yield int(told["Address"], 16), told.get("Symbol", ())


def place(symbol):
    return os.path.normpath(symbol["FileName"] or "?"), symbol["Line"], symbol["Column"]


def of_addresses(symbolizer, binary, addresses):
    """address -> its places (path, line, column)"""
    return {address: tuple(place(one) for one in told)
            for address, told in ask(symbolizer, binary, addresses)}


def discriminators(symbolizer, binary, addresses):
    """address -> the number of each frame that has a line"""
    return {address: tuple(one["Discriminator"] for one in told if one["Line"])
            for address, told in ask(symbolizer, binary, addresses)}
