import { type CallOptions, type ClientOptions, type Parameters, pause, Transport } from './transport.js';
import type {
  Answer, AnswerEvent, Chunk, Conversation, Conversations, Deletion, Document, DocumentInput, Documents, ExplainRequest,
  Explanation, FacetOptions, Facets, Feedback, FeedbackRequest, Ingested, IngestedOrFailed, Job, JobRequest, ListOptions,
  QueryRequest, SearchRequest, SearchResult, Stats, SyncResult, Tenant, UploadOptions, Version, VersionOptions,
} from './types.js';

const ENDED: readonly Job['state'][] = ['done', 'failed', 'cancelled'];

/**
 * One tenant of a Footnote service.
 *
 * Every method rejects with a `FootnoteError` if the service refuses or fails, and with the signal's reason if the call is
 * ended or times out.
 */
export class Footnote {
  readonly #transport: Transport;
  readonly #tenant: string;

  constructor({ baseUrl, tenant, ...options }: ClientOptions) {
    this.#transport = new Transport(baseUrl, options);
    this.#tenant = tenant;
  }

  /** The tenants that a key may see. */
  static async tenants({ baseUrl, ...options }: Omit<ClientOptions, 'tenant'>): Promise<Tenant[]> {
    const { tenants } = await new Transport(baseUrl, options).json<{ tenants: Tenant[] }>('GET', '');
    return tenants;
  }

  /** Answer a question, with footnotes. */
  query(request: QueryRequest, options?: CallOptions): Promise<Answer> {
    return this.#post('query', request, options);
  }

  /**
   * Answer a question while it is written. Ending the loop, or `options.signal`, stops the language model.
   */
  stream(request: QueryRequest, options?: CallOptions): AsyncGenerator<AnswerEvent, void> {
    const events = this.#transport.events(this.#path('query'), { ...request, stream: true }, options);
    return events as AsyncGenerator<AnswerEvent, void>;
  }

  /** Find the chunks that answer a query, best first. */
  search(request: SearchRequest, options?: CallOptions): Promise<SearchResult> {
    return this.#post('search', request, options);
  }

  /** Why a search shows a document or a chunk, or why it does not. */
  explain(request: ExplainRequest, options?: CallOptions): Promise<Explanation> {
    return this.#post('explain', request, options);
  }

  /** Ingest a text. It can be found when the promise resolves. */
  ingest(document: DocumentInput, options?: CallOptions): Promise<Ingested> {
    return this.#post('documents', document, options);
  }

  /** Ingest several texts. One that fails says why and leaves the others alone. */
  async ingestAll(documents: DocumentInput[], options?: CallOptions): Promise<IngestedOrFailed[]> {
    const ingested = await this.#post<{ documents: IngestedOrFailed[] }>('documents', { documents }, options);
    return ingested.documents;
  }

