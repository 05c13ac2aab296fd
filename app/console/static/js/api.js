/** Calls of the native API. Every failure is a `Problem` whose message can be shown. */

const ROOT = new URL("../", document.baseURI);
const KEY = "footnote-key";

export class Problem extends Error {
  constructor(status, body) {
    super(status === 401 ? keyMessage() : body ? messageOf(body) : messageWithoutBody(status));
    this.status = status;
  }

  /** What was sent cannot be used as it is: too long, too large, or of values that the tenant does not know. */
  get isRefusal() {
    return [400, 413, 422].includes(this.status);
  }

  /** The same request may succeed a little later: no connection, a broken one, too many requests, a restart. */
  get isPassing() {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}

/** The API's own words are for programs, which send keys as headers. */
function keyMessage() {
  return storedKey()
    ? "The server does not accept this key. Check it, or ask for another one."
    : "The server asks for a key. Enter yours with the key button above.";
}

/** A proxy in front of the server answers in its own way, which is nothing to show. */
function messageWithoutBody(status) {
  if (!status) return "The server cannot be reached.";
  if (status < 300) return "The connection to the server broke off.";
  return status < 500 ? `The server refused this, with status ${status}.` : `The server cannot be reached (status ${status}).`;
}

/** Where the server keeps the reason to itself, its log tells it under the request's id. */
function messageOf({ status, title, detail, request_id: requestId }) {
  return status >= 500 ? `${title}: ${detail} (${requestId}).` : detail || title || "The server refused this.";
}

export function storedKey() {
  return sessionStorage.getItem(KEY) ?? "";
}

export function storeKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

export function serverUrl(path) {
  return new URL(path, ROOT);
}

/** The address of `path` below a tenant; segments that hold anything are encoded by `id`. */
export function tenantUrl(tenant, path, query = {}) {
  const url = serverUrl(`tenants/${id(tenant)}/${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, value);
  }
  return url;
}

export function id(value) {
  return encodeURIComponent(value);
}

export async function getJson(url) {
  return body(await send(url), "json");
}

export async function getText(url) {
  return body(await send(url), "text");
}

/** A picture, and the response's headers. */
export async function getPicture(url) {
  const response = await send(url);
  return { picture: await body(response, "blob"), headers: response.headers };
}

export async function postJson(url, content) {
  return body(await send(url, jsonRequest(content)), "json");
}

export async function remove(url) {
  return body(await send(url, { method: "DELETE" }), "json");
}

/** Calls `receive(event, data)` for each server-sent event of the answer. */
export async function postForEvents(url, content, receive, signal) {
  const response = await send(url, { ...jsonRequest(content), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await received(response, reader.read());
    if (done) return;
    buffer += value;
    const frames = buffer.split(/\r?\n\r?\n/);
    buffer = frames.pop();
    for (const frame of frames) receiveFrame(frame, receive);
  }
}

function receiveFrame(frame, receive) {
  let event = "message";
  const data = [];
  for (const line of frame.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  if (data.length) receive(event, JSON.parse(data.join("\n")));
}

/** Sends a file; `progress` gets the share sent, 0 to 1. Fetch cannot tell how far an upload is. */
export function upload(url, form, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () => reject(new Problem(0, null));
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status < 300) resolve(body);
      else reject(new Problem(request.status, body));
    };
    request.send(form);
  });
}

async function send(url, options = {}) {
  let response;
  try {
    response = await fetch(url, { ...options, headers: { ...options.headers, ...authorization() } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, null);
  }
  if (!response.ok) throw new Problem(response.status, parsed(await body(response, "text")));
  return response;
}

function body(response, kind) {
  return received(response, response[kind]());
}

/** What is read of a response; a server that goes away before its end is no error of the browser's. */
async function received(response, part) {
  try {
    return await part;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(response.status, null);
  }
}

function jsonRequest(content) {
  return { method: "POST", body: JSON.stringify(content), headers: { "Content-Type": "application/json" } };
}

/** A header holds bytes: what was typed in another script goes as UTF-8, and is then a wrong key like others. */
function authorization() {
  const key = String.fromCharCode(...new TextEncoder().encode(storedKey()));
  return key ? { Authorization: `Bearer ${key}` } : {};
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
