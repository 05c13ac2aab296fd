/** The text of a document, with the passage marked that a footnote or a hit quotes. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { unitSpan } from "./format.js";
import { redraw } from "./redraw.js";

const WINDOW = 30_000; // characters of a long document before and after the passage

/** `source` has the text, the headings in it, the passage, and whether to show the whole of it. */
export function passageView(source) {
  const { text, passage, whole } = source;
  const span = passage.span ? unitSpan(text, passage.span) : { start: 0, end: 0 };
  const from = whole ? 0 : lineStart(text, span.start - WINDOW);
  const to = whole ? text.length : Math.min(text.length, span.end + WINDOW);
  return html`
    ${from > 0 ? wholeButton(source, "Show from the beginning") : nothing}
    <div class="document-text">${lines(source, span, from, to)}</div>
    ${to < text.length ? wholeButton(source, "Show to the end") : nothing}
  `;
}

function wholeButton(source, label) {
  const show = () => {
    source.whole = true;
    redraw();
  };
  return html`<button @click=${show}>${label}</button>`;
}

function lineStart(text, position) {
  return position <= 0 ? 0 : text.lastIndexOf("\n", position) + 1;
}

/** The lines between two positions, with the part of each that lies in `span` marked. */
function lines({ text, headings }, span, from, to) {
  const found = [];
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 || newline > to ? to : newline;
    found.push(lineView(text, start, end, span, headings));
    start = end + 1;
  }
  return found;
}

function lineView(text, start, end, span, headings) {
  const line = text.slice(start, end);
  const kind = headings.has(line.trim()) ? "line heading" : "line";
  const first = Math.max(span.start, start);
  const last = Math.min(span.end, end);
  if (first >= last) return html`<div class=${kind}>${line}</div>`;
  const parts = [text.slice(start, first), html`<mark>${text.slice(first, last)}</mark>`, text.slice(last, end)];
  return html`<div class=${kind}>${parts}</div>`;
}
