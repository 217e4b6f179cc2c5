// SPDX-License-Identifier: Apache-2.0
// marks: lines across a live figure, each with a word beside it.
import type uPlot from 'uplot';
import type { Figure, Mark } from './figure';
import { css } from './theme';
import { baseline, turnedAt, type Word, words } from './words';

/** In canvas pixels, after uPlot has drawn the curves. */
export function drawMarks(u: uPlot, figure: Figure): void {
  if (!figure.marks?.length) return;
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.strokeStyle = css('--quiet');
  ctx.fillStyle = css('--quiet');
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.font = `${13 * ratio}px system-ui, sans-serif`;
  drawVertical(u, figure.marks);
  for (const mark of figure.marks) {
    if (mark.y !== undefined) {
      const at = u.valToPos(mark.y, 'y', true);
      if (at >= top && at <= top + height) {
        line(ctx, left, at, left + width, at);
        ctx.textAlign = 'right';
        const above = at - top > 20 * ratio;
        write(ctx, mark.says, left + width - 4 * ratio, at + (above ? -7 : 16) * ratio);
      }
    }
  }
  ctx.restore();
}

/** Lines across, and words beside them where none covers another. */
function drawVertical(u: uPlot, marks: Mark[]): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  const right = left + width;
  const lines = marks
    .flatMap((mark) => (mark.x === undefined ? [] : [{ says: mark.says, at: u.valToPos(mark.x, 'x', true) }]))
    .filter(({ at }) => at >= left && at <= right);
  const across = marks.flatMap((mark) => (mark.y === undefined ? [] : [u.valToPos(mark.y, 'y', true) / ratio]));
  const inCss = (pixels: number): number => pixels / ratio;
  const placed = words(
    lines.map(({ at }) => inCss(at)),
    lines.map(({ says }) => inCss(ctx.measureText(says).width)),
    inCss(left),
    inCss(right),
  );
  for (const { at } of lines) line(ctx, at, top, at, top + height);
  lines.forEach(({ says }, i) => {
    const { x, row } = placed.each[i] as Word;
    ctx.save();
    ctx.textAlign = placed.turned ? 'right' : 'left';
    ctx.translate(
      (placed.turned ? turnedAt(x, inCss(right)) : x) * ratio,
      placed.turned ? top + 4 * ratio : baseline(row, inCss(top), inCss(top + height), across) * ratio,
    );
    if (placed.turned) ctx.rotate(-Math.PI / 2);
    write(ctx, says, 0, 0);
    ctx.restore();
  });
}

/** With a rim of the background's colour: a curve may pass behind it. */
function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.strokeStyle = css('--card');
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
