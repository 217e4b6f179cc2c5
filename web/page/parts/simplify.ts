// SPDX-License-Identifier: Apache-2.0
// simplify: a curve with fewer points that nobody can tell from it (Ramer, Douglas and Peucker).

export type Point = [x: number, y: number];

/** Distance of p from the line through a and b. */
function distance([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return Math.hypot(px - ax, py - ay);
  return Math.abs((bx - ax) * (ay - py) - (ax - px) * (by - ay)) / length;
}

/** No point of the curve is farther than tolerance from the lines through the points that are kept. */
export function simplify(points: Point[], tolerance: number): Point[] {
  if (points.length < 3) return points;
  const keep = new Uint8Array(points.length);
  keep[0] = keep[points.length - 1] = 1;
  const open: [number, number][] = [[0, points.length - 1]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [first, last] = pair;
    let farthest = first;
    let most = tolerance;
    for (let i = first + 1; i < last; i++) {
      const d = distance(points[i] as Point, points[first] as Point, points[last] as Point);
      if (d > most) [most, farthest] = [d, i];
    }
    if (farthest === first) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, i) => keep[i] === 1);
}
