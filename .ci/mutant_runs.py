"""Builds a copy of the package with mutants in it, and runs its tests in processes: for `.ci/mutants`."""
import collections, json, os, pathlib, re, select, shutil, signal, subprocess, sys, time

import mutation

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build-mutants"
PACKAGE, SCRATCH, RUNS = COPY / "package", COPY / "build", COPY / "runs"
MODULES = [name for name in ("AsyncOperations", "RowEngine", "RowOperations") if (ROOT / "Sources" / name).exists()]
# Linux does not compile them.
OTHER_SYSTEMS = {"UIKit", "AppKit", "SwiftUI"}
BUILDS = 8
# Seconds for a process, whatever it reports.
LONGEST = 600

MANIFEST = f"""
package.products = []
package.targets.removeAll {{
  $0.type == .executable || ["BenchmarkSuite", "AppleTests", "SnippetTests"].contains($0.name)
}}
for target in package.targets where {json.dumps(MODULES)}.contains(target.name) {{
  target.dependencies.append("Mutants")
}}
package.targets += [
  .target(name: "MutantTable", path: "Mutants/Table"),
  .target(name: "Mutants", dependencies: ["MutantTable"], path: "Mutants/Operators"),
]
"""
HEADER = """
#include <stdbool.h>
extern unsigned char *mutants_reached;
extern int mutant_chosen;
/// Whether the process behaves like this mutant. Notes that it is reached.
static inline bool isMutant(int number) {
  mutants_reached[number] = 1;
  return number == mutant_chosen;
}
"""
TABLE = """
#include "MutantTable.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
static unsigned char unwatched[SIZE];
unsigned char *mutants_reached = unwatched;
int mutant_chosen = -1;
// Processes that a test starts, and those that crash, mark the same file.
__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("MUTANT"), *file = getenv("MUTANTS_REACHED");
  if (number) mutant_chosen = atoi(number);
  int descriptor = file ? open(file, O_RDWR) : -1;
  if (descriptor < 0) return;
  void *map = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (map != MAP_FAILED) mutants_reached = map;
}
"""
OPERATORS = """@_exported import MutantTable
@inlinable public func mutantNegates(_ number: Int32, _ condition: Bool) -> Bool {
  isMutant(number) != condition
}
"""


def say(*words):
    print(*words, flush=True)


def title(point):
    return f"{point.file}:{point.line}: {point.change}"


# The copy


def write(path, text):
    """Keeps the date of a file that does not change, so that the compiler skips it."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_package():
    kept = set()
    for folder in ("Sources", "Tests"):
        for source in (ROOT / folder).rglob("*"):
            target = PACKAGE / source.relative_to(ROOT)
            kept.add(target)
            if source.is_file() and source.suffix != ".swift":
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
            elif source.is_file() and source.relative_to(ROOT).parts[1] not in MODULES:
                write(target, source.read_text())
        for old in sorted((PACKAGE / folder).rglob("*"), reverse=True):
            if old not in kept:
                old.rmdir() if old.is_dir() else old.unlink()
    write(PACKAGE / "Package.swift", (ROOT / "Package.swift").read_text() + MANIFEST)


def source_files():
    for module in MODULES:
        for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            name = path.relative_to(ROOT)
            yield mutation.File(str(name), path.read_text()), not OTHER_SYSTEMS & set(name.parts)


def write_mutants(files, numbers):
    """The mutants' numbers in the copy's sources."""
    of_file = collections.defaultdict(dict)
    for point, number in numbers.items():
        of_file[point.file][point] = number
    for file in files:
        mutants = of_file.get(file.name)
        write(PACKAGE / file.name, file.mutated(mutants) if mutants else file.text)
    size = f"#define SIZE {max(numbers.values()) + 1}\n"
    write(PACKAGE / "Mutants/Table/include/MutantTable.h", HEADER)
    write(PACKAGE / "Mutants/Table/MutantTable.c", size + TABLE)
    write(PACKAGE / "Mutants/Operators/Operators.swift", OPERATORS + mutation.operators(numbers) + "\n")


def swift_build(*arguments):
    command = ["swift", "build", "--package-path", PACKAGE, "--scratch-path", SCRATCH, "-Xswiftc",
               "-continue-building-after-errors", "-Xswiftc", "-suppress-warnings", *arguments]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def refused(output, numbers):
    """The mutants that the compiler refuses: those at its errors, or else the last ones before."""
    found = set()
    for name, line in set(re.findall(rf"^{re.escape(str(PACKAGE))}/(\S+?):(\d+):\d+: error:", output, re.M)):
        line, here = int(line), [point for point in numbers if point.file == name]
        at = [point for point in here if point.line <= line <= point.last_line]
        before = [point for point in here if point.last_line < line]
        nearest = max((point.last_line for point in before), default=0)
        found.update(at or [point for point in before if point.last_line == nearest])
    return found


def build(files, numbers):
    """Builds the copy without the mutants that do not compile. Returns those that do, and the tests' binary."""
    copy_package()
    goals = [["--target", module] for module in MODULES] + [["--build-tests"]]
    for _ in range(BUILDS):
        write_mutants(files, numbers)
        while goals and (result := swift_build(*goals[0])).returncode == 0:
            goals.pop(0)
        if not goals:
            folder = swift_build("--show-bin-path").stdout.strip().splitlines()[-1]
            return numbers, next(pathlib.Path(folder).glob("*.xctest"))
        wrong = refused(result.stdout, numbers)
        if not wrong:
            sys.exit(result.stdout[-10_000:] + "\nThe copy does not compile.")
        say(f"{len(wrong)} mutants do not compile.")
        for point in sorted(wrong, key=lambda point: point.file):
            say(f"  {title(point)}")
        numbers = {point: number for point, number in numbers.items() if point not in wrong}
    sys.exit(f"The copy does not compile after {BUILDS} builds.")


