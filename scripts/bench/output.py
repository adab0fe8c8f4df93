"""A result as JSON, for scripts, and as Markdown tables, for people."""
import json
import pathlib

import machine

SCHEMA = "scalana-bench/1"
IDLE = 1  # load before the first measurement


def table(title, columns, rows, note=""):
    """Cells are text or numbers as they shall be printed; the first column names the row."""
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"{title}: {len(row)} cells for {len(columns)} columns")
    return {"title": title, "columns": columns, "rows": [[str(c) for c in r] for r in rows],
            "note": note}


def markdown_table(one):
    head = "| " + " | ".join(one["columns"]) + " |"
    rule = "|---|" + "---:|" * (len(one["columns"]) - 1)
    body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
            for row in one["rows"]]
    note = [one["note"], ""] if one["note"] else []
    return "\n".join([f"### {one['title']}", "", *note, head, rule, *body, ""])


def busy(header):
    """What a reader must hear first."""
    return ["**The machine had other work: its noise is in these figures.**", ""] \
        if header["load"][0] > IDLE else []


def markdown(result):
    return "\n".join([f"## {result['heading']}", "", result["purpose"], "",
                      machine.sentence(result["machine"]) + ".", "", *busy(result["machine"]),
                      f"Repeat with `{result['command']}`.", "",
                      *[markdown_table(one) for one in result["tables"]]])


def write(folder, result):
    """DIR/<bench>.json and .md; each is there whole or not at all."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, text in (("json", json.dumps(result, indent=1) + "\n"), ("md", markdown(result))):
        path = folder / f"{result['bench']}.{suffix}"
        temporary = path.with_suffix(f".{suffix}.new")
        temporary.write_text(text, encoding="utf-8")
        temporary.rename(path)


def read(path):
    """A result, or ValueError with file and reason."""
    try:
        result = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise ValueError(f"{path}: {wrong}") from wrong
    if not isinstance(result, dict) or result.get("schema") != SCHEMA:
        raise ValueError(f"{path}: not a {SCHEMA} file")
    return result
