"""Finds the points of a Swift file that `.ci/mutants` can change, and writes the file with all of them in it.

It reads the text, not the syntax: comments, strings, and code that Linux does not compile become blank first.
A point that does not compile costs `.ci/mutants` a build, so doubtful ones are left out here.
"""
import bisect, dataclasses, re

DIGITS = "%^|~"  # Of the operators that stand for a mutant's `&&`, `||`, `<`, `<=`, `>` or `>=`.
SWAPPED = {"&&": "||", "||": "&&", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
MODULES = {"Foundation", "FoundationNetworking", "Glibc", "Dispatch", "_Concurrency"}
OPERATOR = re.compile(r"[-+*/%=<>&|^~?:.]")
WORD = r"[A-Za-z_$][\w$]*"
NO_CALL = set(
    "assert assertionFailure precondition preconditionFailure fatalError super init deinit subscript case if"
    " guard while for switch return throw do defer repeat else catch get set willSet didSet func var let static"
    " private package public internal fileprivate unowned nonisolated where".split())
CALL = re.compile(
    rf"(?:^[ ]*|(?<=\{{ ))(?P<call>(?:_ = )?(?:try[?!]? )?(?:await )?(?P<first>{WORD})"
    rf"(?:[?!]?\.{WORD}|\[[^\[\]\n]*\])*[?!]?)(?P<open>\(| \{{)", re.M)
# Blocks in which a single call is no value.
STATEMENTS = re.compile(r"\b(?:if|guard|else|for|while|do|catch|defer|didSet|willSet|init|deinit|set|repeat)\b")


@dataclasses.dataclass(frozen=True)
class Point:
    file: str
    line: int
    text: str  # Of that line.
    kind: str
    change: str
    edits: tuple  # (start, end, wrapped, code with NUMBER or OPERATOR)
    last_line: int

    @property
    def name(self):
        """Survives changes elsewhere in the file."""
        return self.file, self.change, self.text


def holds(condition):
    """Whether `#if` compiles its code on Linux, in a debug build."""
    condition = re.sub(r"canImport\((\w+)[^)]*\)", lambda m: str(m[1] in MODULES), condition)
    condition = re.sub(r"os\((\w+)\)", lambda m: str(m[1] == "Linux"), condition)
    condition = re.sub(r"(?:compiler|swift)\([^)]*\)|\bDEBUG\b", "True", condition)
    condition = re.sub(r"\w+\([^)]*\)|\b(?!True|False)[A-Za-z_]\w*", "False", condition)
    condition = condition.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return eval(condition.strip(), {"__builtins__": {}})


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def end_of_string(text, start, marks):
    """Behind a string literal, whose interpolations have strings of their own."""
    quote, hashes = marks.strip("#"), "#" * marks.index('"')
    place = start + len(marks)
    while place < len(text):
        if text.startswith(quote + hashes, place):
            return place + len(quote) + len(hashes)
        if text.startswith("\\" + hashes + "(", place):
            place, depth = place + 2 + len(hashes), 1
            while depth and place < len(text):
                inner = re.compile(r'#*(?:"""|")').match(text, place)
                if inner:
                    place = end_of_string(text, place, inner[0])
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        else:
            place += 2 if text[place] == "\\" and not hashes else 1
    return len(text)


def code_only(text):
    """The text with blanks for comments, and `_` for the content of strings."""
    out, place = [], 0
    token = re.compile(r'//[^\n]*|/\*|#*(?:"""|")')
    while match := token.search(text, place):
        out.append(text[place:match.start()])
        place = match.start()
        if match[0].startswith("//"):
            end = match.end()
            out.append(blank(text[place:end]))
        elif match[0] == "/*":
            end = text.find("*/", place) + 2
            out.append(blank(text[place:end]))
        else:
            end = end_of_string(text, place, match[0])
            out.append('"' + re.sub(r"[^\n]", "_", text[place + 1:end - 1]) + '"')
        place = end
    return "".join(out) + text[place:]


def compiled_only(code):
    """The code with blanks for `#if` and its like, and for code that Linux does not compile."""
    lines, stack = [], []  # Of each `#if`: whether its current branch compiles, whether one did.
    for line in code.split("\n"):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if not directive:
            lines.append(line if all(branch for branch, _ in stack) else blank(line))
            continue
        lines.append(blank(line))
        word, condition = directive.groups()
        if word == "endif":
            stack.pop()
            continue
        had = False if word == "if" else stack.pop()[1]
        branch = not had and (word == "else" or holds(condition))
        stack.append((branch, had or branch))
    return "\n".join(lines)


class File:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.code = compiled_only(code_only(text))
        self.line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.lines = text.split("\n")
        self.closing, self.around = {}, []  # Of each bracket; of each place, the innermost open bracket.
        stack = []
        for place, letter in enumerate(self.code):
            if letter in ")]}" and stack:
                self.closing[stack.pop()] = place
            self.around.append(stack[-1] if stack else -1)
            if letter in "([{":
                stack.append(place)
        self.points = []
        self.find_conditions()
        self.find_ternaries()
        self.find_operators()
        self.find_ones()
        self.find_functions()
        self.find_calls()
        self.points.sort(key=lambda point: (point.line, point.edits))
        self.number_repeats()

    def line(self, place):
        return bisect.bisect_right(self.line_starts, place)

    def add(self, kind, change, *edits):
        line = self.line(edits[0][0])
        last = max(self.line(end) for _, end, _, _ in edits)
        self.points.append(Point(self.name, line, self.lines[line - 1].strip(), kind, change, edits, last))

    def number_repeats(self):
        """Of equal changes of equal lines, the later ones get a number."""
        seen = {}
        for index, point in enumerate(self.points):
            count = seen[point.name] = seen.get(point.name, 0) + 1
            if count > 1:
                self.points[index] = dataclasses.replace(point, change=f"{point.change} #{count}")

    def wrap(self, kind, change, start, end, before, after):
        self.add(kind, change, (start, end, True, (before, after)))

    # Conditions

    def negate(self, start, end):
        condition = self.code[start:end]
        start += len(condition) - len(condition.lstrip())
        end -= len(condition) - len(condition.rstrip())
        condition = self.code[start:end]
        if not condition or condition in ("true", "false"):
            return
        if re.match(r"(?:let|var|case|_ =|await let)\b|#", condition):
            return
        shown = " ".join(self.text[start:end].split())
        self.wrap("condition", f"not ({shown})", start, end, "mutantNegates(NUMBER, ", ")")

    def find_conditions(self):
        for match in re.finditer(r"(?<![#.`\w])(if|guard|while)\b(?![`:(])", self.code):
            start = place = match.end()
            if re.search(r"\}\s*$", self.code[:match.start()]) and match[1] == "while":
                continue
            clauses = []
            while place < len(self.code):
                letter = self.code[place]
                is_else = match[1] == "guard" and re.compile(r"\belse\b").match(self.code, place)
                if is_else or letter == "{" and match[1] != "guard":
                    clauses.append((start, place))
                    break
                if letter in ")]};":
                    clauses = []
                    break
                is_generic = re.search(r"\w<[\w.?, ]*$", self.code[start:place])
                if letter == "," and not is_generic:
                    clauses.append((start, place))
                    start = place + 1
                place = self.closing.get(place, place) + 1 if letter in "([{" else place + 1
            for clause in clauses:
                self.negate(*clause)

    def find_ternaries(self):
        opening = {close: start for start, close in self.closing.items()}
        for match in re.finditer(r"(?<=\s)\?(?=\s)", self.code):
            place = match.start()
            while place > 0:
                before = self.code[place - 1]
                if before in ")]}" and place - 1 in opening:
                    place = opening[place - 1]
                    continue
                if before == "\n":
                    follows = self.code[place:].lstrip()
                    precedes = self.code[:place].rstrip()
                    if not OPERATOR.match(follows) and not re.search(r"[-+*/%&|<>=?]$", precedes):
                        break
                if self.stops(place):
                    break
                place -= 1
            self.negate(place, match.start())

    def stops(self, place):
        """Whether an expression cannot go on to the left of this place."""
        before, after = self.code[max(0, place - 9):place], self.code[place:place + 1]
        if re.search(r"[({\[,;]$", before):
            return True
        if not after.isspace():
            return False
        return bool(re.search(r"\s[-+*/]?=$|\s\?$|:$|(?<![\w.])(?:return|in|throw|case|else)$", before))

    # Operators

    def find_operators(self):
        # Those that are used, not those that are declared.
        for match in re.finditer(r"(?<=\s)(?<!func )(&&|\|\||<=?|>=?)(?=\s)", self.code):
            token = match[0]
            kind = "connective" if token in ("&&", "||") else "boundary"
            change = f"{token} -> {SWAPPED[token]}"
            self.add(kind, change, (match.start(), match.end(), False, token + "OPERATOR"))

    def find_ones(self):
        for match in re.finditer(r"(?<=\s)([-+]=?) (1)(?![\w.])", self.code):
            change = f"{match[1]} 1 -> {match[1]} 0"
            self.add("boundary", change, (match.start(2), match.end(2), False, "(isMutant(NUMBER) ? 0 : 1)"))

    # Statements

    def find_functions(self):
        header = re.compile(r"\s*(?:async\s*)?(?:(?:re)?throws(?:\([^)]*\))?\s*)?(?:where [^{}]*)?\{")
        for match in re.finditer(r"\bfunc\s+([^\s(<]+)\s*(?:<[^({]*>)?\s*(?=\()", self.code):
            end = self.closing.get(match.end())
            body = end and header.match(self.code, end + 1)
            if not body or not self.code[body.end():self.closing.get(body.end() - 1, 0)].strip():
                continue
            edit = (body.end(), body.end(), False, " if isMutant(NUMBER) { return };")
            # The place of the edit may be lines below the name.
            line = self.line(match.start())
            self.points.append(Point(
                self.name, line, self.lines[line - 1].strip(), "function", f"{match[1]} returns at once",
                (edit,), self.line(body.end())))

    def end_of_call(self, place):
        """Behind a call whose first bracket is here, with its closures and the calls of its result."""
        while True:
            if self.code[place] in "([{":
                if place not in self.closing:
                    return None
                place = self.closing[place] + 1
            more = re.compile(
                rf"[?!]?\s*\.{WORD}|[?!](?=[.(\[])|(?=[(\[])| (?=\{{)| {WORD}: (?=\{{)").match(self.code, place)
            if not more:
                return place
            place = more.end()
            if self.code[place] not in "([{" and not re.compile(r"[?!.]| \{|\s*\.").match(self.code, place):
                return place

    def find_calls(self):
        for match in CALL.finditer(self.code):
            start = match.start("call")
            if match["first"] in NO_CALL or ".init" in match["call"]:
                continue
            opening = match.end() - 1
            around = self.around[start]
            end = self.end_of_call(opening)
            if around < 0 or self.code[around] != "{" or end is None:
                continue
            rest = self.code[end:]
            # On a line of its own, or alone in a block.
            if not re.match(r"[ ]*(?:\n|$)| \}", rest) or OPERATOR.match(rest.lstrip()):
                continue
            before = self.code[:start].rstrip()
            if re.search(r"[-=,+*/%&|<?(\[]$|->$|\b(?:return|throw|try|await|else)$", before):
                continue
            last_line = before[before.rfind("\n") + 1:].strip()
            if before.endswith(":") and not re.match(r"case|default|@unknown", last_line):
                continue
            inside = self.code[around + 1:start] + self.code[end:self.closing.get(around, end)]
            if not re.sub(r"^[^\n]*\bin\b", "", inside).strip():
                header = self.code[:around]
                header = header[max(header.rfind(mark) for mark in "{};") + 1:]
                is_function = re.search(r"\bfunc\b", header)
                if is_function and self.line(around) == self.line(start):
                    continue  # The function that returns at once is the same.
                is_void = is_function and "->" not in header
                if not is_void and not STATEMENTS.search(header):
                    continue
            shown = " ".join(self.text[start:opening].split())
            self.wrap("call", f"no {shown}", start, end, "if !isMutant(NUMBER) { ", " }")

    # The new text

    def mutated(self, numbers):
        """The text with these points: a mutant's number for each point."""
        inserts, operators = [], []
        for point, number in numbers.items():
            for start, end, is_wrapped, code in point.edits:
                if is_wrapped:
                    # At one place, ends come before starts, the inner end and the outer start first.
                    inserts.append((start, 1, -end, start, code[0].replace("NUMBER", str(number))))
                    inserts.append((end, 0, -start, end, code[1]))
                elif code.endswith("OPERATOR"):
                    inserts.append((start, 2, 0, end, operator(code.removesuffix("OPERATOR"), number)))
                else:
                    inserts.append((start, 2, 0, end, code.replace("NUMBER", str(number))))
        out, place = [], 0
        for start, _, _, end, code in sorted(inserts):
            out += [self.text[place:start], code]
            place = end
        return "".join(out) + self.text[place:] + "\nimport Mutants\n"


def operator(token, number):
    digits = ""
    while number or not digits:
        number, digit = divmod(number, len(DIGITS))
        digits = DIGITS[digit] + digits
    return token + digits


def operators(numbers):
    """The Swift code that declares the operators of these mutants."""
    lines = []
    for point, number in numbers.items():
        for _, _, is_wrapped, code in point.edits:
            if is_wrapped or not code.endswith("OPERATOR"):
                continue
            token = code.removesuffix("OPERATOR")
            name, other = operator(token, number), SWAPPED[token]
            if token in ("&&", "||"):
                precedence = "LogicalConjunction" if token == "&&" else "LogicalDisjunction"
                lines.append(f"infix operator {name}: {precedence}Precedence")
                lines.append(
                    f"@inlinable public func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows"
                    f" -> Bool {{ try isMutant({number}) ? a {other} b() : a {token} b() }}")
            else:
                lines.append(f"infix operator {name}: ComparisonPrecedence")
                lines.append(
                    f"@inlinable public func {name} <T: Comparable>(a: T, b: T) -> Bool {{"
                    f" isMutant({number}) ? a {other} b : a {token} b }}")
    return "\n".join(lines)
