// Against a running server: FOOTNOTE_URL says where it answers; its tenant is `kennel`, with a language model of its own.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { Footnote, FootnoteError, quoted } from '../dist/index.js';

const baseUrl = process.env.FOOTNOTE_URL;
const kennel = new Footnote({ baseUrl, tenant: 'kennel' });
const BEAGLE = '🐶 Kennel notes.\n\nBeagles need 60 minutes of exercise a day. A bored beagle howls.\n';
const QUESTION = 'How much exercise does a beagle need?';

test('a document is ingested, listed, read and asked, and its footnote checks', async () => {
  const ingested = await kennel.ingest({ content: BEAGLE, document_id: 'notes/beagle', metadata: { species: 'dog' } });
  assert.deepEqual([ingested.state, ingested.version], ['ready', 1]);
  const answer = await kennel.query({ question: QUESTION });
  assert.match(answer.answer, /60 minutes/);
  const [citation] = answer.citations;
  const text = await kennel.content(citation.document_id, { version: citation.version });
  assert.equal(quoted(text, citation), citation.quote);
  assert.equal((await kennel.document('notes/beagle')).metadata.species, 'dog');
  assert.equal((await kennel.versions('notes/beagle')).length, 1);
  assert.ok((await kennel.chunks('notes/beagle'))[0].content.includes('Beagles'));
});

test('a search takes filters; what is refused says which field was meant', async () => {
  const found = await kennel.search({ query: 'exercise', filters: { species: 'dog' } });
  assert.equal(found.results[0].document_id, 'notes/beagle');
  await assert.rejects(kennel.search({ query: 'exercise', filters: { specis: 'dog' } }), (error) => {
    assert.ok(error instanceof FootnoteError);
    assert.deepEqual([error.status, error.errors[0].suggestion], [422, 'species']);
    assert.ok(error.requestId);
    return true;
  });
  assert.ok((await kennel.explain({ query: 'exercise', document_id: 'notes/beagle' })));
  assert.equal((await kennel.facets({ filters: { species: 'dog' } })).fields.species.values[0].value, 'dog');
});

test('a list is read page by page', async () => {
  const several = await kennel.ingestAll(['one', 'two', 'three'].map((name) => ({ content: `Note ${name}.`, document_id: name })));
  assert.deepEqual(several.map(({ state }) => state), ['ready', 'ready', 'ready']);
  const names = [];
  for await (const { document_id } of kennel.documents({ limit: 2 })) names.push(document_id);
  assert.deepEqual(new Set(names), new Set(['notes/beagle', 'one', 'two', 'three']));
});

test('a file is uploaded', async () => {
  const file = new Blob(['# Poodle\n\nPoodles are clipped every six weeks.\n']);
  const [ingested] = await kennel.upload(file, 'poodle.md', { metadata: { species: 'dog' }, title: 'Poodle' });
  assert.equal(ingested.state, 'ready');
  assert.equal((await kennel.document(ingested.document_id)).title, 'Poodle');
});

test('an answer is streamed: sources, its text, citations, the whole', async () => {
  const names = [];
  let text = '';
  let whole;
  for await (const { event, data } of kennel.stream({ question: QUESTION })) {
    names.push(event);
    if (event === 'token') text += data.text;
    if (event === 'done') whole = data;
  }
  assert.equal(names[0], 'sources');
  assert.equal(names.at(-1), 'done');
  assert.equal(text, whole.answer);
});

test('a stream that is refused or ended rejects', async () => {
  const wrong = kennel.stream({ question: QUESTION, top_k: -1 });
  await assert.rejects(wrong.next(), (error) => error instanceof FootnoteError && error.status === 422);
  const ending = new AbortController();
  const events = kennel.stream({ question: QUESTION }, { signal: ending.signal });
  await events.next();
  ending.abort();
  await assert.rejects(async () => { for await (const _ of events); }, { name: 'AbortError' });
});

test('a conversation is continued, judged and deleted', async () => {
  const { conversation_id, answer_id } = await kennel.query({ question: QUESTION });
  await kennel.query({ question: 'And a bored one?', conversation_id });
  assert.equal((await kennel.conversation(conversation_id)).turns.length, 2);
  assert.equal((await kennel.feedback({ answer_id, helpful: true })).helpful, true);
  await kennel.deleteConversation(conversation_id);
  await assert.rejects(kennel.conversation(conversation_id), { status: 404, code: 'conversation_not_found' });
  assert.ok((await kennel.conversations()).conversations.every((one) => one.conversation_id !== conversation_id));
});

test('a job is waited for', async () => {
  const jobId = await kennel.startJob({ kind: 'ingest', documents: [{ content: 'Collies herd.', document_id: 'collie' }] });
  const job = await kennel.wait(jobId, { every: 50 });
  assert.deepEqual([job.state, job.progress.files_done], ['done', 1]);
});

test('a document is deleted, and the tenant counted', async () => {
  assert.equal((await kennel.deleteDocument('collie')).versions_left, 1);
  assert.equal((await kennel.deleteDocument('collie', { purge: true })).versions_left, 0);
  assert.ok((await kennel.stats()).documents > 0);
  assert.deepEqual((await Footnote.tenants({ baseUrl })).map(({ tenant }) => tenant), ['kennel']);
});

test('a busy service is asked again, as often as may be; silence ends in a time-out', async () => {
  let asked = 0;
  const busy = createServer((request, response) => {
    asked += 1;
    if (request.url.endsWith('/stats')) return;
    response.writeHead(503, { 'Retry-After': '0', 'Content-Type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'overloaded', detail: 'too many requests', errors: [], request_id: 'r-1' }));
  }).listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const url = `http://127.0.0.1:${busy.address().port}`;
  const tenant = new Footnote({ baseUrl: url, tenant: 'kennel', retries: 3, timeout: 300 });
  await assert.rejects(tenant.query({ question: QUESTION }), { code: 'overloaded', status: 503, requestId: 'r-1' });
  assert.equal(asked, 4);
  await assert.rejects(tenant.stats(), { name: 'TimeoutError' });
  busy.closeAllConnections();
  busy.close();
  assert.throws(() => new Footnote({ baseUrl: 'localhost', tenant: 'kennel' }), TypeError);
});

test('a stream is read where streams cannot be looped over, and one that breaks off rejects', async () => {
  const fetch = async () => new Response('event: token\ndata: {"text": "Beagles "}\n\n');
  const events = new Footnote({ baseUrl, tenant: 'kennel', fetch }).stream({ question: QUESTION });
  const loop = ReadableStream.prototype[Symbol.asyncIterator];
  delete ReadableStream.prototype[Symbol.asyncIterator];
  try {
    assert.equal((await events.next()).value.data.text, 'Beagles ');
    await assert.rejects(events.next(), { name: 'FootnoteError', code: 'stream_incomplete' });
  } finally {
    ReadableStream.prototype[Symbol.asyncIterator] = loop;
  }
});

test('waiting for a job leaves nothing on the signal that could end it', async () => {
  let asked = 0;
  const fetch = async () => Response.json({ state: ++asked < 15 ? 'running' : 'done' });
  const patient = new Footnote({ baseUrl, tenant: 'kennel', fetch });
  const { signal } = new AbortController();
  await patient.wait('job', { every: 1, signal });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
