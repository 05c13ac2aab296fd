/** Which tenants the key may read, which of them is shown, and where in the console. */

import { getJson, serverUrl, storeKey, storedKey } from "./api.js";
import { redraw } from "./redraw.js";

export const session = {
  tenants: [],
  tenant: null,
  tab: "ask",
  loading: true,
  keyAsked: false,
  problem: null,
};

const TABS = ["ask", "lab", "documents", "health"];
const ROLES = ["reader", "writer", "admin"];

export async function loadTenants() {
  session.loading = true;
  session.problem = null;
  try {
    session.tenants = (await getJson(serverUrl("tenants"))).tenants;
  } catch (problem) {
    session.tenants = [];
    session.problem = problem.status === 401 && !storedKey() ? null : problem;
    session.keyAsked = problem.status === 401;
  }
  session.loading = false;
  readAddress();
}

/** Begins again: what the key before this one could see and do must not stay on the page. */
export function useKey(key) {
  storeKey(key);
  location.reload();
}

/** Leaves the form for a key without a change; where a key is needed there is nothing else to show. */
export function keepKey() {
  if (session.tenants.length) session.keyAsked = false;
  readAddress();
}

export function may(role) {
  return ROLES.indexOf(session.tenant?.role ?? "reader") >= ROLES.indexOf(role);
}

/** The address is `#/TENANT/TAB`. */
export function readAddress() {
  const [name, tab] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  session.tenant = session.tenants.find((one) => one.tenant === name) ?? session.tenants[0] ?? null;
  session.tab = TABS.includes(tab) ? tab : "ask";
  document.title = session.tenant ? `${session.tenant.title || session.tenant.tenant} · Footnote` : "Footnote";
  redraw();
}

export function go(tenant, tab) {
  location.hash = `#/${encodeURIComponent(tenant)}/${tab}`;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
