/** What questions and searches are narrowed to: a place in the hierarchy, values of fields, a point in time. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { getJson, tenantUrl } from "./api.js";
import { icon } from "./icons.js";
import { redraw } from "./redraw.js";

const MOST_VALUES = 8;
const states = new Map();

export function narrowingState(tenant) {
  if (!states.has(tenant)) {
    states.set(tenant, { filters: {}, scope: {}, asOf: null, open: false, facets: null, problem: null, all: new Set() });
    loadFacets(tenant);
  }
  return states.get(tenant);
}

export async function loadFacets(tenant) {
  const state = narrowingState(tenant);
  try {
    state.facets = await getJson(tenantUrl(tenant, "facets"));
    state.problem = null;
  } catch (problem) {
    state.problem = problem;
  }
  redraw();
}

/** The part of a request's body that narrows it. */
export function narrowing(tenant) {
  const { filters, scope, asOf } = narrowingState(tenant);
  return {
    ...(Object.keys(filters).length ? { filters } : {}),
    ...(Object.keys(scope).length ? { scope } : {}),
    ...(asOf === null ? {} : { as_of: asOf }),
  };
}

/** Closes the panel, which would cover the answer; what is set stays, and shows beside the question. */
export function closeNarrowing(tenant) {
  narrowingState(tenant).open = false;
}

export function clearNarrowing(tenant) {
  Object.assign(narrowingState(tenant), { filters: {}, scope: {}, asOf: null });
  redraw();
}

export function readAsOf(tenant, snapshot) {
  narrowingState(tenant).asOf = snapshot;
  redraw();
}

export function narrowPanel(tenant) {
  const state = narrowingState(tenant);
  return html`<div class="narrow">
    <div class="narrow-bar">
      <button
        type="button"
        class="quiet"
        aria-expanded=${state.open ? "true" : "false"}
        aria-controls="narrow-fields"
        @click=${() => toggle(state)}
      >
        ${icon("filter")}Narrow
      </button>
      ${chips(tenant, state)}
    </div>
    <div id="narrow-fields" class="narrow-fields" ?hidden=${!state.open}>${state.open ? fields(tenant, state) : nothing}</div>
  </div>`;
}

function toggle(state) {
  state.open = !state.open;
  redraw();
}

function chips(tenant, state) {
  const set = [
    ...Object.entries(state.scope).map(([name, value]) => [`${name}: ${value}`, () => (state.scope = {})]),
    ...Object.entries(state.filters).map(([name, values]) => [`${name}: ${values.join(", ")}`, () => delete state.filters[name]]),
    ...(state.asOf === null ? [] : [[`as of ${state.asOf}`, () => (state.asOf = null)]]),
  ];
  return set.map(
    ([label, drop]) => html`<button type="button" class="chip set" aria-label="Remove ${label}" @click=${() => changed(drop)}>
      ${label}${icon("close")}
    </button>`,
  );
}

function changed(change) {
  change();
  redraw();
}

function fields(tenant, state) {
  if (state.problem) return html`<p class="error">${state.problem.message}</p>`;
  if (!state.facets) return html`<p class="fine">Loading…</p>`;
  return html`
    ${state.facets.hierarchy ? placeChoice(state) : nothing}
    ${Object.entries(state.facets.fields).map(([name, found]) => fieldChoice(state, name, found))}
    <label class="as-of">
      As of snapshot
      <input
        type="number"
        min="0"
        max=${state.facets.snapshot}
        placeholder="now (${state.facets.snapshot})"
        .value=${state.asOf ?? ""}
        @change=${(event) => changed(() => (state.asOf = event.target.value === "" ? null : Number(event.target.value)))}
      />
    </label>
  `;
}

function placeChoice(state) {
  const places = listed(state.facets.hierarchy, {}, 0);
  const chosen = JSON.stringify(state.scope);
  return html`<label>
    Place in the hierarchy
    <select @change=${(event) => changed(() => (state.scope = JSON.parse(event.target.value)))}>
      ${places.map(({ scope, depth, label }) => {
        const value = JSON.stringify(scope);
        return html`<option value=${value} .selected=${value === chosen}>${"\u00a0\u00a0".repeat(depth)}${label}</option>`;
      })}
    </select>
  </label>`;
}

function listed(node, above, depth) {
  const scope = node.field ? { ...above, [node.field]: node.value } : above;
  const label = node.field ? `${node.value} (${node.documents})` : "Anywhere";
  return [{ scope, depth, label }, ...node.below.flatMap((below) => listed(below, scope, depth + 1))];
}

function fieldChoice(state, name, { values, more }) {
  if (!values.length) return nothing;
  const shown = state.all.has(name) ? values : values.slice(0, MOST_VALUES);
  const left = values.length - shown.length;
  return html`<fieldset>
    <legend>${name}</legend>
    ${shown.map(
      ({ value, documents }) => html`<label class="check">
        <input
          type="checkbox"
          .checked=${state.filters[name]?.includes(value) ?? false}
          @change=${(event) => changed(() => choose(state, name, value, event.target.checked))}
        />
        <span>${value}</span> <span class="fine">${documents}</span>
      </label>`,
    )}
    ${left > 0
      ? html`<button type="button" class="link" @click=${() => changed(() => state.all.add(name))}>${left} more</button>`
      : more > 0
        ? html`<span class="fine">and ${more} more</span>`
        : nothing}
  </fieldset>`;
}

function choose(state, name, value, wanted) {
  const values = (state.filters[name] ?? []).filter((one) => one !== value);
  if (wanted) values.push(value);
  if (values.length) state.filters[name] = values;
  else delete state.filters[name];
}
