# SPDX-License-Identifier: MIT
"""interpreted_rows.py PACKAGE OUT.json: steps whose rows the library interprets (TEFF_CC empty) beside
rows that a C compiler made, us a step, by processes in turns. PACKAGE is the folder that holds teff/.
"""

import json
import os
import subprocess
import sys

TURNS = 3
TEXT = """
import json, statistics, sys
sys.path.insert(0, "test/python")
import numpy as np
import teff
from formulas import ALL
found = {}
for name in ("heat", "pressure", "gray_scott"):
    step, more = ALL[name]
    for n, steps in ((127, 200), (1000, 10)):
        rng = np.random.default_rng(1)
        fields = [rng.random((n + y, n + x)) * 0.01 for x, y in more]
        said = str(teff.iterate(step, 2, *fields))
        samples = [teff.iterate(step, steps, *fields).seconds / steps * 1e6 for _ in range(7)]
        found[f"{name} {n}x{n}"] = statistics.median(samples), "interpreted" in said
print(json.dumps([found, teff.info()], default=str))
"""


def main():
    package, out = sys.argv[1:]
    by_way = {"compiled": [], "interpreted": []}
    for _ in range(TURNS):
        for way, turns in by_way.items():
            given = {**os.environ, "PYTHONPATH": package, "TEFF_ROWS": "only"}
            given.pop("TEFF_CC", None)
            if way == "interpreted":
                given["TEFF_CC"] = ""
            done = subprocess.run([sys.executable, "-c", TEXT], env=given, check=True, text=True,
                                  capture_output=True)
            found, machine = json.loads(done.stdout.splitlines()[-1])
            assert all(was == (way == "interpreted") for _, was in found.values()), found
            turns.append({name: us for name, (us, _) in found.items()})
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], check=True, text=True,
                            capture_output=True).stdout.strip()
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"machine": str(machine), "commit": commit, "unit": "us a step, f64",
                   "command": "tools/by_hand/interpreted_rows.py PACKAGE OUT.json", **by_way}, file, indent=1)
        file.write("\n")
    for name in by_way["compiled"][0]:
        a, b = (sorted(turn[name] for turn in by_way[way])[TURNS // 2] for way in by_way)
        print(f"{name:22} {a:9.1f} {b:9.1f}   {b / a:.1f}")


if __name__ == "__main__":
    main()
