/** The tab Documents: what the tenant holds, and what is brought in. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { getJson, tenantUrl } from "./api.js";
import { openSource } from "./drawer.js";
import { bytes, count, when } from "./format.js";
import { loadFacets } from "./narrow.js";
import { redraw } from "./redraw.js";
import { may } from "./session.js";
import { uploadsView } from "./uploads.js";

const PAGE = 50;
const STATES = { "": "All", ready: "Ready", stale: "Stale", failed: "Failed" };
const lists = new Map();

function listOf(tenant) {
  if (!lists.has(tenant)) {
    lists.set(tenant, { documents: [], total: 0, cursor: null, state: "", loading: false, loaded: false, problem: null });
    refreshDocuments(tenant);
  }
  return lists.get(tenant);
}

/** Reads the list from its beginning, and the facets that it fills. */
export async function refreshDocuments(tenant) {
  const list = listOf(tenant);
  await load(tenant, list, null);
  loadFacets(tenant);
}

/** Reads again a list that was shown before: somebody else may have added documents since. */
export function reopenDocuments(tenant) {
  if (lists.has(tenant)) refreshDocuments(tenant);
}

async function load(tenant, list, cursor) {
  list.loading = true;
  redraw();
  try {
    const page = await getJson(tenantUrl(tenant, "documents", { limit: PAGE, cursor, state: list.state }));
    list.documents = cursor ? [...list.documents, ...page.documents] : page.documents;
    Object.assign(list, { total: page.total, cursor: page.next_cursor, problem: null, loaded: true });
  } catch (problem) {
    list.problem = problem;
  }
  list.loading = false;
  redraw();
}

export function documentsView({ tenant }) {
  const list = listOf(tenant);
  return html`<div class="wide">
    <div class="title-row">
      <h1>Documents</h1>
      <label class="inline"
        >Show
        <select @change=${(event) => filter(tenant, list, event.target.value)}>
          ${Object.entries(STATES).map(
            ([value, title]) => html`<option value=${value} .selected=${value === list.state}>${title}</option>`,
          )}
        </select>
      </label>
    </div>
    ${may("writer") ? uploadsView(tenant, refreshDocuments) : nothing} ${table(tenant, list)}
  </div>`;
}

function filter(tenant, list, state) {
  list.state = state;
  load(tenant, list, null);
}

function table(tenant, list) {
  if (list.problem) {
    return html`<p class="error" role="alert">${list.problem.message}</p>
      <button @click=${() => load(tenant, list, null)}>Try again</button>`;
  }
  if (!list.loaded) return html`<p class="stage">Loading…</p>`;
  if (!list.documents.length) return html`<p class="notice">${list.state ? "None in this state." : "No documents yet."}</p>`;
  return html`<table class="list">
      <caption class="fine">
        ${count(list.total, "document")}
      </caption>
      <thead>
        <tr>
          <th scope="col">Document</th>
          <th scope="col">State</th>
          <th scope="col" class="number">Version</th>
          <th scope="col" class="number">Chunks</th>
          <th scope="col" class="number">Size</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(list.documents, (one) => one.document_id, (one) => row(tenant, one))}
      </tbody>
    </table>
    ${list.cursor
      ? html`<button ?disabled=${list.loading} @click=${() => load(tenant, list, list.cursor)}>Show more</button>`
      : nothing}`;
}

function row(tenant, one) {
  return html`<tr>
    <td>
      <button class="link" @click=${() => openSource(tenant, passageOf(one))}>${one.title || one.document_id}</button>
      <div class="fine">${one.source}</div>
      ${one.reason ? html`<div class="error reason">${one.reason}</div>` : nothing}
    </td>
    <td data-label="State"><span class="badge" data-state=${one.state}>${one.state}</span></td>
    <td data-label="Version" class="number">${one.version || "none"}</td>
    <td data-label="Chunks" class="number">${one.chunks}</td>
    <td data-label="Size" class="number">${bytes(one.bytes)}</td>
    <td data-label="Changed" class="fine">${when(one.updated_at)}</td>
  </tr>`;
}

function passageOf({ document_id, title, source, version }) {
  return { document_id, title, source, version: version || null };
}
