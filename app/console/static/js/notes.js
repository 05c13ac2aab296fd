/** The card with a footnote's quote, beside the number that has the focus or the pointer. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { place } from "./format.js";
import { redraw } from "./redraw.js";

const LINGER_MS = 150;
const GAP = 8;
let shown = null;
let leaving = 0;

/** The card is for the eyes: screen readers get the quote as the number's description. */
export function noteCard() {
  if (!shown) return nothing;
  const { citation } = shown;
  return html`<div class="note-card" aria-hidden="true" @mouseenter=${keep} @mouseleave=${hideNote}>
    <p class="quote">${citation.quote}</p>
    <p class="fine"><b>${citation.title}</b> ${place(citation)}</p>
  </div>`;
}

export function showNote(anchor, citation) {
  keep();
  shown = { anchor, citation };
  redraw();
  requestAnimationFrame(position);
}

export function hideNote() {
  keep();
  leaving = setTimeout(close, LINGER_MS);
}

function keep() {
  clearTimeout(leaving);
}

function close() {
  shown = null;
  redraw();
}

function position() {
  const card = document.querySelector(".note-card");
  if (!card || !shown) return;
  const anchor = shown.anchor.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const above = anchor.top - height - GAP;
  const left = anchor.left + anchor.width / 2 - width / 2;
  card.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  card.style.top = `${above > GAP ? above : anchor.bottom + GAP}px`;
}

addEventListener("keydown", (event) => event.key === "Escape" && shown && close());
addEventListener("scroll", () => shown && position(), { passive: true, capture: true });
