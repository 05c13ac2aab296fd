/** Pictures of documents that a footnote or a passage stands for; they are fetched with the key, and kept for a while. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getPicture, tenantUrl } from "./api.js";
import { redraw } from "./redraw.js";

const MOST = 40;
const addresses = new Map(); // by address on the server: that of the blob, null while it loads, "" where it cannot be had

/** The picture of a citation, or the first one of a hit. */
export function pictureOf(passage) {
  return passage.picture ?? passage.pictures?.[0] ?? null;
}

function addressOf(tenant, picture) {
  const url = tenantUrl(tenant, picture.path).href;
  if (!addresses.has(url)) load(url);
  return addresses.get(url);
}

async function load(url) {
  addresses.set(url, null);
  if (addresses.size > MOST) drop(addresses.keys().next().value);
  try {
    const { picture } = await getPicture(url);
    if (addresses.has(url)) addresses.set(url, URL.createObjectURL(picture));
  } catch {
    addresses.set(url, "");
  }
  redraw();
}

function drop(url) {
  const address = addresses.get(url);
  if (address) URL.revokeObjectURL(address);
  addresses.delete(url);
}

/** A small picture beside a quote. */
export function thumbnail(tenant, passage) {
  const picture = pictureOf(passage);
  const address = picture && addressOf(tenant, picture);
  return address ? html`<img class="thumbnail" src=${address} alt="Picture ${picture.number}" />` : nothing;
}

/** Says that the words about a picture are a model's; for a quote of it. */
export function writtenBy(passage) {
  const picture = pictureOf(passage);
  return picture?.described_by
    ? html`<p class="fine">The description of the picture was written by ${picture.described_by}.</p>`
    : nothing;
}

export function pictureView({ tenant, passage }) {
  const picture = pictureOf(passage);
  const address = addressOf(tenant, picture);
  if (address === "") return html`<p class="fine">The picture cannot be shown; see <i>Text</i>.</p>`;
  return html`${address
      ? html`<img class="page picture" src=${address} alt="Picture ${picture.number}. What is known of it is under Text." />`
      : html`<p class="stage">Opening the picture…</p>`}
    ${passage.quote ? html`<blockquote>${passage.quote}</blockquote>` : nothing} ${writtenBy(passage)}`;
}
