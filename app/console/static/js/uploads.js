/** Files that are brought in: dropped or chosen, sent one after the other, followed until they can be found. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, postJson, tenantUrl, upload } from "./api.js";
import { droppedFiles } from "./dropped.js";
import { bytes, count, percent } from "./format.js";
import { icon } from "./icons.js";
import { narrowingState } from "./narrow.js";
import { redraw } from "./redraw.js";
import { session } from "./session.js";

const POLL_MS = 700;
const MOST_PAUSE_MS = 10_000;
const MOST_LOST = 9; // failed looks at a job in a row, about a minute: a server that restarts is back by then
const ENDED = new Set(["done", "failed", "cancelled"]);
const states = new Map();

function stateOf(tenant) {
  if (!states.has(tenant)) states.set(tenant, { files: [], over: false, sending: null, metadata: [] });
  return states.get(tenant);
}

export function uploadsView(tenant, refresh) {
  const state = stateOf(tenant);
  const drag = (over) => (event) => {
    event.preventDefault();
    if (state.over !== over) redraw();
    state.over = over;
  };
  const drop = async (event) => {
    event.preventDefault();
    state.over = false;
    add(tenant, state, await droppedFiles(event.dataTransfer), refresh);
  };
  return html`<section
      class="drop ${state.over ? "over" : ""}"
      aria-label="Bring documents in"
      @dragover=${drag(true)}
      @dragleave=${drag(false)}
      @drop=${drop}
    >
      <div class="row">
        ${icon("upload")}
        <span>Drop files or folders here, or</span>
        <label class="file-button"
          >choose files<input
            class="hidden"
            type="file"
            multiple
            @change=${(event) => chosen(event, tenant, state, refresh)}
        /></label>
        <span class="spacer"></span>
        ${Object.keys(session.tenant.scope).length
          ? nothing
          : html`<button class="quiet" @click=${() => sync(tenant, state, refresh)}>Sync with the folder</button>`}
      </div>
      ${metadataRows(tenant, state)}
    </section>
    ${progress(state)}`;
}

function metadataRows(tenant, state) {
  const known = Object.keys(narrowingState(tenant).facets?.fields ?? {});
  const change = (edit) => () => {
    edit();
    redraw();
  };
  return html`<details class="more">
    <summary>Metadata for these files</summary>
    <datalist id="known-fields">${known.map((name) => html`<option value=${name}></option>`)}</datalist>
    ${state.metadata.map(
      (pair) => html`<div class="row pair">
        <input
          aria-label="Field"
          list="known-fields"
          placeholder="field"
          .value=${pair.name}
          @input=${(event) => (pair.name = event.target.value)}
        />
        <input
          aria-label="Value"
          placeholder="value"
          .value=${pair.value}
          @input=${(event) => (pair.value = event.target.value)}
        />
        <button
          class="quiet"
          aria-label="Remove this field"
          @click=${change(() => state.metadata.splice(state.metadata.indexOf(pair), 1))}
        >
          ${icon("close")}
        </button>
      </div>`,
    )}
    <button class="quiet" @click=${change(() => state.metadata.push({ name: "", value: "" }))}>
      ${icon("plus")}Add a field
    </button>
    <p class="fine">Numbers, true, false and lists such as ["a", "b"] are sent as such, all else as text.</p>
  </details>`;
}

function metadataOf({ metadata }) {
  const pairs = metadata.filter(({ name }) => name.trim()).map(({ name, value }) => [name.trim(), valueOf(value.trim())]);
  return Object.fromEntries(pairs);
}

function valueOf(text) {
  if (!/^(-?\d+(\.\d+)?|true|false|\[.*\])$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function progress({ files }) {
  if (!files.length) return nothing;
  return html`<ul class="uploads" aria-label="Brought in" aria-live="polite">
    ${files.map(
      (file) => html`<li data-state=${file.state}>
        <span class="name">${file.name}</span>
        <span class="fine">${progressText(file)}</span>
        ${file.share === null ? nothing : html`<progress max="1" .value=${file.share} aria-label=${file.name}></progress>`}
      </li>`,
    )}
  </ul>`;
}

function progressText({ state, share, reason, chunks, size, total, done, isLost }) {
  if (isLost) return "connection lost, trying again";
  if (state === "waiting") return `waiting, ${bytes(size)}`;
  if (state === "sending") return `sending, ${percent(share)}`;
  if (state === "queued") return "waiting for its turn";
  if (state === "running") return total ? `reading, ${done} of ${count(total, "file")}` : "reading";
  if (state === "done") return reason ?? `ready, ${count(chunks, "chunk")}`;
  return reason ?? state;
}

function chosen(event, tenant, state, refresh) {
  const files = [...event.target.files].map((file) => ({ file, path: file.name }));
  add(tenant, state, files, refresh);
  event.target.value = "";
}

function add(tenant, state, files, refresh) {
  const metadata = metadataOf(state);
  for (const { file, path } of files) {
    state.files.unshift(file ? { ...newEntry(path), file, metadata, size: file.size } : unreadable(path));
  }
  redraw();
  state.sending ??= sendAll(tenant, state, refresh).finally(() => (state.sending = null));
}

function newEntry(name) {
  return { name, state: "waiting", share: null, reason: null, chunks: 0, total: null, done: 0, size: 0, isLost: false };
}

function unreadable(name) {
  return { ...newEntry(name), state: "failed", reason: "The browser cannot read it. Is it still there?" };
}

async function sendAll(tenant, state, refresh) {
  for (let next; (next = state.files.findLast((one) => one.state === "waiting")); ) {
    await follow(tenant, next, () => sendFile(tenant, next));
    await refresh(tenant);
  }
}

async function sendFile(tenant, entry) {
  const form = new FormData();
  form.set("file", entry.file, entry.file.name);
  form.set("source", entry.name);
  form.set("metadata", JSON.stringify(entry.metadata));
  form.set("wait", "false");
  Object.assign(entry, { state: "sending", share: 0 });
  const report = (share) => {
    entry.share = share;
    redraw();
  };
  return upload(tenantUrl(tenant, "documents"), form, report);
}

async function sync(tenant, state, refresh) {
  const entry = { ...newEntry("The knowledge folder"), state: "queued" };
  state.files.unshift(entry);
  await follow(tenant, entry, () => postJson(tenantUrl(tenant, "sync"), { wait: false }));
  await refresh(tenant);
}

/** Starts a job with `begin`, and shows how far it is until it ends. */
async function follow(tenant, entry, begin) {
  try {
    const { job_id: jobId } = await begin();
    for (;;) {
      show(entry, await jobState(tenant, entry, jobId));
      redraw();
      if (ENDED.has(entry.state)) return;
      await pause(POLL_MS);
    }
  } catch (problem) {
    Object.assign(entry, { state: "failed", share: null, isLost: false, reason: problem.message });
    redraw();
  }
}

