import { EventSourceParserStream } from 'eventsource-parser/stream';
import { FootnoteError } from './errors.js';
import type { Problem } from './types.js';

export interface ClientOptions {
  /** Where the service answers, such as `http://127.0.0.1:8000`. */
  baseUrl: string;
  /** The tenant's name. */
  tenant: string;
  /** A key of the tenant, if it has keys. */
  apiKey?: string;
  /** Milliseconds until a request, or the first event of a stream, is given up; by default a minute. */
  timeout?: number;
  /** How often a request is sent again that the service was too busy to accept; by default twice. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call. A stream that is ended stops the language model, too. */
  signal?: AbortSignal;
}

export type Parameters = Record<string, unknown>;

interface Call extends CallOptions {
  body?: unknown;
  parameters?: Parameters;
}

const MOST_WAIT_S = 30;

/** Sends requests to the native API. */
export class Transport {
  readonly #root: string;

  constructor(
    baseUrl: string,
    private readonly options: Omit<ClientOptions, 'baseUrl' | 'tenant'>,
  ) {
    if (!/^https?:\/\//.test(baseUrl)) {
      throw new TypeError(`baseUrl must begin with http:// or https://, and is ${baseUrl}`);
    }
    this.#root = `${baseUrl.replace(/\/+$/, '')}/tenants/`;
  }

  async json<Result>(method: string, path: string, call: Call = {}): Promise<Result> {
    return JSON.parse(await this.text(method, path, call)) as Result;
  }

  async text(method: string, path: string, call: Call = {}): Promise<string> {
    return this.#timed(call.signal, async (signal) => (await this.#send(method, path, { ...call, signal })).text());
  }

  async blob(method: string, path: string, call: Call = {}): Promise<Blob> {
    return this.#timed(call.signal, async (signal) => (await this.#send(method, path, { ...call, signal })).blob());
  }

  /** Yields the events of a stream, with their data parsed. The event `error` is thrown. */
  async *events(path: string, body: unknown, { signal }: CallOptions = {}): AsyncGenerator<{ event: string; data: unknown }> {
    const ending = new AbortController();
    const both = AbortSignal.any(signal ? [ending.signal, signal] : [ending.signal]);
    const timer = setTimeout(() => ending.abort(timedOut()), this.#timeout);
    try {
      const { body: stream } = await this.#send('POST', path, { body, signal: both });
      if (stream === null) throw new FootnoteError(502, 'stream_empty', 'the stream has no body');
      const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      let last = '';
      for await (const { event = 'message', data } of read(events)) {
        clearTimeout(timer);
        if (event === 'error') throw FootnoteError.from((JSON.parse(data) as Problem).status, data);
        last = event;
        yield { event, data: JSON.parse(data) };
      }
      if (last !== 'done') throw new FootnoteError(502, 'stream_incomplete', 'the stream ended before the answer did; ask again');
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }

  get #timeout(): number {
    return this.options.timeout ?? 60_000;
  }

  async #timed<Result>(given: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const timeout = AbortSignal.timeout(this.#timeout);
    return work(given ? AbortSignal.any([timeout, given]) : timeout);
  }

  async #send(method: string, path: string, { body, parameters = {}, signal }: Call): Promise<Response> {
    const { retries = 2, fetch = globalThis.fetch } = this.options;
    const url = new URL(this.#root + path);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
    for (let sent = 0; ; sent++) {
      const response = await fetch(url, { method, headers: this.#headers(body), body: encoded(body), signal });
      if (response.ok) return response;
      const failure = FootnoteError.from(response.status, await response.text(), response.headers.get('Retry-After'));
      const wait = failure.retryAfter;
      if (wait === undefined || !(wait <= MOST_WAIT_S) || sent >= retries) throw failure; // asked to wait: nothing was done
      await pause(wait * 1000, signal);
    }
  }

  #headers(body: unknown): Record<string, string> {
    const { apiKey } = this.options;
    return {
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    };
  }
}

/** What a stream gives. Not every browser lets a stream be looped over. */
async function* read<Part>(stream: ReadableStream<Part>): AsyncGenerator<Part, void> {
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

function encoded(body: unknown): BodyInit | undefined {
  return body === undefined || body instanceof FormData ? body : JSON.stringify(body);
}

function timedOut(): DOMException {
  return new DOMException('the service did not answer in time', 'TimeoutError');
}

/** Waits; ends early, with the signal's reason, if the call is ended. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
