# SPDX-License-Identifier: Apache-2.0
"""The figure of zones of many cells, from tables of one form, whatever the back end:

    backend,cells,synapses,block_steps,seconds_per_block,gflops,gb_per_s,cells_in_real_time

Lines that start with # are about the machine.

    python3 bench/zone_figure.py FIGURE TABLE...      FIGURE ends with .png or .svg
"""

import csv
import pathlib
import subprocess
import sys

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#666666"]  # told apart by every reader, as in the lab
KNOWN = {"plain-1": "plain C, one thread", "plain-2": "plain C, two threads",
         "blas-1": "BLAS, one thread", "blas-2": "BLAS, two threads",
         "cuda": "GPU, blocks of 48 steps", "cuda-31": "GPU, blocks of 31 steps",
         "cuda-cublas": "GPU, by cuBLAS, blocks of 48 steps"}


def backends(tables):
    """Of each back end that was measured for some numbers of cells, its points (cells, cells in real time)."""
    found = {}
    for table in tables:
        with pathlib.Path(table).open(newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                found.setdefault(row["backend"], []).append((row["cells"], row["cells_in_real_time"]))
    return {name: points for name, points in found.items() if len(points) > 2}


def draw(figure, *tables):
    """Writes the figure, with gnuplot."""
    figure, found = pathlib.Path(figure), backends(tables)
    terminal = {".svg": 'svg size 900,600 font "sans,13"', ".png": 'pngcairo size 900,600 font "sans,13"'}
    lines = [f"set terminal {terminal[figure.suffix]}", f'set output "{figure}"', "set logscale xy",
             "set xrange [0.8:30000]", "set grid", "set key bottom right vertical samplen 2",
             'set xlabel "cells of the zone"', 'set ylabel "cells of 1.5 million synapses in real time"',
             'set title "Zones that learn on line, float, steps of 1 ms"', "set border 3", "set tics nomirror"]
    lines += [f'set linetype {k + 1} linecolor rgb "{colour}"' for k, colour in enumerate(COLOURS)]
    for k, points in enumerate(found.values()):
        lines += [f"$data{k} << END", *(" ".join(point) for point in points), "END"]
    lines.append("plot " + ", ".join(f'$data{k} with linespoints pt 7 lw 2 title "{KNOWN.get(name, name)}"'
                                     for k, name in enumerate(found)))
    subprocess.run(["gnuplot"], check=True, text=True, input="\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3 or pathlib.Path(sys.argv[1]).suffix not in (".png", ".svg"):
        sys.exit(__doc__)
    draw(*sys.argv[1:])
