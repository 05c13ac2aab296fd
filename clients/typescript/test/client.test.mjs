// Against a running server: RAG_URL says where it answers, RAG_DOCUMENTS which folder it may read.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RAGClient, RAGError } from '../dist/index.js';

const folder = process.env.RAG_DOCUMENTS;
const rag = new RAGClient({
  baseUrl: process.env.RAG_URL,
  config: { embedding: { model: 'mobile-sentence-transformer' }, search: { defaultLimit: 2 } },
});
const note = join(folder, 'note with a name.md');
writeFileSync(note, '# Models\n\nThe AI model is configured in the settings. A larger model is slower.\n');

async function ended(look) {
  for (;;) {
    const found = await look();
    if (!['queued', 'processing'].includes(found.status)) return found;
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

test('the example of the published document', async () => {
  const rag = new RAGClient({
    baseUrl: 'file://local-rag-service',
    config: {
      embedding: { model: 'mobile-sentence-transformer' },
      search: { defaultLimit: 5 },
    },
  });
  const result = await rag.ingestDocument({
    documentPath: note,
    documentType: 'md',
    metadata: { title: 'Important Document' },
  });
  assert.equal(result.status, 'success');
  const context = await rag.retrieveContext({ query: 'How do I configure the AI model?', maxChunks: 3 });
  assert.match(context.context.text, /configured in the settings/);
  const enhanced = await rag.enhancePrompt({ userQuery: 'How do I configure the AI model?', template: 'technical' });
  assert.match(enhanced.enhancedPrompt, /How do I configure the AI model\?/);
});

test('searching, by text and by vector, with the defaults of the client', async () => {
  const { embedding, dimensions } = await rag.embed({ text: 'settings of the model' });
  assert.equal(embedding.length, dimensions);
  const found = await rag.search({ query: 'settings of the model' });
  assert.ok(found.results.length <= 2);
  const [first] = (await rag.search({ query: '', queryVector: embedding, limit: 1 })).results;
  assert.ok(first.similarity > 0 && first.similarity <= 1);
});

test('configuration, figures and tasks', async () => {
  const config = await rag.getConfig();
  const changed = await rag.updateConfig({ search: { defaultThreshold: 0.01 } });
  assert.deepEqual(changed.search, { ...config.search, defaultThreshold: 0.01 });
  assert.equal((await rag.getStatus()).health.embeddingModel, 'loaded');
  assert.ok((await rag.getMetrics()).performance.searchMetrics.totalSearches > 0);
  assert.ok((await rag.getStorage()).used > 0);
  const { taskId } = await rag.optimizeIndex({ action: 'compact' });
  assert.equal((await ended(() => rag.getTask(taskId))).status, 'completed');
});

test('batches, lists and deletions', async () => {
  const { batchId } = await rag.ingestBatch({ documents: [{ path: note, type: 'md' }], priority: 'high' });
  const batch = await ended(() => rag.getBatch(batchId));
  assert.deepEqual([batch.status, batch.progress.completed], ['completed', 1]);
  const { documents } = await rag.listDocuments();
  const id = documents.find((document) => document.id.endsWith('note with a name.md')).id;
  assert.equal((await rag.deleteDocument(id)).success, true);
});

test('what the service refuses is an error with its code', async () => {
  await assert.rejects(
    rag.ingestDocument({ documentPath: '/etc/passwd', documentType: 'txt' }),
    (error) => error instanceof RAGError && error.code === 'RAG_001' && error.status === 403 && !!error.requestId,
  );
  await assert.rejects(rag.getBatch('nothing'), (error) => error.status === 404);
  assert.throws(() => new RAGClient({ baseUrl: 'local-rag-service' }), TypeError);
});

test('a service that keeps silent is given up, also where AbortSignal cannot count time', async () => {
  const timeout = AbortSignal.timeout;
  delete AbortSignal.timeout;
  const fetch = (url, { signal }) =>
    new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  try {
    const silent = new RAGClient({ baseUrl: 'http://127.0.0.1:1', timeout: 20, fetch });
    await assert.rejects(silent.getStatus(), { name: 'TimeoutError' });
  } finally {
    AbortSignal.timeout = timeout;
  }
});
