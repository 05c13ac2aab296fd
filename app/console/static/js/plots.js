/** Small plots as SVG, each with its figures as text beside it. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

const WIDTH = 320;
const HEIGHT = 96;

/** Bars of a histogram; those at both ends that count nothing are left out, unless `end` says where the scale ends. */
export function histogramPlot({ bars, count: total }, format, label, end = null) {
  if (!total) return html`<p class="fine">None yet.</p>`;
  const first = bars.findIndex((bar) => bar.count);
  const last = bars.findLastIndex((bar) => bar.count);
  const shown = end === null ? bars.slice(Math.max(first - 1, 0), last + 2) : bars;
  const most = Math.max(...shown.map((bar) => bar.count));
  const width = WIDTH / shown.length;
  const range = ({ lower, upper }) => `${format(lower)} to ${Number.isFinite(upper) ? format(upper) : end === null ? "more" : format(end)}`;
  const column = (bar, index) => {
    const height = (bar.count / most) * (HEIGHT - 4);
    return svg`<rect x=${index * width + 1} y=${HEIGHT - height} width=${width - 2} height=${height} rx="2"><title
      >${range(bar)}: ${bar.count}</title></rect>`;
  };
  const described = shown.filter((bar) => bar.count).map((bar) => `${range(bar)}: ${bar.count}`);
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}. ${described.join(", ")}">
      <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} />
      ${shown.map(column)}
    </svg>
    <div class="axis fine" aria-hidden="true"><span>${format(shown[0].lower)}</span><span>${range(shown.at(-1)).split(" to ")[1]}</span></div>`;
}

/** A line of the latest values. */
export function linePlot(values, label) {
  if (values.length < 2) return nothing;
  const most = Math.max(...values, 1e-9);
  const point = (value, index) => `${(index / (values.length - 1)) * WIDTH},${HEIGHT - 4 - (value / most) * (HEIGHT - 8)}`;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} />
    <polyline points=${values.map(point).join(" ")} />
  </svg>`;
}

/** Named amounts as one bar each. */
export function amounts(parts) {
  const named = Object.entries(parts).filter(([, value]) => value > 0);
  if (!named.length) return html`<p class="fine">None yet.</p>`;
  const most = Math.max(...named.map(([, value]) => value));
  return html`<ul class="amounts">
    ${named.map(
      ([name, value]) => html`<li>
        <span>${name}</span><span class="number">${value.toLocaleString("en")}</span>
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width="100" height="4" /><rect width=${(100 * value) / most} height="4" />
        </svg>
      </li>`,
    )}
  </ul>`;
}

export function tile(value, label, note = "") {
  return html`<div class="tile"><b>${value}</b><span>${label}</span>${note ? html`<span class="fine">${note}</span>` : nothing}</div>`;
}

