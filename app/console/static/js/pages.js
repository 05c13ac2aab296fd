/** Pages of a PDF as they look, with the quoted passage marked. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getPicture, id, tenantUrl } from "./api.js";
import { redraw } from "./redraw.js";

/** Loads a page of the drawer's document; where it cannot be shown, the drawer goes on with the text. */
export async function showPage(source, number) {
  const { tenant, passage } = source;
  const before = source.page;
  source.page = { number, address: before?.address ?? null, marked: before?.marked ?? false, loading: true };
  const current = source.page;
  redraw();
  const asked = { version: passage.version, ...passage.span };
  try {
    const url = tenantUrl(tenant, `documents/${id(passage.document_id)}/pages/${number}`, asked);
    const { picture, headers } = await getPicture(url);
    if (source.page !== current) return;
    release(source.page);
    Object.assign(current, {
      address: URL.createObjectURL(picture),
      marked: headers.has("Footnote-Marked-At"),
      loading: false,
    });
    requestAnimationFrame(() => scrollTo(Number(headers.get("Footnote-Marked-At"))));
  } catch {
    if (source.page !== current) return;
    if (before) source.page = { ...before, loading: false, last: before.number };
    else withoutPages(source);
  }
  redraw();
}

/** Brings what is so far down the page, 0 to 1, into view. */
function scrollTo(share) {
  const picture = document.querySelector("img.page");
  picture?.decode().then(() => {
    const box = picture.closest(".drawer-body");
    box.scrollTop = Math.max(picture.offsetTop - box.offsetTop + picture.height * share - box.clientHeight / 3, 0);
  });
}

export function dropPage(source) {
  if (source.page) release(source.page);
  source.page = null;
}

function withoutPages(source) {
  source.page = null;
  if (source.section === "page") source.section = "text";
  requestAnimationFrame(() => document.querySelector(".source mark")?.scrollIntoView({ block: "center" }));
}

function release({ address }) {
  if (address) URL.revokeObjectURL(address);
}

export function pageView(source) {
  const { number, address, marked, loading, last } = source.page;
  const isCited = number === source.passage.page;
  return html`
    <div class="row page-turner">
      <button ?disabled=${loading || number === 1} @click=${() => showPage(source, number - 1)}>Previous</button>
      <span role="status">Page ${number}${marked && !loading ? ", passage marked" : ""}</span>
      <button ?disabled=${loading || number === last} @click=${() => showPage(source, number + 1)}>Next</button>
    </div>
    ${isCited && !loading && !marked
      ? html`<p class="fine">The passage could not be found on the picture; see <i>Text</i>.</p>`
      : nothing}
    ${address
      ? html`<img class="page" src=${address} alt="Page ${number}. Its words are under Text." />`
      : html`<p class="stage">Drawing the page…</p>`}
  `;
}
