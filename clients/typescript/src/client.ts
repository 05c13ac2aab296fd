import type { components } from './schema.js';

type Schemas = components['schemas'];

export type IngestDocumentRequest = Schemas['IngestDocumentRequest'];
export type IngestDocumentResponse = Schemas['IngestDocumentResponse'];
export type ListDocumentsResponse = Schemas['ListDocumentsResponse'];
export type DeleteDocumentResponse = Schemas['DeleteDocumentResponse'];
export type EmbedRequest = Schemas['EmbedRequest'];
export type EmbedResponse = Schemas['EmbedResponse'];
export type VectorSearchRequest = Schemas['VectorSearchRequest'];
export type VectorSearchResponse = Schemas['VectorSearchResponse'];
export type ContextRetrievalRequest = Schemas['ContextRetrievalRequest'];
export type ContextRetrievalResponse = Schemas['ContextRetrievalResponse'];
export type EnhancePromptRequest = Schemas['EnhancePromptRequest'];
export type EnhancePromptResponse = Schemas['EnhancePromptResponse'];
export type RAGConfig = Schemas['RAGConfig'];
export type ConfigUpdate = Schemas['ConfigUpdate'];
export type ConfigChanged = Schemas['ConfigChanged'];
export type RAGStatus = Schemas['RAGStatus'];
export type RAGMetrics = Schemas['RAGMetrics'];
export type StorageInfo = Schemas['StorageInfo'];
export type BatchIngestRequest = Schemas['BatchIngestRequest'];
export type BatchIngestResponse = Schemas['BatchIngestResponse'];
export type OptimizeIndexRequest = Schemas['OptimizeIndexRequest'];
export type OptimizeIndexResponse = Schemas['OptimizeIndexResponse'];
export type Task = Schemas['Task'];
export type ErrorBody = Schemas['ErrorBody'];

/** Defaults of this client's requests; the service's own are set with `updateConfig`. */
export interface ClientConfig {
  embedding?: { model?: string };
  chunking?: { defaultSize?: number; defaultOverlap?: number };
  search?: { defaultLimit?: number; defaultThreshold?: number };
}

export interface ClientOptions {
  /**
   * Where the service answers, such as `http://127.0.0.1:8000`; below the tenant's name where several are served.
   * `file://...` is the service on this machine: at the environment variable `RAG_URL`, or at port 8000.
   */
  baseUrl: string;
  /** A key of the tenant, where it has keys. */
  apiKey?: string;
  config?: ClientConfig;
  /** Milliseconds until a request is given up; by default a minute. */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
}

/** What the service answered instead of a result. */
export class RAGError extends Error {
  override readonly name = 'RAGError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId?: string,
    readonly details?: ErrorBody['details'],
  ) {
    super(message);
  }
}

/** PocketPal's RAG API over HTTP. Every method rejects with a `RAGError` where the service refuses or fails. */
export class RAGClient {
  readonly #root: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const base = options.baseUrl.startsWith('file://') ? localUrl() : options.baseUrl;
    if (!/^https?:\/\//.test(base)) {
      throw new TypeError(`baseUrl must begin with http://, https:// or file://, and is ${base}`);
    }
    this.#root = `${base.replace(/\/+$/, '')}/api/rag`;
    this.#options = options;
  }

  ingestDocument(request: IngestDocumentRequest): Promise<IngestDocumentResponse> {
    const { defaultSize, defaultOverlap } = this.#options.config?.chunking ?? {};
    return this.#post('documents/ingest', { chunkSize: defaultSize, chunkOverlap: defaultOverlap, ...request });
  }

  listDocuments(): Promise<ListDocumentsResponse> {
    return this.#call('GET', 'documents');
  }

  deleteDocument(documentId: string): Promise<DeleteDocumentResponse> {
    return this.#call('DELETE', `documents/${encodeURIComponent(documentId)}`);
  }

  embed(request: EmbedRequest): Promise<EmbedResponse> {
    return this.#post('vectors/embed', { model: this.#options.config?.embedding?.model, ...request });
  }

  search(request: VectorSearchRequest): Promise<VectorSearchResponse> {
    const { defaultLimit, defaultThreshold } = this.#options.config?.search ?? {};
    return this.#post('vectors/search', { limit: defaultLimit, threshold: defaultThreshold, ...request });
  }

  retrieveContext(request: ContextRetrievalRequest): Promise<ContextRetrievalResponse> {
    return this.#post('context/retrieve', request);
  }

  enhancePrompt(request: EnhancePromptRequest): Promise<EnhancePromptResponse> {
    return this.#post('context/enhance-prompt', request);
  }

  getConfig(): Promise<RAGConfig> {
    return this.#call('GET', 'config');
  }

  updateConfig(changes: ConfigUpdate): Promise<ConfigChanged> {
    return this.#call('PUT', 'config', changes);
  }

  getStatus(): Promise<RAGStatus> {
    return this.#call('GET', 'status');
  }

  getMetrics(): Promise<RAGMetrics> {
    return this.#call('GET', 'metrics');
  }

  getStorage(): Promise<StorageInfo> {
    return this.#call('GET', 'storage');
  }

  ingestBatch(request: BatchIngestRequest): Promise<BatchIngestResponse> {
    return this.#post('batch/ingest', request);
  }

  getBatch(batchId: string): Promise<BatchIngestResponse> {
    return this.#call('GET', `batch/${encodeURIComponent(batchId)}`);
  }

  optimizeIndex(request: OptimizeIndexRequest): Promise<OptimizeIndexResponse> {
    return this.#post('index/optimize', request);
  }

  getTask(taskId: string): Promise<Task> {
    return this.#call('GET', `tasks/${encodeURIComponent(taskId)}`);
  }

  #post<Result>(path: string, body: object): Promise<Result> {
    return this.#call('POST', path, body);
  }

  async #call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const { apiKey, timeout = 60_000, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (apiKey !== undefined) headers['X-API-Key'] = apiKey;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const given = body === undefined ? undefined : JSON.stringify(body);
    const ending = new AbortController(); // React Native has no AbortSignal.timeout
    const timer = setTimeout(() => ending.abort(timedOut()), timeout);
    try {
      const response = await fetch(`${this.#root}/${path}`, { method, headers, body: given, signal: ending.signal });
      const text = await response.text();
      if (!response.ok) throw failure(response.status, text);
      return JSON.parse(text) as Result;
    } finally {
      clearTimeout(timer);
    }
  }
}

function timedOut(): Error {
  return Object.assign(new Error('the service did not answer in time'), { name: 'TimeoutError' });
}

/** Where the service on this machine answers; a browser or a phone has no environment. */
function localUrl(): string {
  const { process } = globalThis as { process?: { env?: { RAG_URL?: string } } };
  return process?.env?.RAG_URL || 'http://127.0.0.1:8000';
}

/** The error that a response tells of; a proxy on the way may answer in another shape. */
function failure(status: number, text: string): RAGError {
  try {
    const { code, message, requestId, details } = (JSON.parse(text) as { error: ErrorBody }).error;
    return new RAGError(status, code, message, requestId, details);
  } catch {
    return new RAGError(status, `HTTP_${status}`, text.slice(0, 200));
  }
}
