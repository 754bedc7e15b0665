# SPDX-License-Identifier: MIT
"""What a page of the documentation holds, as data: fenced blocks with what a test needs to know of
them, the commands in a block, links and headings. Nothing is run here."""

import re
from dataclasses import dataclass

from shown_commands import Fault

LANGUAGES = {"cpp", "cuda", "python", "sh", "console", "cmake", "text"}
OUTPUTS = {"same output", "numbers vary", "output varies"}
HEADERS = "#include <cmath>\n#include <iostream>\n#include <vector>\n#include <teff/teff.hpp>\n"


@dataclass
class Block:
    page: str
    line: int
    language: str
    text: str = ""
    around: str = "..."
    file: str = ""
    skip: str = ""
    output: str = ""

    def where(self):
        return f"{self.page}:{self.line}"

    def is_program(self):
        return self.language == "cpp" and re.search(r"\bint main\(", self.text)

    def tell(self, directive):
        """Takes one `<!-- test: ... -->`."""
        word, rest = (re.split(r"\s", directive, maxsplit=1) + [""])[:2]
        if word == "file" and rest:
            self.file = rest.strip()
        elif word == "around":
            self.around = rest
        elif word == "skip:" and rest:
            self.skip = rest
        elif directive in OUTPUTS:
            self.output = directive
        else:
            raise Fault(f"{self.where()}: no such directive: <!-- test: {directive} -->")


def blocks_of(page, text):
    """The fenced blocks of a page, each with the directives right before it."""
    block, before, found, told = None, "", [], 0
    for n, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("```"):
            if block:
                block.text += line + "\n"
            else:
                before += line + "\n"
        elif block:
            found.append(block)
            block, before = None, ""
        else:
            block = Block(page, n + 1, line.lstrip()[3:])
            if block.language not in LANGUAGES:
                raise Fault(f"{page}:{n}: a block is one of {', '.join(sorted(LANGUAGES))}")
            comments = re.search(r"(?:<!-- test: (?:(?!-->).)*-->\s*)*\Z", before, re.S)[0]
            for directive in re.findall(r"<!-- test: (.*?)\s*-->", comments, re.S):
                block.tell(directive)
                told += 1
    if block:
        raise Fault(f"{block.where()}: the block does not end")
    if told != text.count("<!-- test: "):
        raise Fault(f"{page}: <!-- test: ... --> stands right before the block that it speaks of")
    return found


def function_of(block):
    """A fragment as a function; `#line` makes the compiler name the page."""
    before, dots, after = ("\n" + block.around + "\n").partition("\n...\n")
    if not dots:
        raise Fault(f"{block.where()}: the code around a fragment needs a line `...`")
    return (f"int block_{block.line}() {{\nusing namespace teff;\n{before}\n"
            f'#line {block.line} "{block.page}"\n{block.text}{after}\nreturn 0;\n}}\n')


def fragments_of(page_blocks):
    """One program of all fragments of a page; their own includes come first."""
    text = "".join(function_of(block) for block in page_blocks)
    includes = re.findall(r"^#include .*\n", text, re.M)
    text = re.sub(r"^#include .*$", "", text, flags=re.M)
    calls = "".join(f'if (block_{b.line}() != 0) {{ std::cerr << "line {b.line} returns an error\\n"; '
                    "return 1; }\n" for b in page_blocks)
    return HEADERS + "".join(includes) + text + "int main() {\n" + calls + "return 0;\n}\n"


def commands_of(block):
    """Pairs of a command and what it prints."""
    text = re.sub(r"\\\n", " ", block.text)
    found = []
    for line in text.splitlines():
        if block.language == "console":
            if line.startswith("$ "):
                found.append([line[2:], ""])
            elif found:
                found[-1][1] += line + "\n"
            else:
                raise Fault("a console block begins with `$ ` and a command")
        elif line.split("#")[0].strip():
            found.append([line.split("  #")[0].strip(), ""])
    return found


def slug(heading):
    """The anchor that GitHub gives a heading."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def without_code(text):
    """Lines of blocks and code within lines made empty, so that line numbers stay."""
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "``", text)


def check_links(root, path, text):
    for n, line in enumerate(without_code(text).splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if "://" in target or target.startswith("mailto:"):
                continue
            name, _, anchor = target.partition("#")
            file = (path.parent / name) if name else path
            where = f"{path.relative_to(root)}:{n}"
            if not file.exists():
                yield f"{where}: links to {target}, which does not exist"
            elif anchor and file.suffix == ".md":
                headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", file.read_text(),
                                                          flags=re.M | re.S), re.M)
                if anchor not in map(slug, headings):
                    yield f"{where}: links to {target}, and there is no such heading"
