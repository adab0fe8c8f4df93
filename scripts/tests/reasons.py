"""Why a test failed or was skipped: the line of its output that says most."""
import re

# In this order: our own, Check's, a compiler's, the sanitizers', Python's. Of unittest's last line,
# "FAILED (failures=1)", nobody learns anything.
TELLING = [re.compile(pattern) for pattern in
           (r"^FAILED (?!\()", r":[FE]:\w", r"\berror: ", r"^==\d+==ERROR|runtime error: ",
            r"^(\w+\.)*\w*(Error|Exception|Failure|TimeoutExpired)\b")]
MOST = 300  # characters


def reason(output):
    """One line; "no output" if there is none."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return "no output"
    for pattern in TELLING:
        found = next((line for line in lines if pattern.search(line)), None)
        if found:
            return found.removeprefix("FAILED ")[:MOST]
    return lines[-1][:MOST]


def why_skipped(output):
    """The last line without the word itself."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return re.sub(r"(: skipped$)|(\bskipped: )", "", lines[-1])[:MOST] if lines else ""
