/** What is known of a document, and its deletion with the receipt. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, id, remove, tenantUrl } from "./api.js";
import { refreshDocuments } from "./documents.js";
import { bytes, count, when } from "./format.js";
import { icon } from "./icons.js";
import { redraw } from "./redraw.js";
import { may } from "./session.js";

export function aboutView(source) {
  source.about ??= load(source);
  const { document, problem, receipt } = source.about;
  if (receipt) return receiptView(receipt);
  if (problem) return html`<p class="error" role="alert">${problem.message}</p>`;
  if (!document) return html`<p class="stage">Loading…</p>`;
  return html`
    <dl class="facts">
      ${fact("Id", document.document_id)} ${fact("Source", document.source)} ${fact("Format", document.media_type)}
      ${fact("State", document.reason ? `${document.state}: ${document.reason}` : document.state)}
      ${fact("Size", `${bytes(document.bytes)}, ${count(document.chunks, "chunk")}`)}
      ${fact("First brought in", when(document.created_at))} ${fact("Last changed", when(document.updated_at))}
      ${Object.entries(document.metadata).map(([name, value]) => fact(name, plain(value)))}
    </dl>
    ${may("writer") ? deletion(source) : nothing}
  `;
}

function load(source) {
  const about = { document: null, problem: null, asked: false, receipt: null };
  getJson(tenantUrl(source.tenant, `documents/${id(source.passage.document_id)}`))
    .then((document) => (about.document = document))
    .catch((problem) => (about.problem = problem))
    .finally(redraw);
  return about;
}

function fact(name, value) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function plain(value) {
  if (Array.isArray(value)) return value.join(", ");
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
}

function deletion(source) {
  const ask = (asked) => () => {
    source.about.asked = asked;
    redraw();
    requestAnimationFrame(() => document.querySelector(asked ? ".deletion [type=button]" : ".danger")?.focus());
  };
  if (!source.about.asked) {
    return html`<button class="danger" @click=${ask(true)}>${icon("remove")}Delete…</button>`;
  }
  return html`<form class="panel deletion" @submit=${(event) => deleteIt(event, source)}>
    <p><b>Delete this document?</b> Answers will no longer use it. Earlier snapshots still show it until they are purged.</p>
    ${may("admin")
      ? html`<label class="check"><input type="checkbox" name="purge" /> Erase its history too, for good</label>`
      : nothing}
    <div class="row">
      <button class="danger">Delete</button>
      <button type="button" @click=${ask(false)}>Keep it</button>
    </div>
  </form>`;
}

async function deleteIt(event, source) {
  event.preventDefault();
  const purge = new FormData(event.target).has("purge") ? "true" : null;
  const { tenant, passage, about } = source;
  try {
    about.receipt = await remove(tenantUrl(tenant, `documents/${id(passage.document_id)}`, { purge }));
    source.isStored = false;
  } catch (problem) {
    about.problem = problem;
  }
  redraw();
  refreshDocuments(tenant);
}

function receiptView(receipt) {
  const { purge } = receipt;
  return html`<section class="panel" role="status">
    <h3>Deleted: the receipt</h3>
    <dl class="facts">
      ${fact("Document", receipt.document_id)} ${fact("Snapshot", receipt.snapshot)}
      ${fact("Versions removed", receipt.versions_removed)} ${fact("Chunks removed", receipt.chunks_removed)}
      ${fact("Versions left in history", receipt.versions_left)}
      ${fact("Cache entries removed", receipt.cache_entries_removed)}
      ${purge
        ? html`${fact("Purge", purge.erased_at ? `${purge.state}, ${when(purge.erased_at)}` : purge.state)}
            ${fact("Conversation turns erased", receipt.turns_erased)}
            ${fact("Comments erased", receipt.comments_erased)}`
        : nothing}
    </dl>
  </section>`;
}
