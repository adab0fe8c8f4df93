"""Where instructions lead, by the text that objdump prints for them."""
import re
import subprocess

LINE = re.compile(r"\s*([0-9a-f]+):\t[^\t]*\t(.*)$")
PREFIX = re.compile(r"^(?:(?:notrack|bnd|data16|cs|ds|es|ss|fs|gs|rex\S*|repz|repnz|rep|lock|addr32)\s+"
                    r"|\{\w+\}\s*)+")
ARM = {"b": "jump", "bl": "call", "br": "jump-indirect", "blr": "call-indirect", "ret": "return",
       "eret": "return", "drps": "return", "brk": "stop", "hlt": "stop", "udf": "stop",
       "tcancel": "stop", "nop": "pad", "b.al": "jump", "b.nv": "jump", "retaa": "return",
       "retab": "return", "eretaa": "return", "eretab": "return"}
X86 = {"jmp": "jump", "call": "call", "ret": "return", "ud2": "stop", "ud1": "stop", "ud0": "stop",
       "hlt": "stop", "int3": "pad", "nop": "pad", "lret": "return", "iret": "return",
       "sysret": "return", "xbegin": "branch", "loop": "branch", "loope": "branch", "loopne": "branch"}


def of_arm(mnemonic, operands):
    """(kind of flow, text with the target)"""
    if re.fullmatch(r"br?l?r?a[ab]z?", mnemonic):
        return "call-indirect" if "l" in mnemonic else "jump-indirect", ""
    if re.fullmatch(r"bc?\.\w+|cbn?z|tbn?z", mnemonic) and mnemonic not in ARM:
        return "branch", operands.split(",")[-1]
    if mnemonic in (".inst", ".word"):
        return "none", ""
    kind = ARM.get(mnemonic, "next")
    return kind, operands if kind in ("jump", "call") else ""


def of_x86(mnemonic, operands):
    """(kind of flow, text with the target)"""
    name = re.sub(r"(?<=jmp|all|ret|nop)[qwl]$", "", mnemonic)
    kind = X86.get(name, "next")
    if re.fullmatch(r"j(?!mp)\w+(,p[nt])?", name):
        kind = "branch"
    if kind in ("jump", "call") and operands.startswith("*"):
        return kind + "-indirect", ""
    if mnemonic == "xchg" and operands == "%ax,%ax":
        return "pad", ""
    return kind, operands if kind in ("jump", "call", "branch") else ""


def flow(text, machine):
    """(kind, target) of an instruction as objdump writes it."""
    if "(bad)" in text:
        return "none", 0
    words = PREFIX.sub("", text.split(" //")[0].strip()).split(None, 1) or [""]
    tell = of_arm if machine == "aarch64" else of_x86
    kind, where = tell(words[0], words[1].strip() if len(words) > 1 else "")
    found = re.match(r"\s*(?:0x)?([0-9a-f]+)\b", where)
    return kind, int(found.group(1), 16) if found else 0


def instructions(objdump, binary):
    """(address, text) of each instruction in the sections with code."""
    done = subprocess.run([objdump, "-d", "-w", "--disassemble-zeroes", binary], text=True,
                          capture_output=True, check=True)
    found = (LINE.match(line) for line in done.stdout.splitlines())
    return [(int(one.group(1), 16), one.group(2)) for one in found if one]
