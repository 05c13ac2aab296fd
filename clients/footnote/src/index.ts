export { Footnote } from './client.js';
export { FootnoteError } from './errors.js';
export { quoted } from './quoted.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type * from './types.js';
export type { components, operations, paths } from './schema.js';
