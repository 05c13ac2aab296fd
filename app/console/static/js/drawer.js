/** A document in a drawer: its text, open at the passage that is quoted; its versions; what is known of it. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { aboutView } from "./about.js";
import { getJson, getText, id, tenantUrl } from "./api.js";
import { place } from "./format.js";
import { icon } from "./icons.js";
import { dropPage, pageView, showPage } from "./pages.js";
import { passageView } from "./passage.js";
import { pictureOf, pictureView } from "./pictures.js";
import { redraw } from "./redraw.js";
import { versionsView } from "./versions.js";

const SECTIONS = { picture: "Picture", page: "Page", text: "Text", versions: "Versions", about: "About" };
const PDF = /\.pdf$/i;
let shown = null;

/** Opens the version of a document that `passage` is from; `passage.text` is given where no document holds it. */
export function openSource(tenant, passage) {
  const isStored = passage.text === undefined;
  const page = isStored ? pageOf(passage) : null;
  shown = {
    tenant,
    passage,
    section: pictureOf(passage) ? "picture" : page ? "page" : "text",
    page: null,
    text: passage.text ?? null,
    headings: new Set(),
    whole: false,
    problem: null,
    isStored,
  };
  redraw();
  requestAnimationFrame(openDialog);
  if (page) showPage(shown, page);
  if (isStored) loadText(shown);
  else toMark();
}

/** The page that a PDF opens at, the first where no passage is quoted; null where only its text can be shown. */
function pageOf({ source, page, span }) {
  if (!PDF.test(source)) return null;
  return page ?? (span ? null : 1);
}

export function openVersion(source, version) {
  dropPage(source);
  const nowhere = { span: null, page: null, line: null, picture: null, pictures: [] };
  source.passage = { ...source.passage, version, ...nowhere };
  const page = pageOf(source.passage);
  Object.assign(source, { section: page ? "page" : "text", text: null, whole: false, problem: null });
  redraw();
  if (page) showPage(source, page);
  loadText(source);
}

export function closeDrawer() {
  document.querySelector("dialog.source")?.close();
}

async function loadText(source) {
  const { tenant, passage } = source;
  const document = `documents/${id(passage.document_id)}`;
  const version = { version: passage.version };
  try {
    const [text, { chunks }] = await Promise.all([
      getText(tenantUrl(tenant, `${document}/content`, version)),
      getJson(tenantUrl(tenant, `${document}/chunks`, version)),
    ]);
    source.headings = new Set(chunks.flatMap((chunk) => chunk.headings));
    source.text = text;
  } catch (problem) {
    source.problem = problem;
  }
  redraw();
  toMark();
}

function toMark() {
  requestAnimationFrame(() => document.querySelector(".source mark")?.scrollIntoView({ block: "center" }));
}

function openDialog() {
  const dialog = document.querySelector("dialog.source");
  if (dialog && !dialog.open) dialog.showModal();
}

function forget() {
  if (shown) dropPage(shown);
  shown = null;
  redraw();
}

export function sourceDialog() {
  return html`<dialog class="source" aria-labelledby="source-title" @close=${forget} @click=${closeOnBackdrop}>
    ${shown ? drawer(shown) : nothing}
  </dialog>`;
}

function closeOnBackdrop(event) {
  if (event.target === event.currentTarget) closeDrawer();
}

function drawer(source) {
  const { passage } = source;
  return html`<div class="drawer">
    <header>
      <div>
        <h2 id="source-title">${passage.title || passage.document_id}</h2>
        <p class="fine">${facts(passage)}</p>
      </div>
      <button class="quiet" aria-label="Close" @click=${closeDrawer}>${icon("close")}</button>
    </header>
    ${source.isStored ? sections(source) : nothing}
    <div class="drawer-body" tabindex="0" role="region" aria-label=${SECTIONS[source.section]}>${body(source)}</div>
  </div>`;
}

function facts(passage) {
  const version = passage.version ? `version ${passage.version}` : "";
  const line = passage.line ? `line ${passage.line}` : "";
  return [passage.source, version, place(passage), line].filter(Boolean).join(" · ");
}

function sections(source) {
  return html`<nav class="sections" aria-label="Parts of the document">
    ${Object.entries(SECTIONS)
      .filter(([name]) => name !== "page" || source.page)
      .filter(([name]) => name !== "picture" || pictureOf(source.passage))
      .map(
      ([name, title]) => html`<button
        class="quiet"
        aria-pressed=${source.section === name ? "true" : "false"}
        @click=${() => openSection(source, name)}
      >
        ${title}
      </button>`,
    )}
  </nav>`;
}

function openSection(source, name) {
  source.section = name;
  redraw();
  if (name === "text") toMark();
}

function body(source) {
  if (source.section === "picture") return pictureView(source);
  if (source.section === "page") return pageView(source);
  if (source.section === "versions") return versionsView(source, openVersion);
  if (source.section === "about") return aboutView(source);
  if (source.problem) return html`<p class="error" role="alert">${source.problem.message}</p>`;
  return source.text === null ? html`<p class="stage">Opening…</p>` : passageView(source);
}