  /** Ingest a file. A ZIP archive brings the files in it, a mailbox its messages. */
  async upload(file: Blob, name: string, known: UploadOptions = {}, options?: CallOptions): Promise<IngestedOrFailed[]> {
    const form = new FormData();
    form.set('file', file, name);
    for (const [field, value] of Object.entries(known)) {
      if (value !== undefined) form.set(field, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const ingested = await this.#post<Ingested | { documents: IngestedOrFailed[] }>('documents', form, options);
    return 'documents' in ingested ? ingested.documents : [ingested];
  }

  /** All documents, read page by page as the loop goes on. */
  async *documents(list: ListOptions = {}, options?: CallOptions): AsyncGenerator<Document, void> {
    let cursor: string | null = null;
    do {
      const page: Documents = await this.#get('documents', { ...list, cursor: cursor ?? undefined }, options);
      yield* page.documents;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  document(documentId: string, options?: CallOptions): Promise<Document> {
    return this.#get(document(documentId), {}, options);
  }

  /** The versions of a document that are kept, newest first. */
  async versions(documentId: string, options?: CallOptions): Promise<Version[]> {
    return (await this.#get<{ versions: Version[] }>(`${document(documentId)}/versions`, {}, options)).versions;
  }

  /** The stored text of a version, which the spans of citations count in (in Unicode characters; see `quoted`). */
  content(documentId: string, version: VersionOptions = {}, options?: CallOptions): Promise<string> {
    return this.#transport.text('GET', this.#path(`${document(documentId)}/content`), { parameters: { ...version }, ...options });
  }

  /** The chunks of a version, in the order of its text. */
  async chunks(documentId: string, version: VersionOptions = {}, options?: CallOptions): Promise<Chunk[]> {
    return (await this.#get<{ chunks: Chunk[] }>(`${document(documentId)}/chunks`, { ...version }, options)).chunks;
  }

  /** A page of a PDF as a PNG picture, with the span of a citation marked. */
  page(documentId: string, page: number, marked: { version?: number; start?: number; end?: number } = {}, options?: CallOptions): Promise<Blob> {
    return this.#transport.blob('GET', this.#path(`${document(documentId)}/pages/${page}`), { parameters: { ...marked }, ...options });
  }

  /** Take a document out; with `purge` its history too, so that nothing of it is left. */
  deleteDocument(documentId: string, { purge = false } = {}, options?: CallOptions): Promise<Deletion> {
    return this.#transport.json('DELETE', this.#path(document(documentId)), { parameters: { purge }, ...options });
  }

  /** Which values the documents have, and how many documents have them. */
  facets(selection: FacetOptions = {}, options?: CallOptions): Promise<Facets> {
    return this.#get('facets', { ...selection }, options);
  }

  /** A page of conversations, newest first. */
  conversations(list: { limit?: number; cursor?: string; user?: string } = {}, options?: CallOptions): Promise<Conversations> {
    return this.#get('conversations', { ...list }, options);
  }

  conversation(id: string, { user }: { user?: string } = {}, options?: CallOptions): Promise<Conversation> {
    return this.#get(`conversations/${encodeURIComponent(id)}`, { user }, options);
  }

  async deleteConversation(id: string, { user }: { user?: string } = {}, options?: CallOptions): Promise<void> {
    await this.#transport.json('DELETE', this.#path(`conversations/${encodeURIComponent(id)}`), { parameters: { user }, ...options });
  }

  /** Say whether an answer and its citations were helpful. */
  feedback(request: FeedbackRequest, options?: CallOptions): Promise<Feedback> {
    return this.#post('feedback', request, options);
  }

  /** Start work in the background; `wait` waits for its end. */
  async startJob(request: JobRequest, options?: CallOptions): Promise<string> {
    return (await this.#post<{ job_id: string }>('jobs', request, options)).job_id;
  }

  job(jobId: string, options?: CallOptions): Promise<Job> {
    return this.#get(`jobs/${encodeURIComponent(jobId)}`, {}, options);
  }

  cancelJob(jobId: string, options?: CallOptions): Promise<Job> {
    return this.#post(`jobs/${encodeURIComponent(jobId)}/cancel`, undefined, options);
  }

  /** Wait until a job has ended, and return it, also if it failed. `every` is in milliseconds. */
  async wait(jobId: string, { every = 500, signal }: CallOptions & { every?: number } = {}): Promise<Job> {
    for (;;) {
      const job = await this.job(jobId, { signal });
      if (ENDED.includes(job.state)) return job;
      await pause(every, signal);
    }
  }

  /** Bring the tenant in line with its knowledge folder and its sources. */
  sync(options?: CallOptions): Promise<SyncResult> {
    return this.#post('sync', {}, options);
  }

  stats(options?: CallOptions): Promise<Stats> {
    return this.#get('stats', {}, options);
  }

  #path(path: string): string {
    return `${encodeURIComponent(this.#tenant)}/${path}`;
  }

  #get<Result>(path: string, parameters: Parameters, options?: CallOptions): Promise<Result> {
    return this.#transport.json('GET', this.#path(path), { parameters, ...options });
  }

  #post<Result>(path: string, body: unknown, options?: CallOptions): Promise<Result> {
    return this.#transport.json('POST', this.#path(path), { body, ...options });
  }
}

function document(id: string): string {
  return `documents/${encodeURIComponent(id)}`;
}
