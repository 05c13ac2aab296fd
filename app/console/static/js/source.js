/** A document in a drawer, open at the passage that a footnote or a hit quotes. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, getText, id, tenantUrl } from "./api.js";
import { place, unitSpan } from "./format.js";
import { icon } from "./icons.js";
import { redraw } from "./redraw.js";

const WINDOW = 30_000; // characters of a long document before and after the passage
let shown = null;

/** Opens the version of a document that `passage` is from; `passage.text` is given where no document holds it. */
export async function openSource(tenant, passage) {
  const source = { tenant, passage, text: passage.text ?? null, headings: new Set(), whole: false, problem: null };
  shown = source;
  redraw();
  requestAnimationFrame(openDialog);
  try {
    if (source.text === null) await load(source);
  } catch (problem) {
    source.problem = problem;
  }
  redraw();
  requestAnimationFrame(() => document.querySelector(".source mark")?.scrollIntoView({ block: "center" }));
}

async function load(source) {
  const { tenant, passage } = source;
  const document = `documents/${id(passage.document_id)}`;
  const version = { version: passage.version };
  const [text, { chunks }] = await Promise.all([
    getText(tenantUrl(tenant, `${document}/content`, version)),
    getJson(tenantUrl(tenant, `${document}/chunks`, version)),
  ]);
  source.text = text;
  source.headings = new Set(chunks.flatMap((chunk) => chunk.headings));
}

function openDialog() {
  const dialog = document.querySelector("dialog.source");
  if (dialog && !dialog.open) dialog.showModal();
}

function closeDialog() {
  document.querySelector("dialog.source").close();
}

function forget() {
  shown = null;
  redraw();
}

export function sourceDialog() {
  return html`<dialog class="source" aria-labelledby="source-title" @close=${forget} @click=${closeOnBackdrop}>
    ${shown ? drawer(shown) : nothing}
  </dialog>`;
}

function closeOnBackdrop(event) {
  if (event.target === event.currentTarget) closeDialog();
}

function drawer(source) {
  const { passage } = source;
  return html`<div class="drawer">
    <header>
      <div>
        <h2 id="source-title">${passage.title || passage.document_id}</h2>
        <p class="fine">${facts(passage)}</p>
      </div>
      <button class="quiet" aria-label="Close" @click=${closeDialog}>${icon("close")}</button>
    </header>
    <div class="drawer-body" tabindex="0" role="region" aria-label="Text of the document">${body(source)}</div>
  </div>`;
}

function facts(passage) {
  const version = passage.version ? `version ${passage.version}` : "";
  const line = passage.line ? `line ${passage.line}` : "";
  return [passage.source, version, place(passage), line].filter(Boolean).join(" · ");
}

function body(source) {
  if (source.problem) return html`<p class="error" role="alert">${source.problem.message}</p>`;
  if (source.text === null) return html`<p class="stage">Opening…</p>`;
  const span = source.passage.span ? unitSpan(source.text, source.passage.span) : { start: 0, end: 0 };
  const from = source.whole ? 0 : lineStart(source.text, span.start - WINDOW);
  const to = source.whole ? source.text.length : Math.min(source.text.length, span.end + WINDOW);
  return html`
    ${from > 0 ? wholeButton(source, "Show from the beginning") : nothing}
    <div class="document-text">${lines(source, span, from, to)}</div>
    ${to < source.text.length ? wholeButton(source, "Show to the end") : nothing}
  `;
}

function wholeButton(source, label) {
  return html`<button
    @click=${() => {
      source.whole = true;
      redraw();
    }}
  >
    ${label}
  </button>`;
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
