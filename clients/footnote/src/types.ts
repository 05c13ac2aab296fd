import type { components, operations } from './schema.js';

type Schemas = components['schemas'];
type Parameters<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

export type Answer = Schemas['QueryResponse'];
export type Citation = Schemas['CitationSchema'];
export type Claim = Schemas['ClaimSchema'];
export type Chunk = Schemas['ChunkSchema'];
export type Conversation = Schemas['ConversationSchema'];
export type Conversations = Schemas['ConversationsResponse'];
export type Deletion = Schemas['DeletionResponse'];
export type Document = Schemas['DocumentSchema'];
export type Documents = Schemas['DocumentsResponse'];
export type Explanation = Schemas['ExplainResponse'];
export type Facets = Schemas['FacetsResponse'];
export type Feedback = Schemas['FeedbackSchema'];
export type Hit = Schemas['HitSchema'];
export type Ingested = Schemas['IngestedSchema'];
export type Job = Schemas['JobSchema'];
export type Problem = Schemas['ProblemDocument'];
export type SearchResult = Schemas['SearchResponse'];
export type Stats = Schemas['StatsResponse'];
export type Step = Schemas['StepSchema'];
export type SyncResult = Schemas['SyncResponse'];
export type Tenant = Schemas['TenantSchema'];
export type ToolCall = Schemas['ToolSchema'];
export type Version = Schemas['VersionSchema'];

export type DocumentInput = Schemas['DocumentRequest'];
/** What became of one of several documents. */
export type IngestedOrFailed = Schemas['IngestedDocumentsResponse']['documents'][number];
export type ExplainRequest = Schemas['ExplainRequest'];
export type FeedbackRequest = Schemas['FeedbackRequest'];
export type JobRequest = Schemas['JobRequest'];
export type QueryRequest = Omit<Schemas['QueryRequest'], 'stream'>;
export type SearchRequest = Schemas['SearchRequest'];

/** A place in the hierarchy, and conditions on fields. They travel as JSON in the address. */
interface Selection {
  filters?: Record<string, unknown>;
  scope?: Record<string, unknown>;
}
export type ListOptions = Omit<Parameters<'list_documents'>, 'filters' | 'scope' | 'cursor'> & Selection;
export type FacetOptions = Omit<Parameters<'facets'>, 'filters' | 'scope'> & Selection;
export type VersionOptions = Parameters<'document_content'>;

/** What is known of an uploaded file. */
export interface UploadOptions {
  document_id?: string;
  title?: string;
  source?: string;
  metadata?: Record<string, unknown>;
}

/** A part of an answer that is still being written. The last is `done`, with the whole answer. */
export type AnswerEvent =
  | { event: 'tools'; data: { tools: ToolCall[] } }
  | { event: 'step'; data: Step }
  | { event: 'sources'; data: { sources: Hit[] } }
  | { event: 'token'; data: { text: string } }
  | { event: 'citation'; data: Citation }
  | { event: 'done'; data: Answer };
