// SPDX-License-Identifier: Apache-2.0
// marks: lines across a live figure, each with a word beside it.
import type uPlot from 'uplot';
import type { Figure } from './figure';
import { css } from './theme';

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
  for (const mark of figure.marks) {
    if (mark.x !== undefined) {
      const at = u.valToPos(mark.x, 'x', true);
      if (at >= left && at <= left + width) {
        line(ctx, at, top, at, top + height);
        const fits = at + 6 * ratio + ctx.measureText(mark.says).width < left + width;
        ctx.textAlign = fits ? 'left' : 'right';
        write(ctx, mark.says, at + (fits ? 5 : -5) * ratio, top + 13 * ratio);
      }
    }
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