/** Looks at a job until the server answers; the job goes on there whether it is looked at or not. */
async function jobState(tenant, entry, jobId) {
  for (let lost = 1; ; lost += 1) {
    try {
      const job = await getJson(tenantUrl(tenant, `jobs/${jobId}`));
      entry.isLost = false;
      return job;
    } catch (problem) {
      if (!problem.isPassing) throw problem;
      if (lost === MOST_LOST) throw new Error(`${problem.message} The file may still be read: reload this page later.`);
      entry.isLost = true;
      redraw();
      await pause(Math.min(POLL_MS * 2 ** lost, MOST_PAUSE_MS));
    }
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function show(entry, job) {
  const { files_total: total, files_done: done, files_failed: failed } = job.progress;
  Object.assign(entry, { state: job.state, total, done, share: total ? done / total : null, chunks: job.progress.chunks });
  entry.reason = job.reason;
  if (!ENDED.has(job.state)) return;
  entry.share = null;
  const broken = job.files.filter((file) => file.state === "failed");
  if (broken.length) {
    entry.state = "failed";
    entry.reason = broken.map((file) => (total > 1 ? `${file.path}: ${file.reason}` : file.reason)).join("\n");
  } else if (job.state === "done" && job.files.length && job.files.every((file) => file.state === "unchanged")) {
    entry.reason = "unchanged";
  } else if (total > 1 || failed) {
    entry.reason = `${count(done, "file")} done`;
  }
}
