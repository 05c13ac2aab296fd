import type { Citation } from './types.js';

/**
 * The text of a citation's span in a document's stored text, as `content` returns it.
 *
 * Spans count Unicode characters; JavaScript's strings count UTF-16 units, which are two for an emoji. Equal to the citation's
 * `quote`, so that `quoted(text, citation) === citation.quote` checks a footnote.
 */
export function quoted(text: string, { span }: Pick<Citation, 'span'>): string {
  return Array.from(text).slice(span.start, span.end).join('');
}
