"""Which tests notice each mutant: `.ci/mutants --matrix FILE` runs all suites that reach it, to their ends.

A matrix of 800 mutants takes hours. The same command goes on where it stopped after `--minutes`, at Ctrl-C or with
the machine; .build-mutants keeps the build, so the sources may change meanwhile. Tests run one after another, so
that the one at which a process crashes or hangs is known; the tests behind it run in a further process.

FILE has a line for each mutant, with tabs between: its number; `killed`, `survived` or `unreached`; file and line;
the change; the text of the line; then each test that notices it, with the way: `fails`, `crashes` or `hangs`.
`killed+` means that tests are left out after the last one, as ten processes broke. FILE.summary lists the tests that
notice nothing alone: no mutant has them as its only test.
"""
import collections, concurrent.futures, json, os, pathlib, sys, threading, time

from mutant_runs import COPY, Run, say

STATE = COPY / "matrix.json"
BROKEN = 10


def is_begun(options):
    """Whether the file is there, and is that of the build in .build-mutants."""
    if not os.path.exists(options.matrix):
        return False
    if STATE.exists() and json.loads(STATE.read_text())["file"] == os.path.abspath(options.matrix):
        return True
    sys.exit(f"{options.matrix} is there, and .build-mutants has another build by now. Name a new file.")


def begin(options, numbers, suites):
    file = os.path.abspath(options.matrix)
    reaching = {number: sorted(suites.reaching[number]) for number in numbers.values()}
    STATE.write_text(json.dumps({
        "file": file, "seed": options.seed, "binary": str(suites.binary),
        "mutants": [[number, f"{point.file}:{point.line}", point.change, point.text] for point, number in numbers.items()],
        "reaching": reaching, "limits": {suite: suites.limit([suite]) for suite in suites.runs},
        "tests": {suite: sorted(run.tests) for suite, run in suites.runs.items()}}))
    pathlib.Path(file).write_text(f"# Seed {options.seed}, {len(numbers)} mutants\n")


def rows(file):
    """The lines of mutants that were written whole, without the tab-less heading."""
    whole = file.read_text().rpartition("\n")[0]
    return [line.split("\t") for line in whole.split("\n") if "\t" in line]


def noticing(state, number, suites):
    """Each test that notices a mutant, with the way, and whether all tests were tried."""
    found, broken = {}, 0
    left = {suite: set(state["tests"][suite]) for suite in suites}
    limit = max(state["limits"][suite] for suite in suites)
    while any(left.values()):
        names = []
        for suite, tests in left.items():
            names += [suite] if len(tests) == len(state["tests"][suite]) else sorted(tests)
        run = Run(state["binary"], names, limit, state["seed"], mutant=number, serial=True)
        found.update({test: fault.split(":")[0] for test, fault in run.faults.items()})
        if not run.is_broken:
            break
        broken += 1
        if broken == BROKEN or Run.is_over:
            return found, False
        for suite in left:
            left[suite] -= run.ended | set(run.faults)
    return found, True


def go_on(options):
    state = json.loads(STATE.read_text())
    file, started = pathlib.Path(state["file"]), time.monotonic()
    done = rows(file)
    # A line that was not written whole is written anew.
    file.write_text(file.read_text().partition("\n")[0] + "\n" + "".join("\t".join(row) + "\n" for row in done))
    numbers, lock = {int(row[0]) for row in done}, threading.Lock()
    todo = [mutant for mutant in state["mutants"] if mutant[0] not in numbers]
    say(f"{len(done)} of {len(state['mutants'])} mutants are in {options.matrix}.")

    def perform(mutant):
        number, place, change, text = mutant
        if Run.is_over or time.monotonic() - started > 60 * options.minutes:
            return
        suites = state["reaching"][str(number)]
        found, is_whole = noticing(state, number, suites) if suites else ({}, True)
        if Run.is_over:
            return
        verdict = "unreached" if not suites else "survived" if not found else "killed" if is_whole else "killed+"
        with lock, file.open("a") as out:
            out.write("\t".join([str(number), verdict, place, change, text.replace("\t", " ")]
                                + [f"{test} {way}" for test, way in sorted(found.items())]) + "\n")
        say(f"{verdict:9} {place}: {change}  {len(found)} tests")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(perform, todo))
    done = rows(file)
    summarise(state, done, pathlib.Path(f"{file}.summary"))
    left, new = len(state["mutants"]) - len(done), len(done) - len(numbers)
    if left:
        hours = f" These took {(time.monotonic() - started) / new:.0f} s each." if new else ""
        say(f"{left} mutants are left.{hours} The same command goes on with them.")
    return 130 if Run.is_over else 0


def summarise(state, done, place):
    alone, together = collections.Counter(), collections.Counter()
    for row in done:
        tests = [cell.rpartition(" ")[0] for cell in row[5:]]
        together.update(tests)
        alone.update(tests if len(tests) == 1 and row[1] == "killed" else [])
    counts = collections.Counter(row[1] for row in done)
    lines = [f"{len(done)} of {len(state['mutants'])} mutants: " + ", ".join(f"{counts[v]} {v}" for v in sorted(counts)), "",
             "Tests of each suite: all; those that notice a mutant alone; others that notice one; those that notice none."]
    listed = []
    for suite, tests in sorted(state["tests"].items()):
        quiet = [test for test in tests if not alone[test]]
        none = [test for test in quiet if not together[test]]
        lines.append(f"{len(tests):5}{len(tests) - len(quiet):5}{len(quiet) - len(none):5}{len(none):5}  {suite}")
        listed += [f"{together[test]:5}  {test}" for test in quiet]
    lines += ["", "The tests that notice nothing alone, with the number of mutants that they notice with others:", *listed]
    place.write_text("\n".join(lines) + "\n")
    say(f"{lines[0]}. {len(listed)} of {sum(map(len, state['tests'].values()))} tests notice nothing alone: see {place.name}.")