# Runs


class Run:
    """A process that runs suites or tests, with a mutant or without, and what its event stream reports.

    The run ends when it reports nothing for `limit` seconds, or at its first fault if `stops` is set.
    """

    live = set()
    is_over = False  # Whether no further process may start.

    def __init__(self, binary, names, limit, seed, mutant=None, reached=None, serial=False, stops=False):
        self.faults = {}  # Of each test that fails, the reason.
        self.tests, self.ended, self.running, self.last = set(), set(), [], "no test"
        self.is_late, self.pause = False, 0
        ours, theirs = os.pipe()
        command = [binary, "--testing-library", "swift-testing", "--event-stream-version", "0",
                   "--event-stream-output-path", f"/dev/fd/{theirs}"] + ["--no-parallel"] * serial
        for name in names:
            command += ["--filter", f"^{re.escape(name)}(/|$)"]
        environment = dict(os.environ, STRESS_SEED=str(seed), SWIFT_BACKTRACE="enable=no")
        if mutant is not None:
            environment["MUTANT"] = str(mutant)
        if reached:
            environment["MUTANTS_REACHED"] = str(reached)
        # A group of its own has the processes that tests start, too.
        process = subprocess.Popen(
            command, env=environment, cwd=PACKAGE, start_new_session=True, pass_fds=[theirs],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        Run.live.add(process)
        started = time.monotonic()
        was_ended = self.follow(process, ours, started, limit, stops)
        self.time = time.monotonic() - started
        os.close(ours)
        end(process)
        status = process.wait()
        Run.live.discard(process)
        culprit = self.running[-1] if self.running else self.last
        if self.is_late:
            self.faults.setdefault(culprit, f"hangs: nothing ends within {limit:.0f} s")
        elif not was_ended and status not in (0, 1) or status and not self.faults:
            self.faults.setdefault(culprit, f"crashes: status {status}")
        else:
            return
        self.is_broken = True

    is_broken = False  # Whether tests may be left that did not run.

    def follow(self, process, stream, started, limit, stops):
        """Reads the events. Returns whether the process must be ended."""
        rest, heard = b"", started
        while not Run.is_over:
            is_ready = select.select([stream], [], [], 0.5)[0]
            now = time.monotonic()
            if is_ready:
                data = os.read(stream, 1 << 16)
                if not data:
                    # What the process does after its last event takes no longer than a test.
                    try:
                        process.wait(limit)
                        return False
                    except subprocess.TimeoutExpired:
                        self.is_late = True
                        return True
                self.pause, heard = max(self.pause, now - heard), now
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self.take(json.loads(line))
                if stops and self.faults:
                    return True
            elif process.poll() is not None:
                return False
            elif now - heard > limit or now - started > LONGEST:
                self.is_late = True
                return True
        return True

    def take(self, record):
        payload = record["payload"]
        # Without the place in the source.
        test = re.sub(r"/[^/]+\.swift:\d+:\d+$", "", payload.get("testID") or payload.get("id") or "")
        if record["kind"] == "test" and payload["kind"] == "function":
            self.tests.add(test)
        elif record["kind"] == "event" and payload["kind"] == "testStarted" and test in self.tests:
            self.running.append(test)
        elif record["kind"] == "event" and payload["kind"] == "testEnded" and test in self.tests:
            self.running = [other for other in self.running if other != test]
            self.ended.add(test)
            self.last = test
        elif record["kind"] == "event" and payload["kind"] == "issueRecorded":
            issue = payload["issue"]
            if not issue["isKnown"] and issue.get("isFailure", issue.get("_isFailure", True)):
                words = " ".join(message["text"] for message in payload["messages"][:1])
                self.faults.setdefault(test or self.last, "fails: " + " ".join(words.split()))


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all(*_):
    """For a signal: ends what runs, and lets nothing begin."""
    Run.is_over = True
    for process in list(Run.live):
        end(process)


def list_suites(binary, skipped):
    listed = subprocess.run(
        [binary, "--testing-library", "swift-testing", "--list-tests"], cwd=PACKAGE, capture_output=True,
        text=True)
    suites = {line.rsplit("/", 1)[0] for line in (listed.stdout + listed.stderr).splitlines() if "/" in line}
    return sorted(suite for suite in suites if not re.search(skipped, suite))


def learn(binary, suite, size, limit, seed, serial):
    """A suite's run without a mutant, and the numbers of the mutants that it reaches."""
    RUNS.mkdir(parents=True, exist_ok=True)
    reached = RUNS / suite.replace("/", "+")
    reached.write_bytes(bytes(size))
    run = Run(binary, [suite], limit, seed, reached=reached, serial=serial)
    return run, {number for number, mark in enumerate(reached.read_bytes()) if mark}
